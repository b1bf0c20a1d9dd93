// SPDX-License-Identifier: Apache-2.0
#include "launch/front_services.hpp"

#include <sys/epoll.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "lnk/posix/os_error.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

/// Of a question, for the person.
std::string kind_of(std::string_view verb) {
  if (verb == "verb-mcp") return "tool";
  return verb == "verb-open" ? "page" : std::string(verb);
}

}  // namespace

FrontServices::FrontServices(Wall& wall, const RunRequest& request, AskingTerminal* terminal)
    : wall_(wall), asking_options_{request.settings, request.snapshot.grants.name, terminal, request.notice}, notice_(request.notice) {
  const auto ended = [this](std::uint64_t id, int code) {
    if (auto told = tool_ends_.extract(id)) told.mapped()(code);
  };
  if (!request.snapshot.grants.tools.empty()) tools_.emplace(request.parts, request.settings, request.snapshot.grants.tools, ended);
}

Result<int> FrontServices::watch_answers(const Broker::Rights& rights) {
  if (std::none_of(rights.begin(), rights.end(), [](const auto& each) { return each.second.asks; })) return -1;
  answers_.reset(::epoll_create1(EPOLL_CLOEXEC));
  if (!answers_.is_open()) return posix::os_fail(Code::Limit, "watch for answers", {}, errno);
  return answers_.get();
}

Status FrontServices::look() {
  if (outside_timer_.is_open()) {
    outside_.close_over(std::chrono::steady_clock::now());
    arm_outside();
  }
  return asking_ ? asking_->look() : Status();
}

Status FrontServices::ask(std::uint64_t id, std::string_view verb, BrokerQuestion question, std::function<void(Outcome)> answered) {
  auto asked = ask_person(id, verb, std::move(question), std::move(answered));
  // The verb knows no more than that nobody answers. What waits for others is asked again.
  if (!asked && asked.error().code != Code::Again && !std::exchange(is_no_asking_told_, true))
    notice_("a question of " + host::quoted(asking_options_.wire) + " can't be asked, which is no: " + asked.error().text);
  return asked;
}

Status FrontServices::ask_person(std::uint64_t id, std::string_view verb, BrokerQuestion question,
                                 std::function<void(Outcome)> answered) {
  if (!asking_) {
    LNK_TRY(auto asking, Asking::make(asking_options_));
    epoll_event event{EPOLLIN, {}};
    if (::epoll_ctl(answers_.get(), EPOLL_CTL_ADD, asking->fd(), &event) != 0)
      return posix::os_fail(Code::Limit, "watch for answers", {}, errno);
    asking_ = std::move(asking);
  }
  const auto done = [this, id, answered = std::move(answered)](Outcome outcome) {
    questions_.erase(id);
    answered(outcome);
  };
  LNK_TRY(const auto number, asking_->ask({kind_of(verb), {}, std::move(question.title), std::move(question.lines)}, done));
  questions_.emplace(id, number);
  return {};
}

void FrontServices::withdraw(std::uint64_t id) {
  const auto found = questions_.find(id);
  if (found == questions_.end()) return;
  asking_->withdraw(found->second);
  questions_.erase(found);
}

Result<UniqueFd> FrontServices::start_tool(std::uint64_t id, std::string_view name, std::function<void(int code)> ended) {
  if (!tools_) return fail(Code::Denied, "no tool is granted");
  auto stream = tools_->start(id, name);
  if (stream)
    tool_ends_.emplace(id, std::move(ended));
  else if (told_.emplace(name).second)
    notice_("the tool " + host::quoted(name) + " can't be started: " + stream.error().text);
  return stream;
}

void FrontServices::stop_tool(std::uint64_t id) {
  if (tools_) tools_->stop(id);
}

Status FrontServices::prepare_pages() {
  LNK_TRY(auto pages, Pages::make());
  pages_.emplace(std::move(pages));
  return {};
}

void FrontServices::open_page(std::string_view url, std::function<void(Status)> done) {
  if (!pages_) return done(fail(Code::Denied, "no pages are opened"));
  pages_->open(url, std::move(done));
}

Result<std::vector<UniqueFd>> FrontServices::listen_outside(std::uint64_t id, std::uint16_t port) {
  LNK_CHECK(watch_outside());
  auto sockets = outside_.open(id, port, std::chrono::steady_clock::now());
  if (sockets) arm_outside();
  return sockets;
}

Status FrontServices::watch_outside() {
  if (outside_timer_.is_open()) return {};
  UniqueFd timer(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  epoll_event event{EPOLLIN, {}};
  if (!timer.is_open() || ::epoll_ctl(answers_.get(), EPOLL_CTL_ADD, timer.get(), &event) != 0)
    return posix::os_fail(Code::Limit, "watch a port's time", {}, errno);
  outside_timer_ = std::move(timer);
  return {};
}

void FrontServices::arm_outside() const {
  itimerspec when{};
  if (const auto end = outside_.next_end()) {
    const auto since = std::chrono::ceil<std::chrono::seconds>(end->time_since_epoch());
    when.it_value.tv_sec = static_cast<time_t>(since.count());
  }
  static_cast<void>(::timerfd_settime(outside_timer_.get(), TFD_TIMER_ABSTIME, &when, nullptr));
}

}  // namespace lnk::host
