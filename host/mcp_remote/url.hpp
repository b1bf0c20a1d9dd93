// SPDX-License-Identifier: Apache-2.0
//
// The URL of an MCP server that is reached from outside. Pure.
#pragma once

#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "lnk/http/authority.hpp"

namespace lnk::host::remote {

struct Url {
  bool is_tls = true;
  http::Authority authority;  ///< its port is set
  std::string target;         ///< path and query, as a request has them

  /// "https://example.com", with the port where it isn't the scheme's own.
  [[nodiscard]] std::string origin() const;
  /// As a Host field has it.
  [[nodiscard]] std::string host_field() const;
  /// Of this machine's loopback.
  [[nodiscard]] bool is_own_machine() const;
};

/// https://, or http:// on this machine alone (localhost, 127.0.0.1, [::1]), so that what a header holds crosses no network in
/// the clear. No user, no fragment, nothing that is to be escaped.
/// errors: Invalid, whose words hold nothing of the URL but its scheme
[[nodiscard]] Result<Url> read_url(std::string_view text);

}  // namespace lnk::host::remote
