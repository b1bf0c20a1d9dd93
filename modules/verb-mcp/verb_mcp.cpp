// SPDX-License-Identifier: Apache-2.0
//
// verb-mcp: MCP's streamable HTTP in front of stdio servers that run outside.
//
// Guarantees: to a server goes one line of JSON a message, written anew, of a method in the table and with the members of the
// table; what is asked goes only after a yes, which serves one request; no word of the program's on roots goes at all. To the
// program goes what the table lets a server say, on the stream that it belongs to. Trusts: the host to start what `tool add` named,
// to ask the person, and to keep other sandboxes out; the server outside with all that the person has. Does not do: what a server
// does once it was asked.
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "config.hpp"
#include "head.hpp"
#include "limits.hpp"
#include "lnk/cpp/module.hpp"
#include "lnk/cpp/verb.hpp"
#include "lnk/secret/base64.hpp"
#include "lnk/secret/constant_time.hpp"
#include "passage.hpp"
#include "session.hpp"

namespace lnk::verb_mcp {

class VerbMcp {
 public:
  static constexpr std::string_view kId = "verb-mcp";
  static constexpr std::string_view kVersion = "0.1.0";
  static constexpr std::uint16_t kKind = LNK_KIND_VERB;
  using Interfaces = lnk::Interfaces<VerbInterface>;

  static Status check_config(std::string_view config_json) {
    LNK_CHECK(parse_config(config_json));
    return {};
  }

  static Result<std::unique_ptr<VerbMcp>> create(Host, std::string_view config_json) {
    LNK_TRY(auto tools, parse_config(config_json));
    return std::unique_ptr<VerbMcp>(new VerbMcp(std::move(tools)));
  }

  /// One route a tool, in their order.
  Status declare(Declaration& declaration) {
    for (const Tool& tool : tools_)
      LNK_CHECK(declaration.route(LNK_ROUTE_EXACT, "mcp/" + tool.name, LNK_ROUTE_UNDER_SECRET, kRefusalBody));
    return declaration.body_max(kBodyBytesMax);
  }

  Status event(const Event& event, Actions& actions) {
    now_ms_ = event.now_ms;
    replies_.begin_event(event.call);
    for (const auto& session : sessions_) session->set_now(now_ms_);
    LNK_CHECK(take(event, actions));
    for (const auto& session : sessions_) {
      session->settle(actions);
      if (session->is_over()) session->end(actions, "the session ended");
    }
    std::erase_if(sessions_, [](const auto& session) { return session->is_over(); });
    return replies_.take_fault();
  }

