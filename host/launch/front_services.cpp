// SPDX-License-Identifier: Apache-2.0
#include "launch/front_services.hpp"

#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "lnk/posix/os_error.hpp"

namespace lnk::host {
namespace {

Failure not_yet() { return fail(Code::Unsupported, "not in this version"); }

/// Of a question, for the person.
std::string kind_of(std::string_view verb) {
  if (verb == "verb-mcp") return "tool";
  return verb == "verb-open" ? "page" : std::string(verb);
}

Verdict verdict_of(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::Yes:
      return Verdict::Yes;
    case Outcome::TimedOut:
      return Verdict::TimedOut;
    case Outcome::No:
      break;
  }
  return Verdict::No;
}

}  // namespace

Result<int> FrontServices::watch_answers(const Broker::Rights& rights) {
  if (std::none_of(rights.begin(), rights.end(), [](const auto& each) { return each.second.asks; })) return -1;
  answers_.reset(::epoll_create1(EPOLL_CLOEXEC));
  if (!answers_.is_open()) return posix::os_fail(Code::Limit, "watch for answers", {}, errno);
  return answers_.get();
}

Status FrontServices::look() { return asking_ ? asking_->look() : Status(); }

Status FrontServices::ask(std::uint64_t id, std::string_view verb, BrokerQuestion question, std::function<void(Verdict)> answered) {
  if (!asking_) {
    LNK_TRY(auto asking, Asking::make(asking_options_));
    epoll_event event{EPOLLIN, {}};
    if (::epoll_ctl(answers_.get(), EPOLL_CTL_ADD, asking->fd(), &event) != 0) return posix::os_fail(Code::Limit, "watch for answers", {}, errno);
    asking_ = std::move(asking);
  }
  const auto done = [this, id, answered = std::move(answered)](Outcome outcome) {
    questions_.erase(id);
    answered(verdict_of(outcome));
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

Result<UniqueFd> FrontServices::start_tool(std::uint64_t, std::string_view, std::function<void(int code)>) { return not_yet(); }
void FrontServices::stop_tool(std::uint64_t) {}

Status FrontServices::prepare_pages() {
  LNK_TRY(auto pages, Pages::make());
  pages_.emplace(std::move(pages));
  return {};
}

void FrontServices::open_page(std::string_view url, std::function<void(Status)> done) {
  if (!pages_) return done(fail(Code::Denied, "no pages are opened"));
  pages_->open(url, std::move(done));
}

Result<std::vector<UniqueFd>> FrontServices::listen_outside(std::uint16_t port) { return listen_at_loopback(port); }

}  // namespace lnk::host
