// SPDX-License-Identifier: Apache-2.0
//
// A program inside, servers outside and a person, all of whom may say anything at any time the host lets them; and what holds of
// the verb whatever they say. Driven by a text, one step a line:
//
//   P<json>   POST without a session        S<json>   POST in the newest session
//   N<json>   POST with the fields of 2026-07-28, made of the message itself
//   G<id>     GET in the newest session, with a Last-Event-ID where one is given      D   DELETE of it
//   L<json>   a line of the newest server, with @ for the number that it was sent last
//   A         the server answers what it was sent last, as a good one would
//   y n t     the oldest open question is answered yes, no, not in time
//   g         the oldest open call goes     x   the newest server ends     f   the next server can't start     w   a minute passes
#pragma once

#include <boost/json.hpp>
#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/ascii.hpp"
#include "mcp_bench.hpp"
#include "methods.hpp"

namespace lnk::test {

class McpModel {
 public:
  explicit McpModel(std::string_view config) : bench_(config) {}

  /// What didn't hold, in words; empty: all did.
  const std::vector<std::string>& run(std::string_view script) {
    constexpr int kStepsMax = 400;
    for (int step = 0; step < kStepsMax && !script.empty() && faults_.empty(); ++step) {
      const auto line = script.substr(0, script.find('\n'));
      script.remove_prefix(std::min(line.size() + 1, script.size()));
      if (line.empty()) continue;
      take(line.front(), line.substr(1));
      settle();
    }
    for (const auto& fault : bench_.faults) faults_.push_back(fault);
    for (const auto& fault : bench_.bench().misbehaviours()) faults_.push_back(fault);
    return faults_;
  }
  [[nodiscard]] std::size_t asked_sent() const noexcept { return asked_sent_; }
  [[nodiscard]] std::size_t lines_sent() const noexcept { return lines_sent_; }

 private:
  using Value = boost::json::value;

