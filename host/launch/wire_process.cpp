// SPDX-License-Identifier: Apache-2.0
#include "launch/wire_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cerrno>
#include <optional>
#include <utility>

#include "lnk/posix/io.hpp"
#include "lnk/posix/memory_file.hpp"
#include "lnk/posix/os_error.hpp"
#include "lnk/posix/packet.hpp"
#include "snapshot/canonical.hpp"
#include "trust/trust.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr int kReadyMs = 20'000;                 // a trust store read from a cold disk included
constexpr std::size_t kControlBytesMax = 65536;  // a page's URL at the most

constexpr std::string_view kOwnName = "lnk-sandbox: ";  // which each of its lines has, and each notice gets

constexpr int kControlFd = 3;
constexpr int kConfigFd = 4;
constexpr int kResolverFd = 5;
constexpr int kFirstHandleFd = 6;  // and on, in the order of the handles' names

json::array upstreams_json(const std::vector<VerbUpstream>& upstreams) {
  json::array out;
  for (const auto& upstream : upstreams) {
    out.emplace_back(json::object{{"host", upstream.host},
                                  {"port", std::uint64_t{upstream.port}},
                                  {"tls", upstream.tls},
                                  {"handles", json::array(upstream.handles.begin(), upstream.handles.end())}});
  }
  return out;
}

json::array ports_json(const std::vector<std::uint16_t>& ports) {
  json::array out;
  for (const auto port : ports) out.emplace_back(std::uint64_t{port});
  return out;
}

json::array endpoints_json(const std::vector<GrantedEndpoint>& endpoints) {
  json::array out;
  for (const auto& [name, port, srv] : endpoints) out.emplace_back(json::object{{"name", name}, {"port", std::uint64_t{port}}, {"srv", srv}});
  return out;
}

std::string config_json(const Grants& grants, const Identity& identity, const WireConfig& config) {
  json::array hosts;
  for (const auto& host : grants.hosts) hosts.emplace_back(json::object{{"name", host.name}, {"ports", ports_json(host.ports)}});
  json::array machines;
  for (const auto& machine : grants.machines)
    machines.emplace_back(
        json::object{{"name", machine.name}, {"port", std::uint64_t{machine.port}}, {"address", machine.address}});
  json::array verbs;
  for (const auto& verb : config.verbs) {
    verbs.emplace_back(json::object{{"id", verb.module.id},
                                    {"file", verb.module.file},
                                    {"sha256", verb.module.sha256},
                                    {"config", verb.config_json},
                                    {"asks", verb.rights.asks},
                                    {"inside", ports_json(verb.rights.inside_ports)},
                                    {"pages", verb.rights.pages},
                                    {"tools", json::array(verb.rights.tools.begin(), verb.rights.tools.end())},
                                    {"upstreams", upstreams_json(verb.upstreams)}});
  }
  json::object handles;
  std::int64_t handle_fd = kFirstHandleFd;
  for (const auto& [name, file] : config.handles) handles[name] = handle_fd++;
  return canonical_json(json::object{{"name", grants.name},
                                     {"run", config.run},
                                     {"settings", config.settings.native()},
                                     {"hosts", std::move(hosts)},
                                     {"machines", std::move(machines)},
                                     {"localhost", ports_json(grants.localhost)},
                                     {"local", ports_json(grants.model.local)},
                                     {"endpoints", endpoints_json(grants.endpoints)},
                                     {"port", std::uint64_t{kWirePort}},
                                     {"calls_per_minute", grants.calls_per_minute ? json::value(std::uint64_t{*grants.calls_per_minute})
                                                                                  : json::value(nullptr)},
                                     {"secret", identity.secret},
                                     {"verbs", std::move(verbs)},
                                     {"handles", std::move(handles)}});
}

std::string_view word_of(InsideUse use) noexcept {
  switch (use) {
    case InsideUse::NameDatagrams:
      return "name-datagrams";
    case InsideUse::NameStreams:
      return "name-streams";
    case InsideUse::Requests:
      break;
  }
  return "http";
}

