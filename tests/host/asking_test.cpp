// SPDX-License-Identifier: Apache-2.0
#include "asking/asking.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <string>
#include <vector>

#include "asking/code.hpp"
#include "temporary_folder.hpp"
#include "wire/limits.hpp"

namespace {

using namespace lnk::host;
using namespace std::chrono_literals;
using lnk::Code;
using Typed = TerminalQuestion::Typed;

const Questions::Time kStart{1000h};

Question example(std::string title = "call a tool") {
  return {"tool", "claude", std::move(title), {"files: read_file", "path: /etc/hosts"}};
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

Settings open_settings(const TemporaryFolder& folder) {
  ::chmod(folder.path().c_str(), 0700);
  auto settings = Settings::open(folder.path());
  BOOST_REQUIRE(settings);
  return std::move(*settings);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(asking)

BOOST_AUTO_TEST_CASE(a_question_waits_two_minutes_and_is_taken_once) {
  Questions questions;
  const auto id = questions.add(example(), kStart);
  BOOST_REQUIRE(id);
  BOOST_TEST(questions.over(kStart + 2min - 1ns).empty());
  BOOST_TEST(questions.over(kStart + 2min).size() == 1);
  BOOST_TEST((questions.next_end() == kStart + 2min));
  BOOST_TEST(questions.take(*id));
  BOOST_TEST(!questions.take(*id));
  BOOST_TEST(questions.over(kStart + 3min).empty());
  BOOST_TEST(!questions.next_end());
}

BOOST_AUTO_TEST_CASE(equal_questions_are_counted_together_and_answered_one_by_one) {
  Questions questions;
  const auto first = questions.add(example(), kStart);
  const auto other = questions.add(example("call another"), kStart);
  const auto second = questions.add(example(), kStart);
  BOOST_REQUIRE((first && other && second));
  BOOST_TEST(questions.equal(*first) == 2);
  BOOST_TEST(questions.equal(*other) == 1);
  BOOST_TEST(questions.take(*first));
  BOOST_TEST((questions.first() == *other));
  BOOST_TEST(questions.equal(*second) == 1);
  BOOST_TEST((questions.find(*second) != nullptr));
}

BOOST_AUTO_TEST_CASE(more_than_thirty_in_a_minute_are_refused_until_the_minute_is_over) {
  Questions questions;
  for (std::size_t i = 0; i < kQuestionsAMinuteMax; ++i) {
    const auto id = questions.add(example(), kStart + i * 1s);
    BOOST_REQUIRE(id);
    BOOST_TEST(questions.take(*id));
  }
  const auto more = questions.add(example(), kStart + 1min - 1ns);
  BOOST_TEST((!more && more.error().code == Code::Limit));
  BOOST_TEST(questions.add(example(), kStart + 1min).has_value());
}

BOOST_AUTO_TEST_CASE(no_more_wait_than_are_kept) {
  Questions questions;
  std::size_t waiting = 0;
  for (int minute = 0; minute < 2; ++minute)
    for (std::size_t i = 0; i < kQuestionsAMinuteMax; ++i)
      waiting += questions.add(example(), kStart + minute * 1min).has_value() ? 1U : 0U;
  BOOST_TEST(waiting == kQuestionsWaitingMax);
  BOOST_TEST((questions.add(example(), kStart + 2min).error().code == Code::Again));
  Questions large;
  auto big = example();
  big.lines = {std::string(kQuestionBytesMax - 1000, 'x')};
  std::size_t taken = 0;
  while (taken < kQuestionsAMinuteMax && large.add(big, kStart)) ++taken;
  BOOST_TEST(taken == kQuestionBytesWaitingMax / (kQuestionBytesMax - 1000));
}

BOOST_AUTO_TEST_CASE(what_a_question_has_too_much_of_is_refused) {
  auto question = example(std::string(kQuestionTitleBytesMax, 't'));
  BOOST_TEST(check_question(question).has_value());
  question.title += 't';
  BOOST_TEST(!check_question(question).has_value());
  BOOST_TEST(!check_question(example("")).has_value());
  question = example();
  question.lines.resize(kQuestionLinesMax);
  BOOST_TEST(check_question(question).has_value());
  question.lines.emplace_back();
  BOOST_TEST(!check_question(question).has_value());
  question.lines = {std::string(kQuestionBytesMax, 'x')};
  BOOST_TEST(!check_question(question).has_value());
  question.lines = {"\xff"};
  BOOST_TEST(!check_question(question).has_value());
  question.lines = {"https://x/" + std::string(kShownUrlBytesMax, 'x')};
  BOOST_TEST(!check_question(question).has_value());
}

BOOST_AUTO_TEST_CASE(what_is_shown_is_printable_ascii_and_a_page_is_whole) {
  const std::string url = "https://example.org/?q=" + std::string(5000, 'a') + "\xd0\xb0";
  const std::string odd = "a\x1b[2J\r\n\t\xe2\x80\xaetxt\x7f\xd0\xb0\xf0\x9f\x98\x80";
  auto question = example("\xe2\x80\xaeodd");
  question.lines = {url, odd, std::string(100'000, 'y') + "END"};
  const auto lines = shown_question(question, 3);
  for (const auto& line : lines) BOOST_TEST(is_printable(line), line);
  BOOST_TEST(lines[1] == "\\u{202e}odd");
  BOOST_TEST(lines[2] == "  " + url.substr(0, url.size() - 2) + "\\u{430}");
  BOOST_TEST(lines[3] == "  a\\x1b[2J\\r\\n\\t\\u{202e}txt\\u{007f}\\u{430}\\u{1f600}");
  BOOST_TEST(lines[4].size() < kShownLineBytesMax + 100);
  BOOST_TEST(lines[4].find("of 100003 bytes") != std::string::npos);
  BOOST_TEST(lines[4].ends_with("yEND"));
  BOOST_TEST(lines[5] == "3 equal calls wait; each answer is for one.");
}

BOOST_AUTO_TEST_CASE(no_row_of_a_long_line_looks_like_a_line_of_its_own) {
  // As wide as the screen, and then what looks like another line.
  const std::string forged = "  path: " + std::string(72, ' ') + "  path: /tmp/harmless";
  for (const std::size_t columns : {std::size_t{8}, std::size_t{40}, std::size_t{80}}) {
    const auto rows = rows_of(forged, columns);
    std::string whole = rows.front();
    for (std::size_t at = 1; at < rows.size(); ++at) {
      BOOST_TEST(rows[at].starts_with("| "));
      whole += rows[at].substr(2);
    }
    for (const auto& row : rows) BOOST_TEST(row.size() <= columns);
    BOOST_TEST(whole == forged);
    TerminalQuestion question({forged}, "bcdf");
    BOOST_TEST(question.draw({60, columns}).find("\n  path") == std::string::npos);
  }
  BOOST_TEST((rows_of("", 80) == std::vector<std::string>{""}));
  BOOST_TEST((rows_of("abc", 2) == std::vector<std::string>{"ab", "c"}));
  BOOST_TEST((rows_of("12345678", 8) == std::vector<std::string>{"12345678"}));
}

BOOST_AUTO_TEST_CASE(what_would_keep_the_screen_from_being_cleared_is_ended_before_it_is) {
  TerminalQuestion question({"a question"}, "bcdf");
  const auto drawn = question.draw({24, 80});
  const auto cleared = drawn.find("\x1b[2J");
  BOOST_REQUIRE(cleared != std::string::npos);
  // VT52's language, Tektronix's, the status line, letters that are kept.
  std::size_t at = 0;
  for (const std::string_view off : {"\x1b<", "\x1b\x03\x18", "\x1b[0$}", "\x1b[0\"q"}) {
    BOOST_TEST(drawn.find(off) >= at);
    at = drawn.find(off);
    BOOST_TEST(at < cleared);
  }
}

BOOST_AUTO_TEST_CASE(exactly_one_of_all_who_answer_is_the_one_that_counts) {
  const TemporaryFolder folder;
  const auto settings = open_settings(folder);
  auto file = QueuedQuestion::put(settings, example());
  BOOST_REQUIRE(file);
  BOOST_TEST(is_question_id(file->id()));
  struct stat entry {};
  BOOST_REQUIRE(::stat((folder / ("questions/" + file->id() + ".json")).c_str(), &entry) == 0);
  BOOST_TEST((entry.st_mode & 0777U) == 0600U);
  const auto listed = list_questions(settings);
  BOOST_REQUIRE((listed && listed->size() == 1));
  BOOST_TEST((listed->front().question == example()));
  BOOST_TEST(!file->answered());
  BOOST_TEST(answer_question(settings, file->id(), true).has_value());
  const auto late = answer_question(settings, file->id(), false);
  BOOST_TEST((!late && late.error().code == Code::Gone));
  BOOST_TEST((file->answered() == Outcome::Yes));
  BOOST_TEST(list_questions(settings)->empty());
  BOOST_TEST((file->end(Outcome::No) == Outcome::Yes));
  BOOST_TEST(settings.list("questions")->empty());
}

BOOST_AUTO_TEST_CASE(what_its_front_ends_takes_no_answer_any_more) {
  const TemporaryFolder folder;
  const auto settings = open_settings(folder);
  auto file = QueuedQuestion::put(settings, example());
  BOOST_REQUIRE(file);
  const auto id = file->id();
  BOOST_TEST((file->end(Outcome::TimedOut) == Outcome::TimedOut));
  BOOST_TEST((answer_question(settings, id, true).error().code == Code::Gone));
  BOOST_TEST(settings.list("questions")->empty());
  for (const auto* wrong : {"", "../x", "abc", "aaaaaa", "bbbbbbb", "bbbbb/"})
    BOOST_TEST((answer_question(settings, wrong, true).error().code == Code::Gone));
}

BOOST_AUTO_TEST_CASE(what_was_removed_by_hand_is_no) {
  const TemporaryFolder folder;
  const auto settings = open_settings(folder);
  auto file = QueuedQuestion::put(settings, example());
  BOOST_REQUIRE(file);
  BOOST_REQUIRE(::unlink((folder / ("questions/" + file->id() + ".json")).c_str()) == 0);
  BOOST_TEST((file->end(Outcome::Yes) == Outcome::No));
}

BOOST_AUTO_TEST_CASE(what_a_dead_front_left_is_cleared_and_one_over_two_minutes_is_not_listed) {
  const TemporaryFolder folder;
  const auto settings = open_settings(folder);
  auto file = QueuedQuestion::put(settings, example());
  BOOST_REQUIRE(file);
  // As a front that was killed leaves them: nobody holds their locks.
  for (const auto* left : {"questions/bbbbbb.json", "questions/cccccc.yes"})
    BOOST_REQUIRE(settings.write(left, "{\"lines\":[]}"));
  BOOST_TEST((answer_question(settings, "bbbbbb", true).error().code == Code::Gone));
  BOOST_TEST(list_questions(settings)->size() == 1);
  BOOST_TEST(settings.list("questions")->size() == 1);
  timespec old[2] = {};
  ::clock_gettime(CLOCK_REALTIME, old);
  old[0].tv_sec -= 120;
  old[1] = old[0];
  BOOST_REQUIRE(::utimensat(AT_FDCWD, (folder / ("questions/" + file->id() + ".json")).c_str(), old, 0) == 0);
  BOOST_TEST(list_questions(settings)->empty());
  BOOST_TEST((answer_question(settings, file->id(), true).error().code == Code::Gone));
}

BOOST_AUTO_TEST_CASE(each_question_ends_once_by_an_answer_or_by_time_and_never_after_it_is_withdrawn) {
  ::unsetenv("DISPLAY");
  ::unsetenv("WAYLAND_DISPLAY");
  const TemporaryFolder folder;
  const auto settings = open_settings(folder);
  std::vector<std::string> told;
  auto asking = Asking::make({settings, "claude", nullptr, [&told](std::string_view line) { told.emplace_back(line); }});
  BOOST_REQUIRE(asking);
  std::vector<Outcome> outcomes;
  const auto keep = [&outcomes](Outcome outcome) { outcomes.push_back(outcome); };
  const auto begin = std::chrono::steady_clock::now();
  BOOST_REQUIRE((*asking)->ask(example(), keep));
  const auto gone = (*asking)->ask(example("another"), keep);
  BOOST_REQUIRE((*asking)->ask(example("a third"), keep));
  BOOST_REQUIRE(gone);
  BOOST_TEST(told.size() == 1);
  const auto listed = list_questions(settings);
  BOOST_REQUIRE((listed && listed->size() == 3));
  (*asking)->withdraw(*gone);
  BOOST_TEST(list_questions(settings)->size() == 2);
  BOOST_REQUIRE((*asking)->look(begin + 119s));
  BOOST_TEST(outcomes.empty());
  const auto is_third = [](const auto& each) { return each.question.title == "a third"; };
  BOOST_REQUIRE(answer_question(settings, std::find_if(listed->begin(), listed->end(), is_third)->id, true));
  // An answer that was taken in time counts, however late it is looked at; the other is over.
  BOOST_REQUIRE((*asking)->look(begin + 10min));
  BOOST_TEST((outcomes == std::vector{Outcome::Yes, Outcome::TimedOut}));
  BOOST_REQUIRE((*asking)->look(begin + 20min));
  BOOST_TEST(outcomes.size() == 2);
  BOOST_TEST(settings.list("questions")->empty());
  BOOST_REQUIRE((*asking)->ask(example(), keep));
  asking->reset();
  BOOST_TEST(outcomes.size() == 2);
  BOOST_TEST(settings.list("questions")->empty());
}

BOOST_AUTO_TEST_CASE(codes_have_letters_that_no_other_looks_like) {
  const auto code = random_code(4096);
  BOOST_TEST(code.size() == 4096);
  BOOST_TEST(is_code(code));
  for (const char letter : std::string_view("aeiouylA0 ")) BOOST_TEST(!is_code({&letter, 1}));
}

BOOST_AUTO_TEST_CASE(only_the_code_typed_back_is_a_yes) {
  struct Case {
    std::string_view typed;
    Typed is;
  };
  constexpr Case kCases[] = {
      {"bcdf\r", Typed::Yes},
      {"BCDF\r", Typed::Yes},
      {"bcdf\n", Typed::Yes},
      {"bcx\x7f"
       "df\r",
       Typed::Yes},
      {"\r", Typed::No},
      {"bcd\r", Typed::No},
      {"bcdff\r", Typed::No},
      {" bcdf\r", Typed::No},
      {"y\r", Typed::No},
      {"yes\r", Typed::No},
      {"bc\x03", Typed::No},
      {"\x04", Typed::No},
      {"bcdf", Typed::Nothing},
      {"bcdf\x1a", Typed::Stop},
      // What a terminal says by itself is none of it, and ends no line.
      {"\x1b[24;80Rbcdf\r", Typed::Yes},
      {"\x1b]lbcdf\x1b\\", Typed::Nothing},
      {"\x1b]lbcdf\x1b\\\r", Typed::No},
      {"\x1bP1$rbcdf\x1b\\\r", Typed::No},
      {"\x1b[Abcdf\r", Typed::Yes},
      {"bc\x1b[200~df\r", Typed::Yes},
      {"\x1b]bcdf\r", Typed::No},
  };
  for (const auto& [typed, is] : kCases) {
    TerminalQuestion whole({"a question"}, "bcdf");
    TerminalQuestion cut = whole;
    static_cast<void>(whole.draw({24, 80}));
    static_cast<void>(cut.draw({24, 80}));
    std::string drawn;
    BOOST_TEST((whole.feed(typed, drawn) == is), typed);
    auto found = Typed::Nothing;
    for (const char& byte : typed)
      if (found == Typed::Nothing) found = cut.feed({&byte, 1}, drawn);
    BOOST_TEST((found == is), typed);
  }
}

BOOST_AUTO_TEST_CASE(a_question_higher_than_the_screen_is_paged_and_the_code_is_on_its_last_page) {
  std::vector<std::string> lines;
  for (int line = 0; line < 64; ++line) lines.push_back("line " + std::to_string(line));
  lines.emplace_back(300, 'w');
  TerminalQuestion question(lines, "bcdf");
  std::string page = question.draw({10, 40});
  std::string all = page;
  int pages = 1;
  while (page.find("bcdf") == std::string::npos) {
    BOOST_REQUIRE(++pages < 20);
    page.clear();
    BOOST_TEST((question.feed("bcdf\r", page) == Typed::Nothing));  // typed too early it is none
    BOOST_TEST(std::count(page.begin(), page.end(), '\n') < 10);
    all += page;
  }
  for (int line = 0; line < 64; ++line)
    BOOST_TEST(all.find("line " + std::to_string(line) + "\r\n") != std::string::npos);
  std::string drawn;
  BOOST_TEST((question.feed("bcdf\r", drawn) == Typed::Yes));
}

BOOST_AUTO_TEST_SUITE_END()