  void take(char step, std::string_view text) {
    const std::string body(text);
    switch (step) {
      case 'P': open_.push_back(bench_.post(body)); break;
      case 'S': open_.push_back(bench_.post_in(session_, body)); break;
      case 'N': post_stateless(body); break;
      case 'G': listen(text); break;
      case 'D': open_.push_back(bench_.request("DELETE", {{"Mcp-Session-Id", session_}})); break;
      case 'L': say(body); break;
      case 'A': answer_well(); break;
      case 'y': decide(LNK_ANSWER_YES); break;
      case 'n': decide(LNK_ANSWER_NO); break;
      case 't': decide(LNK_ANSWER_TIMED_OUT); break;
      case 'g': leave(); break;
      case 'x': end_server(); break;
      case 'f': is_next_broken_ = true; break;
      case 'w': bench_.pass(60'000); break;
      default: break;
    }
  }

  void listen(std::string_view last) {
    Fields fields = {{"Accept", "text/event-stream"}, {"Mcp-Session-Id", session_}};
    if (!last.empty()) fields.emplace_back("Last-Event-ID", last);
    open_.push_back(bench_.request("GET", fields));
  }

  static std::string text_at(const Value& value, std::string_view key) {
    const auto* object = value.if_object();
    const auto* found = object == nullptr ? nullptr : object->if_contains(key);
    return found == nullptr || !found->is_string() ? std::string() : std::string(found->get_string());
  }

  void post_stateless(const std::string& body) {
    boost::json::error_code error;
    const Value value = boost::json::parse(body, error);
    std::string method;
    std::string name;
    if (!error && value.is_object()) {
      method = text_at(value, "method");
      if (const auto* params = value.get_object().if_contains("params"))
        for (const char* key : {"taskId", "uri", "name"})
          if (!text_at(*params, key).empty()) name = text_at(*params, key);
    }
    Fields fields = {{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", method}};
    if (!name.empty()) fields.emplace_back("Mcp-Name", name);
    open_.push_back(bench_.post(body, fields));
  }

  void say(std::string text) {
    if (running_.empty()) return;
    const auto at = text.find('@');
    if (at != std::string::npos) text.replace(at, 1, last_number_);
    bench_.line(*running_.rbegin(), text);
  }

  void answer_well() {
    if (running_.empty() || last_number_.empty()) return;
    std::string result = R"({"content":[]})";
    if (last_method_ == "initialize") result = R"({"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{}})";
    if (last_method_ == "server/discover") result = R"({"supportedVersions":["2026-07-28"],"capabilities":{}})";
    if (last_method_ == "tools/list") result = R"({"tools":[{"name":"w","inputSchema":{}}]})";
    bench_.line(*running_.rbegin(), R"({"jsonrpc":"2.0","id":)" + last_number_ + R"(,"result":)" + result + '}');
  }

  /// A question goes with its call.
  void decide(std::uint32_t answer) {
    while (next_question_ < bench_.asked.size()) {
      const Asked question = bench_.asked[next_question_++];
      if (gone_.contains(question.call) || bench_.calls[question.call].is_over) continue;
      if (answer == LNK_ANSWER_YES) ++yes_;
      bench_.answer(question, answer);
      return;
    }
  }

  void leave() {
    if (open_.empty()) return;
    const lnk_id call = open_.front();
    open_.pop_front();
    gone_.insert(call);
    bench_.gone(call);
  }

  void end_server() {
    if (running_.empty()) return;
    const lnk_id tool = *running_.rbegin();
    running_.erase(tool);
    bench_.exited(tool, 1);
  }

  /// What the host does by itself, until nothing is left to do.
  void settle() {
    while (next_tool_ < bench_.tools.size()) {
      const lnk_id tool = bench_.tools[next_tool_++].first;
      if (!is_next_broken_) running_.insert(tool);
      bench_.started(tool, std::exchange(is_next_broken_, false) ? LNK_E_UPSTREAM : LNK_OK);
    }
    for (const lnk_id tool : std::exchange(bench_.stopped, {}))
      if (running_.erase(tool) != 0) bench_.exited(tool, 0);
    if (next_tool_ < bench_.tools.size()) return settle();
    for (const auto& [tool, name] : bench_.tools)
      for (const auto& line : bench_.take_lines(tool)) check_line(line);
    for (const auto& [call, answered] : bench_.calls)
      if (const auto found = answered.fields.find("Mcp-Session-Id"); found != answered.fields.end()) session_ = found->second;
  }

  void hold(bool holds, const char* words, const std::string& line) {
    if (!holds) faults_.push_back(std::string(words) + ": " + line);
  }

  /// Of a value that stands for what a client can do or answers.
  void check_no_roots(const Value& value, const std::string& line) {
    if (!value.is_object()) return;
    for (const auto& member : value.get_object()) hold(!same_folded(member.key(), "roots"), "roots of the program", line);
  }

  void check_params(const Value& params, const std::string& method, const std::string& line) {
    if (!params.is_object()) return;
    const auto& object = params.get_object();
    if (method == "initialize")
      if (const auto* capabilities = object.if_contains("capabilities")) check_no_roots(*capabilities, line);
    if (const auto* meta = object.if_contains("_meta"); meta != nullptr && meta->is_object())
      if (const auto* capabilities = meta->get_object().if_contains("io.modelcontextprotocol/clientCapabilities"))
        check_no_roots(*capabilities, line);
    if (const auto* answers = object.if_contains("inputResponses"); answers != nullptr && answers->is_object())
      for (const auto& answer : answers->get_object()) check_no_roots(answer.value(), line);
  }

  void check_line(const std::string& line) {
    ++lines_sent_;
    boost::json::parse_options options;
    options.max_depth = 80;
    boost::json::error_code error;
    const Value value = boost::json::parse(line, error, {}, options);
    hold(!error && value.is_object() && line.find('\n') == std::string::npos, "no one line of JSON", line);
    if (error || !value.is_object()) return;
    for (const auto& member : value.get_object()) {
      const auto key = member.key();
      hold(key == "jsonrpc" || key == "id" || key == "method" || key == "params" || key == "result" || key == "error",
           "another member", line);
    }
    const auto method = text_at(value, "method");
    const bool is_request = value.get_object().contains("id");
    if (method.empty()) {
      hold(is_request, "neither a method nor an id", line);
      if (const auto* said = value.get_object().if_contains("result")) check_no_roots(*said, line);
      return;
    }
    const verb_mcp::Method* known = nullptr;
    for (const auto family : {verb_mcp::Family::Sessions, verb_mcp::Family::Stateless})
      if (const auto* found = verb_mcp::find_method(method, verb_mcp::Way::ToServer,
                                                    is_request ? verb_mcp::Form::Request : verb_mcp::Form::Notification, family))
        known = found;
    hold(known != nullptr, "a method that isn't let through", line);
    if (known != nullptr && known->is_asked) hold(++asked_sent_ <= yes_, "sent without a yes of its own", line);
    if (const auto* params = value.get_object().if_contains("params")) check_params(*params, method, line);
    if (is_request) {
      last_method_ = method;
      last_number_ = number_of(line);
    }
  }

  McpBench bench_;
  std::vector<std::string> faults_;
  std::deque<lnk_id> open_;
  std::set<lnk_id> gone_;
  std::set<lnk_id> running_;
  std::string session_;
  std::string last_number_;
  std::string last_method_;
  std::size_t next_tool_ = 0;
  std::size_t next_question_ = 0;
  std::size_t yes_ = 0;
  std::size_t asked_sent_ = 0;
  std::size_t lines_sent_ = 0;
  bool is_next_broken_ = false;
};

}  // namespace lnk::test
