// SPDX-License-Identifier: Apache-2.0
//
// lnk-modcheck: runs a module file alone and says what holds.
#include <cstdio>
#include <exception>
#include <utility>

#include "options.hpp"

namespace lnk::modcheck {
namespace {

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

using Results = std::vector<std::pair<Check, Outcome>>;

std::vector<Check> all_checks() {
  std::vector<Check> checks;
  for (const auto group :
       {load_checks(), lifecycle_checks(), verb_checks(), os_checks(), sequence_checks(), script_checks()})
    checks.insert(checks.end(), group.begin(), group.end());
  return checks;
}

std::string_view word(Verdict verdict) noexcept {
  switch (verdict) {
    case Verdict::Passed:
      return "pass";
    case Verdict::Failed:
      return "fail";
    case Verdict::Crashed:
      return "crash";
    case Verdict::Stuck:
      return "stuck";
    case Verdict::NotForThisKind:
      return "none";
  }
  return "fail";
}

bool is_bad(const Outcome& outcome) noexcept {
  return outcome.verdict != Verdict::Passed && outcome.verdict != Verdict::NotForThisKind;
}

std::string json_text(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out.append("\\u00") += kHex[byte >> 4U];
      out += kHex[byte & 0x0FU];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

void print_json(const Options& options, const Results& results, bool is_sound) {
  std::string out = "{\"checks\":[";
  for (const auto& [check, outcome] : results) {
    if (out.back() == '}') out += ',';
    out.append("{\"check\":")
        .append(json_text(check.name))
        .append(",\"result\":")
        .append(json_text(word(outcome.verdict)));
    out.append(",\"rule\":")
        .append(json_text(check.rule))
        .append(",\"words\":")
        .append(json_text(outcome.words))
        .append("}");
  }
  out.append("],\"file\":").append(json_text(options.subject.file.native()));
  out.append(",\"passed\":").append(is_sound ? "true" : "false");
  out.append(",\"seed\":").append(std::to_string(options.subject.seed)).append("}\n");
  std::fputs(out.c_str(), stdout);
}

void print_line(const Check& check, const Outcome& outcome) {
  if (outcome.verdict == Verdict::NotForThisKind) return;
  std::printf("%-5s  %-17s  %s\n", std::string(word(outcome.verdict)).c_str(), std::string(check.name).c_str(),
              is_bad(outcome) ? outcome.words.c_str() : std::string(check.rule).c_str());
}

/// A module that does not load, or of which no instance can be made, is told once, and not by each check again.
Results run_all(const Options& options) {
  Results results;
  for (const Check& check : all_checks()) {
    const Outcome outcome = run_apart(check, options.subject);
    results.emplace_back(check, outcome);
    if (!options.as_json) print_line(check, outcome);
    if (is_bad(outcome) && (check.name == "load" || check.name == "create")) break;
  }
  return results;
}

int run_one(const Options& options) {
  for (const Check& check : all_checks()) {
    if (check.name != options.only) continue;
    const Outcome outcome = check.run(options.subject);
    print_line(check, outcome);
    return is_bad(outcome) ? kExitFailed : 0;
  }
  std::fprintf(stderr, "lnk-modcheck: no check is named '%s'\n", options.only.c_str());
  return kExitUsage;
}

int run(const std::vector<std::string_view>& arguments) {
  const auto options = parse_options(arguments);
  if (!options) {
    std::fprintf(stderr, "lnk-modcheck: %s\n%s", options.error().text.c_str(), std::string(usage()).c_str());
    return kExitUsage;
  }
  if (options->is_help) {
    std::fputs(std::string(usage()).c_str(), stdout);
    return 0;
  }
  if (!options->only.empty()) return run_one(*options);
  const Results results = run_all(*options);
  bool is_sound = true;
  for (const auto& [check, outcome] : results) is_sound = is_sound && !is_bad(outcome);
  if (options->as_json) print_json(*options, results, is_sound);
  return is_sound ? 0 : kExitFailed;
}

}  // namespace
}  // namespace lnk::modcheck

int main(int argc, char** argv) {
  try {
    return lnk::modcheck::run({argv + 1, argv + argc});
  } catch (const std::exception& thrown) {
    std::fprintf(stderr, "lnk-modcheck: %s\n", thrown.what());
    return lnk::modcheck::kExitFailed;
  }
}
