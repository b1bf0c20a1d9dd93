// SPDX-License-Identifier: Apache-2.0
//
// log: what the wires wrote. Its lines are read as they are kept, and shown escaped.
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <map>

#include "cli/commands.hpp"
#include "cli/say.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"
#include "snapshot/canonical.hpp"
#include "spec/shown.hpp"
#include "spec/values.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::string_view kFolder = "wire";
constexpr std::string_view kEnding = ".jsonl";

/// The logs of one wire, or of all.
Result<std::vector<std::string>> log_files(const Context& context, const std::string& name) {
  LNK_TRY(const auto names, context.settings.list(kFolder));
  std::vector<std::string> files;
  for (const auto& file : names)
    if (file.ends_with(kEnding) && (name.empty() || file == name + std::string(kEnding))) files.push_back(file);
  return files;
}

/// "claude, build": whose logs there are.
std::string names_of_logs(const Context& context) {
  std::string names;
  const auto files = log_files(context, {});
  if (!files) return names;
  for (const auto& file : *files) names += (names.empty() ? "" : ", ") + shown(file.substr(0, file.size() - kEnding.size()));
  return names;
}

std::string text_of(const json::object& line, std::string_view key) {
  const auto* value = line.if_contains({key.data(), key.size()});
  if (value == nullptr || value->is_null()) return {};
  return value->is_string() ? shown(std::string_view(value->get_string())) : json::serialize(*value);
}

/// "2026-05-01T10:00:00.000Z claude refused example.com:443 host-not-listed"
std::string as_words(const json::object& line, const std::string& wire) {
  std::string words = text_of(line, "t") + " " + shown(wire) + " " + text_of(line, "event");
  if (const auto verb = text_of(line, "verb"); !verb.empty()) words += " " + verb;
  if (const auto host = text_of(line, "host"); !host.empty()) words += " " + host;
  if (const auto port = text_of(line, "port"); !port.empty()) words += ":" + port;
  for (const std::string_view key : {"reason", "status"})
    if (const auto value = text_of(line, key); !value.empty()) words += " " + value;
  if (const auto count = text_of(line, "count"); !count.empty()) words += " " + count + " times";
  if (const auto first = text_of(line, "first"); !first.empty()) words += " since " + first;
  if (const auto in = text_of(line, "in"); !in.empty()) words += " in " + in;
  if (const auto out = text_of(line, "out"); !out.empty()) words += " out " + out;
  if (const auto ms = text_of(line, "ms"); !ms.empty()) words += " " + ms + " ms";
  return words + "\n";
}

struct LogLine {
  std::string wire;
  json::object value;
};

/// Whole lines from `from` on; `from` moves behind them. A line still being written waits for its end.
Result<std::vector<LogLine>> read_lines(const Context& context, const std::string& file, std::size_t& from) {
  LNK_TRY(const auto text, context.settings.read(std::string(kFolder) + "/" + file));
  if (!text) return std::vector<LogLine>();
  if (text->size() < from) from = 0;  // it was turned over
  std::vector<LogLine> lines;
  for (std::size_t end = text->find('\n', from); end != std::string::npos; end = text->find('\n', from)) {
    json::error_code error;
    auto value = json::parse(std::string_view(*text).substr(from, end - from), error);
    from = end + 1;
    if (!error && value.is_object()) lines.push_back({file.substr(0, file.size() - kEnding.size()), std::move(value.get_object())});
  }
  return lines;
}

class LogReader {
 public:
  LogReader(const Context& context, const LogCommand& command) : context_(context), command_(command) {}

  Result<std::vector<LogLine>> next() {
    std::vector<LogLine> lines;
    LNK_TRY(const auto files, log_files(context_, command_.name));
    for (const auto& file : files) {
      LNK_TRY(auto more, read_lines(context_, file, read_[file]));
      std::move(more.begin(), more.end(), std::back_inserter(lines));
    }
    std::stable_sort(lines.begin(), lines.end(), [](const auto& left, const auto& right) {
      return text_of(left.value, "t") < text_of(right.value, "t");
    });
    return lines;
  }

 private:
  const Context& context_;
  const LogCommand& command_;
  std::map<std::string, std::size_t> read_;
};

json::object as_object(const LogLine& line) {
  json::object object = line.value;
  object["name"] = line.wire;
  return object;
}

/// A line each as it comes: words, or with `json` one JSON value.
Status follow(const Context& context, LogReader& reader, bool as_json) {
  LNK_CHECK(context.settings.make_folder(kFolder));
  const UniqueFd watch(::inotify_init1(IN_CLOEXEC));
  const auto folder = context.settings.folder() / kFolder;
  if (!watch.is_open() || ::inotify_add_watch(watch.get(), folder.c_str(), IN_MODIFY | IN_CREATE | IN_MOVED_TO) < 0)
    return posix::os_fail(Code::Internal, "watch", folder.native(), errno);
  for (;;) {
    LNK_TRY(const auto lines, reader.next());
    for (const auto& line : lines)
      if (!print(as_json ? canonical_json(as_object(line)) + "\n" : as_words(line.value, line.wire))) return fail(Code::Gone, "nothing more can be shown");
    char events[4096];
    LNK_TRY(const auto size, posix::read_some(watch.get(), events, sizeof(events)));
    if (size == 0) return fail(Code::Gone, "the watch ended");
  }
}

}  // namespace

int log(const Context& context, const LogCommand& command) {
  if (!command.name.empty()) {
    const auto files = log_files(context, command.name);
    if (!files) return say_refused(files.error());
    const auto names = names_of_logs(context);
    const std::string none = "no wire named " + host::quoted(command.name) + " has written a log";
    if (files->empty() && !command.follow)
      return say_refused({Code::Gone, none + (names.empty() ? "" : "; there is one of " + names)});
    // It may be started later, so it is waited for; who mistyped it should know.
    if (files->empty()) say(none + " yet; its lines are shown as they come" + (names.empty() ? "" : "; there is one of " + names));
  }
  LogReader reader(context, command);
  if (command.follow) {
    const auto done = follow(context, reader, command.json);
    return done ? 0 : say_refused(done.error());
  }
  const auto lines = reader.next();
  if (!lines) return say_refused(lines.error());
  if (!command.json) {
    for (const auto& line : *lines)
      if (!print(as_words(line.value, line.wire))) return kRefused;
    return 0;
  }
  json::array array;
  for (const auto& line : *lines) array.emplace_back(as_object(line));
  return print(canonical_json(array) + "\n") ? 0 : kRefused;
}

}  // namespace lnk::host
