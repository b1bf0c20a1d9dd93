// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/client_watch.hpp"

#include <poll.h>

namespace lnk::host {

void ClientWatch::start() {
  if (was_started_ || client_.plain_watch() == nullptr) return;
  was_started_ = is_running_ = true;
  spawn(run());
}

/// An end is told whatever bytes still wait before it: poll(2), POLLRDHUP.
bool ClientWatch::has_closed() const noexcept {
  pollfd one{client_.plain_watch()->fd(), POLLRDHUP, 0};
  return ::poll(&one, 1, 0) != 0;
}

Task<void> ClientWatch::run() {
  Watch& watch = *client_.plain_watch();
  while (!stops_ && !is_gone_) {
    is_gone_ = has_closed();
    if (!is_gone_ && co_await watch.readable() == Wake::Cancelled) is_gone_ = true;
  }
  is_running_ = false;
  if (is_gone_) client_.cancel();
  bell_.ring();
  ended_.raise();
}

Task<void> ClientWatch::stop() {
  stops_ = true;
  if (!is_running_) co_return;
  client_.plain_watch()->release_reader();
  co_await ended_;
  client_.plain_watch()->release_reader();
}

}  // namespace lnk::host
