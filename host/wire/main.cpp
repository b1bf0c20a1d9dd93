// SPDX-License-Identifier: Apache-2.0
//
// The wire: the one way out of one sandbox. A process of its own, outside, started by the front with its descriptors at
// fixed numbers; it ends when the control socket does, and when the front dies.
#include <malloc.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "wire/confine.hpp"
#include "wire/control.hpp"
#include "wire/name_service.hpp"
#include "wire/resolver_client.hpp"
#ifdef LNK_WIRE_HAS_VERBS
#include "wire/verb/verb_host.hpp"
#endif

namespace lnk::host {
namespace {

constexpr int kControlFd = 3;
constexpr int kConfigFd = 4;
constexpr int kResolverFd = 5;

/// A terminal's signals are for the target; the wire goes when its control socket does.
void ignore_signals() {
  for (const int number : {SIGINT, SIGQUIT, SIGHUP, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE, SIGUSR1, SIGUSR2})
    ::signal(number, SIG_IGN);
}

Result<std::unique_ptr<VerbCalls>> load_verbs([[maybe_unused]] const WireConfig& config, [[maybe_unused]] Loop& loop,
                                              [[maybe_unused]] Dialer& dialer, [[maybe_unused]] BrokerClient& broker,
                                              [[maybe_unused]] Gate& gate) {
  if (config.verbs.empty()) return std::unique_ptr<VerbCalls>();
#ifdef LNK_WIRE_HAS_VERBS
  VerbHostOptions options;
  options.is_wire_closed = [&gate] { return gate.look().has_value(); };
  options.too_many_questions = [&gate] { gate.note_too_many_questions(); };
  auto verbs = VerbHost::load(config, loop, dialer, broker, std::move(options));
  if (!verbs) return fail(std::move(verbs).error());
  return std::unique_ptr<VerbCalls>(std::move(*verbs));
#else
  return fail(Code::Unsupported, "this wire was built without verbs");
#endif
}

/// Everything the wire works with, in the order in which it is made. Never taken apart: the process ends instead.
struct Wire {
  WireConfig config;
  HostList hosts;
  Neighbours neighbours;
  Loop loop;
  std::optional<RunLog> log;
  std::optional<ResolverClient> resolver;
  std::optional<Dialer> dialer;
  std::optional<Gate> gate;
  std::optional<BrokerClient> broker;
  std::unique_ptr<VerbCalls> verbs;
};

void say_gate(std::string_view word) { say_to_front(kControlFd, "gate", word); }

Result<WireConfig> take_config() {
  auto config = read_wire_config(kConfigFd);
  ::close(kConfigFd);
  return config;
}

/// Its own, one for each port of this machine, and the names' two.
std::size_t listeners_of(const WireConfig& config) {
  return 1 + config.localhost.size() + config.local.size() + (config.endpoints.empty() ? 0 : 2);
}

Status run() {
  LNK_TRY(WireConfig config, take_config());
  LNK_TRY(HostList hosts, HostList::make(config.hosts, config.machines));
  for (const auto& verb : config.verbs)
    for (const auto& upstream : verb.upstreams) hosts.name_of_verb(upstream.host);
  LNK_TRY(EndpointTable endpoints, EndpointTable::make(config.endpoints));
  const std::string folder = config.settings + "/wire";
  LNK_TRY(LogFile log, LogFile::open(folder, config.name));
  LNK_TRY(SwitchFiles switches, SwitchFiles::open(folder, config.name));
  LNK_TRY(Neighbours neighbours, Neighbours::open());
  auto* wire = new Wire{std::move(config), std::move(hosts), std::move(neighbours), {}, {}, {}, {}, {}, {}, {}};
  wire->log.emplace(wire->loop, std::move(log), wire->config.run);
  if (!set_non_blocking(kControlFd) || !set_non_blocking(kResolverFd))
    return fail(Code::Invalid, "no control or resolver socket");
  wire->resolver.emplace(wire->loop, UniqueFd(kResolverFd));
  wire->dialer.emplace(wire->loop, *wire->resolver, wire->neighbours);
  wire->gate.emplace(wire->loop, *wire->log, std::move(switches),
                     GateOptions{wire->config.name, wire->config.run, wire->config.calls_per_minute, &say_gate});
  wire->dialer->obey(*wire->gate);
  wire->broker.emplace(wire->loop, kControlFd);
  LNK_TRY(wire->verbs, load_verbs(wire->config, wire->loop, *wire->dialer, *wire->broker, *wire->gate));
  WireParts parts{wire->loop, wire->config, wire->hosts, *wire->dialer, *wire->log, *wire->gate, wire->verbs.get()};
  LNK_TRY(const DescriptorShares shares, share_descriptors(raise_descriptor_limit(), listeners_of(wire->config), !wire->config.endpoints.empty()));
  std::optional<NameService> names;
  if (!wire->config.endpoints.empty())
    parts.names = &names.emplace(parts, std::move(endpoints), *wire->resolver,
                                 [](std::uint32_t address, std::uint16_t port) { return ask_for_endpoint(kControlFd, address, port); },
                                 shares.endpoint_sockets);
  // A connection has two descriptors, and one more is counted for it: these are the pipes'.
  parts.pipes.allow(shares.connections / 2);
  LNK_CHECK(confine(folder, ports_outside(wire->config)));
  ::malloc_trim(0);  // the configuration's text and tree are gone
  // Owns the control socket from here on, where nothing is left to fail that the front would have to be told.
  Control control(parts, *wire->broker, UniqueFd(kControlFd), shares.connections);
  wire->resolver->start();
  spawn(control.run());
  wire->loop.run();
  return fail(Code::Internal, "the wire had nothing left to wait for");
}

int run_or_say() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ignore_signals();
  const Status ended = run();
  say_failed(kControlFd, ended.error().text);
  std::fprintf(stderr, "lnk-sandbox: the wire: %s\n", ended.error().text.c_str());
  return 1;
}

}  // namespace
}  // namespace lnk::host

int main() {
  try {
    ::_exit(lnk::host::run_or_say());
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "lnk-sandbox: the wire: %s\n", exception.what());
    ::_exit(1);
  }
}
