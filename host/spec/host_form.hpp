// SPDX-License-Identifier: Apache-2.0
//
// A host as a spec writes it, taken apart and folded, before any rule of a table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "spec/address.hpp"
#include "spec/spec.hpp"

namespace lnk::host {

struct HostForm {
  HostKind kind = HostKind::Name;
  std::string name;  ///< as in HostGrant
  std::optional<std::uint16_t> port;
  Ipv4Bytes ipv4{};
  Ipv6Bytes ipv6{};
};

/// errors: Invalid with what is wrong and what to write; schemes, paths, user names, odd addresses, non-ASCII names.
[[nodiscard]] Result<HostForm> read_host_form(std::string_view text);

}  // namespace lnk::host
