// SPDX-License-Identifier: Apache-2.0
//
// One request held to its provider's table: the whole of what this verb decides, without the boundary.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config.hpp"
#include "denial.hpp"
#include "lnk/cpp/verb_actions.hpp"
#include "lnk/cpp/verb_events.hpp"
#include "lnk/jsonfilter/coded_body.hpp"
#include "providers.hpp"

namespace lnk::verb_model {

/// All tables, read.
struct Tables {
  Shapes shapes;
  Providers providers;
};
/// errors: Invalid, a mistake in a table.
[[nodiscard]] Result<Tables> read_tables();

/// A request to the provider's one host; the key stands in it as a handle. What it says of the body is held until that is there.
struct Passage {
  std::string target;
  std::vector<FieldEdit> edits;
  std::string method;
  const Endpoint* endpoint = nullptr;
  jsonfilter::Coding coding = jsonfilter::Coding::Identity;
};

inline constexpr std::uint64_t kBodyBytesMax = 32 * 1024 * 1024;  ///< some images more than a request may have

[[nodiscard]] std::variant<Denial, Passage> decide(const Provider& provider, const Asked& asked, const Policy& policy,
                                                   const HeadEvent& head);
/// The body that goes out in place of the one that came.
[[nodiscard]] std::variant<Denial, std::string> decide_body(const Tables& tables, const Policy& policy, const Passage& passage,
                                                            std::string_view body);

}  // namespace lnk::verb_model