std::optional<EndpointAsk> read_ask(const json::value& value) {
  const auto number_of = [from = value.if_object()](std::string_view key, std::int64_t most) -> std::int64_t {
    const auto* found = from == nullptr ? nullptr : from->if_contains(key);
    const auto* number = found == nullptr ? nullptr : found->if_int64();
    return number == nullptr || *number < 1 || *number > most ? 0 : *number;
  };
  const auto address = number_of("address", 0xffffffff);
  const auto port = number_of("port", 65535);
  if (address == 0 || port == 0) return std::nullopt;
  return EndpointAsk{static_cast<std::uint32_t>(address), static_cast<std::uint16_t>(port)};
}

Status ready_of(std::string_view packet) {
  json::error_code error;
  const auto value = json::parse({packet.data(), packet.size()}, error);
  const auto* object = error ? nullptr : value.if_object();
  if (object != nullptr && object->contains("ready")) return {};
  const auto* words = object == nullptr ? nullptr : object->if_contains("failed");
  if (words != nullptr && words->is_string()) return fail(Code::Unsupported, std::string(words->get_string()));
  return fail(Code::Internal, "the wire said what its front doesn't know");
}

}  // namespace

Result<WireNews> WireProcess::take_news() {
  LNK_TRY(auto packet, posix::receive_packet(control_.get(), kControlBytesMax));
  WireNews news;
  if (auto request = read_broker_request(packet.bytes)) {
    news.request = std::move(*request);
    if (!packet.fds.empty()) news.attached = std::move(packet.fds.front());
    return news;
  }
  json::error_code error;
  const auto value = json::parse(packet.bytes, error);
  const auto* object = error ? nullptr : value.if_object();
  if (object == nullptr) return news;
  if (const auto* word = object->if_contains("gate"); word != nullptr && word->is_string()) news.gate = word->get_string();
  if (const auto* endpoint = object->if_contains("endpoint")) news.endpoint = read_ask(*endpoint);
  return news;
}

void WireProcess::give_answer(const BrokerAnswer& answer) {
  std::vector<int> fds;
  for (const auto& fd : answer.fds) fds.push_back(fd.get());
  static_cast<void>(posix::send_packet(control_.get(), answer.packet, fds));
}

Result<WireProcess> WireProcess::start(const Parts& parts, const Grants& grants, const Identity& identity,
                                       const WireConfig& config) {
  LNK_CHECK(check_trusted(parts.wire));
  LNK_CHECK(check_trusted(parts.resolver));
  WireProcess wire;
  LNK_TRY(auto control, posix::make_packet_pair());
  LNK_TRY(auto resolver, posix::make_packet_pair());
  LNK_TRY(const auto nothing, posix::open_file("/dev/null", O_RDWR));
  LNK_TRY(auto words, posix::make_pipe());
  if (::fcntl(words.read.get(), F_SETFL, O_NONBLOCK) != 0) return posix::os_fail(Code::Internal, "fcntl", "the wire's words", errno);
  LNK_TRY(const auto config_file, posix::make_sealed_file("wire-config", config_json(grants, identity, config)));
  posix::SpawnOptions options;
  options.program = parts.wire;
  options.argv = {"lnk-wire"};
  options.fds = {{nothing.get(), 0},           {nothing.get(), 1},
                 {words.write.get(), 2},       {control.second.get(), kControlFd},
                 {config_file.get(), kConfigFd}, {resolver.second.get(), kResolverFd}};
  int handle_fd = kFirstHandleFd;
  for (const auto& [name, file] : config.handles) options.fds.push_back({file.get(), handle_fd++});
  options.new_session = true;  // a Ctrl-C on the person's terminal is the target's
  auto process = posix::spawn(options);
  if (!process) return fail(std::move(process).error().within("start the wire"));
  wire.process_ = std::move(*process);
  wire.control_ = std::move(control.first);
  // More packets than the socket holds wait for the wire to take them.
  const timeval patience{kReadyMs / 1000, 0};
  static_cast<void>(::setsockopt(wire.control_.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience));
  wire.resolver_end_ = std::move(resolver.first);
  wire.words_ = std::move(words.read);
  wire.words_end_ = std::move(words.write);
  return wire;
}

