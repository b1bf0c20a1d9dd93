// SPDX-License-Identifier: Apache-2.0
//
// The command line of lnk-modcheck.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "lnk/cpp/result.hpp"

namespace lnk::modcheck {

struct Options {
  Subject subject = {};
  bool as_json = false;
  bool is_help = false;
  std::string only = {};  ///< one check, in this process, for a debugger; empty: all
};

[[nodiscard]] std::string_view usage() noexcept;

/// errors: Invalid, in words.
[[nodiscard]] Result<Options> parse_options(const std::vector<std::string_view>& arguments);

}  // namespace lnk::modcheck
