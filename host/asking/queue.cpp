// SPDX-License-Identifier: Apache-2.0
#include "asking/queue.hpp"

#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "asking/code.hpp"
#include "asking/questions.hpp"
#include "lnk/posix/io.hpp"
#include "snapshot/canonical.hpp"
#include "spec/shown.hpp"
#include "wire/switch_files.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::string_view kWaits = ".json";
constexpr std::string_view kYes = ".yes";
constexpr std::string_view kNo = ".no";
constexpr std::size_t kIdLetters = 6;              // 19 letters each: nobody meets a question's by a slip
constexpr int kIdsTried = 16;                      // some of the few that wait may have it
constexpr std::size_t kFileBytesMax = 32U << 20U;  // 4 MiB, of which JSON makes six times as much at the most

std::string file_of(std::string_view id, std::string_view ending) {
  return std::string(kQuestionsFolder) + "/" + std::string(id) + std::string(ending);
}

std::string as_text(const Question& question, const std::string& id) {
  json::object object{{"asked", utc_now_text()},
                      {"id", id},
                      {"kind", question.kind},
                      {"title", question.title},
                      {"wire", question.wire}};
  object["lines"] = json::array(question.lines.begin(), question.lines.end());
  return canonical_json(object) + "\n";
}

std::string text_of(const json::object& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  const auto* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string() : std::string(*text);
}

Result<ListedQuestion> read_question(const std::string& text, const std::string& id) {
  json::error_code error;
  const auto value = json::parse(text, error);
  const auto* object = error ? nullptr : value.if_object();
  const auto* lines = object == nullptr ? nullptr : object->if_contains("lines");
  if (lines == nullptr || !lines->is_array())
    return fail(Code::Invalid, "the question " + id + " in the settings can't be read; remove " + file_of(id, kWaits));
  ListedQuestion listed{id,
                        {text_of(*object, "kind"), text_of(*object, "wire"), text_of(*object, "title"), {}},
                        text_of(*object, "asked")};
  for (const auto& line : lines->get_array())
    if (const auto* words = line.if_string()) listed.question.lines.emplace_back(*words);
  return listed;
}

/// Its front lives.
bool is_held(int fd) {
  return posix::retry([&] { return ::flock(fd, LOCK_SH | LOCK_NB); }) != 0;
}

/// A front that is stopped lets none go.
bool is_over(const struct stat& entry) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec - entry.st_mtim.tv_sec >= std::chrono::seconds(kQuestionWait).count();
}

struct Found {
  UniqueFd fd;
  bool is_over = false;
};

/// One whose front lives; not open where there is none. What a killed front left is cleared.
Result<Found> find_live(const Settings& settings, const std::string& file) {
  LNK_TRY(auto fd, settings.open_file(file));
  if (!fd.is_open()) return Found{};
  if (!is_held(fd.get())) {
    LNK_CHECK(settings.remove(file));
    return Found{};
  }
  struct stat entry {};
  const bool is_known = ::fstat(fd.get(), &entry) == 0;
  return Found{std::move(fd), !is_known || is_over(entry)};
}

Failure gone(std::string_view id) {
  return fail(Code::Gone, "no question " + host::quoted(id) +
                              " waits: it was answered already, its two minutes are over, or its call has ended; "
                              "lnk-sandbox answer lists those that wait");
}

}  // namespace

bool is_question_id(std::string_view id) noexcept { return id.size() == kIdLetters && is_code(id); }

Result<QueuedQuestion> QueuedQuestion::put(const Settings& settings, const Question& question) {
  for (int tried = 1;; ++tried) {
    const auto id = random_code(kIdLetters);
    auto held = settings.make_held(file_of(id, kWaits), as_text(question, id));
    if (held) return QueuedQuestion(settings, id, std::move(*held));
    if (held.error().code != Code::Again || tried == kIdsTried)
      return fail(std::move(held).error().within("a question can't wait"));
  }
}

QueuedQuestion::~QueuedQuestion() {
  if (id_.empty()) return;
  for (const auto ending : {kWaits, kYes, kNo}) static_cast<void>(settings_->remove(file_of(id_, ending)));
}

std::optional<Outcome> QueuedQuestion::answered() const {
  for (const auto& [ending, outcome] : {std::pair(kYes, Outcome::Yes), std::pair(kNo, Outcome::No)}) {
    const auto there = settings_->open_file(file_of(id_, ending));
    if (there && there->is_open()) return outcome;
  }
  return {};
}

Outcome QueuedQuestion::end(Outcome outcome) {
  // Whoever takes this name has it; the others find it gone.
  const auto taken = settings_->take_away(file_of(id_, kWaits));
  const bool is_ours = taken && *taken;
  // Taken by nobody who answered, it was removed by hand, or can't be: nothing counts as a yes then.
  const auto counts = is_ours ? outcome : answered().value_or(outcome == Outcome::Yes ? Outcome::No : outcome);
  for (const auto ending : {kYes, kNo}) static_cast<void>(settings_->remove(file_of(id_, ending)));
  id_.clear();
  held_.reset();
  return counts;
}

Result<std::vector<ListedQuestion>> list_questions(const Settings& settings) {
  LNK_TRY(const auto names, settings.list(kQuestionsFolder));
  std::vector<ListedQuestion> all;
  for (const auto& name : names) {
    const auto id = name.substr(0, name.find('.'));
    if (!is_question_id(id)) continue;
    LNK_TRY(const auto found, find_live(settings, std::string(kQuestionsFolder) + "/" + name));
    if (!found.fd.is_open() || found.is_over || !name.ends_with(kWaits)) continue;
    LNK_TRY(const auto text, posix::read_all(found.fd.get(), kFileBytesMax));
    LNK_TRY(auto listed, read_question(text, id));
    all.push_back(std::move(listed));
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& left, const auto& right) { return left.asked < right.asked; });
  return all;
}

Status answer_question(const Settings& settings, std::string_view id, bool yes) {
  if (!is_question_id(id)) return gone(id);
  LNK_TRY(const auto found, find_live(settings, file_of(id, kWaits)));
  if (!found.fd.is_open() || found.is_over) return gone(id);
  LNK_TRY(const bool renamed, settings.rename(file_of(id, kWaits), file_of(id, yes ? kYes : kNo)));
  if (!renamed) return gone(id);
  if (is_held(found.fd.get())) return {};
  // A front takes the answer before it lets the file go; one that was killed meanwhile left it.
  LNK_TRY(const bool was_left, settings.take_away(file_of(id, yes ? kYes : kNo)));
  return was_left ? Status(gone(id)) : Status();
}

}  // namespace lnk::host
