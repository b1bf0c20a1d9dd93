// SPDX-License-Identifier: Apache-2.0
//
// why: whether one thing is allowed, and the line of the spec or the rule of every sandbox that decides.
#include "resolve/why.hpp"

#include <boost/json.hpp>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/prepare.hpp"
#include "cli/say.hpp"
#include "launch/dot_files.hpp"
#include "resolve/program_place.hpp"
#include "resolve/programs.hpp"
#include "snapshot/canonical.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

/// As typed at a prompt: of the current folder, or of the home.
Result<std::string> typed_path(const std::string& text, const Facts& facts) {
  const bool is_home = text == "~" || text.starts_with("~/");
  std::error_code error;
  auto path = std::filesystem::absolute(is_home ? facts.home + text.substr(1) : text, error);
  if (error) return fail(Code::Gone, "the current folder is gone or closed to you");
  // What climbs is taken where its links lead, as the kernel does.
  if (climbs(path)) path = std::filesystem::weakly_canonical(path, error);
  if (error) return fail(Code::Gone, host::quoted(text) + " can't be resolved");
  auto clean = path.lexically_normal().native();
  while (clean.size() > 1 && clean.back() == '/') clean.pop_back();
  return clean;
}

Result<Verdict> about_path(const std::string& path, Access access, const Traced& traced) {
  LNK_TRY(const auto dot_files, look_for_dot_files(traced.checked.grants));
  std::vector<HeldPlace> held;
  for (const auto& place : dot_files.places) held.push_back({place.path, place.why});
  const auto refusal_of = [&traced](const std::string& more, Access wanted) { return refusal_with(traced, more, wanted); };
  return why_path(path, access, {traced.resolved, traced.checked, traced.facts, held, refusal_of});
}

Result<Verdict> about_program(const std::string& name, const Traced& traced) {
  const auto found = find_program(name, traced.checked.grants);
  const std::string asked = "run " + host::quoted(name) + ": ";
  if (!found) return Verdict{false, {}, "program-trust", asked + found.error().text, {}};
  const auto look = looks_inside(traced.checked.grants);
  const bool is_path = name.find('/') != std::string::npos;
  auto path = is_path ? std::string() : look.find(name);
  if (is_path) {
    LNK_TRY(path, typed_path(name, traced.facts));
    if (const auto fault = kind_fault(path, false); !fault.empty())
      return Verdict{false, {}, "not-found", asked + host::quoted(path) + " " + fault, {}};
  }
  if (path.empty())
    return Verdict{false, {}, "not-found", asked + not_found_words(name, look) + "; one that lies elsewhere is asked about by its path, as ./" + shown(name), {}};
  LNK_TRY(auto readable, about_path(path, Access::Read, traced));
  return why_program(name, path, std::move(readable), traced.resolved, traced.checked);
}

Result<Verdict> verdict_of(const Context& context, const WhyCommand& command) {
  LNK_TRY(const auto traced, trace(context, command.spec));
  if (command.kind == "host") return why_host(command.value, traced.resolved, traced.kept);
  if (command.kind == "program") return about_program(command.value, traced);
  LNK_TRY(const auto path, typed_path(command.value, traced.facts));
  return about_path(path, command.kind == "write" ? Access::Write : Access::Read, traced);
}

json::value text_or_null(const std::string& text) { return text.empty() ? json::value(nullptr) : json::value(text); }

std::string as_text(const Verdict& verdict) {
  std::string text = (verdict.allowed ? "allowed  " : "refused  ") + verdict.words + "\n";
  text += "by       " + (verdict.where.empty() ? "the rule " + verdict.rule + " of every sandbox" : verdict.where) + "\n";
  if (verdict.allowed) return text;
  text += verdict.mend.empty() ? "Trying again won't help, and no key of a spec alone allows it.\n"
                               : "Trying again won't help; this would allow it: " + verdict.mend + "\n";
  return text;
}

}  // namespace

int why(const Context& context, const WhyCommand& command) {
  const auto verdict = verdict_of(context, command);
  if (!verdict && command.kind == "host" && verdict.error().code == Code::Invalid) {
    say(verdict.error().text);
    return kWrongCommandLine;
  }
  if (!verdict) return say_refused(verdict.error());
  if (!command.json) return print(as_text(*verdict)) ? 0 : kRefused;
  const auto value = canonical_json(json::object{{"allowed", verdict->allowed},
                                                 {"asked", json::object{{"kind", command.kind}, {"value", shown(command.value)}}},
                                                 {"mend", text_or_null(verdict->mend)},
                                                 {"rule", verdict->rule},
                                                 {"where", text_or_null(verdict->where)},
                                                 {"words", verdict->words}});
  return print(value + "\n") ? 0 : kRefused;
}

}  // namespace lnk::host
