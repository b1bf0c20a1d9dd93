// SPDX-License-Identifier: Apache-2.0
//
// The verb with a program inside that speaks HTTP to it and servers outside that speak lines: what the host does between, by hand.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lnk/abi/module.h"
#include "lnk/cpp/view.hpp"
#include "lnk/fake/verb_bench.hpp"

extern "C" const lnk_module_api lnk_module_v1_verb_mcp;

namespace lnk::test {

using Fields = std::vector<std::pair<std::string_view, std::string_view>>;

/// What a call was answered with up to now.
struct Answered {
  std::uint32_t status = 0;  ///< 0: not yet
  std::map<std::string, std::string> fields;
  std::string body;
  bool is_over = false;
  std::string reason;  ///< of a DENY
};

struct Asked {
  lnk_id id = 0;
  lnk_id call = 0;
  std::string title;
  std::vector<std::string> lines;
};

inline const Fields kPost = {{"Content-Type", "application/json"}, {"Accept", "application/json, text/event-stream"}};

class McpBench {
 public:
  explicit McpBench(std::string_view config) : bench_(make(config)) {}

  /// One POST; the call's id.
  lnk_id post(std::string_view body, Fields more = {}) {
    const lnk_id call = ++last_call_;
    fake::Head head;
    head.route = route;
    head.method = "POST";
    head.has_body = true;
    head.fields = kPost;
    head.fields.insert(head.fields.end(), more.begin(), more.end());
    take(bench_->head(call, head));
    if (wants_body_.contains(call)) take(bench_->body(call, body));
    return call;
  }
  lnk_id request(std::string_view method, Fields fields) {
    const lnk_id call = ++last_call_;
    fake::Head head;
    head.route = route;
    head.method = method;
    head.fields = std::move(fields);
    take(bench_->head(call, head));
    return call;
  }
  lnk_id post_in(const std::string& session, std::string_view body) {
    return post(body, {{"Mcp-Session-Id", session}, {"MCP-Protocol-Version", "2025-11-25"}});
  }
  void gone(lnk_id call) { take(bench_->gone(call)); }

  void started(lnk_id tool, lnk_status status = LNK_OK) {
    auto data = sized<lnk_event_done>();
    data.status = status;
    take(bench_->send(LNK_EVENT_TOOL_STARTED, 0, tool, &data));
  }
  void line(lnk_id tool, std::string_view text) {
    auto data = sized<lnk_event_tool_line>();
    data.line = to_bytes(text);
    take(bench_->send(LNK_EVENT_TOOL_LINE, 0, tool, &data));
  }
  void exited(lnk_id tool, std::int32_t code) {
    auto data = sized<lnk_event_tool_exit>();
    data.code = code;
    take(bench_->send(LNK_EVENT_TOOL_EXIT, 0, tool, &data));
  }
  void answer(const Asked& question, std::uint32_t what) {
    auto data = sized<lnk_event_answered>();
    data.answer = what;
    take(bench_->send(LNK_EVENT_ANSWERED, question.call, question.id, &data));
  }
  void drained(lnk_id call, lnk_id tool = 0) { take(bench_->send(LNK_EVENT_DRAINED, call, tool)); }
  /// The clock goes on, and the timers that are due go off.
  void pass(std::uint64_t ms) {
    const std::uint64_t until = now_ms_ + ms;
    for (;;) {
      const auto due = std::min_element(timers_.begin(), timers_.end(), [](const auto& a, const auto& b) { return a.at < b.at; });
      if (due == timers_.end() || due->at > until) break;
      const Timer timer = *due;
      timers_.erase(due);
      now_ms_ = std::max(now_ms_, timer.at);
      bench_->set_time(now_ms_, now_ms_);
      if (timer.call == 0 || !calls[timer.call].is_over) take(bench_->send(LNK_EVENT_TIMER, timer.call, timer.id));
    }
    now_ms_ = until;
    bench_->set_time(now_ms_, now_ms_);
  }

  /// The lines that a tool was sent and that nobody took yet.
  std::vector<std::string> take_lines(lnk_id tool) { return std::exchange(lines_[tool], {}); }
  std::string take_line(lnk_id tool) {
    auto& lines = lines_[tool];
    if (lines.empty()) return {};
    auto first = lines.front();
    lines.erase(lines.begin());
    return first;
  }

  std::uint32_t route = 0;
  std::map<lnk_id, Answered> calls;
  std::vector<std::pair<lnk_id, std::string>> tools;  ///< started, with their names
  std::vector<lnk_id> stopped;
  std::vector<Asked> asked;
  std::vector<std::string> faults;
  std::map<lnk_id, std::vector<std::string>> all_lines;
  std::vector<lnk_id> paused;
  std::vector<lnk_id> resumed;
  fake::VerbBench& bench() { return *bench_; }

 private:
  struct Timer {
    lnk_id id;
    lnk_id call;
    std::uint64_t at;
  };

