// SPDX-License-Identifier: Apache-2.0
#include "asking/screen.hpp"

#include <array>
#include <cstdlib>

#include "trust/trust.hpp"

namespace lnk::host {
namespace {

/// How the session's bus and display are found, and nothing else.
constexpr std::array<const char*, 6> kPassed = {"WAYLAND_DISPLAY", "DISPLAY", "XAUTHORITY",
                                                "XDG_RUNTIME_DIR", "HOME",    "DBUS_SESSION_BUS_ADDRESS"};

}  // namespace

bool has_screen() {
  for (const char* name : {"WAYLAND_DISPLAY", "DISPLAY"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return true;
  return false;
}

std::vector<std::string> screen_environment() {
  std::vector<std::string> environment;
  for (const char* name : kPassed)
    if (const char* value = std::getenv(name); value != nullptr) environment.push_back(std::string(name) + "=" + value);
  return environment;
}

std::string trusted_program(std::span<const std::string_view> paths) {
  for (const auto path : paths)
    if (check_trusted_by_links(path)) return std::string(path);
  return {};
}

}  // namespace lnk::host
