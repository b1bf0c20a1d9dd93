// SPDX-License-Identifier: Apache-2.0
//
// Heads of the requests to the server. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "mcp_remote/url.hpp"

namespace lnk::host::remote {

/// Fields that the person gave, as Authorization.
using Headers = std::vector<std::pair<std::string, std::string>>;

/// A field that we set ourselves, or that would change what the connection is, is refused; so is a value that a head can't hold.
/// errors: Invalid, with the name and never the value
[[nodiscard]] Status check_headers(const Headers& headers);

struct RequestParts {
  std::string_view method = "POST";
  std::optional<std::uint64_t> body_bytes;  ///< of POST alone
  std::string_view session;                 ///< empty: none
  std::string_view version;                 ///< empty: none
  std::string_view last_event_id;
  std::string_view mcp_method;  ///< of the stateless family
  std::string_view mcp_name;
  Headers mirrored = {};  ///< Mcp-Param-…
};

/// Empty: a part can't be written.
[[nodiscard]] std::string request_head(const Url& url, const Headers& headers, const RequestParts& parts);

}  // namespace lnk::host::remote
