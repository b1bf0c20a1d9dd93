// SPDX-License-Identifier: Apache-2.0
//
// What a server says of its tools: it comes to an end whatever the server says, and what is sent for it is whole lines
// of strict JSON with a method or an answer that is known.
#include "tools/tools_listing.hpp"

#include <algorithm>
#include <string>

#include "entry.hpp"
#include "lnk/jsonfilter/document.hpp"

namespace lnk::fuzz {
namespace {

void check_sent(std::string_view lines) {
  LNK_HOLDS(lines.empty() || lines.ends_with('\n'));
  while (!lines.empty()) {
    const auto end = lines.find('\n');
    const auto document = jsonfilter::parse(lines.substr(0, end));
    LNK_HOLDS(document.has_value() && document->root().is_object());
    const auto& message = document->root();
    LNK_HOLDS(message.find("jsonrpc") != nullptr);
    if (const auto* method = message.find("method")) {
      const auto name = method->text();
      LNK_HOLDS(name == "initialize" || name == "notifications/initialized" || name == "tools/list");
    } else {
      LNK_HOLDS((message.find("result") != nullptr) != (message.find("error") != nullptr));
    }
    lines.remove_prefix(end + 1);
  }
}

}  // namespace

void check(std::string_view input) {
  host::ToolsListing listing({"/home/u/a b"});
  check_sent(listing.first());
  std::size_t requests = 1;
  while (!input.empty() && !listing.is_done()) {
    const auto end = std::min(input.find('\n'), input.size());
    const auto sent = listing.take(input.substr(0, end));
    if (!sent) {
      LNK_HOLDS(!sent.error().text.empty());
      break;
    }
    check_sent(*sent);
    if (sent->find("\"method\":\"tools/list\"") != std::string::npos) ++requests;
    input.remove_prefix(std::min(end + 1, input.size()));
  }
  LNK_HOLDS(requests <= host::kListingPagesMax + 1);
  LNK_HOLDS(listing.tools().size() <= host::kListedToolsMax);
  for (const auto& [name, hash] : listing.tools()) LNK_HOLDS(!name.empty() && hash.size() == 64);
}

}  // namespace lnk::fuzz
