// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/verb_host.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <optional>
#include <utility>

#include "lnk/http/write.hpp"
#include "lnk/secret/constant_time.hpp"
#include "trust/trust.hpp"
#include "wire/limits.hpp"
#include "wire/refusals.hpp"
#include "wire/tls_stream.hpp"
#include "wire/verb/call_driver.hpp"
#include "wire/verb/run_services.hpp"
#include "wire/verb/verb_loading.hpp"

namespace lnk::host {
namespace {

constexpr std::string_view kMount = "/_link/";
constexpr std::string_view kSecretMount = "s/";

/// Words of a module may hold anything: a terminal gets one bounded line of plain ASCII.
void warn_person(std::string_view line) {
  std::string shown = "lnk-sandbox: " + std::string(line.substr(0, kWarningBytesMax));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c < 0x20 || c >= 0x7f; }, '?');
  shown += '\n';
  static_cast<void>(!::write(STDERR_FILENO, shown.data(), shown.size()));
}

std::string tls_beside_program() {
  std::array<char, PATH_MAX> program{};
  const ssize_t size = ::readlink("/proc/self/exe", program.data(), program.size());
  const std::string_view path(program.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  return std::string(path.substr(0, path.rfind('/') + 1)) + "tls.so";
}

/// Where a route leads, so that a refusal's line tells it too. A handle has the name that the route has: "secret:bot" and
/// "secret/bot/", "key:openai" and "model/openai/"; a port of this machine stands in it, "local/11434/". Null: the route is of no one
/// upstream.
const VerbUpstream* upstream_of(const LoadedVerb& verb, std::uint32_t route) {
  std::string_view name = verb.declared().routes[route].path;
  if (name.ends_with('/')) name.remove_suffix(1);
  const auto slash = name.find('/');
  if (slash == std::string_view::npos) return nullptr;
  name.remove_prefix(slash + 1);
  const auto is_its = [name](std::string_view handle) { return handle.substr(std::min(handle.find(':'), handle.size() - 1) + 1) == name; };
  const auto is_it = [name, is_its](const VerbUpstream& upstream) {
    if (!upstream.tls) return name == std::to_string(upstream.port);
    return std::any_of(upstream.handles.begin(), upstream.handles.end(), is_its);
  };
  const auto found = std::find_if(verb.upstreams().begin(), verb.upstreams().end(), is_it);
  return found == verb.upstreams().end() ? nullptr : &*found;
}

Task<void> refuse(Exchange& exchange, http::Refusal refusal) {
  exchange.log.refused(refusal);
  co_await exchange.refuse(std::move(refusal));
}

}  // namespace

struct VerbHost::Impl {
  Loop& loop;
  Dialer& dialer;
  VerbHostOptions options;
  std::string secret;  ///< of this sandbox's paths
  std::vector<HeldVerb> held;
  std::vector<LoadedVerb*> verbs;
  std::vector<std::unique_ptr<RunServices>> services;
  RouteTable routes;
  HandleStore handles;
  std::unique_ptr<TlsLibrary> tls;
  HeldBodies bodies;
  std::optional<Outside> outside;  ///< where a verb has an upstream

  /// A wrong secret is looked up as the right one is, so that it can't be told from an unknown path.
  [[nodiscard]] std::optional<RouteHit> find(std::string_view path) const noexcept {
    if (!path.starts_with(kMount)) return std::nullopt;
    path.remove_prefix(kMount.size());
    if (!path.starts_with(kSecretMount)) return routes.find(path, false);
    path.remove_prefix(kSecretMount.size());
    const auto given = path.substr(0, path.find('/'));
    const auto hit = routes.find(path.substr(std::min(given.size() + 1, path.size())), true);
    const bool right = secret::equal_constant_time(secret, given) && !secret.empty();
    return right ? hit : std::nullopt;
  }

