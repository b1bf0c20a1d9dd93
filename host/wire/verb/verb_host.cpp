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
#include "wire/verb/outside_call.hpp"
#include "wire/verb/verb_loading.hpp"

namespace lnk::host {
namespace {

constexpr std::string_view kMount = "/_link/";
constexpr std::string_view kSecretMount = "s/";
constexpr std::size_t kWarningBytesMax = 600;

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

/// Tells the module that the call is over, however it ended.
class OpenCall {
 public:
  explicit OpenCall(LoadedVerb& verb) : verb_(verb), call_(verb.limits()), id_(verb.open(call_)) {}
  ~OpenCall() { verb_.gone(id_); }
  OpenCall(const OpenCall&) = delete;
  OpenCall& operator=(const OpenCall&) = delete;

  Decided head(const HeadFacts& facts) { return verb_.head(id_, facts); }
  Decided body(std::string_view body) { return verb_.body(id_, body); }

 private:
  LoadedVerb& verb_;
  Call call_;
  lnk_id id_;
};

/// Where a route leads, so that a refusal's line tells it too. A handle is named as the route that it is for: "secret:bot" and
/// "secret/bot/". Null: the route is of no one handle.
const VerbUpstream* upstream_of(const LoadedVerb& verb, std::uint32_t route) {
  std::string handle = verb.declared().routes[route].path;
  if (handle.ends_with('/')) handle.pop_back();
  if (const auto slash = handle.find('/'); slash != std::string::npos) handle[slash] = ':';
  for (const auto& upstream : verb.upstreams())
    if (std::find(upstream.handles.begin(), upstream.handles.end(), handle) != upstream.handles.end()) return &upstream;
  return nullptr;
}

Task<void> refuse(Exchange& exchange, http::Refusal refusal) {
  exchange.log.refused(refusal);
  co_await exchange.reply.refuse(std::move(refusal));
}

http::Refusal module_failed(std::string_view id) {
  return {403, "verb-off", "the verb " + std::string(id) + " failed, so the call was refused; trying again won't help"};
}

http::Refusal body_too_large() { return {413, "too-large", "the body is larger than this verb reads"}; }

/// The request's whole body, or why there is none.
Task<http::Checked<std::string>> read_whole_body(Exchange& exchange, std::uint64_t bytes_max) {
  const auto& framing = exchange.head.body;
  if (framing.framing == http::Framing::Length && framing.length > bytes_max) co_return body_too_large();
  if (auto invited = co_await exchange.reply.invite_body(); !invited) co_return http::Refusal{0, "bad-request", {}};
  Deadline stall(exchange.loop, &exchange.client);
  std::string body;
  while (!exchange.request.is_body_whole()) {
    stall.set(kBodyStallMs);
    auto read = co_await exchange.request.read_body();
    if (const auto* end = std::get_if<ReadEnd>(&read)) {
      if (end->kind == ReadEnd::Kind::Refused) co_return end->refusal;
      if (end->kind == ReadEnd::Kind::TimedOut) co_return refuse_slow_body();
      co_return http::Refusal{0, "bad-request", {}};  // nobody is there to be told
    }
    const auto bytes = std::get<BodyPiece>(read).bytes;
    if (bytes.size() > bytes_max - body.size()) co_return body_too_large();
    body.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  co_return body;
}

}  // namespace

struct VerbHost::Impl {
  Loop& loop;
  Dialer& dialer;
  VerbHostOptions options;
  std::string secret;  ///< of this sandbox's paths
  std::vector<HeldVerb> held;
  std::vector<LoadedVerb*> verbs;
  RouteTable routes;
  HandleStore handles;
  std::unique_ptr<TlsLibrary> tls;

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

