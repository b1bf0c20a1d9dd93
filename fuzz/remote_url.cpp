// SPDX-License-Identifier: Apache-2.0
//
// URLs of MCP servers: one that is taken has TLS or is of this machine, is asked at the host that stands in it, and is written as
// it is read; its words hold nothing of one that is refused.
#include "entry.hpp"
#include "lnk/http/head.hpp"
#include "mcp_remote/request_head.hpp"
#include "mcp_remote/url.hpp"

namespace lnk::fuzz {

void check(std::string_view input) {
  using namespace host::remote;
  const auto url = read_url(input);
  if (!url) return;
  LNK_HOLDS(url->is_tls || url->is_own_machine());
  LNK_HOLDS(url->authority.port != 0 && url->target.starts_with('/'));
  LNK_HOLDS(input.find_first_of("@#") == std::string_view::npos || url->target.find('@') != std::string::npos);
  const auto again = read_url(url->origin() + url->target);
  LNK_HOLDS(again && again->authority == url->authority && again->target == url->target && again->is_tls == url->is_tls);
  const auto head = http::parse_request(request_head(*url, {}, {}));
  LNK_HOLDS(!http::is_refused(head));
  const auto& read = std::get<0>(head);
  LNK_HOLDS(read.target == url->target && read.authority.host == url->authority.host);
}

}  // namespace lnk::fuzz
