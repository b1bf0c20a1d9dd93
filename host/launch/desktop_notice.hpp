// SPDX-License-Identifier: Apache-2.0
//
// A notice on the person's desktop, by the machine's notify-send.
#pragma once

#include <string>

#include "lnk/posix/child_process.hpp"

namespace lnk::host {

class DesktopNotice {
 public:
  /// Nothing happens where there is no display, or no such program that is root's or the person's own. It is not waited for,
  /// and ends with this object.
  void show(const std::string& words);

 private:
  posix::ChildProcess process_;
};

}  // namespace lnk::host
