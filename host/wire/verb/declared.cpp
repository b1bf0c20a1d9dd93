// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/declared.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "lnk/cpp/barrier.hpp"
#include "lnk/cpp/view.hpp"
#include "lnk/http/authority.hpp"
#include "wire/limits.hpp"
#include "wire/refusal_form.hpp"

namespace lnk::host {
namespace {

/// What a declaration is gathered in; the first thing that is wrong is kept.
struct Gathering {
  Declared declared;
  std::optional<Error> error;

  lnk_status refuse(Error why) {
    const auto status = static_cast<lnk_status>(why.code);
    if (!error) error = std::move(why);
    return status;
  }
};

Result<Route> read_route(const lnk_route* raw) {
  if (raw == nullptr || raw->size < offsetof(lnk_route, refusal_body) || raw->path.data == nullptr)
    return fail(Code::Invalid, "a route is malformed");
  if (raw->kind != LNK_ROUTE_EXACT && raw->kind != LNK_ROUTE_PREFIX)
    return fail(Code::Unsupported, "a route is of an unknown kind");
  if ((raw->flags & ~static_cast<std::uint32_t>(LNK_ROUTE_UNDER_SECRET)) != 0)
    return fail(Code::Unsupported, "a route has unknown flags");
  Route route{std::string(view(raw->path)), raw->kind == LNK_ROUTE_PREFIX, (raw->flags & LNK_ROUTE_UNDER_SECRET) != 0};
  LNK_CHECK(check_route(route));
  if (raw->size < offsetof(lnk_route, refusal_body) + sizeof(raw->refusal_body) || raw->refusal_body.size == 0) return route;
  if (raw->refusal_body.data == nullptr) return fail(Code::Invalid, "a route is malformed");
  route.refusal_form = view(raw->refusal_body);
  LNK_CHECK(check_refusal_form(route.refusal_form));
  return route;
}

Result<VerbUpstream> read_upstream(const lnk_upstream* raw) {
  if (raw == nullptr || raw->size < sizeof(lnk_upstream)) return fail(Code::Invalid, "an upstream is malformed");
  const auto host = http::parse_host(view(raw->host));
  const auto* name = std::get_if<http::Host>(&host);
  if (name == nullptr || name->kind != http::HostKind::Name || name->text != view(raw->host)) {
    return fail(Code::Invalid, "an upstream is no plain name");
  }
  if (raw->port == 0) return fail(Code::Invalid, "an upstream has no port");
  const bool has_tls = raw->tls == 1;
  if (!has_tls && (raw->tls != 0 || name->text != kThisMachineName))
    return fail(Code::Unsupported, "an upstream without TLS that is not this machine");
  return VerbUpstream{name->text, raw->port, {}, has_tls};
}

lnk_status take_route(void* context, const lnk_route* raw) LNK_NOEXCEPT {
  auto& gathering = *static_cast<Gathering*>(context);
  return barrier(nullptr, [&]() -> lnk_status {
    auto route = read_route(raw);
    if (!route) return gathering.refuse(std::move(route).error());
    if (gathering.declared.routes.size() == kRoutesMax)
      return gathering.refuse(Error{Code::Limit, "more than 256 routes"});
    gathering.declared.routes.push_back(std::move(route).value());
    return LNK_OK;
  });
}

lnk_status take_upstream(void* context, const lnk_upstream* raw) LNK_NOEXCEPT {
  auto& gathering = *static_cast<Gathering*>(context);
  return barrier(nullptr, [&]() -> lnk_status {
    auto upstream = read_upstream(raw);
    if (!upstream) return gathering.refuse(std::move(upstream).error());
    if (gathering.declared.upstreams.size() == kUpstreamsMax)
      return gathering.refuse(Error{Code::Limit, "more than 256 upstreams"});
    gathering.declared.upstreams.push_back(std::move(upstream).value());
    return LNK_OK;
  });
}

lnk_status take_body_max(void* context, std::uint64_t bytes) LNK_NOEXCEPT {
  auto& gathering = *static_cast<Gathering*>(context);
  return barrier(nullptr, [&]() -> lnk_status {
    if (bytes > kVerbBodyBytesMax) return gathering.refuse(Error{Code::Limit, "a body over 32 MiB is not read"});
    gathering.declared.body_bytes_max = bytes;
    return LNK_OK;
  });
}

}  // namespace

Result<Declared> declare(const lnk_verb& table, lnk_instance* instance) {
  Gathering gathering;
  auto sink = sized<lnk_declare_sink>();
  sink.context = &gathering;
  sink.route = &take_route;
  sink.upstream = &take_upstream;
  sink.body_max = &take_body_max;
  ErrorSlot error;
  const lnk_status status = table.declare(instance, &sink, error.get());
  if (gathering.error) return fail(std::move(*gathering.error).within("declare"));
  if (status != LNK_OK) return fail(error.take(status).within("declare"));
  return std::move(gathering.declared);
}

}  // namespace lnk::host
