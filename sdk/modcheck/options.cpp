// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <charconv>
#include <optional>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::modcheck {

namespace {

constexpr std::size_t kScriptBytesMax = 16 * 1024 * 1024;
constexpr std::uint32_t kSequencesMax = 1'000'000;

template <class Number>
Result<Number> number(std::string_view option, std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size())
    return fail(Code::Invalid, std::string(option) + " takes a number, not '" + posix::escaped(text) + "'");
  return value;
}

Status take_option(Options& options, std::string_view name, std::string_view value) {
  Subject& subject = options.subject;
  if (name == "--config") {
    subject.config_json = value;
  } else if (name == "--config-file") {
    LNK_TRY(subject.config_json, posix::read_file(std::filesystem::path(value), kScriptBytesMax));
  } else if (name == "--script") {
    LNK_TRY(subject.script, posix::read_file(std::filesystem::path(value), kScriptBytesMax));
  } else if (name == "--seed") {
    LNK_TRY(subject.seed, number<std::uint64_t>(name, value));
  } else if (name == "--sequences") {
    LNK_TRY(subject.sequences, number<std::uint32_t>(name, value));
    if (subject.sequences > kSequencesMax)
      return fail(Code::Invalid, "--sequences: at most " + std::to_string(kSequencesMax));
  } else if (name == "--in-process") {
    options.only = value;
  } else {
    return fail(Code::Invalid, "unknown option '" + posix::escaped(name) + "'");
  }
  return {};
}

Status take_file(Options& options, std::string_view text) {
  if (!options.subject.file.empty()) return fail(Code::Invalid, "one module a call");
  // As the host would: absolute, with no link in it, so that what the trust check says is about the file itself.
  std::error_code error;
  options.subject.file = std::filesystem::canonical(std::filesystem::path(text), error);
  if (error) return fail(Code::Gone, "'" + posix::escaped(text) + "': " + error.message());
  return {};
}

}  // namespace

std::string_view usage() noexcept {
  return "usage: lnk-modcheck [options] FILE.so\n"
         "\n"
         "Checks a module of lnk-sandbox, each check in a process of its own. Exit 0 only if all pass, 1 if one does\n"
         "not, 2 if the command line is wrong.\n"
         "\n"
         "  --config JSON        the configuration that instances are made with (default {})\n"
         "  --config-file FILE   the same, from a file\n"
         "  --script FILE        runs scripts of events with the actions expected (a verb's)\n"
         "  --seed N             of the first of the random sequences (default 1)\n"
         "  --sequences N        how many there are (default 200)\n"
         "  --json               one JSON value on stdout\n"
         "  --in-process CHECK   one check in this process, for a debugger\n"
         "  --help\n";
}

Result<Options> parse_options(const std::vector<std::string_view>& arguments) {
  Options options;
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const std::string_view word = arguments[at];
    if (word == "--help") {
      options.is_help = true;
      return options;
    }
    if (word == "--json") {
      options.as_json = true;
    } else if (!word.starts_with("--")) {
      LNK_CHECK(take_file(options, word));
    } else if (at + 1 == arguments.size()) {
      return fail(Code::Invalid, std::string(word) + " needs a value");
    } else {
      LNK_CHECK(take_option(options, word, arguments[++at]));
    }
  }
  if (options.subject.file.empty()) return fail(Code::Invalid, "which module?");
  return options;
}

}  // namespace lnk::modcheck
