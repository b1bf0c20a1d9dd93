// SPDX-License-Identifier: Apache-2.0
//
// The words of the wire's own refusals: what was refused, that trying again won't help, which key would allow it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lnk/http/authority.hpp"
#include "lnk/http/refusal.hpp"
#include "wire/address.hpp"

namespace lnk::host {

[[nodiscard]] http::Refusal refuse_unlisted(const http::Authority& target);
/// A host that a verb speaks to for the program: a spec that listed it too would be refused.
[[nodiscard]] http::Refusal refuse_verbs_own(const http::Authority& target);
/// `kind`: what the address or name is, in words ("loopback", "a metadata service").
[[nodiscard]] http::Refusal refuse_closed(const http::Authority& target, std::string_view kind);
/// A name that no endpoint covers; empty: what is no name.
[[nodiscard]] http::Refusal refuse_uncovered(std::string_view name);
[[nodiscard]] http::Refusal refuse_no_such_verb();
[[nodiscard]] http::Refusal refuse_slow_head();
[[nodiscard]] http::Refusal refuse_slow_body();
/// A reply that held a secret, on its way out or in.
[[nodiscard]] http::Refusal refuse_echo();
[[nodiscard]] http::Refusal refuse_upstream(std::string_view words);
[[nodiscard]] http::Refusal refuse_upstream_timeout(std::string_view words);
/// What could not be connected to at a pinned address is told with it; another refusal stays as it is.
[[nodiscard]] http::Refusal refuse_pinned(http::Refusal refusal, const Address& address);
[[nodiscard]] http::Refusal refuse_bad_request(std::string_view words);

/// `after_s`: till one is free.
/// Of bodies that verbs read whole.
[[nodiscard]] http::Refusal refuse_too_much_held();
[[nodiscard]] http::Refusal refuse_too_many_calls(std::uint32_t calls_per_minute, std::uint32_t after_s);
/// `why`: in words; `mend`: the command of a person that opens it.
[[nodiscard]] http::Refusal refuse_paused(std::string_view why, std::string_view mend);
[[nodiscard]] http::Refusal refuse_stopped(std::string_view why, std::string_view mend);

/// What a refusal is a sign of.
enum class RefusalKind : std::uint8_t {
  NotCounted,  ///< the outside's failure, a slow or vanished client, or what limits, pause and stop answer
  Counted,
  Metadata,  ///< an ask for a metadata service, by name or by what a name resolved to
};
[[nodiscard]] RefusalKind kind_of(const http::Refusal& refusal);

}  // namespace lnk::host
