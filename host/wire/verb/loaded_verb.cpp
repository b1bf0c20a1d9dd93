// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/loaded_verb.hpp"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include "lnk/cpp/barrier.hpp"
#include "lnk/cpp/view.hpp"
#include "wire/limits.hpp"

namespace lnk::host {
namespace {

std::uint64_t clock_ms(clockid_t clock) noexcept {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1000 + static_cast<std::uint64_t>(now.tv_nsec) / 1'000'000;
}

/// Of an upstream or a request.
template <class To>
bool same_place(const VerbUpstream& a, const To& to) noexcept {
  return a.host == to.host && a.port == to.port && a.tls == to.tls;
}

std::vector<lnk_field> to_raw(std::span<const http::Field> fields) {
  std::vector<lnk_field> raw;
  raw.reserve(fields.size());
  for (const auto& field : fields) raw.push_back({to_str(field.name), to_str(field.value)});
  return raw;
}

bool starts_something(std::uint32_t kind) noexcept {
  constexpr std::array<std::uint32_t, 6> kStarting = {LNK_ACTION_WAKE,       LNK_ACTION_CALL_INSIDE, LNK_ACTION_ASK,
                                                      LNK_ACTION_TOOL_START, LNK_ACTION_OPEN_PAGE,   LNK_ACTION_LISTEN_ONCE};
  return std::find(kStarting.begin(), kStarting.end(), kind) != kStarting.end();
}

/// For something that was started, whatever call it was for.
bool steers_something(const lnk_action& action) noexcept {
  constexpr std::array<std::uint32_t, 4> kSteering = {LNK_ACTION_TOOL_SEND, LNK_ACTION_TOOL_STOP, LNK_ACTION_TOOL_PAUSE,
                                                      LNK_ACTION_TOOL_RESUME};
  if (action.kind == LNK_ACTION_ANSWER || action.kind == LNK_ACTION_END) return action.subject != 0;
  return std::find(kSteering.begin(), kSteering.end(), action.kind) != kSteering.end();
}

Failure not_in_this_version(std::string_view action) { return fail(Code::Unsupported, std::string(action) + " is not in this version"); }

/// A call whose id is stale decides nothing.
Decided stale() { return ModuleFault{Error{Code::Gone, "an event of a call that has gone"}}; }

}  // namespace

Result<lnk_id> VerbServices::ask(lnk_id, QuestionPlan) { return not_in_this_version("ASK"); }
Result<lnk_id> VerbServices::start_tool(lnk_id, std::string) { return not_in_this_version("TOOL_START"); }
Result<bool> VerbServices::send_line(lnk_id, std::string_view) { return not_in_this_version("TOOL_SEND"); }
Status VerbServices::stop_tool(lnk_id) { return not_in_this_version("TOOL_STOP"); }
Status VerbServices::pause_tool(lnk_id, bool) { return not_in_this_version("TOOL_PAUSE"); }
Result<lnk_id> VerbServices::open_page(lnk_id, std::string) { return not_in_this_version("OPEN_PAGE"); }
Result<lnk_id> VerbServices::listen_once(lnk_id, ListenPlan) { return not_in_this_version("LISTEN_ONCE"); }
Status VerbServices::answer_callback(lnk_id, AnswerPlan) { return not_in_this_version("ANSWER to a callback"); }

Status VerbServices::close_port(lnk_id) { return not_in_this_version("END of a port"); }

LoadedVerb::LoadedVerb(std::string id, const lnk_verb& table, lnk_instance* instance)
    : id_(std::move(id)), table_(table), instance_(instance), sink_(sized<lnk_action_sink>()) {
  sink_.context = this;
  sink_.emit = &emit;
  limits_.check_upstream = [this](const RelayPlan& plan) { return check_upstream(plan); };
  limits_.may_wait = [this] { return services_ != nullptr && services_->may_bring_more(); };
}

Result<std::unique_ptr<LoadedVerb>> LoadedVerb::make(std::string id, const lnk_verb& table, lnk_instance* instance,
                                                     const std::vector<VerbUpstream>& granted) {
  std::unique_ptr<LoadedVerb> made(new LoadedVerb(std::move(id), table, instance));
  LNK_TRY(made->declared_, declare(table, instance));
  made->limits_.body_bytes_max = made->declared_.body_bytes_max;
  for (const VerbUpstream& wanted : made->declared_.upstreams) {
    const auto grant = std::find_if(granted.begin(), granted.end(),
                                    [&](const auto& g) { return same_place(g, wanted); });
    if (grant == granted.end()) {
      return fail(Code::Denied,
                  "declares " + wanted.host + ':' + std::to_string(wanted.port) + ", which the spec does not grant it");
    }
    made->upstreams_.push_back(*grant);
  }
  return made;
}

Result<void> LoadedVerb::check_upstream(const RelayPlan& plan) const {
  const auto upstream = std::find_if(upstreams_.begin(), upstreams_.end(),
                                     [&](const auto& u) { return same_place(u, plan); });
  if (upstream == upstreams_.end()) return fail(Code::Denied, "a request to a host that was not declared");
  std::vector<std::string> used = handles_of(plan.target);
  for (const Edit& edit : plan.edits) {
    for (auto& handle : handles_of(edit.value)) used.push_back(std::move(handle));
  }
  for (const auto& handle : used) {
    if (std::find(upstream->handles.begin(), upstream->handles.end(), handle) == upstream->handles.end()) {
      return fail(Code::Denied, "a handle that is not granted for " + plan.host);
    }
  }
  return {};
}

lnk_status LoadedVerb::fault(Call* call, Error error) {
  if (call != nullptr) return call->fault(std::move(error));
  const auto status = static_cast<lnk_status>(error.code);
  if (!event_fault_) event_fault_ = std::move(error);
  return status;
}

Result<lnk_id> LoadedVerb::ask_services(const lnk_action& action) {
  switch (action.kind) {
    case LNK_ACTION_CALL_INSIDE: {
      LNK_TRY(auto plan, read_call_inside(action));
      return services_->call_inside(action.call, std::move(plan));
    }
    case LNK_ACTION_ASK: {
      LNK_TRY(auto plan, read_ask(action));
      return services_->ask(action.call, std::move(plan));
    }
    case LNK_ACTION_TOOL_START: {
      LNK_TRY(auto name, read_tool_name(action));
      return services_->start_tool(action.call, std::move(name));
    }
    case LNK_ACTION_OPEN_PAGE: {
      LNK_TRY(auto url, read_page(action));
      return services_->open_page(action.call, std::move(url));
    }
    case LNK_ACTION_LISTEN_ONCE: {
      LNK_TRY(auto plan, read_listen(action));
      return services_->listen_once(action.call, std::move(plan));
    }
    default: {
      LNK_TRY(const auto after_ms, read_wake(action));
      return services_->wake(action.call, after_ms);
    }
  }
}

/// True: more waits than the mark.
Result<bool> LoadedVerb::steer_services(const lnk_action& action) {
  switch (action.kind) {
    case LNK_ACTION_TOOL_SEND: {
      LNK_TRY(const auto line, read_tool_line(action));
      return services_->send_line(action.subject, line);
    }
    case LNK_ACTION_ANSWER: {
      LNK_TRY(auto plan, read_answer(action));
      if (plan.streams) return fail(Code::Invalid, "an answer to a callback that streams");
      LNK_CHECK(services_->answer_callback(action.subject, std::move(plan)));
      return false;
    }
    case LNK_ACTION_END:
      LNK_CHECK(services_->close_port(action.subject));
      return false;
    case LNK_ACTION_TOOL_STOP:
      LNK_CHECK(services_->stop_tool(action.subject));
      return false;
    default:
      LNK_CHECK(services_->pause_tool(action.subject, action.kind == LNK_ACTION_TOOL_PAUSE));
      return false;
  }
}

/// What has ended meanwhile is nobody's fault.
lnk_status LoadedVerb::steer(const lnk_action& action, Call* call) {
  const auto full = steer_services(action);
  if (full) return *full ? LNK_E_AGAIN : LNK_OK;
  if (full.error().code == Code::Gone) return LNK_E_GONE;
  return fault(call, full.error());
}

lnk_status LoadedVerb::start(const lnk_action& action, Call* call, lnk_id* made) {
  if (call != nullptr && call->is_closed()) return LNK_E_GONE;
  if (call != nullptr && call->has_fault()) return LNK_E_INVALID;
  const auto id = ask_services(action);
  if (!id) return fault(call, id.error());
  if (call != nullptr) call->add_pending();
  if (made != nullptr) *made = *id;
  return LNK_OK;
}

lnk_status LoadedVerb::take(const lnk_action& action, lnk_id* made) {
  Call* call = action.call == 0 ? nullptr : calls_.find(action.call);
  // What steers a tool is of no call, whichever it was said in: in GONE too.
  if (services_ != nullptr && steers_something(action)) return steer(action, call);
  if (action.call != 0 && call == nullptr) return LNK_E_GONE;
  if (services_ != nullptr && starts_something(action.kind)) return start(action, call, made);
  if (call == nullptr) return fault(nullptr, {Code::Unsupported, "action " + std::to_string(action.kind) + " of no call"});
  return call->take(action);
}

lnk_status LoadedVerb::emit(void* context, const lnk_action* action, lnk_id* made) LNK_NOEXCEPT {
  auto& verb = *static_cast<LoadedVerb*>(context);
  return barrier(nullptr, [&]() -> lnk_status {
    if (made != nullptr) *made = 0;
    if (!verb.is_handling_) return LNK_E_GONE;  // outside of an event, or in that of a call that has gone
    if (action == nullptr || action->size < sizeof(lnk_action))
      return verb.fault(nullptr, {Code::Invalid, "an action is shorter than 1.0"});
    return verb.take(*action, made);
  });
}

lnk_status LoadedVerb::call_event(lnk_event& event, lnk_error* error) {
  event.now_ms = clock_ms(CLOCK_MONOTONIC);
  event.unix_ms = clock_ms(CLOCK_REALTIME);
  if (::getrandom(event.random, sizeof event.random, 0) != static_cast<ssize_t>(sizeof event.random)) {
    write_error(error, LNK_E_INTERNAL, "no random bytes");
    return LNK_E_INTERNAL;
  }
  return table_.event(instance_, &event, &sink_, error);
}

/// `call` 0: of none. What it did for no call meanwhile is in event_fault_.
lnk_status LoadedVerb::tell(lnk_id call, std::uint32_t kind, const void* data, lnk_id subject, lnk_error* error) {
  auto event = sized<lnk_event>();
  event.kind = kind;
  event.call = call;
  event.subject = subject;
  event.data = data;
  event_fault_.reset();
  is_handling_ = true;
  const lnk_status status = call_event(event, error);
  is_handling_ = false;
  return status;
}

Result<void> LoadedVerb::give_without_call(std::uint32_t kind, const void* data, lnk_id subject) {
  ErrorSlot error;
  const lnk_status status = tell(0, kind, data, subject, error.get());
  if (event_fault_) return fail(std::move(*event_fault_));
  if (status != LNK_OK) return fail(error.take(status));
  return {};
}

void LoadedVerb::give(lnk_id id, std::uint32_t kind, const void* data, lnk_id subject) {
  Call* call = calls_.find(id);
  if (call == nullptr || call->is_closed() || call->has_fault()) return;
  call->begin_event(kind);
  ErrorSlot error;
  const lnk_status status = tell(id, kind, data, subject, error.get());
  // What it did for no call is its fault in this one.
  if (event_fault_) call->fault(std::move(*event_fault_));
  call->end_event(status, status == LNK_OK ? Error{} : error.take(status));
}

Decided LoadedVerb::give_and_take(lnk_id id, std::uint32_t kind, const void* data) {
  Call* call = calls_.find(id);
  if (call == nullptr) return stale();
  give(id, kind, data);
  return call->take_decided();
}

Decided LoadedVerb::head(lnk_id id, const HeadFacts& head) {
  const auto fields = to_raw(head.fields);
  auto data = sized<lnk_event_head>();
  data.route = head.route;
  data.method = to_str(head.method);
  data.path = to_str(head.path);
  data.query = to_str(head.query.value_or(std::string_view{}));
  data.has_query = head.query ? 1 : 0;
  data.has_body = head.has_body ? 1 : 0;
  data.fields = fields.data();
  data.field_count = fields.size();
  return give_and_take(id, LNK_EVENT_HEAD, &data);
}

Decided LoadedVerb::body(lnk_id id, std::string_view body) {
  auto data = sized<lnk_event_body>();
  data.body = to_bytes(body);
  return give_and_take(id, LNK_EVENT_BODY, &data);
}

void LoadedVerb::reply_head(lnk_id id, const ReplyFacts& reply) {
  const auto fields = to_raw(reply.fields);
  auto data = sized<lnk_event_reply_head>();
  data.status = reply.status;
  data.fields = fields.data();
  data.field_count = fields.size();
  give(id, LNK_EVENT_REPLY_HEAD, &data);
}

void LoadedVerb::reply_chunk(lnk_id id, std::string_view bytes) {
  auto data = sized<lnk_event_reply_chunk>();
  data.bytes = to_bytes(bytes);
  give(id, LNK_EVENT_REPLY_CHUNK, &data);
}

void LoadedVerb::reply_end(lnk_id id, lnk_status status) {
  auto data = sized<lnk_event_reply_end>();
  data.status = status;
  give(id, LNK_EVENT_REPLY_END, &data);
}

void LoadedVerb::drained(lnk_id id) { give(id, LNK_EVENT_DRAINED, nullptr); }

Result<void> LoadedVerb::give_answer(lnk_id call, std::uint32_t kind, const void* data, lnk_id subject) {
  if (call == 0) return give_without_call(kind, data, subject);
  if (Call* open = calls_.find(call); open != nullptr) open->remove_pending();
  give(call, kind, data, subject);
  return {};
}

Result<void> LoadedVerb::timer(lnk_id call, lnk_id timer) { return give_answer(call, LNK_EVENT_TIMER, nullptr, timer); }

Result<void> LoadedVerb::inside_reply(lnk_id call, lnk_id subject, const InsideReply& reply) {
  auto data = sized<lnk_event_inside_reply>();
  data.status = reply.status;
  data.http_status = reply.http_status;
  data.location = to_str(reply.location);
  return give_answer(call, LNK_EVENT_INSIDE_REPLY, &data, subject);
}

Result<void> LoadedVerb::answered(lnk_id call, lnk_id question, std::uint32_t answer) {
  auto data = sized<lnk_event_answered>();
  data.answer = answer;
  return give_answer(call, LNK_EVENT_ANSWERED, &data, question);
}

Result<void> LoadedVerb::give_done(lnk_id call, std::uint32_t kind, lnk_id subject, lnk_status status, std::uint16_t port) {
  auto data = sized<lnk_event_done>();
  data.status = status;
  data.port = port;
  return give_answer(call, kind, &data, subject);
}

Result<void> LoadedVerb::tool_started(lnk_id call, lnk_id tool, lnk_status status) {
  return give_done(call, LNK_EVENT_TOOL_STARTED, tool, status);
}

Result<void> LoadedVerb::tool_line(lnk_id tool, std::string_view line) {
  auto data = sized<lnk_event_tool_line>();
  data.line = to_bytes(line);
  return give_without_call(LNK_EVENT_TOOL_LINE, &data, tool);
}

Result<void> LoadedVerb::tool_drained(lnk_id tool) { return give_without_call(LNK_EVENT_DRAINED, nullptr, tool); }

Result<void> LoadedVerb::tool_exit(lnk_id tool, std::int32_t code) {
  auto data = sized<lnk_event_tool_exit>();
  data.code = code;
  return give_without_call(LNK_EVENT_TOOL_EXIT, &data, tool);
}

void LoadedVerb::check_waits() {
  calls_.for_each([](Call& call) { call.check_waits(); });
}

Result<void> LoadedVerb::page_opened(lnk_id call, lnk_id page, lnk_status status) {
  return give_done(call, LNK_EVENT_PAGE_OPENED, page, status);
}

Result<void> LoadedVerb::listening(lnk_id call, lnk_id port, lnk_status status, std::uint16_t number) {
  return give_done(call, LNK_EVENT_LISTENING, port, status, number);
}

Result<void> LoadedVerb::callback(lnk_id port, const CallbackFacts& request) {
  auto data = sized<lnk_event_callback>();
  data.method = to_str(request.method);
  data.target = to_str(request.target);
  data.host = to_str(request.host);
  data.content_type = to_str(request.content_type);
  data.body = to_bytes(request.body);
  return give_without_call(LNK_EVENT_CALLBACK, &data, port);
}

void LoadedVerb::gone(lnk_id id) {
  if (calls_.find(id) == nullptr) return;
  calls_.erase(id);
  if (services_ != nullptr) services_->forget(id);
  ErrorSlot error;
  static_cast<void>(tell(id, LNK_EVENT_GONE, nullptr, 0, error.get()));  // there is no call left to refuse
}

}  // namespace lnk::host
