// SPDX-License-Identifier: Apache-2.0
//
// answer: the questions of running sandboxes that wait for the person, and an answer to one.
#include <algorithm>
#include <boost/json.hpp>

#include "asking/queue.hpp"
#include "cli/commands.hpp"
#include "cli/say.hpp"
#include "snapshot/canonical.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

json::object as_object(const ListedQuestion& listed) {
  const auto& question = listed.question;
  json::object object{{"asked", listed.asked},
                      {"id", listed.id},
                      {"kind", question.kind},
                      {"title", question.title},
                      {"wire", question.wire}};
  object["lines"] = json::array(question.lines.begin(), question.lines.end());
  return object;
}

/// Equal ones together: the first stands for them.
std::string as_words(const std::vector<ListedQuestion>& all) {
  std::string text;
  for (auto one = all.begin(); one != all.end(); ++one) {
    const auto is_equal = [one](const ListedQuestion& other) { return other.question == one->question; };
    if (std::any_of(all.begin(), one, is_equal)) continue;
    const auto equal = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_equal));
    text += one->id + "  since " + ascii_shown(one->asked) + "\n";
    for (const auto& line : shown_question(one->question, equal)) text += "  " + line + "\n";
  }
  return text;
}

int list(const Context& context, bool as_json) {
  const auto all = list_questions(context.settings);
  if (!all) return say_refused(all.error());
  if (!as_json) return print(as_words(*all)) ? 0 : kRefused;
  json::array array;
  for (const auto& listed : *all) array.emplace_back(as_object(listed));
  return print(canonical_json(array) + "\n") ? 0 : kRefused;
}

}  // namespace

int answer(const Context& context, const AnswerCommand& command) {
  if (command.id.empty()) return list(context, command.json);
  const auto answered = answer_question(context.settings, command.id, command.yes);
  if (!answered) return say_refused(answered.error());
  say("the question " + command.id + " is answered: " + (command.yes ? "yes, this once" : "no"));
  return 0;
}

}  // namespace lnk::host
