// SPDX-License-Identifier: Apache-2.0
#include "launch/desktop_notice.hpp"

#include <fcntl.h>

#include <array>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "lnk/posix/io.hpp"
#include "trust/trust.hpp"

namespace lnk::host {
namespace {

/// Never by the PATH, which names what the person runs by name and not what this program may.
constexpr std::array<std::string_view, 2> kPrograms = {"/usr/bin/notify-send", "/usr/local/bin/notify-send"};

/// How the session's bus and display are found, and nothing else.
constexpr std::array<const char*, 6> kPassed = {"WAYLAND_DISPLAY", "DISPLAY",
                                                "XAUTHORITY",      "XDG_RUNTIME_DIR",
                                                "HOME",            "DBUS_SESSION_BUS_ADDRESS"};

bool has_display() {
  for (const char* name : {"WAYLAND_DISPLAY", "DISPLAY"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return true;
  return false;
}

std::string find_program() {
  for (const auto program : kPrograms)
    if (check_trusted_by_links(program)) return std::string(program);
  return {};
}

}  // namespace

void DesktopNotice::show(const std::string& words) {
  if (!has_display()) return;
  const std::string program = find_program();
  const auto nothing = posix::open_file("/dev/null", O_RDWR);
  if (program.empty() || !nothing) return;
  posix::SpawnOptions options;
  options.program = program;
  options.argv = {"notify-send", "--app-name=lnk-sandbox", "--urgency=critical", "lnk-sandbox", words};
  for (const char* name : kPassed)
    if (const char* value = std::getenv(name); value != nullptr) options.env.push_back(std::string(name) + "=" + value);
  options.fds = {{nothing->get(), 0}, {nothing->get(), 1}, {nothing->get(), 2}};
  options.new_session = true;
  if (auto started = posix::spawn(options)) process_ = std::move(*started);
}

}  // namespace lnk::host
