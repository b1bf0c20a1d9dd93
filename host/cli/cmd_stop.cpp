// SPDX-License-Identifier: Apache-2.0
//
// stop, resume and paused: the switches of the wires, which are files in the settings. No process is reached for them.
#include <sys/stat.h>

#include <algorithm>
#include <boost/json.hpp>

#include "cli/commands.hpp"
#include "cli/say.hpp"
#include "on_stop/on_stop.hpp"
#include "snapshot/canonical.hpp"
#include "spec/shown.hpp"
#include "spec/values.hpp"
#include "wire/switch_files.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::string_view kFolder = "wire";
constexpr std::string_view kLogEnding = ".jsonl";

std::string stop_file(const std::string& name) {
  return std::string(kFolder) + "/" + (name.empty() ? std::string(kStopOfAll) : name + std::string(kStoppedEnding));
}

std::string pause_file(const std::string& name) { return std::string(kFolder) + "/" + name + std::string(kPausedEnding); }

/// On a full disk an empty file, which stops as well.
Status turn_on(const Settings& settings, const std::string& name) {
  const auto reason = words_of_closing(name.empty() ? kByStopOfAll : kByStop);
  auto written = settings.write(stop_file(name), switch_text(reason, utc_now_text()));
  if (written) return written;
  const auto empty = settings.lock(stop_file(name));  // makes the file where there is none
  if (empty) return {};
  return written;
}

/// By its log. A name that was mistyped would stop nothing that runs.
bool is_known(const Context& context, const std::string& name) {
  const auto files = context.settings.list(kFolder);
  return !files || std::find(files->begin(), files->end(), name + std::string(kLogEnding)) != files->end();
}

bool is_switched(const Settings& settings, const std::string& file) {
  struct stat entry {};
  return ::lstat((settings.folder() / file).c_str(), &entry) == 0;
}

void run_registered(const Context& context, const std::string& name) {
  auto commands = list_on_stop(context.settings);
  if (!commands) return say("what on-stop registered can't be run: " + commands.error().text);
  if (!name.empty()) std::erase_if(*commands, [&name](const auto& each) { return each.first != name; });
  for (const auto& end : run_on_stop(context.settings, *commands))
    say("on-stop " + shown(end.name) + ": " + host::quoted(commands->at(end.name).front()) + " " + end.words);
}

/// True: it was there.
Result<bool> turn_off(const Settings& settings, const std::string& file) {
  if (!is_switched(settings, file)) return false;
  LNK_CHECK(settings.remove(file));
  return true;
}

Result<bool> open_again(const Settings& settings, const std::string& name) {
  LNK_TRY(bool lifted, turn_off(settings, stop_file(name)));
  if (!name.empty()) {
    LNK_TRY(const bool resumed, turn_off(settings, pause_file(name)));
    lifted = lifted || resumed;
  }
  return lifted;
}

struct Switched {
  std::string name;  ///< empty: all wires
  std::string state;
  std::string reason;
  std::string since;
};

std::string text_of(const json::object& object, std::string_view key) {
  const auto* value = object.if_contains({key.data(), key.size()});
  const auto* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string() : std::string(*text);
}

/// One that was made by hand holds nothing, and closes as well. One that a wire can't tell stops it, and is listed so.
Switched read_switch(const Settings& settings, const std::string& file, std::string name, std::string state) {
  Switched found{std::move(name), std::move(state), {}, {}};
  struct stat entry {};
  if (::lstat((settings.folder() / file).c_str(), &entry) == 0) found.since = utc_text(entry.st_mtim.tv_sec, entry.st_mtim.tv_nsec);
  const auto text = settings.read(file);
  if (!text) {
    found.state = "stopped";
    found.reason = text.error().text;
    return found;
  }
  json::error_code error;
  const auto value = json::parse(text->value_or(""), error);
  if (error || !value.is_object()) return found;
  found.reason = text_of(value.get_object(), "reason");
  if (auto since = text_of(value.get_object(), "since"); !since.empty()) found.since = std::move(since);
  return found;
}

/// Those of `name`, and the stop of all, which is of each.
Result<std::vector<Switched>> list_switched(const Settings& settings, const std::string& name) {
  LNK_TRY(const auto files, settings.list(kFolder));
  std::vector<Switched> all;
  const auto add = [&](const std::string& entry, std::string_view ending, const char* state) {
    if (!entry.ends_with(ending)) return;
    const auto whose = entry.substr(0, entry.size() - ending.size());
    if (!read_name(whose, "") || (!name.empty() && whose != name)) return;
    all.push_back(read_switch(settings, std::string(kFolder) + "/" + entry, whose, state));
  };
  for (const auto& entry : files) {
    if (entry == kStopOfAll) all.push_back(read_switch(settings, std::string(kFolder) + "/" + entry, {}, "stopped"));
    add(entry, kStoppedEnding, "stopped");
    add(entry, kPausedEnding, "paused");
  }
  return all;
}

std::string as_words(const Switched& switched) {
  std::string words = switched.name.empty() ? "all wires" : shown(switched.name);
  words += "  " + switched.state + " since " + shown(switched.since);
  if (!switched.reason.empty()) words += ": " + shown(switched.reason);
  return words + "\n";
}

json::object as_object(const Switched& switched) {
  const json::value name = switched.name.empty() ? json::value(nullptr) : json::value(switched.name);
  return {{"name", name}, {"state", switched.state}, {"reason", switched.reason}, {"since", switched.since}};
}

}  // namespace

int stop(const Context& context, const StopCommand& command) {
  const auto& name = command.name;
  const auto on = turn_on(context.settings, name);
  if (on && name.empty()) say("all wires are stopped; lnk-sandbox resume opens them");
  if (on && !name.empty()) say("the wire of " + name + " is stopped; lnk-sandbox resume " + name + " opens it");
  if (on && !name.empty() && !is_known(context, name))
    say("no wire named " + name + " has written a log yet; one that starts is stopped");
  // Whether or not it could be turned on: what is registered stops a sandbox by itself.
  run_registered(context, name);
  return on ? 0 : say_refused({on.error().code, "nothing was stopped: " + on.error().text});
}

int resume(const Context& context, const ResumeCommand& command) {
  const auto& name = command.name;
  const auto lifted = open_again(context.settings, name);
  if (!lifted) return say_refused(lifted.error());
  if (!*lifted) {
    const std::string none = name.empty() ? "there is no stop of all" : "the wire of " + name + " is neither paused nor stopped";
    return say_refused({Code::Gone, none + "; lnk-sandbox paused names those that are"});
  }
  say(name.empty() ? "the stop of all is lifted" : "the wire of " + name + " is open again");
  const bool is_all_stopped = !name.empty() && is_switched(context.settings, stop_file({}));
  if (is_all_stopped) say("but all wires are stopped still; lnk-sandbox resume lifts that");
  return 0;
}

int paused(const Context& context, const PausedCommand& command) {
  const auto all = list_switched(context.settings, command.name);
  if (!all) return say_refused(all.error());
  std::string text;
  json::array array;
  for (const auto& switched : *all) {
    text += as_words(switched);
    array.emplace_back(as_object(switched));
  }
  return print(command.json ? canonical_json(array) + "\n" : text) ? 0 : kRefused;
}

}  // namespace lnk::host
