// SPDX-License-Identifier: Apache-2.0
//
// A host as a spec writes it, taken apart and folded, before any rule of a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "lnk/http/authority.hpp"
#include "spec/spec.hpp"

namespace lnk::host {

struct HostForm {
  HostKind kind = HostKind::Name;
  std::string name;  ///< as in HostGrant
  std::optional<std::uint16_t> port;
  http::AddressBytes address{};  ///< of Ipv4 (its first four bytes) and Ipv6
};

/// The wire's own reader of authorities decides, so that the two can't differ; what it refuses is put in a person's
/// words. errors: Invalid with what is wrong and what to write; schemes, paths, user names, odd addresses, non-ASCII
/// names.
[[nodiscard]] Result<HostForm> read_host_form(std::string_view text);

}  // namespace lnk::host
