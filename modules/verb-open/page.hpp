// SPDX-License-Identifier: Apache-2.0
//
// A page's URL, read strictly and written anew in plain ASCII: what is asked is what is opened.
//
// Guarantees of a page: http or https, no userinfo, a host of one reading, visible ASCII alone; read once more it is the same.
// A host that isn't ASCII is refused: which ASCII name it stands for is a table that browsers differ in (UTS 46), and who asks
// can write the name that it means. What a URL may not hold elsewhere is percent-encoded, as browsers do; what they read in
// several ways (a backslash, a blank, a control character, a % that begins nothing) is refused.
// Pure: text in, a page or words out.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include "config.hpp"
#include "denial.hpp"
#include "lnk/http/authority.hpp"

namespace lnk::verb_open {

/// As given and as written anew. Logins have some hundred bytes, and what is shown is never cut.
inline constexpr std::size_t kUrlBytesMax = 16 * std::size_t{1024};

struct Page {
  std::string url;
  bool has_tls = false;
  http::Authority authority;  ///< with a port in any case
  std::string path;           ///< begins with a /
  std::string query;          ///< behind the first '?'
  bool has_query = false;
};

[[nodiscard]] std::variant<Denial, Page> parse_page(std::string_view text);

/// Whether it is one of the three spellings by which a browser is sent back to this machine.
[[nodiscard]] bool is_loopback(const http::Host& host) noexcept;

/// Why its host may not be opened, in words; empty: it is everyone's by its form, or the spec grants it. What a public name
/// resolves to is the browser's to find.
[[nodiscard]] std::string host_fault(const Page& page, const Config& config);

}  // namespace lnk::verb_open
