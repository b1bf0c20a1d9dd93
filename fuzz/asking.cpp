// SPDX-License-Identifier: Apache-2.0
//
// Questions by a sequence of events that the input chooses, and their text: each is answered once at most, an answer is
// for one, none counts after its time, no more are asked than are allowed; and what is shown is printable ASCII, with
// pages whole.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "asking/question.hpp"
#include "asking/questions.hpp"
#include "asking/terminal_question.hpp"
#include "entry.hpp"

namespace lnk::fuzz {
namespace {

using namespace host;
using std::chrono::seconds;

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

/// What the sequence has done, told apart from how it is kept.
class Model {
 public:
  explicit Model(std::string_view input) : input_(input) {}

  void run() {
    while (!input_.empty()) step();
    LNK_HOLDS(questions_.size() == ends_.size());
  }

 private:
  unsigned char next() {
    if (input_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(input_.front());
    input_.remove_prefix(1);
    return byte;
  }

  void step() {
    const auto byte = next();
    switch (byte % 4) {
      case 0:
        return ask(byte / 4);
      case 1:
        now_ += seconds(byte / 4);
        break;
      case 2:
        return answer(byte / 4);
      default:
        break;
    }
    for (const auto id : questions_.over(now_)) {
      LNK_HOLDS(ends_.contains(id) && ends_.at(id) <= now_);
      take(id);
    }
    for (const auto& [id, end] : ends_) LNK_HOLDS(now_ < end);
  }

  void ask(unsigned which) {
    const auto in_last_minute = static_cast<std::size_t>(
        std::count_if(asked_.begin(), asked_.end(), [this](auto at) { return now_ - at < seconds(60); }));
    const auto id = questions_.add({"k", "w", "title " + std::to_string(which % 3), {}}, now_);
    LNK_HOLDS((in_last_minute >= kQuestionsAMinuteMax) == (!id && id.error().code == Code::Limit));
    if (id || id.error().code != Code::Limit) asked_.push_back(now_);
    if (!id) return;
    LNK_HOLDS(given_.insert(*id).second);
    ends_.emplace(*id, now_ + kQuestionWait);
    LNK_HOLDS(ends_.size() <= kQuestionsWaitingMax);
    LNK_HOLDS(questions_.first() == ends_.begin()->first);
  }

  void answer(unsigned which) {
    if (ends_.empty()) return;
    const auto one = std::next(ends_.begin(), static_cast<long>(which % ends_.size()));
    const auto id = one->first;
    const auto equal = questions_.equal(id);
    LNK_HOLDS(equal >= 1 && equal <= ends_.size());
    take(id);
  }

  void take(std::uint64_t id) {
    const auto before = questions_.size();
    LNK_HOLDS(questions_.take(id));
    LNK_HOLDS(!questions_.take(id));
    LNK_HOLDS(questions_.size() == before - 1);
    ends_.erase(id);
  }

  std::string_view input_;
  Questions questions_;
  Questions::Time now_{};
  std::vector<Questions::Time> asked_;
  std::set<std::uint64_t> given_;
  std::map<std::uint64_t, Questions::Time> ends_;
};

void check_shown(std::string_view input) {
  const std::string text(input);
  LNK_HOLDS(is_printable(ascii_shown(text)));
  LNK_HOLDS(shown_line(text).size() <= std::max(kShownLineBytesMax + 100, input.size() * 12));
  LNK_HOLDS(shown_line("https://" + text) == "https://" + ascii_shown(text));
  for (const auto& line : shown_question({text, text, text, {text, "http://" + text}}, 2))
    LNK_HOLDS(is_printable(line));
}

/// Whatever stands in a question, and whatever a terminal sends, there is a yes for the code alone.
void check_typed(std::string_view input) {
  const auto half = input.size() / 2;
  TerminalQuestion question(shown_question({"k", "w", "t", {std::string(input.substr(0, half))}}, 1), "bcdf");
  const auto size = TerminalSize{input.size() % 7, input.size() % 31};
  const auto drawn = question.draw(size);
  std::string echo;
  if (question.feed(input.substr(half), echo) == TerminalQuestion::Typed::Yes) {
    std::string letters;
    for (const char c : input.substr(half)) letters += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    for (const char letter : std::string_view("bcdf")) LNK_HOLDS(letters.find(letter) != std::string::npos);
  }
  TerminalQuestion cut(shown_question({"k", "w", "t", {std::string(input.substr(0, half))}}, 1), "bcdf");
  LNK_HOLDS(cut.draw(size) == drawn);
}

}  // namespace

void check(std::string_view input) {
  Model(input).run();
  check_shown(input);
  check_typed(input);
}

}  // namespace lnk::fuzz