  Task<void> carry_out(Exchange& exchange, LoadedVerb& verb, Decided decided);
  Task<void> answer(Exchange& exchange, const AnswerPlan& plan);
  Task<void> call_outside(Exchange& exchange, LoadedVerb& verb, const RelayPlan& plan);
  Task<void> refuse_fault(Exchange& exchange, LoadedVerb& verb, const ModuleFault& fault);
};

Task<void> VerbHost::Impl::refuse_fault(Exchange& exchange, LoadedVerb& verb, const ModuleFault& fault) {
  options.warn("verb " + verb.id() + " refused a call by a fault of its own: " + fault.error.text);
  co_await refuse(exchange, module_failed(verb.id()));
}

Task<void> VerbHost::Impl::answer(Exchange& exchange, const AnswerPlan& plan) {
  std::vector<http::Field> fields;
  for (const auto& field : plan.fields) fields.push_back({field.name, field.value});
  exchange.log.opened();
  exchange.log.status = plan.status;
  exchange.log.in += plan.body.size();
  Status sent = co_await exchange.reply.begin(plan.status, http::reason_phrase(plan.status), fields, plan.body.size());
  if (sent) sent = co_await exchange.reply.piece(std::as_bytes(std::span(plan.body.data(), plan.body.size())));
  if (sent) static_cast<void>(co_await exchange.reply.end());
  if (!exchange.request.is_body_whole()) exchange.reply.close_after();
}

Task<void> VerbHost::Impl::call_outside(Exchange& exchange, LoadedVerb& verb, const RelayPlan& plan) {
  exchange.log.set_target({verb.id(), plan.host, plan.port});
  // A verb that declared an upstream has had TLS loaded for it, and goes to no other.
  const Outside outside{loop, dialer, *tls, handles};
  OutsideCall call(outside, exchange, plan);
  co_await call.run();
}

Task<void> VerbHost::Impl::carry_out(Exchange& exchange, LoadedVerb& verb, Decided decided) {
  if (const auto* fault = std::get_if<ModuleFault>(&decided)) {
    co_await refuse_fault(exchange, verb, *fault);
  } else if (auto* refusal = std::get_if<http::Refusal>(&decided)) {
    // One form for what is not there, whoever says so.
    if (refusal->reason == refuse_no_such_verb().reason) *refusal = refuse_no_such_verb();
    co_await refuse(exchange, std::move(*refusal));
  } else if (const auto* plan = std::get_if<AnswerPlan>(&decided)) {
    co_await answer(exchange, *plan);
  } else if (const auto* passage = std::get_if<RelayPlan>(&decided)) {
    co_await call_outside(exchange, verb, *passage);
  }
}

VerbHost::VerbHost(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
VerbHost::~VerbHost() = default;

Result<std::unique_ptr<VerbHost>> VerbHost::load(const WireConfig& config, Loop& loop, Dialer& dialer,
                                                 VerbHostOptions options) {
  if (!options.warn) options.warn = &warn_person;
  if (options.tls_file.empty()) options.tls_file = tls_beside_program();
  std::unique_ptr<Impl> impl(new Impl{loop, dialer, std::move(options), config.secret, {}, {}, {}, {}, {}});
  LNK_TRY(impl->held, load_verbs(config.verbs, impl->options.warn));
  bool needs_tls = false;
  for (const HeldVerb& held : impl->held) {
    impl->verbs.push_back(held.verb.get());
    needs_tls = needs_tls || !held.verb->upstreams().empty();
  }
  impl->routes = mount(impl->verbs, impl->options.warn);
  LNK_CHECK(load_handles(impl->verbs, config, impl->handles));
  if (needs_tls) {
    // As a module's file: what others could change would run with every secret at hand.
    LNK_CHECK(check_trusted(impl->options.tls_file));
    LNK_TRY(impl->tls, TlsLibrary::open(impl->options.tls_file));
  }
  return std::unique_ptr<VerbHost>(new VerbHost(std::move(impl)));
}

Task<void> VerbHost::serve(Exchange& exchange) {
  const http::RequestHead& head = exchange.head;
  const auto hit = impl_->find(head.path);
  if (!hit) {
    co_await refuse(exchange, refuse_no_such_verb());
    co_return;
  }
  LoadedVerb& verb = *impl_->verbs[hit->verb];
  const auto* upstream = upstream_of(verb, hit->index);
  exchange.log.set_target(upstream == nullptr ? CallTarget{verb.id(), {}, 0}
                                              : CallTarget{verb.id(), upstream->host, upstream->port});
  OpenCall call(verb);
  const auto fields = http::end_to_end_fields(head.fields);
  const auto query = head.has_query ? std::optional(head.query) : std::nullopt;
  const bool has_body = head.body.framing != http::Framing::None;
  auto decided = call.head({hit->index, head.method, hit->below, query, has_body, fields});
  if (const auto* wish = std::get_if<NeedBodyPlan>(&decided)) {
    auto body = co_await read_whole_body(exchange, wish->bytes_max);
    if (auto* refusal = std::get_if<http::Refusal>(&body)) {
      co_await refuse(exchange, std::move(*refusal));
      co_return;
    }
    decided = call.body(std::get<std::string>(body));
  }
  co_await impl_->carry_out(exchange, verb, std::move(decided));
}

}  // namespace lnk::host
