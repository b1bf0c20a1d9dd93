// SPDX-License-Identifier: Apache-2.0
//
// What a person hears of a wire that is paused or stopped: a line on standard error, and of a pause by its own patterns a
// notice on the desktop where there is one.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "launch/desktop_notice.hpp"

namespace lnk::host {

class GateNotices {
 public:
  /// `word`: WireNews::gate. Each change is told once.
  void tell(std::string_view word, const std::string& name, const std::function<void(std::string_view)>& notice);

 private:
  DesktopNotice desktop_;
};

}  // namespace lnk::host
