// SPDX-License-Identifier: Apache-2.0
#include "launch/wire_process.hpp"

#include <fcntl.h>
#include <poll.h>

#include <boost/json.hpp>
#include <cerrno>

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
constexpr std::size_t kControlBytesMax = 16384;  // one line of words at the most

constexpr int kControlFd = 3;
constexpr int kConfigFd = 4;
constexpr int kResolverFd = 5;
constexpr int kFirstHandleFd = 6;  // and on, in the order of the handles' names

json::array upstreams_json(const std::vector<VerbUpstream>& upstreams) {
  json::array out;
  for (const auto& upstream : upstreams) {
    out.emplace_back(json::object{{"host", upstream.host},
                                  {"port", std::uint64_t{upstream.port}},
                                  {"handles", json::array(upstream.handles.begin(), upstream.handles.end())}});
  }
  return out;
}

std::string config_json(const Grants& grants, const Identity& identity, const WireConfig& config) {
  json::array hosts;
  for (const auto& host : grants.hosts) {
    json::array ports;
    for (const auto port : host.ports) ports.emplace_back(std::uint64_t{port});
    hosts.emplace_back(json::object{{"name", host.name}, {"ports", std::move(ports)}});
  }
  json::array verbs;
  for (const auto& verb : config.verbs) {
    json::error_code error;
    auto verb_config = json::parse(verb.config_json, error);
    verbs.emplace_back(json::object{{"id", verb.module.id},
                                    {"file", verb.module.file},
                                    {"sha256", verb.module.sha256},
                                    {"config", std::move(verb_config)},
                                    {"inside", json::array(verb.inside_ports.begin(), verb.inside_ports.end())},
                                    {"upstreams", upstreams_json(verb.upstreams)}});
  }
  json::object handles;
  std::int64_t handle_fd = kFirstHandleFd;
  for (const auto& [name, file] : config.handles) handles[name] = handle_fd++;
  return canonical_json(json::object{{"name", grants.name},
                                     {"run", config.run},
                                     {"settings", config.settings.native()},
                                     {"hosts", std::move(hosts)},
                                     {"port", std::uint64_t{kWirePort}},
                                     {"calls_per_minute", grants.calls_per_minute ? json::value(std::uint64_t{*grants.calls_per_minute})
                                                                                  : json::value(nullptr)},
                                     {"secret", identity.secret},
                                     {"verbs", std::move(verbs)},
                                     {"handles", std::move(handles)}});
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
  LNK_TRY(const auto packet, posix::receive_packet(control_.get(), kControlBytesMax));
  WireNews news;
  if (auto request = read_broker_request(packet.bytes)) {
    news.request = std::move(*request);
    return news;
  }
  json::error_code error;
  const auto value = json::parse(packet.bytes, error);
  const auto* object = error ? nullptr : value.if_object();
  const auto* word = object == nullptr ? nullptr : object->if_contains("gate");
  if (word != nullptr && word->is_string()) news.gate = word->get_string();
  return news;
}

void WireProcess::give_answer(const BrokerAnswer& answer) {
  const int fds[] = {answer.fd.get()};
  static_cast<void>(posix::send_packet(control_.get(), answer.packet, answer.fd.is_open() ? std::span(fds) : std::span<const int>()));
}

Result<WireProcess> WireProcess::start(const Parts& parts, const Grants& grants, const Identity& identity,
                                       const WireConfig& config) {
  LNK_CHECK(check_trusted(parts.wire));
  LNK_CHECK(check_trusted(parts.resolver));
  WireProcess wire;
  LNK_TRY(auto control, posix::make_packet_pair());
  LNK_TRY(auto resolver, posix::make_packet_pair());
  LNK_TRY(const auto nothing, posix::open_file("/dev/null", O_RDWR));
  LNK_TRY(const auto config_file, posix::make_sealed_file("wire-config", config_json(grants, identity, config)));
  posix::SpawnOptions options;
  options.program = parts.wire;
  options.argv = {"lnk-wire"};
  options.fds = {{nothing.get(), 0},           {nothing.get(), 1},
                 {STDERR_FILENO, 2},           {control.second.get(), kControlFd},
                 {config_file.get(), kConfigFd}, {resolver.second.get(), kResolverFd}};
  int handle_fd = kFirstHandleFd;
  for (const auto& [name, file] : config.handles) options.fds.push_back({file.get(), handle_fd++});
  options.new_session = true;  // a Ctrl-C on the person's terminal is the target's
  auto process = posix::spawn(options);
  if (!process) return fail(std::move(process).error().within("start the wire"));
  wire.process_ = std::move(*process);
  wire.control_ = std::move(control.first);
  wire.resolver_end_ = std::move(resolver.first);
  return wire;
}

WireProcess::~WireProcess() {
  constexpr int kLastWordsMs = 1000;  // one write to a file; a disk may be slow
  control_.reset();
  if (process_.pidfd() < 0) return;
  pollfd ended{process_.pidfd(), POLLIN, 0};
  static_cast<void>(posix::retry([&] { return ::poll(&ended, 1, kLastWordsMs); }));
}

Status WireProcess::give_listener(const UniqueFd& listener) {
  const int fds[] = {listener.get()};
  return posix::send_packet(control_.get(), R"({"listen":"http"})", fds);
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
  LNK_TRY(const auto nothing, posix::open_file("/dev/null", O_RDWR));
  posix::SpawnOptions options;
  options.program = parts.resolver;
  options.argv = {"lnk-resolver"};
  options.fds = {{nothing.get(), 0}, {nothing.get(), 1}, {STDERR_FILENO, 2}, {end.get(), 3}};
  options.new_session = true;
  auto process = posix::spawn(options);
  if (!process) return fail(std::move(process).error().within("start the resolver"));
  resolver_ = std::move(*process);
  return {};
}

}  // namespace lnk::host
