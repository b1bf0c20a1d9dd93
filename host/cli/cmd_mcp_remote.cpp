// SPDX-License-Identifier: Apache-2.0
//
// mcp-remote: looks at the URL, and becomes the part that does the rest, with nothing of this environment.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/say.hpp"
#include "launch/parts.hpp"
#include "lnk/posix/os_error.hpp"
#include "mcp_remote/url.hpp"
#include "settings/settings.hpp"
#include "trust/trust.hpp"

namespace lnk::host {
namespace {

Status become(const McpRemoteCommand& command) {
  LNK_TRY(const auto parts, Parts::of_this_program());
  LNK_CHECK(check_trusted(parts.mcp_remote));
  std::vector<std::string> words = {"lnk-mcp-remote"};
  if (!command.tool.empty()) {
    std::filesystem::path settings = command.settings;
    if (settings.empty()) {
      LNK_TRY(settings, Settings::default_folder());
    }
    words.insert(words.end(), {"--settings", settings.native(), "--tool", command.tool});
  }
  words.push_back(command.url);
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::array<char*, 1> nothing = {nullptr};
  ::execve(parts.mcp_remote.c_str(), argv.data(), nothing.data());
  return posix::os_fail(Code::Gone, "execve", parts.mcp_remote.native(), errno);
}

}  // namespace

int mcp_remote(const McpRemoteCommand& command) {
  if (const auto url = remote::read_url(command.url); !url) {
    say(url.error().text);
    return kWrongCommandLine;
  }
  const Status became = become(command);
  return say_refused(became.error());
}

}  // namespace lnk::host