 private:
  static constexpr std::string_view kRefusalBody = R"({"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"{words}"}})";

  explicit VerbMcp(std::vector<Tool> tools) noexcept : tools_(std::move(tools)) {}

  Status take(const Event& event, Actions& actions) {
    if (const auto* head = std::get_if<HeadEvent>(&event.what)) return take_head(event.call, *head, actions);
    if (const auto* body = std::get_if<BodyEvent>(&event.what)) return take_body(event, *body, actions);
    if (std::holds_alternative<GoneEvent>(event.what)) {
      take_gone(event.call, actions);
    } else if (std::holds_alternative<TimerEvent>(event.what)) {
      take_timer(event, actions);
    } else if (std::holds_alternative<DrainedEvent>(event.what)) {
      take_drained(event, actions);
    } else if (const auto* answered = std::get_if<AnsweredEvent>(&event.what)) {
      if (Session* session = find([&](const Session& one) { return one.has_question(event.subject); }))
        session->take_answer(actions, event.subject, answered->answer);
    } else {
      take_tool_event(event, actions);
    }
    return {};
  }

  void take_tool_event(const Event& event, Actions& actions) {
    const auto* started = std::get_if<ToolStartedEvent>(&event.what);
    const auto* exit = std::get_if<ToolExitEvent>(&event.what);
    if (exit != nullptr || (started != nullptr && started->status != LNK_OK)) shared_.running.erase(event.subject);
    Session* session = find([&](const Session& one) { return event.subject != 0 && one.server() == event.subject; });
    if (session == nullptr) return;  // of a session that ended
    if (started != nullptr) session->take_started(actions, started->status);
    if (const auto* line = std::get_if<ToolLineEvent>(&event.what)) session->take_line(actions, line->line);
    if (exit != nullptr) session->take_exit(actions, exit->code);
  }

  template <class Predicate>
  Session* find(Predicate predicate) {
    const auto found = std::find_if(sessions_.begin(), sessions_.end(), [&](const auto& one) { return predicate(*one); });
    return found == sessions_.end() ? nullptr : found->get();
  }

  Session* find_session(const HeadFacts& head) {
    if (!head.session) return nullptr;
    return find([&](const Session& one) {
      return one.family() == Family::Sessions && &one.tool() == &tools_[head.route] &&
             secret::equal_constant_time(one.id(), *head.session);
    });
  }

  Status take_head(lnk_id call, const HeadEvent& head, Actions& actions) {
    if (head.route >= tools_.size()) return fail(Code::Invalid, "a route that was not declared");
    auto read = read_head(head);
    if (const auto* refusal = std::get_if<Refusal>(&read)) {
      replies_.refuse(actions, call, *refusal);
      return {};
    }
    auto& facts = std::get<HeadFacts>(read);
    if (facts.does == Does::Post) {
      heads_.insert_or_assign(call, std::move(facts));
      return actions.need_body(kBodyBytesMax);
    }
    Session* session = find_session(facts);
    if (session == nullptr) {
      replies_.refuse(actions, call, unknown_session());
    } else if (facts.does == Does::Get) {
      session->take_listener(actions, call, facts);
    } else {
      session->end(actions, "the client ended the session");
      replies_.accept(actions, call, 200);
    }
    return {};
  }

  static Refusal unknown_session() { return {404, kRefused, "there is no such session, or it ended; begin with initialize"}; }

  Status take_body(const Event& event, const BodyEvent& body, Actions& actions) {
    const auto waiting = heads_.extract(event.call);
    if (waiting.empty()) return fail(Code::Invalid, "a body that was not asked for");
    auto read = read_message(body.body);
    if (auto* wrong = std::get_if<NoMessage>(&read)) {
      replies_.refuse(actions, event.call, {400, wrong->code, std::move(wrong->words), std::move(wrong->id)});
      return {};
    }
    auto& message = std::get<Message>(read);
    if (is_stateless(waiting.mapped(), message)) {
      take_stateless(event.call, waiting.mapped(), message, actions);
    } else {
      take_in_session(event, waiting.mapped(), message, actions);
    }
    return {};
  }

  /// What a message says of itself decides; the field, where it says nothing.
  static bool is_stateless(const HeadFacts& head, const Message& message) {
    const Json* meta = message.params.find("_meta");
    if (meta != nullptr && meta->find(kVersionKey) != nullptr) return true;
    if (message.method == "initialize") return false;
    return head.version && !is_session_version(*head.version);
  }

  void take_stateless(lnk_id call, const HeadFacts& head, Message& message, Actions& actions) {
    if (message.kind == Message::Kind::Response)
      return replies_.refuse(actions, call, {400, kInvalidRequest, "revision 2026-07-28 has no responses of a client"});
    const Form form = message.kind == Message::Kind::Request ? Form::Request : Form::Notification;
    const Method* method = find_method(message.method, Way::ToServer, form, Family::Stateless);
    if (form == Form::Request) {
      if (const auto refusal = check_stateless_fields(head, message, method)) return replies_.refuse(actions, call, *refusal);
      const Json* capabilities = message.params.find("_meta")->find(kCapabilitiesKey);
      if (capabilities == nullptr || !capabilities->is_object())
        return replies_.refuse(actions, call,
                               {400, kInvalidParams, "params._meta has no " + std::string(kCapabilitiesKey), message.id});
    }
    const Tool& tool = tools_[head.route];
    Session* session = find([&](const Session& one) { return one.family() == Family::Stateless && &one.tool() == &tool; });
    if (session == nullptr) session = add_session(tool, Family::Stateless, {}, actions);
    session->take_message(actions, call, head, message);
  }

  void take_in_session(const Event& event, const HeadFacts& head, Message& message, Actions& actions) {
    if (head.version && !is_session_version(*head.version) && message.method != "initialize")
      return replies_.refuse(actions, event.call,
                             {400, kUnsupportedVersion, "the revision of MCP in MCP-Protocol-Version is not spoken here",
                              message.id, R"({"supported":)" + std::string(kAllVersionsJson) + '}'});
    const bool begins = message.kind == Message::Kind::Request && message.method == "initialize" && !head.session;
    Session* session = begins ? make_room(head, event, actions) : find_session(head);
    if (session != nullptr) return session->take_message(actions, event.call, head, message);
    if (begins)
      return replies_.refuse(actions, event.call,
                             {503, kRefused, "16 sessions of this tool are in use; end one with DELETE first", message.id});
    if (!head.session)
      return replies_.refuse(actions, event.call,
                             {400, kInvalidRequest, "Mcp-Session-Id is missing: a session begins with initialize", message.id});
    replies_.refuse(actions, event.call, unknown_session());
  }

  /// A new session; null where there are too many, and none that is idle gives way.
  Session* make_room(const HeadFacts& head, const Event& event, Actions& actions) {
    const Tool& tool = tools_[head.route];
    std::size_t count = 0;
    Session* oldest = nullptr;
    for (const auto& one : sessions_) {
      if (&one->tool() != &tool || one->family() != Family::Sessions || one->is_over()) continue;
      ++count;
      const auto idle = one->idle_since();
      if (idle && (oldest == nullptr || *idle < *oldest->idle_since())) oldest = one.get();
    }
    if (count >= kSessionsMax) {
      if (oldest == nullptr || now_ms_ < *oldest->idle_since() + kSpareMs) return nullptr;
      oldest->end(actions, "the session gave way to a new one");
    }
    const std::string_view random(reinterpret_cast<const char*>(event.random.data()), event.random.size());
    return add_session(tool, Family::Sessions, secret::base64url_encode(random), actions);
  }

  Session* add_session(const Tool& tool, Family family, std::string id, Actions& actions) {
    if (sessions_.empty() && !is_ticking_) set_tick(actions);
    Session& made = *sessions_.emplace_back(std::make_unique<Session>(tool, family, std::move(id), replies_, shared_));
    made.set_now(now_ms_);
    return &made;
  }

  void set_tick(Actions& actions) {
    const auto made = actions.for_call(0).wake(kTickMs);
    is_ticking_ = made.has_value();
    tick_ = made ? *made : 0;
  }

  void take_timer(const Event& event, Actions& actions) {
    if (event.subject != tick_) return;
    is_ticking_ = false;
    for (const auto& session : sessions_) {
      session->tick(actions);
      const auto idle = session->idle_since();
      if (idle && now_ms_ >= *idle + kIdleMs) session->end(actions, "the session was idle for half an hour");
    }
    if (!sessions_.empty()) set_tick(actions);
  }

  void take_drained(const Event& event, Actions& actions) {
    if (event.call != 0) return replies_.note_drained(actions, event.call);
    if (Session* session = find([&](const Session& one) { return event.subject != 0 && one.server() == event.subject; }))
      session->take_tool_drained(actions);
  }

  void take_gone(lnk_id call, Actions& actions) {
    heads_.erase(call);
    if (Session* session = find([&](const Session& one) { return one.has_call(call); })) return session->take_gone(actions, call);
    replies_.note_gone(call);
  }

  std::vector<Tool> tools_;
  Replies replies_;
  Session::Shared shared_;
  std::vector<std::unique_ptr<Session>> sessions_;
  std::unordered_map<lnk_id, HeadFacts> heads_;  ///< of calls whose body was asked for
  std::uint64_t now_ms_ = 0;
  lnk_id tick_ = 0;
  bool is_ticking_ = false;
};

}  // namespace lnk::verb_mcp

LNK_MODULE(lnk::verb_mcp::VerbMcp)
