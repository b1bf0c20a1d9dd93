// SPDX-License-Identifier: Apache-2.0
//
// A verb made by the class layer, whose answer to each event is told by its path.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "lnk/cpp/verb.hpp"

namespace lnk::test {

class EchoVerb {
 public:
  static constexpr std::string_view kId = "verb-echo";
  static constexpr std::string_view kVersion = "1.0.0";
  static constexpr std::uint16_t kKind = LNK_KIND_VERB;
  static constexpr std::string_view kRequires = "linux.landlock>=1";
  static constexpr std::string_view kConfigSchema = "{}";
  using Interfaces = lnk::Interfaces<lnk::VerbInterface>;

  static Status check_config(std::string_view config_json) {
    if (config_json == "{}") return {};
    return fail(Code::Invalid, "no settings\nare taken");
  }
  static Result<std::unique_ptr<EchoVerb>> create(Host host, std::string_view config_json) {
    LNK_CHECK(check_config(config_json));
    host.log(LNK_LOG_INFO, "made");
    return std::make_unique<EchoVerb>();
  }
  static Status probe(CapabilityReport& report) {
    return report.add({"echo.echo", CapabilityState::Supported, 3, 0, "called out", ""});
  }

  Status declare(Declaration& declaration) {
    LNK_CHECK(declaration.route(LNK_ROUTE_PREFIX, "echo/"));
    LNK_CHECK(declaration.upstream("echo.test", 443, true));
    return declaration.body_max(100);
  }

  Status event(const Event& event, Actions& actions) {
    ++events;
    if (const auto* head = std::get_if<HeadEvent>(&event.what)) return on_head(*head, actions);
    if (const auto* body = std::get_if<BodyEvent>(&event.what)) return actions.answer({200, {}, body->body});
    if (const auto* answered = std::get_if<AnsweredEvent>(&event.what))
      return actions.answer({200, {}, answered->answer == Answer::Yes ? "yes" : "no"});
    return {};
  }

  int events = 0;

 private:
  Status on_head(const HeadEvent& head, Actions& actions) {
    if (head.path == "throw") throw std::runtime_error("thrown");
    if (head.path == "throw-int") throw 4711;
    if (head.path == "no-memory") throw std::bad_alloc();
    if (head.path == "fail") return fail(Code::Denied, "no");
    if (head.path == "stranger") return actions.relay({"stranger.test", 443, true, head.method, Value("/"), {}, false});
    if (head.path == "body") return actions.need_body(100);
    if (head.path == "large-body") return actions.need_body(101);
    if (head.path == "ask") return ask(actions);
    if (head.path == "stream") return stream(actions);
    Relay relay{"echo.test", 443, true, head.method, Value("/").text(head.path), {}, true};
    relay.target.text("?key=").query_handle("secret:echo");
    relay.edits.push_back(FieldEdit::remove("Cookie"));
    relay.edits.push_back(
        FieldEdit::set("Authorization", Value("Basic ").base64_begin().text("me:").handle("secret:echo").base64_end()));
    return actions.relay(relay);
  }
  static Status ask(Actions& actions) {
    const std::string_view lines[] = {"one", "two"};
    LNK_TRY(const lnk_id question, actions.ask("May it?", lines));
    return question != 0 ? Status() : fail(Code::Internal, "a question without an id");
  }
  static Status stream(Actions& actions) {
    LNK_CHECK(actions.begin_stream({200, {{"Content-Type", "text/event-stream"}}, ""}));
    LNK_TRY(const Flow flow, actions.stream("data: 1\n\n"));
    return flow == Flow::Goes ? actions.end() : Status();
  }
};

}  // namespace lnk::test
