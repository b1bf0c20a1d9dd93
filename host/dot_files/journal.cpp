// SPDX-License-Identifier: Apache-2.0
#include "dot_files/journal.hpp"

#include <algorithm>
#include <charconv>

namespace lnk::host {
namespace {

// One line a value, so that reading it costs little: "boot ID", "place DEVICE INODE BORN SIZE PATH" with its size in bytes, since a
// name may hold any byte, then "hold PID START PID START" for each of its holds; "end" is the last.
constexpr std::string_view kFirstLine = "lnk placeholders 2\n";

class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}

  bool word(std::string_view wanted) {
    if (!text_.starts_with(wanted)) return false;
    text_.remove_prefix(wanted.size());
    return true;
  }

  template <class Number>
  bool number(Number& value, char end) {
    const auto [at, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    text_.remove_prefix(static_cast<std::size_t>(at - text_.data()));
    return error == std::errc() && word({&end, 1});
  }

  bool bytes(std::string& value, std::size_t size) {
    if (size > text_.size()) return false;
    value = text_.substr(0, size);
    text_.remove_prefix(size);
    return word("\n");
  }

  bool line(std::string& value) {
    const auto end = text_.find('\n');
    return end != std::string_view::npos && bytes(value, end);
  }

  [[nodiscard]] bool is_at_end() const { return text_.empty(); }

 private:
  std::string_view text_;
};

bool read_hold(LineReader& reader, JournalHold& hold) {
  return reader.number(hold.front.pid, ' ') && reader.number(hold.front.start, ' ') && reader.number(hold.inside.pid, ' ') &&
         reader.number(hold.inside.start, '\n') && hold.front.pid >= 0 && hold.inside.pid >= 0;
}

bool read_place(LineReader& reader, JournalEntry& entry) {
  std::size_t size = 0;
  if (!reader.number(entry.device, ' ') || !reader.number(entry.inode, ' ') || !reader.number(entry.born, ' ') || !reader.number(size, ' ')) return false;
  if (!reader.bytes(entry.path, size) || !entry.path.starts_with('/')) return false;
  while (reader.word("hold "))
    if (!read_hold(reader, entry.holds.emplace_back())) return false;
  return true;
}

bool read_all(LineReader& reader, Journal& journal) {
  if (!reader.word(kFirstLine) || !reader.word("boot ") || !reader.line(journal.boot)) return false;
  while (reader.word("place "))
    if (!read_place(reader, journal.entries.emplace_back())) return false;
  return reader.word("end\n") && reader.is_at_end();
}

void add_number(std::string& text, std::uint64_t value, char end) {
  text += std::to_string(value);
  text += end;
}

}  // namespace

JournalEntry* Journal::find(std::string_view path) {
  const auto found = std::find_if(entries.begin(), entries.end(), [path](const auto& entry) { return entry.path == path; });
  return found == entries.end() ? nullptr : &*found;
}

std::string journal_text(const Journal& journal) {
  std::string text(kFirstLine);
  text += "boot " + journal.boot + "\n";
  for (const auto& entry : journal.entries) {
    text += "place ";
    add_number(text, entry.device, ' ');
    add_number(text, entry.inode, ' ');
    add_number(text, entry.born, ' ');
    add_number(text, entry.path.size(), ' ');
    text += entry.path + "\n";
    for (const auto& hold : entry.holds) {
      text += "hold ";
      add_number(text, static_cast<std::uint64_t>(hold.front.pid), ' ');
      add_number(text, hold.front.start, ' ');
      add_number(text, static_cast<std::uint64_t>(hold.inside.pid), ' ');
      add_number(text, hold.inside.start, '\n');
    }
  }
  return text + "end\n";
}

Result<Journal> read_journal(std::string_view text) {
  LineReader reader(text);
  Journal journal;
  if (!read_all(reader, journal)) return fail(Code::Invalid, "is not a list of placeholders as this program writes it");
  return journal;
}

}  // namespace lnk::host
