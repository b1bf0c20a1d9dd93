// SPDX-License-Identifier: Apache-2.0
//
// describe, approve, forget and schema: what a spec means, and whether a person agreed.
#include <algorithm>
#include <boost/json.hpp>

#include "approval/approval.hpp"
#include "cli/commands.hpp"
#include "cli/grant_words.hpp"
#include "cli/model_words.hpp"
#include "cli/prepare.hpp"
#include "cli/say.hpp"
#include "launch/dot_files.hpp"
#include "launch/front.hpp"
#include "lnk/posix/io.hpp"
#include "snapshot/canonical.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

std::string heading(const Prepared& prepared) {
  return "The sandbox " + host::quoted(prepared.asked.name) + " of " + host::quoted(prepared.spec_shown) + "\n";
}

struct PlanText {
  std::vector<Step> steps;
  std::vector<Holding> holdings;
};

Result<PlanText> plan_of(const Context& context, const Snapshot& snapshot, const DotPlaces& dot_files) {
  const auto* use = snapshot.find_module("os-linux");
  if (use == nullptr) return fail(Code::Unsupported, "there is no module for this system");
  LNK_TRY(const auto os, OsModule::load(context.settings, *use));
  std::vector<std::string> held;
  for (const auto& place : dot_files.places) held.push_back(place.path);
  LNK_TRY(const auto plan, WallPlan::make(os.builder, snapshot_to_plan(snapshot, held), os.survey_json));
  PlanText text;
  LNK_TRY(text.steps, plan.steps());
  LNK_TRY(text.holdings, plan.holdings());
  return text;
}

std::string_view state_word(std::uint32_t state) {
  return state == LNK_HELD ? "held" : state == LNK_HELD_WEAKER ? "weaker" : "not-held";
}

json::object plan_json(const PlanText& plan) {
  json::array steps;
  for (const auto& step : plan.steps)
    steps.emplace_back(json::object{{"number", step.number}, {"kind", step.kind}, {"words", step.words}});
  json::array holdings;
  for (const auto& holding : plan.holdings)
    holdings.emplace_back(json::object{{"grant", holding.grant}, {"state", state_word(holding.state)}, {"words", holding.words}});
  return {{"steps", std::move(steps)}, {"holdings", std::move(holdings)}};
}

json::array as_json(const std::vector<std::string>& texts) { return json::array(texts.begin(), texts.end()); }

json::value changes_json(const std::optional<Changes>& changes) {
  if (!changes) return nullptr;
  return json::object{{"gone", as_json(changes->gone)}, {"new", as_json(changes->opens)}};
}

std::string held_words(const DotPlace& place) {
  return "holds    " + host::quoted(place.path) + ", " + place.why + (place.is_missing ? ": it isn't there, and an empty folder keeps its name" : ", read only");
}

json::array held_json(const DotPlaces& dot_files) {
  json::array places;
  for (const auto& place : dot_files.places)
    places.emplace_back(json::object{{"path", place.path}, {"why", place.why}, {"missing", place.is_missing}});
  return places;
}

/// What a person who works in a written folder afterwards should know.
std::vector<std::string> gaps_of(const Grants& grants, const DotPlaces& dot_files) {
  auto gaps = agents_gaps(grants.files);
  gaps.insert(gaps.end(), dot_files.gaps.begin(), dot_files.gaps.end());
  const auto is_written = [](const GrantedFile& file) { return file.access == Access::Write && !file.open_dot_files; };
  if (std::any_of(grants.files.begin(), grants.files.end(), is_written)) {
    gaps.emplace_back("a repository, bare ones too, that the program makes or finds below the top of a folder it writes runs as you once you use git in it "
                      "or add it to yours");
    gaps.emplace_back("settings of agents and tools that it makes there (.claude, .cursor, .mcp.json, .codex, .gemini and their like) run commands as you once "
                      "you start that agent outside; to close one make it first, then name it in [files] read or hide");
    gaps.emplace_back("a Makefile, package.json, test or other file that you run yourself is the program's to write");
  }
  if (!grants.localhost.empty())
    gaps.emplace_back("what listens on a port of this machine takes the program for you: many services ask for no password there, and some "
                      "read files or start programs for whoever asks");
  for (auto& warning : model_warnings(grants)) gaps.push_back(std::move(warning));
  if (grants.commands) {
    gaps.emplace_back("the loader runs too, and starts any file that it is handed and can read (ld-linux-x86-64.so.2 ./x)");
    gaps.emplace_back("the list is of what is executed: LD_PRELOAD and its kin, set inside, load any file that can be read into a listed program");
  }
  return gaps;
}