  static std::unique_ptr<fake::VerbBench> make(std::string_view config) {
    auto made = fake::VerbBench::start(lnk_module_v1_verb_mcp, config);
    if (!made) throw std::runtime_error(made.error().text);
    return std::make_unique<fake::VerbBench>(std::move(made).value());
  }

  void take_reply(const fake::RecordedAction& action) {
    Answered& call = calls[action.call];
    if (action.kind == LNK_ACTION_STREAM) {
      call.body += action.body;
    } else if (action.kind == LNK_ACTION_END) {
      call.is_over = true;
    } else {
      if (call.status != 0) faults.push_back("a second answer to one call");
      call.status = action.status;
      for (const auto& field : action.fields) call.fields[field.name] = field.value;
      call.body = action.kind == LNK_ACTION_DENY ? action.text : action.body;
      call.reason = action.reason;
      call.is_over = !action.streams;
    }
  }

  void take(const fake::Sent& sent) {
    if (sent.status != LNK_OK) faults.push_back(sent.words);
    for (const auto& action : sent.actions) {
      switch (action.kind) {
        case LNK_ACTION_NEED_BODY: wants_body_[action.call] = true; break;
        case LNK_ACTION_TOOL_START: tools.emplace_back(action.made, action.text); break;
        case LNK_ACTION_TOOL_SEND:
          lines_[action.subject].push_back(action.body);
          all_lines[action.subject].push_back(action.body);
          break;
        case LNK_ACTION_TOOL_STOP: stopped.push_back(action.subject); break;
        case LNK_ACTION_TOOL_PAUSE: paused.push_back(action.subject); break;
        case LNK_ACTION_TOOL_RESUME: resumed.push_back(action.subject); break;
        case LNK_ACTION_ASK: asked.push_back({action.made, action.call, action.text, action.lines}); break;
        case LNK_ACTION_WAKE: timers_.push_back({action.made, action.call, now_ms_ + action.amount}); break;
        case LNK_ACTION_LOG: break;
        default: take_reply(action);
      }
    }
  }

  std::unique_ptr<fake::VerbBench> bench_;
  lnk_id last_call_ = 0;
  std::uint64_t now_ms_ = 1000;
  std::map<lnk_id, bool> wants_body_;
  std::map<lnk_id, std::vector<std::string>> lines_;
  std::vector<Timer> timers_;
};

inline constexpr std::string_view kInitialize =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
    R"("capabilities":{"roots":{"listChanged":true},"sampling":{}},"clientInfo":{"name":"c","version":"1"}}})";

/// The number under which a line was sent.
inline std::string number_of(const std::string& line) {
  const auto at = line.find("\"id\":");
  if (at == std::string::npos) return {};
  return line.substr(at + 5, line.find_first_of(",}", at) - at - 5);
}

/// A session whose server runs; the tool is the last that was started.
inline std::string begin_session(McpBench& bench, std::string_view version = "2025-11-25",
                                 std::string_view tools = R"({"listChanged":true})") {
  const auto call = bench.post(kInitialize);
  const lnk_id tool = bench.tools.back().first;
  bench.started(tool);
  const auto line = bench.take_line(tool);
  bench.line(tool, R"({"jsonrpc":"2.0","id":)" + number_of(line) + R"(,"result":{"protocolVersion":")" + std::string(version) +
                       R"(","capabilities":{"tools":)" + std::string(tools) + R"(},"serverInfo":{"name":"s","version":"1"}}})");
  const std::string session = bench.calls[call].fields["Mcp-Session-Id"];
  bench.gone(call);
  bench.gone(bench.post_in(session, R"({"jsonrpc":"2.0","method":"notifications/initialized"})"));
  static_cast<void>(bench.take_line(tool));
  return session;
}

inline constexpr std::string_view kAsks = R"({"tools":[{"name":"files","allow":{},"ask":"all","roots":[]}]})";
inline constexpr std::string_view kAsksNone = R"({"tools":[{"name":"files","allow":{},"ask":"none","roots":[]}]})";
inline constexpr std::string_view kCall =
    R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"/etc/hosts"}}})";

/// The server's reply to a line that it was sent.
inline std::string result(const std::string& line, std::string_view json) {
  return R"({"jsonrpc":"2.0","id":)" + number_of(line) + R"(,"result":)" + std::string(json) + '}';
}

inline bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

inline constexpr std::string_view kTools = R"([{"name":"read_file","annotations":{"readOnlyHint":true}}])";

/// The server says which tools it has, where it was asked.
inline bool list_tools(McpBench& bench, lnk_id tool, std::string_view tools = kTools) {
  const auto line = bench.take_line(tool);
  if (!has(line, R"("method":"tools/list")")) return false;
  bench.line(tool, result(line, R"({"tools":)" + std::string(tools) + '}'));
  return true;
}

}  // namespace lnk::test
