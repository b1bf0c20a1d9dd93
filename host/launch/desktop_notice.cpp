// SPDX-License-Identifier: Apache-2.0
#include "launch/desktop_notice.hpp"

#include <fcntl.h>

#include <array>
#include <string_view>

#include "asking/screen.hpp"
#include "lnk/posix/io.hpp"

namespace lnk::host {
namespace {

constexpr std::array<std::string_view, 2> kPrograms = {"/usr/bin/notify-send", "/usr/local/bin/notify-send"};

}  // namespace

void DesktopNotice::show(const std::string& words) {
  if (!has_screen()) return;
  const std::string program = trusted_program(kPrograms);
  const auto nothing = posix::open_file("/dev/null", O_RDWR);
  if (program.empty() || !nothing) return;
  posix::SpawnOptions options;
  options.program = program;
  options.argv = {"notify-send", "--app-name=lnk-sandbox", "--urgency=critical", "lnk-sandbox", words};
  options.env = screen_environment();
  options.fds = {{nothing->get(), 0}, {nothing->get(), 1}, {nothing->get(), 2}};
  options.new_session = true;
  if (auto started = posix::spawn(options)) process_ = std::move(*started);
}

}  // namespace lnk::host
