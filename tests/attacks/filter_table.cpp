// SPDX-License-Identifier: Apache-2.0
//
// Prints the filter's list for this architecture: "NAME NUMBER passed|partly|ERRNO", a call a line.
#include <cstdio>
#include <string>
#include <string_view>

#include "filter/target_filter.hpp"

namespace {

std::string verdict_of(std::string_view name) {
  for (const auto& call : lnk::os_linux::refused_calls())
    if (call.name == name) return std::to_string(call.error);
  for (const auto& call : lnk::os_linux::partly_refused_calls())
    if (call.name == name) return "partly";
  return "passed";
}

}  // namespace

int main() {
  for (const auto& call : lnk::os_linux::calls_of(lnk::seccomp::kNative))
    std::printf("%s %u %s\n", std::string(call.name).c_str(), call.number, verdict_of(call.name).c_str());
  return 0;
}
