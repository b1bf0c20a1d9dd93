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
#include "wire/name_service.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::string_view kReady = R"({"ready":true})";

/// What a packet of the front brings.
struct Brought {
  enum class Use : std::uint8_t { Unknown, Requests, NameDatagrams, NameStreams, Localhost, Local, Endpoint, NoEndpoint } use = Use::Unknown;
  std::uint32_t address = 0;  ///< of an endpoint
  std::uint16_t port = 0;
};

constexpr std::string_view kNameDatagrams = "name-datagrams";
constexpr std::string_view kNameStreams = "name-streams";
constexpr std::string_view kLocal = "local";

std::optional<std::int64_t> number_of(const json::object& from, std::string_view key, std::int64_t most) {
  const json::value* value = from.if_contains(key);
  const auto* number = value == nullptr ? nullptr : value->if_int64();
  if (number == nullptr || *number < 1 || *number > most) return std::nullopt;
  return *number;
}

/// `{"kind":"localhost","port":5432}`, `{"kind":"local","port":11434}`, `{"address":2134900737,"kind":"tcp","port":5432}`
Brought read_place(const json::object& from) {
  constexpr std::int64_t kPortMost = 65535;
  constexpr std::int64_t kAddressMost = 0xffffffff;
  const json::value* kind = from.if_contains("kind");
  const auto port = number_of(from, "port", kPortMost);
  const auto address = number_of(from, "address", kAddressMost);
  const auto is_word = [kind](std::string_view word) {
    return kind != nullptr && kind->is_string() && kind->get_string() == json::string_view(word);
  };
  const auto is_kind = [&is_word](CarriedTarget::Kind wanted) { return is_word(name_of(wanted)); };
  if (!port) return {};
  const auto number = static_cast<std::uint16_t>(*port);
  if (from.size() == 2 && is_kind(CarriedTarget::Kind::Localhost)) return {Brought::Use::Localhost, 0, number};
  if (from.size() == 2 && is_word(kLocal)) return {Brought::Use::Local, 0, number};
  if (from.size() != 3 || !address || !is_kind(CarriedTarget::Kind::Endpoint)) return {};
  return {Brought::Use::Endpoint, static_cast<std::uint32_t>(*address), number};
}

Brought read_use(const json::value& what) {
  if (const auto* place = what.if_object()) return read_place(*place);
  if (!what.is_string()) return {};
  const auto& word = what.get_string();
  if (word == "http") return {Brought::Use::Requests};
  if (word == json::string_view(kNameDatagrams)) return {Brought::Use::NameDatagrams};
  if (word == json::string_view(kNameStreams)) return {Brought::Use::NameStreams};
  return {};
}

Brought read_packet(std::string_view text) {
  boost::system::error_code error;
  const json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  if (error || !value.is_object() || value.get_object().size() != 1) return {};
  if (const json::value* what = value.get_object().if_contains("listen")) return read_use(*what);
  const json::value* none = value.get_object().if_contains("none");
  Brought brought = none == nullptr ? Brought() : read_use(*none);
  brought.use = brought.use == Brought::Use::Endpoint ? Brought::Use::NoEndpoint : Brought::Use::Unknown;
  return brought;
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

bool ask_for_endpoint(int control, std::uint32_t address, std::uint16_t port) {
  const json::object packet = {{"endpoint", json::object{{"address", std::uint64_t{address}}, {"port", std::uint64_t{port}}}}};
  return posix::send_packet(control, json::serialize(packet)).has_value();
}

Control::Control(WireParts& parts, BrokerClient& broker, UniqueFd socket, std::size_t connections_max)
    : parts_(parts), broker_(broker), socket_(parts.loop, std::move(socket)), connections_(parts.loop, connections_max) {}

/// With no socket: the front could not have one made.
Status Control::take_packet(std::string_view text, std::vector<UniqueFd> fds) {
  if (broker_.take(text, fds)) return {};
  UniqueFd fd = fds.empty() ? UniqueFd() : std::move(fds.front());
  const Brought brought = read_packet(text);
  const bool is_none = brought.use == Brought::Use::NoEndpoint;
  const bool is_for_names = brought.use == Brought::Use::NameDatagrams || brought.use == Brought::Use::NameStreams ||
                            brought.use == Brought::Use::Endpoint || is_none;
  const bool is_unnamed = (brought.use == Brought::Use::Localhost && !has_port(parts_.config.localhost, brought.port)) ||
                          (brought.use == Brought::Use::Local && !has_port(parts_.config.local, brought.port));
  if (is_unnamed)
    return fail(Code::Invalid, "the front asked for a port of this machine that its configuration doesn't name");
  const bool is_known = brought.use != Brought::Use::Unknown && fd.is_open() != is_none && (!is_for_names || parts_.names != nullptr);
  if (!is_known || (fd.is_open() && !set_non_blocking(fd.get())))
    return fail(Code::Invalid, "the front asked what the wire doesn't know");
  switch (brought.use) {
    case Brought::Use::Unknown:
      return {};
    case Brought::Use::Requests:
      return serve_requests(std::move(fd));
    case Brought::Use::NameDatagrams:
      spawn(parts_.names->serve_datagrams(std::move(fd)));
      return {};
    case Brought::Use::NameStreams:
      accept_for(std::move(fd), [&names = *parts_.names](UniqueFd client) { return names.serve_stream(std::move(client)); });
      return {};
    case Brought::Use::Localhost:
      carry(std::move(fd), {CarriedTarget::Kind::Localhost, "localhost", brought.port});
      return {};
    case Brought::Use::Local:
      accept_for(std::move(fd), [&parts = parts_, port = brought.port](UniqueFd client) {
        return serve_local_connection(parts, std::move(client), port);
      });
      return {};
    case Brought::Use::Endpoint:
    case Brought::Use::NoEndpoint:
      take_endpoint(brought.address, brought.port, std::move(fd));
      return {};
  }
  return {};
}

void Control::accept_for(UniqueFd listener, ServeClient serve) {
  spawn(accept_connections(parts_.loop, connections_, std::move(listener), std::move(serve)));
}

void Control::carry(UniqueFd listener, CarriedTarget target) {
  accept_for(std::move(listener), [&parts = parts_, target = std::move(target)](UniqueFd client) {
    return carry_connection(parts, std::move(client), target);
  });
}

void Control::take_endpoint(std::uint32_t address, std::uint16_t port, UniqueFd listener) {
  const auto target = parts_.names->listeners().take(address, port, listener.is_open());
  if (target && listener.is_open())
    carry(std::move(listener), {CarriedTarget::Kind::Endpoint, target->host.text, target->port});
}

Status Control::serve_requests(UniqueFd listener) {
  accept_for(std::move(listener), [&parts = parts_](UniqueFd client) { return serve_connection(parts, std::move(client)); });
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
    const Status taken = take_packet(packet->bytes, std::move(packet->fds));
    if (taken) continue;
    say_failed(socket_.fd(), taken.error().text);
    end_run(parts_, 1);
  }
}

}  // namespace lnk::host
