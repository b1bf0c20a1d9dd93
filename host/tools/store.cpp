// SPDX-License-Identifier: Apache-2.0
#include "tools/store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "lnk/posix/io.hpp"
#include "spec/shown.hpp"
#include "spec/values.hpp"

namespace lnk::host {
namespace {

constexpr std::string_view kFolder = "tools";
constexpr std::string_view kSuffix = ".json";

std::string file_of(std::string_view name) {
  return std::string(kFolder) + "/" + std::string(name) + std::string(kSuffix);
}
std::string log_of(std::string_view name) { return std::string(kFolder) + "/" + std::string(name) + ".log"; }

std::string how_to_add(std::string_view name) { return "lnk-sandbox tool add " + std::string(name) + " -- CMD…"; }

}  // namespace

Status keep_tool(const Settings& settings, const ToolDefinition& tool) {
  LNK_TRY(const auto text, tool_text(tool));
  // What is written is what can be read again.
  if (auto read = read_tool_text(text); !read) return fail(std::move(read).error());
  return settings.write(file_of(tool.name), text);
}

Result<ToolDefinition> load_tool(const Settings& settings, std::string_view name) {
  const auto file = file_of(name);
  LNK_TRY(const auto text, settings.read(file));
  if (!text) return fail(Code::Gone, "no tool " + host::quoted(name) + " is kept; add it with: " + how_to_add(name));
  auto tool = read_tool_text(*text);
  if (tool && tool->name == name) return tool;
  Error error = tool ? Error{Code::Invalid, "is of another tool"} : std::move(tool).error();
  error = std::move(error).within((settings.folder() / file).native());
  error.text += "; add it again with: " + how_to_add(name);
  return fail(std::move(error));
}

Result<std::vector<std::string>> list_tools(const Settings& settings) {
  LNK_TRY(const auto files, settings.list(kFolder));
  std::vector<std::string> names;
  for (const auto& file : files) {
    if (!file.ends_with(kSuffix)) continue;
    auto name = file.substr(0, file.size() - kSuffix.size());
    if (read_name(name, "a tool's name")) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());  // as files they stand in another order: "a-b.json" before "a.json"
  return names;
}

Result<bool> remove_tool(const Settings& settings, std::string_view name) {
  LNK_TRY(const auto kept, list_tools(settings));
  LNK_CHECK(settings.remove(file_of(name)));
  LNK_CHECK(settings.remove(log_of(name)));
  return std::find(kept.begin(), kept.end(), name) != kept.end();
}

std::string tool_log_path(const Settings& settings, std::string_view name) {
  return (settings.folder() / log_of(name)).native();
}

Result<UniqueFd> open_tool_log(const Settings& settings, std::string_view name) {
  LNK_CHECK(settings.make_folder(kFolder));
  const auto path = tool_log_path(settings, name);
  // Not to wait for a reader where a pipe lies there.
  LNK_TRY(auto log, posix::open_file(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0600));
  struct stat about {};
  const bool is_own = ::fstat(log.get(), &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == ::geteuid() &&
                      (about.st_mode & 077) == 0;
  if (!is_own)
    return fail(Code::Denied, host::quoted(path) + " is no file of your own that others may not read; remove it");
  return log;
}

Result<ToolDefinition> load_granted_tool(const Settings& settings, const GrantedTool& granted) {
  LNK_TRY(auto tool, load_tool(settings, granted.name));
  if (granted_of(tool) == granted) return tool;
  return fail(Code::Gone,
              "snapshot-stale: the tool " + host::quoted(granted.name) +
                  " is not the one that this may use; approve the spec again, and wrap a kept command again");
}

}  // namespace lnk::host
