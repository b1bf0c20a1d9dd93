// SPDX-License-Identifier: Apache-2.0
//
// URLs of tools: one that is taken holds no user and no fragment, is encrypted or of this machine, and its words hold
// nothing of it.
#include "tools/tool_url.hpp"

#include <string>

#include "entry.hpp"
#include "lnk/cpp/ascii.hpp"
#include "mcp_remote/url.hpp"

namespace lnk::fuzz {

void check(std::string_view input) {
  const auto checked = host::check_tool_url(input);
  if (!checked) {
    LNK_HOLDS(!checked.error().text.empty());
    return;
  }
  const auto read = host::remote::read_url(input);
  LNK_HOLDS(read.has_value() && (read->is_tls || read->is_own_machine()));
  LNK_HOLDS(input.find('#') == std::string_view::npos);
  const auto scheme = input.find("://") + 3;
  LNK_HOLDS(input.substr(scheme, input.find_first_of("/?", scheme) - scheme).find('@') == std::string_view::npos);
  const auto query = input.find('?');
  if (query == std::string_view::npos) return;
  const auto parameters = folded(input.substr(query));
  LNK_HOLDS(!parameters.starts_with("?key=") && !parameters.starts_with("?access_token="));
  for (const std::string_view word : {"&key=", "&token=", "&api_key=", "&password="})
    LNK_HOLDS(parameters.find(word) == std::string::npos);
}

}  // namespace lnk::fuzz
