// SPDX-License-Identifier: Apache-2.0
#include "wire/control.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "lnk/posix/packet.hpp"
#include "wire/limits.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::string_view kReady = R"({"ready":true})";

bool asks_to_listen(std::string_view text) {
  boost::system::error_code error;
  const json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  if (error || !value.is_object() || value.get_object().size() != 1) return false;
  const json::value* what = value.get_object().if_contains("listen");
  return what != nullptr && what->is_string() && what->get_string() == "http";
}

/// What the log has counted and not written goes with the process otherwise.
[[noreturn]] void end_run(WireParts& parts, int code) {
  parts.log.write_counts();
  ::_exit(code);
}

}  // namespace

/// A socket that is closed with packets unread resets its other end, and the front would read the reset before the
/// words: what it sends is taken and dropped until it closes, for a moment.
void say_failed(int control, std::string_view words) {
  const json::object packet = {{"failed", json::string_view(words.data(), words.size())}};
  static_cast<void>(posix::send_packet(control, json::serialize(packet)));
  for (pollfd readable{control, POLLIN, 0}; ::poll(&readable, 1, kFrontReadsMs) == 1;) {
    char byte = 0;
    if (::recv(control, &byte, sizeof byte, MSG_DONTWAIT) <= 0) return;
  }
}

void say_to_front(int control, std::string_view about, std::string_view word) {
  const json::object packet = {{json::string_view(about.data(), about.size()), json::string_view(word.data(), word.size())}};
  static_cast<void>(posix::send_packet(control, json::serialize(packet)));
}

Control::Control(WireParts& parts, BrokerClient& broker, UniqueFd socket, std::size_t connections_max)
    : parts_(parts), broker_(broker), socket_(parts.loop, std::move(socket)), connections_(parts.loop, connections_max) {}

Status Control::take_packet(std::string_view text, UniqueFd fd) {
  if (broker_.take(text, fd)) return {};
  if (!fd.is_open() || !asks_to_listen(text) || !set_non_blocking(fd.get()))
    return fail(Code::Invalid, "the front asked what the wire doesn't know");
  spawn(accept_connections(parts_, connections_, std::move(fd)));
  if (std::exchange(has_said_ready_, true)) return {};
  LNK_CHECK(posix::send_packet(socket_.fd(), kReady));
  static_cast<void>(parts_.gate.look());  // a wire that is paused before its first call says so at its start
  return {};
}

Task<void> Control::run() {
  for (;;) {
    auto packet = posix::receive_packet(socket_.fd(), kControlPacketBytesMax);
    if (!packet && packet.error().code == Code::Again) {
      if (co_await socket_.readable() == Wake::Cancelled) end_run(parts_, 0);
      continue;
    }
    if (!packet) end_run(parts_, 1);
    if (packet->is_end) end_run(parts_, 0);
    const Status taken = take_packet(packet->bytes, packet->fds.empty() ? UniqueFd() : std::move(packet->fds.front()));
    if (taken) continue;
    say_failed(socket_.fd(), taken.error().text);
    end_run(parts_, 1);
  }
}

}  // namespace lnk::host
