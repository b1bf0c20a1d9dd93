// SPDX-License-Identifier: Apache-2.0
#include "lnk/fake/script.hpp"

#include <boost/json.hpp>

#include "script_events.hpp"
#include "script_values.hpp"

namespace lnk::fake {

namespace {

namespace json = boost::json;

constexpr std::size_t kStepsMax = 10'000;  // of one script

std::string at_step(std::size_t number, const std::string& words) {
  return "step " + std::to_string(number) + ": " + words;
}

/// Compares the keys that `wanted` has; faults name the key.
void compare(const json::object& wanted, const json::object& found, const std::string& where, ScriptResult& result) {
  for (const auto& [key, value] : wanted) {
    const json::value* own = found.if_contains(key);
    if (own == nullptr) {
      result.faults.push_back(where + ": it has no '" + std::string(key) + "': " + json::serialize(found));
    } else if (normal(*own) != normal(value)) {
      result.faults.push_back(where + ": '" + std::string(key) + "' is " + json::serialize(*own) + ", and " +
                              json::serialize(value) + " is expected");
    }
  }
}

void check_actions(const json::array& expected, const Sent& sent, std::size_t number, ScriptResult& result) {
  if (expected.size() != sent.actions.size()) {
    std::string found;
    for (const RecordedAction& action : sent.actions) found += "\n    " + action_json(action);
    result.faults.push_back(at_step(number, std::to_string(sent.actions.size()) + " actions came, and " +
                                                std::to_string(expected.size()) + " are expected" + found));
    return;
  }
  for (std::size_t at = 0; at < expected.size(); ++at) {
    const std::string where = at_step(number, "action " + std::to_string(at + 1));
    if (const auto* wanted = expected[at].if_object()) {
      compare(*wanted, to_object(sent.actions[at]), where, result);
    } else {
      result.faults.push_back(where + ": what is expected is no object");
    }
  }
}

void check_step(const json::object& step, const Sent& sent, std::size_t number, ScriptResult& result) {
  if (const json::value* fails = step.if_contains("fails")) {
    const std::string words = text_of(*fails);
    if (sent.status == LNK_OK) {
      result.faults.push_back(at_step(number, "the event went well, and is expected to fail"));
    } else if (sent.words.find(words) == std::string::npos) {
      result.faults.push_back(at_step(number, "it failed with '" + sent.words + "', and '" + words + "' is expected"));
    }
  } else if (sent.status != LNK_OK) {
    result.faults.push_back(at_step(number, "the event failed: " + sent.words));
  }
  if (const json::value* expected = step.if_contains("expect"); expected != nullptr && expected->is_array())
    check_actions(expected->get_array(), sent, number, result);
}

Status set_answers(VerbBench& bench, const json::object& step) {
  const json::value* answers = step.if_contains("answers");
  if (answers == nullptr) return {};
  if (!answers->is_object()) return fail(Code::Invalid, "'answers' is no object");
  for (const auto& [action, answer] : answers->get_object()) {
    LNK_TRY(const std::uint32_t kind, action_kind(action));
    LNK_TRY(const lnk_status status, status_of(text_of(answer)));
    bench.answer_with(kind, status);
  }
  return {};
}

Status run_steps(VerbBench& bench, const json::array& steps, ScriptResult& result) {
  if (steps.size() > kStepsMax) return fail(Code::Limit, "more than " + std::to_string(kStepsMax) + " steps");
  std::size_t number = 0;
  for (const json::value& value : steps) {
    ++number;
    if (!value.is_object()) return fail(Code::Invalid, at_step(number, "it is no object"));
    const json::object& step = value.get_object();
    LNK_CHECK(set_answers(bench, step));
    auto sent = send_event(bench, step);
    if (!sent) return fail(std::move(sent).error().within("step " + std::to_string(number)));
    check_step(step, *sent, number, result);
  }
  for (const std::string& fault : bench.misbehaviours()) result.faults.push_back("it broke verb.h: " + fault);
  return {};
}

void check_refusal(const Result<VerbBench>& started, const std::string& words, ScriptResult& result) {
  if (started) {
    result.faults.emplace_back("its config is taken, and is expected to be refused");
  } else if (started.error().text.find(words) == std::string::npos) {
    result.faults.push_back("its config is refused with '" + started.error().text + "', and '" + words +
                            "' is expected");
  }
}

Status run_script(const lnk_module_api& api, const json::object& script, ScriptResult& result) {
  const json::value* config = script.if_contains("config");
  auto bench = VerbBench::start(api, config == nullptr ? "{}" : json::serialize(*config));
  if (const json::value* refused = script.if_contains("refused")) {
    check_refusal(bench, text_of(*refused), result);
    return {};
  }
  if (!bench) {
    result.faults.push_back("it does not start: " + bench.error().text);
    return {};
  }
  if (const json::value* declares = script.if_contains("declares"); declares != nullptr && declares->is_object())
    compare(declares->get_object(), to_object(bench->declared()), "declares", result);
  const json::value* steps = script.if_contains("steps");
  if (steps == nullptr || !steps->is_array()) return fail(Code::Invalid, "it has no list of steps");
  return run_steps(*bench, steps->get_array(), result);
}

}  // namespace

std::string action_json(const RecordedAction& action) { return json::serialize(to_object(action)); }

Result<std::vector<ScriptResult>> run_scripts(const lnk_module_api& api, std::string_view text) {
  json::error_code error;
  const json::value parsed = json::parse({text.data(), text.size()}, error);
  if (error) return fail(Code::Invalid, "the script is no JSON: " + error.message());
  const json::array scripts = parsed.is_array() ? parsed.get_array() : json::array{parsed};
  std::vector<ScriptResult> results;
  for (const json::value& value : scripts) {
    if (!value.is_object()) return fail(Code::Invalid, "a script is no object");
    const json::object& script = value.get_object();
    const json::value* name = script.if_contains("name");
    ScriptResult result{name == nullptr ? "script " + std::to_string(results.size() + 1) : text_of(*name), {}};
    if (auto run = run_script(api, script, result); !run)
      return fail(std::move(run).error().within("script '" + result.name + "'"));
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace lnk::fake