Result<std::string> description(const Context& context, const DescribeCommand& command) {
  LNK_TRY(const auto prepared, prepare(context, command.spec, Spec(), {}));
  LNK_TRY(const bool approved, is_approved(context, prepared));
  LNK_TRY(const auto changes, changes_since_approval(context, prepared));
  LNK_TRY(const auto other, other_spec_of_name(context, prepared));
  LNK_TRY(const auto dot_files, look_for_dot_files(prepared.snapshot.grants));
  LNK_TRY(const auto plan, plan_of(context, prepared.snapshot, dot_files));
  if (command.json) {
    json::error_code error;
    json::object value{{"name", prepared.asked.name},
                       {"grants", json::parse(grants_json(prepared.asked), error)},
                       {"approved", approved},
                       {"changes", changes_json(changes)},
                       {"closed", as_json(prepared.snapshot.closed)},
                       {"read_only", as_json(prepared.snapshot.read_only)},
                       {"held", held_json(dot_files)},
                       {"skipped", as_json(prepared.skipped)},
                       {"gaps", as_json(gaps_of(prepared.asked, dot_files))},
                       {"words", as_json(in_words(prepared))}};
    for (auto& member : plan_json(plan))
      if (command.plan || member.key() == "holdings") value[member.key()] = std::move(member.value());
    return canonical_json(value) + "\n";
  }
  std::string text = heading(prepared);
  for (const auto& line : in_words(prepared)) text += "  " + line + "\n";
  for (const auto& holding : plan.holdings)
    if (holding.state != LNK_HELD) text += "  " + std::string(state_word(holding.state)) + "   " + holding.grant + ": " + holding.words + "\n";
  for (const auto& place : dot_files.places) text += "  " + held_words(place) + "\n";
  for (const auto& gap : gaps_of(prepared.asked, dot_files)) text += "  open     " + gap + "\n";
  for (const auto& table : prepared.skipped) text += "  skips    " + table + "\n";
  if (changes)
    text += (approved ? "It is approved; since what was approved last:\n" : "It is not approved as it is now; since it was approved:\n") + changes->text("  ");
  else
    text += approved ? "It is approved.\n"
            : other  ? "It is not approved: the name " + host::quoted(prepared.asked.name) + " belongs to " + host::quoted(*other) +
                          "; a name = line gives this spec one of its own.\n"
                    : "It is not approved yet.\n";
  if (command.plan)
    for (const auto& step : plan.steps) text += std::to_string(step.number) + ". " + step.kind + ": " + step.words + "\n";
  return text;
}

}  // namespace

int describe(const Context& context, const DescribeCommand& command) {
  const auto text = description(context, command);
  if (!text) return say_refused(text.error());
  return print(*text) ? 0 : kRefused;
}

int approve(const Context& context, const ApproveCommand& command) {
  const auto prepared = prepare(context, command.spec, Spec(), {}, Pins::Anew);
  if (!prepared) return say_refused(prepared.error());
  std::string text = heading(*prepared);
  for (const auto& line : in_words(*prepared)) text += "  " + line + "\n";
  const auto changes = changes_since_approval(context, *prepared);
  if (!changes) return say_refused(changes.error());
  if (*changes) text += "  Since it was approved before:\n" + (*changes)->text("    ");
  const auto bound = other_spec_of_name(context, *prepared);
  if (!bound) return say_refused(bound.error());
  if (*bound)
    text += "  The name " + host::quoted(prepared->asked.name) + " moves here from " + host::quoted(**bound) +
            ", which will be asked about again; a name = line in a spec gives it one of its own.\n";
  if (const auto done = approve(context.settings, prepared->asked, prepared->spec_path); !done)
    return say_refused(done.error());
  return print(text + "is approved.\n") ? 0 : kRefused;
}

int forget(const Context& context, const ForgetCommand& command) {
  // A spec that no longer parses, or is gone, can be forgotten too: its path is all that counts.
  std::error_code error;
  const auto named = std::filesystem::absolute(command.spec, error).native();
  const auto path = error ? std::string() : resolve_links(named);
  const auto count = forget(context.settings, path);
  if (!count) return say_refused(count.error());
  if (*count == 0 && !posix::is_there(named))
    return say_refused(
        {Code::Gone,
         host::quoted(command.spec) + " isn't there, and nothing was approved for it; name a spec by the path it was approved at"});
  return print(*count == 0 ? "Nothing was approved for " + host::quoted(command.spec) + ".\n"
                           : "The approval of " + host::quoted(command.spec) + " is dropped.\n")
             ? 0
             : kRefused;
}

int schema() { return print(spec_schema()) ? 0 : kRefused; }

}  // namespace lnk::host
