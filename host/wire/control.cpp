// SPDX-License-Identifier: Apache-2.0
#include "wire/control.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <optional>

#include "lnk/posix/packet.hpp"
#include "wire/carried.hpp"
#include "wire/connection.hpp"
#include "wire/limits.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::string_view kReady = R"({"ready":true})";

/// What a socket that listens inside is for.
struct Listens {
  bool is_known = false;
  std::optional<CarriedTarget> carried;  ///< none: the wire's own, for requests
};

/// `{"kind":"localhost","port":5432}`
std::optional<CarriedTarget> read_carried(const json::value& what) {
  const json::object* from = what.if_object();
  const json::value* kind = from == nullptr ? nullptr : from->if_contains("kind");
  const json::value* port = from == nullptr ? nullptr : from->if_contains("port");
  const bool is_whole = kind != nullptr && kind->is_string() && port != nullptr && port->is_int64() && from->size() == 2;
  if (!is_whole || port->get_int64() < 1 || port->get_int64() > 65535) return std::nullopt;
  if (kind->get_string() != json::string_view(name_of(CarriedTarget::Kind::Localhost))) return std::nullopt;
  return CarriedTarget{CarriedTarget::Kind::Localhost, "localhost", static_cast<std::uint16_t>(port->get_int64())};
}

Listens read_listen(std::string_view text) {
  boost::system::error_code error;
  const json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  if (error || !value.is_object() || value.get_object().size() != 1) return {};
  const json::value* what = value.get_object().if_contains("listen");
  if (what == nullptr) return {};
  if (what->is_string()) return {what->get_string() == "http", {}};
  auto carried = read_carried(*what);
  const bool is_known = carried.has_value();
  return {is_known, std::move(carried)};
}

bool has_port(const std::vector<std::uint16_t>& ports, std::uint16_t port) {
  return std::find(ports.begin(), ports.end(), port) != ports.end();
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
  constexpr int kFrontReadsMs = 2000;
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

Control::Control(WireParts& parts, UniqueFd socket, std::size_t connections_max)
    : parts_(parts), socket_(parts.loop, std::move(socket)), connections_(parts.loop, connections_max) {}

Status Control::take_packet(std::string_view text, UniqueFd fd) {
  const Listens listens = read_listen(text);
  if (!fd.is_open() || !listens.is_known || !set_non_blocking(fd.get()))
    return fail(Code::Invalid, "the front asked what the wire doesn't know");
  if (listens.carried && !has_port(parts_.config.localhost, listens.carried->port))
    return fail(Code::Invalid, "the front asked for a port of this machine that its configuration doesn't name");
  if (listens.carried) {
    const auto carry = [&parts = parts_, target = *listens.carried](UniqueFd client) {
      return carry_connection(parts, std::move(client), target);
    };
    spawn(accept_connections(parts_.loop, connections_, std::move(fd), carry));
    return {};
  }
  const auto serve = [&parts = parts_](UniqueFd client) { return serve_connection(parts, std::move(client)); };
  spawn(accept_connections(parts_.loop, connections_, std::move(fd), serve));
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
