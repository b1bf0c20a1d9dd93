// SPDX-License-Identifier: Apache-2.0
//
// Which pages may be asked for: those whose host is everyone's by its form, and those that the spec grants.
// Pure: text in, a page or words out.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "config.hpp"
#include "denial.hpp"
#include "lnk/http/page_url.hpp"

namespace lnk::verb_open {

using Page = http::PageUrl;

[[nodiscard]] std::variant<Denial, Page> parse_page(std::string_view text);

/// Why its host may not be opened, in words; empty: it is everyone's by its form, or the spec grants it. What a public
/// name resolves to is the browser's to find.
[[nodiscard]] std::string host_fault(const Page& page, const Config& config);

}  // namespace lnk::verb_open
