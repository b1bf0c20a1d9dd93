// SPDX-License-Identifier: Apache-2.0
#include "on_stop/on_stop.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>

#include "lnk/cpp/utf8.hpp"
#include "lnk/posix/child_process.hpp"
#include "lnk/posix/io.hpp"
#include "snapshot/canonical.hpp"
#include "trust/trust.hpp"
#include "wire/limits.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::string_view kFile = "on-stop.json";
constexpr std::string_view kLock = "on-stop.lock";
constexpr std::size_t kCommandsMax = 1000;  // as many sandboxes as one person has, many times over

Failure bad(const Settings& settings, std::string_view words) {
  return fail(Code::Invalid, (settings.folder() / kFile).string() + ": " + std::string(words) + "; remove it and register again");
}

Result<OnStop> read_all(const Settings& settings) {
  LNK_TRY(const auto text, settings.read(kFile));
  OnStop commands;
  if (!text) return commands;
  const auto value = parse_canonical_json(*text);
  if (!value) return bad(settings, value.error().text);
  const auto* object = value->if_object();
  if (object == nullptr) return bad(settings, "is no table of commands");
  for (const auto& member : *object) {
    const auto* words = member.value().if_array();
    auto& command = commands[std::string(member.key())];
    for (const auto& word : words == nullptr ? json::array() : *words)
      if (const auto* of = word.if_string()) command.emplace_back(of->data(), of->size());
    if (words == nullptr || command.size() != words->size() || command.empty() || !command.front().starts_with('/'))
      return bad(settings, "holds what is no command");
  }
  return commands;
}

Status write_all_of(const Settings& settings, const OnStop& commands) {
  json::object object;
  for (const auto& [name, command] : commands) object[name] = json::array(command.begin(), command.end());
  return settings.write(kFile, canonical_json(object));
}

/// As a login has them, of the account and not of whoever calls.
std::vector<std::string> environment_of(const Settings& settings) {
  std::vector<std::string> environment = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
                                          "LNK_HOME=" + settings.folder().native()};
  const passwd* entry = ::getpwuid(::geteuid());
  if (entry == nullptr) return environment;
  environment.push_back(std::string("HOME=") + entry->pw_dir);
  environment.push_back(std::string("USER=") + entry->pw_name);
  environment.push_back(std::string("LOGNAME=") + entry->pw_name);
  return environment;
}

Result<posix::ChildProcess> start(const Settings& settings, const std::vector<std::string>& command) {
  LNK_CHECK(check_trusted_by_links(command.front()));
  LNK_TRY(const auto nothing, posix::open_file("/dev/null", O_RDONLY));
  posix::SpawnOptions options;
  options.program = command.front();
  options.argv = command;
  options.env = environment_of(settings);
  options.fds = {{nothing.get(), 0}, {STDERR_FILENO, 1}, {STDERR_FILENO, 2}};
  options.new_session = true;
  return posix::spawn(options);
}

std::string words_of(const Result<posix::ExitState>& ended) {
  if (!ended) return "did not end in " + std::to_string(kOnStopMs / 1000) + " seconds, and was killed";
  return ended->by_signal ? "was ended by signal " + std::to_string(ended->code) : "ended with " + std::to_string(ended->code);
}

}  // namespace

Result<OnStop> list_on_stop(const Settings& settings) { return read_all(settings); }

Result<bool> add_on_stop(const Settings& settings, const std::string& name, std::vector<std::string> command) {
  for (const auto& word : command)
    if (!is_utf8(word)) return fail(Code::Invalid, "a word of the command isn't UTF-8, which the settings can't hold");
  if (auto trusted = check_trusted_by_links(command.front()); !trusted)
    return fail(std::move(trusted).error().within("the program"));
  LNK_TRY(const auto lock, settings.lock(kLock));
  LNK_TRY(auto commands, read_all(settings));
  const bool replaces = commands.contains(name);
  if (!replaces && commands.size() >= kCommandsMax)
    return fail(Code::Limit, std::to_string(kCommandsMax) + " commands are registered, which is the most; remove some");
  commands[name] = std::move(command);
  LNK_CHECK(write_all_of(settings, commands));
  return replaces;
}

Result<bool> remove_on_stop(const Settings& settings, const std::string& name) {
  LNK_TRY(const auto lock, settings.lock(kLock));
  LNK_TRY(auto commands, read_all(settings));
  if (commands.erase(name) == 0) return false;
  LNK_CHECK(write_all_of(settings, commands));
  return true;
}

std::vector<OnStopEnd> run_on_stop(const Settings& settings, const OnStop& commands) {
  std::vector<OnStopEnd> ends;
  std::vector<std::pair<std::string, posix::ChildProcess>> started;
  for (const auto& [name, command] : commands) {
    auto process = start(settings, command);
    if (process) started.emplace_back(name, std::move(*process));
    if (!process) ends.push_back({name, "can't be started: " + process.error().text});
  }
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(kOnStopMs);
  for (auto& [name, process] : started) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()).count();
    ends.push_back({name, words_of(process.wait_for(static_cast<int>(std::max<std::int64_t>(left, 0))))});
  }
  return ends;
}

}  // namespace lnk::host
