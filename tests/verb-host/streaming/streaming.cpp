// SPDX-License-Identifier: Apache-2.0
//
// A verb that does all that a verb may: the first part of the path below streaming/ says what, the rest how. Built for tests
// and never installed. Its configuration is {"leak":"…"}, a text that it streams in two pieces.
#include <charconv>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "lnk/cpp/verb.hpp"

namespace {

using lnk::Actions;
using lnk::Status;

constexpr std::string_view kHost = "api.test";
constexpr std::size_t kPieceBytes = 64 * 1024;

std::string_view behind(std::string_view text, std::string_view key) {
  const auto at = text.find(key);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + key.size());
}

std::size_t number_of(std::string_view text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

struct Open {
  std::string what;
  std::string rest;
  std::string held;
  bool streams = false;
  std::size_t left = 0;  ///< pieces of a flood
  lnk_id timer = 0;
};

class Streaming {
 public:
  static constexpr std::string_view kId = "streaming";
  static constexpr std::string_view kVersion = "1.0.0";
  static constexpr std::uint16_t kKind = LNK_KIND_VERB;
  using Interfaces = lnk::Interfaces<lnk::VerbInterface>;

  static Status check_config(std::string_view config) {
    if (config == "{}" || (config.starts_with(R"({"leak":")") && config.ends_with('}'))) return {};
    return lnk::fail(lnk::Code::Invalid, "a table is wanted");
  }
  static lnk::Result<std::unique_ptr<Streaming>> create(lnk::Host, std::string_view config) {
    LNK_CHECK(check_config(config));
    auto made = std::make_unique<Streaming>();
    const auto leak = behind(config, R"("leak":")");
    made->leak_ = leak.substr(0, leak.find('"'));
    made->has_upstream_ = config.find(R"("upstream":true)") != std::string_view::npos;
    return made;
  }

  Status declare(lnk::Declaration& declaration) {
    LNK_CHECK(declaration.route(LNK_ROUTE_PREFIX, "streaming/"));
    LNK_CHECK(declaration.body_max(1024));
    return has_upstream_ ? declaration.upstream(kHost, 443, true) : Status();
  }

  Status event(const lnk::Event& event, Actions& actions) {
    if (const auto* head = std::get_if<lnk::HeadEvent>(&event.what)) return begin(*head, event.call, actions);
    if (std::holds_alternative<lnk::GoneEvent>(event.what)) {
      ++gone_[calls_[event.call].what];
      calls_.erase(event.call);
      return {};
    }
    if (std::holds_alternative<lnk::TimerEvent>(event.what)) return ring(event, actions);
    Open& call = calls_[event.call];
    if (const auto* inside = std::get_if<lnk::InsideReplyEvent>(&event.what)) {
      if (call.timer != event.subject) return lnk::fail(lnk::Code::Invalid, "another call inside");
      return actions.answer({200, {}, "inside said " + std::to_string(inside->status) + " " +
                                          std::to_string(inside->http_status) + " " + std::string(inside->location)});
    }
    if (const auto* body = std::get_if<lnk::BodyEvent>(&event.what))
      return actions.forward(relay_to(call.rest, "POST"), "forwarded " + std::string(body->body));
    if (std::holds_alternative<lnk::DrainedEvent>(event.what)) {
      ++drained_;
      return call.what == "flood" ? flood(call, actions) : Status();
    }
    return reply(call, event, actions);
  }

 private:
  lnk::Relay relay_to(std::string_view target, std::string_view method) const {
    lnk::Relay relay;
    relay.host = kHost;
    relay.method = method;
    relay.target = lnk::Value("/" + std::string(target));
    relay.edits.push_back(lnk::FieldEdit::set("Authorization", lnk::Value("Bearer ").handle("secret:key")));
    relay.edits.push_back(lnk::FieldEdit::set("Accept-Encoding", lnk::Value("identity")));
    relay.see_reply = true;
    return relay;
  }

  Status begin(const lnk::HeadEvent& head, lnk_id id, Actions& actions) {
    if (head.route != 0) return lnk::fail(lnk::Code::Invalid, "a route that was not declared");
    Open& call = calls_[id];
    const auto slash = std::min(head.path.find('/'), head.path.size());
    call.what = head.path.substr(0, slash);
    call.rest = head.path.substr(std::min(slash + 1, head.path.size()));
    if (call.what == "sse" || call.what == "hold" || call.what == "deny")
      return actions.relay(relay_to(call.rest, head.has_body ? "POST" : "GET"));
    if (call.what == "post") return actions.need_body(1024);
    if (call.what == "leak") return leak(actions);
    if (call.what == "flood" || call.what == "heedless") {
      call.left = number_of(call.rest);
      LNK_CHECK(actions.begin_stream({}));
      return flood(call, actions);
    }
    return begin_waiting(call, actions);
  }

  Status begin_waiting(Open& call, Actions& actions) {
    if (call.what == "wait") {
      call.streams = true;
      LNK_CHECK(actions.begin_stream({200, {{"Content-Type", "text/event-stream"}}, "data: waiting\n\n"}));
      return {};
    }
    if (call.what == "say" || call.what == "end") {
      LNK_CHECK(say(call, actions));
      return actions.answer({200, {}, "said"});
    }
    if (call.what == "timer" || call.what == "never") {
      LNK_TRY(call.timer, actions.wake(number_of(call.rest)));
      return {};
    }
    if (call.what == "inside") {
      lnk::InsideCall inside{static_cast<std::uint32_t>(number_of(call.rest)), "POST", "/callback?code=x", "localhost:1",
                             "application/x-www-form-urlencoded", "a=b"};
      LNK_TRY(call.timer, actions.call_inside(inside));
      return {};
    }
    if (call.what == "tick") {
      LNK_TRY(tick_, actions.for_call(0).wake(number_of(call.rest)));
      return actions.answer({200, {}, "set"});
    }
    if (call.what == "timers") {
      for (std::size_t left = number_of(call.rest); left > 0; --left) LNK_CHECK(actions.wake(1'000'000));
      return actions.answer({200, {}, "set"});
    }
    if (call.what == "log") {
      LNK_CHECK(actions.log(call.rest));
      return actions.answer({200, {}, "logged"});
    }
    if (call.what == "counts") return actions.answer({200, {}, counts()});
    return actions.deny(403, "path-refused", "no such thing to do");
  }

  /// On every call that waits, from the event of another.
  Status say(const Open& call, Actions& actions) {
    for (const auto& [id, open] : calls_) {
      if (!open.streams) continue;
      auto other = actions.for_call(id);
      if (call.what == "end") {
        LNK_CHECK(other.end());
      } else {
        LNK_TRY(const auto flow, other.stream("data: " + call.rest + "\n\n"));
        static_cast<void>(flow);
      }
    }
    return {};
  }

  Status ring(const lnk::Event& event, Actions& actions) {
    if (event.call != 0) {
      if (calls_[event.call].timer != event.subject) return lnk::fail(lnk::Code::Invalid, "another timer");
      return actions.answer({200, {}, "the timer rang"});
    }
    if (tick_ != event.subject) return lnk::fail(lnk::Code::Invalid, "another timer");
    return say({"say", "tick", {}, false, 0, 0}, actions);
  }

  /// Two pieces of one text, each on a line that goes on.
  Status leak(Actions& actions) {
    LNK_CHECK(actions.begin_stream({200, {}, "key: "}));
    const std::string_view text = leak_;
    LNK_CHECK(actions.stream(text.substr(0, text.size() / 2)));
    LNK_CHECK(actions.stream(std::string(text.substr(text.size() / 2)) + "\nbehind\n"));
    return actions.end();
  }

  Status flood(Open& call, Actions& actions) {
    while (call.left > 0) {
      --call.left;
      LNK_TRY(const auto flow, actions.stream(std::string(kPieceBytes, 'x')));
      if (flow == lnk::Flow::Full && call.what == "flood") return {};
    }
    return actions.end();
  }

  Status reply(Open& call, const lnk::Event& event, Actions& actions) {
    if (const auto* head = std::get_if<lnk::ReplyHeadEvent>(&event.what)) {
      if (call.what != "sse") return {};
      call.streams = true;
      return actions.begin_stream({head->status, {{"Content-Type", head->fields.first("content-type").value_or("text/x")}}, {}});
    }
    if (const auto* chunk = std::get_if<lnk::ReplyChunkEvent>(&event.what)) {
      ++chunks_;
      if (!call.streams) {
        call.held += chunk->bytes;
        return {};
      }
      LNK_TRY(const auto flow, actions.stream(chunk->bytes));
      static_cast<void>(flow);
      return {};
    }
    const auto* end = std::get_if<lnk::ReplyEndEvent>(&event.what);
    if (end == nullptr) return lnk::fail(lnk::Code::Invalid, "an event that was not asked for");
    const std::string words = "the reply ended with " + std::to_string(end->status);
    if (call.what == "deny") return actions.deny(502, "upstream", words);
    if (!call.streams) return actions.answer({end->status == LNK_OK ? 200U : 502U, {}, call.held + words});
    return end->status == LNK_OK ? actions.end() : actions.deny(502, "upstream", words);
  }

  std::string counts() const {
    std::string out = "open=" + std::to_string(calls_.size()) + " drained=" + std::to_string(drained_) +
                      " chunks=" + std::to_string(chunks_);
    for (const auto& [what, count] : gone_) out += " gone-" + what + "=" + std::to_string(count);
    return out;
  }

  std::string leak_;
  bool has_upstream_ = false;
  std::map<lnk_id, Open> calls_;
  std::map<std::string, int> gone_;
  lnk_id tick_ = 0;
  int drained_ = 0;
  int chunks_ = 0;
};

}  // namespace

LNK_MODULE(Streaming)
