// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/run_services.hpp"

#include <algorithm>
#include <utility>

#include "lnk/http/write.hpp"
#include "wire/byte_stream.hpp"
#include "wire/limits.hpp"
#include "wire/message_reader.hpp"

namespace lnk::host {
namespace {

std::string head_of(const InsidePlan& plan) {
  http::HeadWriter writer;
  writer.request(plan.method, plan.target).field("Host", plan.host);
  if (!plan.content_type.empty()) writer.field("Content-Type", plan.content_type);
  if (!plan.body.empty()) writer.framing({http::Framing::Length, plan.body.size()});
  // One request a connection: what the program says behind its reply's head is read by nobody.
  writer.field("Connection", "close");
  return writer.finish();
}

template <class List, class Value>
bool has(const List& list, const Value& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

std::uint32_t answer_of(const Result<PersonsAnswer>& answer) noexcept {
  if (!answer) return LNK_ANSWER_TIMED_OUT;  // nobody said anything
  switch (*answer) {
    case PersonsAnswer::Yes:
      return LNK_ANSWER_YES;
    case PersonsAnswer::TimedOut:
      return LNK_ANSWER_TIMED_OUT;
    case PersonsAnswer::No:
      break;
  }
  return LNK_ANSWER_NO;
}

lnk_status status_of(Code code) noexcept { return static_cast<lnk_status>(code); }

}  // namespace

RunServices::RunServices(ServiceParts parts) : parts_(std::move(parts)), bell_(parts_.loop) {
  due_.reserve(kTimersMax);  // so that a timer that is over allocates nothing
  parts_.verb.use(*this);
  spawn(tell_timers());
}

void RunServices::warn_of(const Result<void>& told) {
  if (!told && parts_.warn) parts_.warn("verb " + parts_.verb.id() + ": an event of no call failed: " + told.error().text);
}

void RunServices::Timer::cancel() noexcept {
  services.due_.push_back(id);
  services.bell_.ring();
}

Result<lnk_id> RunServices::wake(lnk_id call, std::uint64_t after_ms) {
  if (timers_.size() == kTimersMax) return fail(Code::Limit, "more than 256 timers wait");
  const lnk_id id = ++last_id_;
  auto timer = std::make_unique<Timer>(*this, id, call);
  timer->deadline.set(static_cast<std::int64_t>(after_ms));
  timers_.emplace(id, std::move(timer));
  return id;
}

/// A call inside goes on, and its reply finds nobody.
void RunServices::forget(lnk_id call) {
  std::erase_if(timers_, [call](const auto& each) { return each.second->call == call; });
  std::erase_if(questions_, [this, call](const auto& each) {
    if (each.second.call != call) return false;
    parts_.broker.withdraw(each.second.broker_id, parts_.verb.id());
    return true;
  });
  for (const auto& [id, tool] : tools_) tool->orphan(call);
  for (const auto& [id, port] : ports_) port->end_of_call(call);
}

/// Outside of the sweep that found them due, which may run no module.
Task<void> RunServices::tell_timers() {
  for (;;) {
    co_await bell_;
    for (const lnk_id id : std::exchange(due_, {})) {
      const auto timer = timers_.find(id);
      if (timer == timers_.end()) continue;  // its call went meanwhile
      const lnk_id call = timer->second->call;
      timers_.erase(timer);
      warn_of(parts_.verb.timer(call, id));
    }
    due_.reserve(kTimersMax);
  }
}

/// What comes back to a port outside is for the program's own at the same number.
bool RunServices::may_call_inside(std::uint16_t port) const {
  const auto listens = [port](const auto& each) { return each.second->listens_at(port); };
  return has(parts_.granted.inside, port) || std::any_of(ports_.begin(), ports_.end(), listens);
}

Result<lnk_id> RunServices::call_inside(lnk_id call, InsidePlan plan) {
  if (!may_call_inside(plan.port))
    return fail(Code::Denied, "a call to port " + std::to_string(plan.port) + " inside, which is not granted");
  if (inside_open_ == kInsideCallsMax) return fail(Code::Limit, "more than 8 calls inside are open");
  ++inside_open_;
  const lnk_id id = ++last_id_;
  spawn(run_inside(call, id, std::move(plan)));
  return id;
}

Task<void> RunServices::run_inside(lnk_id call, lnk_id id, InsidePlan plan) {
  co_await Turn(parts_.loop);  // its reply is told in no case before the module has its id
  const InsideReply reply = co_await ask_inside(plan);
  --inside_open_;
  warn_of(parts_.verb.inside_reply(call, id, reply));
}

Task<InsideReply> RunServices::ask_inside(const InsidePlan& plan) {
  const std::string head = head_of(plan);
  if (head.empty()) co_return InsideReply{LNK_E_INVALID, 0, {}};
  auto fd = co_await parts_.broker.connect_inside(parts_.verb.id(), plan.port);
  if (!fd) co_return InsideReply{status_of(fd.error().code), 0, {}};
  const auto stream = make_plain_stream(parts_.loop, std::move(*fd));
  Deadline deadline(parts_.loop, stream.get());
  deadline.set(kInsideReplyMs);
  static_cast<void>(co_await write_all_parts(*stream, std::as_bytes(std::span(head.data(), head.size())),
                                             std::as_bytes(std::span(plan.body.data(), plan.body.size())), {}));
  // Written or not, a reply may be there.
  MessageReader reader(parts_.loop, *stream);
  for (int count = 0; count <= http::kInterimRepliesMax; ++count) {
    auto read = co_await reader.read_reply(plan.method);
    const auto* reply = std::get_if<http::ReplyHead>(&read);
    if (reply == nullptr) break;
    if (reply->status < 200) continue;
    const auto location = http::find_field(reply->fields, "location");
    co_return InsideReply{LNK_OK, reply->status, std::string(location.value_or(std::string_view{}))};
  }
  co_return InsideReply{deadline.is_over() ? lnk_status{LNK_E_TIMEOUT} : lnk_status{LNK_E_UPSTREAM}, 0, {}};
}

Result<lnk_id> RunServices::ask(lnk_id call, QuestionPlan plan) {
  if (!parts_.granted.asks) return fail(Code::Denied, "a question, which this verb may not ask");
  if (questions_.size() == kQuestionsMax) return fail(Code::Limit, "more than 64 questions wait");
  const lnk_id id = ++last_id_;
  spawn(run_question(call, id, std::move(plan)));
  return id;
}

Task<void> RunServices::run_question(lnk_id call, lnk_id id, QuestionPlan plan) {
  const auto broker_id = parts_.broker.next_id();
  questions_.emplace(id, Asked{broker_id, call});
  co_await Turn(parts_.loop);
  if (!questions_.contains(id)) co_return;
  const auto answer = co_await parts_.broker.ask(broker_id, parts_.verb.id(), plan.title, plan.lines);
  if (!answer && answer.error().code == Code::Limit && parts_.too_many_questions) parts_.too_many_questions();
  if (questions_.erase(id) != 0) warn_of(parts_.verb.answered(call, id, answer_of(answer)));
}

Result<lnk_id> RunServices::start_tool(lnk_id call, std::string name) {
  if (!has(parts_.granted.tools, name)) return fail(Code::Denied, "a tool that is not granted");
  if (tools_.size() == kToolsMax) return fail(Code::Limit, "more than 16 tools run");
  const lnk_id id = ++last_id_;
  const auto told = [this](const Result<void>& result) { warn_of(result); };
  auto tool = std::make_shared<ToolStream>(ToolStream::Parts{parts_.loop, parts_.broker, parts_.verb, told}, id);
  tools_.emplace(id, tool);
  spawn(run_tool(std::move(tool), call, id, std::move(name)));
  return id;
}

/// The last word on it comes while it still counts as running, so that no call is refused before it was told.
Task<void> RunServices::run_tool(std::shared_ptr<ToolStream> tool, lnk_id call, lnk_id id, std::string name) {
  co_await ToolStream::run(std::move(tool), call, std::move(name));
  tools_.erase(id);
  parts_.verb.check_waits();
}

Result<ToolStream*> RunServices::tool_of(lnk_id id) const {
  const auto found = tools_.find(id);
  if (found == tools_.end()) return fail(Code::Gone, "a tool that has ended");
  return found->second.get();
}

Result<bool> RunServices::send_line(lnk_id tool, std::string_view line) {
  LNK_TRY(auto* const running, tool_of(tool));
  return running->send(line);
}

Status RunServices::stop_tool(lnk_id tool) {
  LNK_TRY(auto* const running, tool_of(tool));
  running->stop();
  return {};
}

Status RunServices::pause_tool(lnk_id tool, bool is_paused) {
  LNK_TRY(auto* const running, tool_of(tool));
  running->pause(is_paused);
  return {};
}

Result<lnk_id> RunServices::open_page(lnk_id call, std::string url) {
  if (!parts_.granted.pages) return fail(Code::Denied, "a page, which this verb may not open");
  if (pages_open_ == kPortsOutsideMax) return fail(Code::Limit, "more than 8 pages are being opened");
  ++pages_open_;
  const lnk_id id = ++last_id_;
  spawn(run_page(call, id, std::move(url)));
  return id;
}

Task<void> RunServices::run_page(lnk_id call, lnk_id id, std::string url) {
  co_await Turn(parts_.loop);
  const auto opened = co_await parts_.broker.open_page(parts_.verb.id(), url);
  --pages_open_;
  if (opened)
    for (const auto& [port_id, port] : ports_) port->note_page_opened(call);
  warn_of(parts_.verb.page_opened(call, id, opened ? lnk_status{LNK_OK} : status_of(opened.error().code)));
}

Result<lnk_id> RunServices::listen_once(lnk_id call, ListenPlan plan) {
  if (!parts_.granted.pages) return fail(Code::Denied, "a port outside, which this verb may not listen at");
  if (ports_.size() == kPortsOutsideMax) return fail(Code::Limit, "more than 8 ports outside are listened at");
  const lnk_id id = ++last_id_;
  const auto told = [this](const Result<void>& result) { warn_of(result); };
  auto port = std::make_shared<OutsidePort>(OutsidePort::Parts{parts_.loop, parts_.broker, parts_.verb, told, parts_.is_wire_closed}, id, call,
                                            std::move(plan));
  ports_.emplace(id, port);
  spawn(run_port(std::move(port), id));
  return id;
}

Task<void> RunServices::run_port(std::shared_ptr<OutsidePort> port, lnk_id id) {
  co_await OutsidePort::run(std::move(port));
  ports_.erase(id);
}

Result<OutsidePort*> RunServices::port_of(lnk_id id) const {
  const auto found = ports_.find(id);
  if (found == ports_.end()) return fail(Code::Gone, "a port that is closed");
  return found->second.get();
}

Status RunServices::answer_callback(lnk_id port, AnswerPlan plan) {
  LNK_TRY(auto* const open, port_of(port));
  return open->answer(std::move(plan));
}

Status RunServices::close_port(lnk_id port) {
  LNK_TRY(auto* const open, port_of(port));
  open->close();
  return {};
}

}  // namespace lnk::host
