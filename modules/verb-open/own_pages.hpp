// SPDX-License-Identifier: Apache-2.0
//
// What the browser gets in place of the program's own pages: constants, without a script, a style or anything of a
// request. A page of the program's at an address of this machine would have the cookies and storage of what else is
// there.
#pragma once

#include <cstdint>
#include <string_view>

#include "lnk/cpp/verb_actions.hpp"

namespace lnk::verb_open {

enum class OwnPage : std::uint8_t {
  Passed,    ///< the answer was passed in
  NotTaken,  ///< the program took it with an error, or not at all
  Waits,     ///< nothing was an answer yet
  NotFound,
  Unfit
};

[[nodiscard]] Reply own_page(OwnPage page);
/// To the program's own second page.
[[nodiscard]] Reply own_redirect(std::string_view url);

}  // namespace lnk::verb_open