/// Of one that says more than a person reads the rest is dropped, and that is told.
std::vector<std::string> WireProcess::take_words() {
  constexpr std::size_t kLinesMax = 200;  // a verb that fails each call of a busy program
  constexpr std::size_t kLineBytesMax = 1024;
  constexpr std::size_t kReadBytes = 16384;
  std::array<char, kReadBytes> bytes;
  const ssize_t got = posix::retry([&] { return ::read(words_.get(), bytes.data(), bytes.size()); });
  std::vector<std::string> lines;
  for (std::string_view left(bytes.data(), got > 0 ? static_cast<std::size_t>(got) : 0); !left.empty();) {
    const auto end = left.find('\n');
    word_.append(left.substr(0, std::min(end, kLineBytesMax)));
    word_.resize(std::min(word_.size(), kLineBytesMax));
    if (end == std::string_view::npos) break;
    left.remove_prefix(end + 1);
    std::string line = std::exchange(word_, {});
    if (line.starts_with(kOwnName)) line.erase(0, kOwnName.size());
    if (++lines_told_ <= kLinesMax) lines.push_back(std::move(line));
    if (lines_told_ == kLinesMax) lines.emplace_back("the wire says more than 200 lines; the rest isn't shown");
  }
  return lines;
}

WireProcess::~WireProcess() {
  constexpr int kLastWordsMs = 1000;  // one write to a file; a disk may be slow
  control_.reset();
  // The resolver ends behind the wire, and its own child before it: killed, it would leave that for a moment.
  for (const int pidfd : {process_.pidfd(), resolver_.pidfd()}) {
    if (pidfd < 0) continue;
    pollfd ended{pidfd, POLLIN, 0};
    static_cast<void>(posix::retry([&] { return ::poll(&ended, 1, kLastWordsMs); }));
  }
}

Status WireProcess::give_listener(const UniqueFd& socket, const InsideListener& listener) {
  const int fds[] = {socket.get()};
  json::value use(word_of(listener.use));
  if (listener.to) use = json::object{{"kind", listener.to->kind}, {"port", std::uint64_t{listener.to->port}}};
  return posix::send_packet(control_.get(), canonical_json(json::object{{"listen", std::move(use)}}), fds);
}

Status WireProcess::answer_endpoint(const EndpointAsk& ask, const UniqueFd& socket) {
  const std::string_view about = socket.is_open() ? "listen" : "none";
  const json::object place = {{"address", std::uint64_t{ask.address}}, {"kind", "tcp"}, {"port", std::uint64_t{ask.port}}};
  const int fds[] = {socket.get()};
  return posix::send_packet(control_.get(), canonical_json(json::object{{about, place}}), {fds, socket.is_open() ? 1U : 0U});
}

Status WireProcess::wait_ready() {
  pollfd readable{control_.get(), POLLIN, 0};
  const int count = posix::retry([&] { return ::poll(&readable, 1, kReadyMs); });
  if (count == 0) return fail(Code::Timeout, "the wire was not ready in time");
  if (count < 0) return posix::os_fail(Code::Internal, "poll", "the wire", errno);
  LNK_TRY(const auto packet, posix::receive_packet(control_.get(), kControlBytesMax));
  if (packet.is_end) return fail(Code::Internal, "the wire ended before it was ready");
  // From here on the front waits for nothing of a wire, which may be taken over.
  const int flags = ::fcntl(control_.get(), F_GETFL);
  if (flags < 0 || ::fcntl(control_.get(), F_SETFL, flags | O_NONBLOCK) != 0)
    return posix::os_fail(Code::Internal, "fcntl", "the wire's control socket", errno);
  return ready_of(packet.bytes);
}

Status WireProcess::start_resolver(const Parts& parts) {
  // Whatever comes of it this end is closed, so that the wire sees the end of a resolver that could not be started.
  const UniqueFd end = std::move(resolver_end_);
  const UniqueFd words = std::move(words_end_);
  LNK_TRY(const auto nothing, posix::open_file("/dev/null", O_RDWR));
  posix::SpawnOptions options;
  options.program = parts.resolver;
  options.argv = {"lnk-resolver"};
  options.fds = {{nothing.get(), 0}, {nothing.get(), 1}, {words.get(), 2}, {end.get(), 3}};
  options.new_session = true;
  auto process = posix::spawn(options);
  if (!process) return fail(std::move(process).error().within("start the resolver"));
  resolver_ = std::move(*process);
  return {};
}

}  // namespace lnk::host