  /// Of a port inside: what stands at the mount itself.
  [[nodiscard]] std::optional<RouteHit> find_mount(std::string_view mount, std::string_view path) const noexcept {
    auto hit = routes.find(mount, true);
    if (!hit || !hit->below.empty() || !path.starts_with('/')) return std::nullopt;
    hit->below = path.substr(1);
    return hit;
  }

  Task<void> serve(Exchange& exchange, std::optional<RouteHit> hit);
};

VerbHost::VerbHost(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
VerbHost::~VerbHost() = default;

Result<std::unique_ptr<VerbHost>> VerbHost::load(const WireConfig& config, Loop& loop, Dialer& dialer,
                                                 BrokerClient& broker, VerbHostOptions options) {
  if (!options.warn) options.warn = &warn_person;
  if (options.tls_file.empty()) options.tls_file = tls_beside_program();
  std::unique_ptr<Impl> impl(new Impl{loop, dialer, std::move(options), config.secret, {}, {}, {}, {}, {}, {}, {}, {}});
  LNK_TRY(impl->held, load_verbs(config.verbs, impl->options.warn));
  bool has_outside = false;
  bool needs_tls = false;
  for (std::size_t at = 0; at < impl->held.size(); ++at) {
    const HeldVerb& held = impl->held[at];
    impl->verbs.push_back(held.verb.get());
    impl->services.push_back(
        std::make_unique<RunServices>(ServiceParts{loop, broker, *held.verb, config.verbs[at], impl->options.warn,
                                                   impl->options.too_many_questions, impl->options.is_wire_closed}));
    has_outside = has_outside || !held.verb->upstreams().empty();
    for (const auto& upstream : held.verb->upstreams()) needs_tls = needs_tls || upstream.tls;
  }
  impl->routes = mount(impl->verbs, impl->options.warn);
  LNK_CHECK(load_handles(impl->verbs, config, impl->handles));
  if (needs_tls) {
    // As a module's file: what others could change would run with every secret at hand.
    LNK_CHECK(check_trusted(impl->options.tls_file));
    LNK_TRY(impl->tls, TlsLibrary::open(impl->options.tls_file));
  }
  if (has_outside) impl->outside.emplace(Outside{loop, dialer, impl->tls.get(), impl->handles});
  return std::unique_ptr<VerbHost>(new VerbHost(std::move(impl)));
}

std::string_view VerbHost::refusal_form(std::string_view path) const noexcept {
  const auto hit = impl_->find(path);
  return hit ? impl_->verbs[hit->verb]->declared().routes[hit->index].refusal_form : std::string_view();
}

Task<void> VerbHost::serve(Exchange& exchange) { return impl_->serve(exchange, impl_->find(exchange.head.path)); }

Task<void> VerbHost::serve_mount(Exchange& exchange, std::string_view mount) {
  return impl_->serve(exchange, impl_->find_mount(mount, exchange.head.path));
}

Task<void> VerbHost::Impl::serve(Exchange& exchange, std::optional<RouteHit> hit) {
  if (!hit) {
    co_await refuse(exchange, refuse_no_such_verb());
    co_return;
  }
  const http::RequestHead& head = exchange.head;
  LoadedVerb& verb = *verbs[hit->verb];
  const auto* upstream = upstream_of(verb, hit->index);
  exchange.log.set_target(upstream == nullptr ? CallTarget{verb.id(), {}, 0}
                                              : CallTarget{verb.id(), upstream->host, upstream->port});
  // Of a service of this machine one request a connection.
  if (upstream != nullptr && !upstream->tls) exchange.reply.close_after();
  const auto fields = http::end_to_end_fields(head.fields);
  const auto query = head.has_query ? std::optional(head.query) : std::nullopt;
  const bool has_body = head.body.framing != http::Framing::None;
  CallDriver driver(outside ? &*outside : nullptr, exchange, verb, bodies, options.warn);
  co_await driver.run({hit->index, head.method, hit->below, query, has_body, fields});
}

}  // namespace lnk::host
