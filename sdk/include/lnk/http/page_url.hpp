// SPDX-License-Identifier: Apache-2.0
//
// The URL of a page for a browser, read strictly and written anew in plain ASCII: what is asked is what is opened.
//
// Guarantees: http or https, no userinfo, a host of one reading, visible ASCII alone; read once more it is the same. A
// host that isn't ASCII is refused: which ASCII name it stands for is a table that browsers differ in (UTS 46), and who
// asks can write the name that it means. What a URL may not hold elsewhere is percent-encoded, as browsers do; what
// they read in several ways (a backslash, a blank, a control character, a % that begins nothing) is refused. Pure: text
// in, a page or words out.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/http/authority.hpp"
#include "lnk/http/refusal.hpp"

namespace lnk::http {

/// As given and as written anew. Logins have some hundred bytes, and what is shown is never cut.
inline constexpr std::size_t kPageUrlBytesMax = 16 * std::size_t{1024};

struct PageUrl {
  std::string url;
  bool has_tls = false;
  Authority authority;  ///< with a port in any case
  std::string path;     ///< begins with a /
  std::string query;    ///< behind the first '?'
  bool has_query = false;
};

[[nodiscard]] Checked<PageUrl> parse_page_url(std::string_view text);

/// Whether it is one of the three spellings by which a browser is sent back to this machine (RFC 8252 7.3, 8.3).
[[nodiscard]] bool is_loopback(const Host& host) noexcept;

/// The values of a name in a page's query, decoded once.
[[nodiscard]] std::vector<std::string> query_values(const PageUrl& page, std::string_view name);

/// The page's one `redirect_uri` where it is plain http on this machine's loopback; nothing: it has none, or several.
[[nodiscard]] std::optional<PageUrl> loopback_redirect(const PageUrl& page);

}  // namespace lnk::http
