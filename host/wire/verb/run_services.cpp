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

lnk_status status_of(Code code) noexcept { return static_cast<lnk_status>(code); }

}  // namespace

RunServices::RunServices(Loop& loop, BrokerClient& broker, LoadedVerb& verb, std::vector<std::uint16_t> ports, Warn warn)
    : loop_(loop), broker_(broker), verb_(verb), ports_(std::move(ports)), warn_(std::move(warn)), bell_(loop) {
  due_.reserve(kTimersMax);  // so that a timer that is over allocates nothing
  verb_.use(*this);
  spawn(tell_timers());
}

void RunServices::warn_of(const Result<void>& told) {
  if (!told) warn_("verb " + verb_.id() + ": an event of no call failed: " + told.error().text);
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
      warn_of(verb_.timer(call, id));
    }
    due_.reserve(kTimersMax);
  }
}

Result<lnk_id> RunServices::call_inside(lnk_id call, InsidePlan plan) {
  if (std::find(ports_.begin(), ports_.end(), plan.port) == ports_.end())
    return fail(Code::Denied, "a call to port " + std::to_string(plan.port) + " inside, which is not granted");
  if (inside_open_ == kInsideCallsMax) return fail(Code::Limit, "more than 8 calls inside are open");
  ++inside_open_;
  const lnk_id id = ++last_id_;
  spawn(run_inside(call, id, std::move(plan)));
  return id;
}

Task<void> RunServices::run_inside(lnk_id call, lnk_id id, InsidePlan plan) {
  co_await Turn(loop_);  // its reply is told in no case before the module has its id
  const InsideReply reply = co_await ask_inside(plan);
  --inside_open_;
  warn_of(verb_.inside_reply(call, id, reply));
}

Task<InsideReply> RunServices::ask_inside(const InsidePlan& plan) {
  const std::string head = head_of(plan);
  if (head.empty()) co_return InsideReply{LNK_E_INVALID, 0, {}};
  auto fd = co_await broker_.connect_inside(verb_.id(), plan.port);
  if (!fd) co_return InsideReply{status_of(fd.error().code), 0, {}};
  const auto stream = make_plain_stream(loop_, std::move(*fd));
  Deadline deadline(loop_, stream.get());
  deadline.set(kInsideReplyMs);
  static_cast<void>(co_await write_all_parts(*stream, std::as_bytes(std::span(head.data(), head.size())),
                                             std::as_bytes(std::span(plan.body.data(), plan.body.size())), {}));
  // Written or not, a reply may be there.
  MessageReader reader(loop_, *stream);
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

}  // namespace lnk::host
