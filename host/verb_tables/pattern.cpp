// SPDX-License-Identifier: Apache-2.0
#include "verb_tables/pattern.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace lnk::host {
namespace {

constexpr std::size_t kPatternBytesMax = 1024;  // a line of a schema
constexpr std::size_t kStepsMax = 4096;         // a counted part is written out, so that {1000} of ten characters is 10,000
constexpr std::uint32_t kCountMax = 1000;
constexpr int kGroupsMax = 16;  // one in another: they are read by recursion
constexpr std::uint32_t kLastCharacter = 0x10FFFF;

using Range = Pattern::Range;
using Ranges = std::vector<Range>;
using Op = Pattern::Op;
using Program = std::vector<Pattern::Step>;

/// The next character. Of what is no UTF-8, a byte.
std::uint32_t next_character(std::string_view text, std::size_t& at) {
  const auto byte = static_cast<unsigned char>(text[at++]);
  const int more = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : byte >= 0xC0 ? 1 : 0;
  std::uint32_t character = more == 0 ? byte : byte & (0x3FU >> more);
  for (int left = more; left > 0 && at < text.size(); --left)
    character = character << 6U | (static_cast<unsigned char>(text[at++]) & 0x3FU);
  return character;
}

Ranges others(Ranges ranges) {
  std::sort(ranges.begin(), ranges.end());
  Ranges out;
  std::uint32_t from = 0;
  for (const auto& [first, last] : ranges) {
    if (first > from) out.emplace_back(from, first - 1);
    from = std::max(from, last + 1);
  }
  if (from <= kLastCharacter) out.emplace_back(from, kLastCharacter);
  return out;
}

/// Of \d, \w and \s, and with a great letter all else. None: it is no such letter.
std::optional<Ranges> named_class(char letter) {
  switch (letter) {
    case 'd':
      return Ranges{{'0', '9'}};
    case 'w':
      return Ranges{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}};
    case 's':
      return Ranges{{'\t', '\r'},     {' ', ' '},       {0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
                    {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}, {0xFEFF, 0xFEFF}};
    case 'D':
    case 'W':
    case 'S':
      return others(*named_class(static_cast<char>(letter | 0x20)));
    default:
      return std::nullopt;
  }
}

/// Lines end so in ECMA 262, and a dot takes none of them.
Ranges any_character() { return others({{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}); }

/// Reads a pattern into steps, whose places are counted from the beginning of their own part until they are appended.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<Program> whole() {
    LNK_TRY(auto program, either(0));
    if (!is_end()) return fail(Code::Invalid, "a ) without its (");
    return program;
  }

 private:
  [[nodiscard]] bool is_end() const noexcept { return at_ == text_.size(); }
  [[nodiscard]] bool is_at(char c) const noexcept { return !is_end() && text_[at_] == c; }
  bool take(char c) noexcept {
    if (!is_at(c)) return false;
    ++at_;
    return true;
  }

  static Status append(Program& to, const Program& from) {
    if (to.size() + from.size() > kStepsMax)
      return fail(Code::Limit, "written out it has more than " + std::to_string(kStepsMax) + " parts");
    const auto shift = static_cast<std::uint32_t>(to.size());
    for (auto step : from) {
      step.first += shift;
      step.second += shift;
      to.push_back(std::move(step));
    }
    return {};
  }

  static Pattern::Step split(std::size_t first, std::size_t second) {
    return {Op::Split, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(second), {}};
  }
  static Pattern::Step jump(std::size_t to) { return {Op::Jump, static_cast<std::uint32_t>(to), 0, {}}; }

  Result<Program> either(int depth) {
    if (depth > kGroupsMax)
      return fail(Code::Limit, "its groups stand one in another more than " + std::to_string(kGroupsMax) + " times");
    LNK_TRY(auto left, sequence(depth));
    while (take('|')) {
      LNK_TRY(const auto right, sequence(depth));
      Program both{split(1, left.size() + 2)};
      LNK_CHECK(append(both, left));
      both.push_back(jump(left.size() + 2 + right.size()));
      LNK_CHECK(append(both, right));
      left = std::move(both);
    }
    return left;
  }

  Result<Program> sequence(int depth) {
    Program all;
    while (!is_end() && !is_at('|') && !is_at(')')) {
      LNK_TRY(auto part, atom(depth));
      LNK_TRY(part, repeated(std::move(part)));
      LNK_CHECK(append(all, part));
    }
    return all;
  }

  Result<Program> atom(int depth) {
    if (take('(')) {
      if (is_at('?') && !text_.substr(at_).starts_with("?:")) return fail(Code::Unsupported, "it looks ahead or behind");
      if (is_at('?')) at_ += 2;
      LNK_TRY(auto inner, either(depth + 1));
      if (!take(')')) return fail(Code::Invalid, "a ( without its )");
      return inner;
    }
    if (take('^')) return anchor(Op::Begin);
    if (take('$')) return anchor(Op::End);
    if (take('.')) return one(any_character());
    if (take('[')) return one_of();
    if (!is_end() && std::string_view("*+?{}]").find(text_[at_]) != std::string_view::npos)
      return fail(Code::Invalid, std::string("a ") + text_[at_] + " that stands alone; write \\" + text_[at_]);
    LNK_TRY(auto ranges, character());
    return one(std::move(ranges));
  }

  static Program one(Ranges ranges) { return {Pattern::Step{Op::One, 0, 0, std::move(ranges)}}; }

  Result<Program> anchor(Op op) const {
    if (!is_end() && std::string_view("*+?{").find(text_[at_]) != std::string_view::npos)
      return fail(Code::Invalid, "a ^ or $ can't be repeated");
    return Program{Pattern::Step{op, 0, 0, {}}};
  }

  /// One character, or a class by its letter.
  Result<Ranges> character() {
    if (is_end()) return fail(Code::Invalid, "it ends too early");
    if (!take('\\')) {
      const auto found = next_character(text_, at_);
      return Ranges{{found, found}};
    }
    if (is_end()) return fail(Code::Invalid, "a \\ at the end");
    const char letter = text_[at_++];
    if (auto named = named_class(letter)) return *std::move(named);
    constexpr std::string_view kLetters = "tnvfr";
    if (const auto place = kLetters.find(letter); place != std::string_view::npos) {
      const auto control = static_cast<std::uint32_t>("\t\n\v\f\r"[place]);
      return Ranges{{control, control}};
    }
    constexpr std::string_view kMarks = "^$\\.*+?()[]{}|/-";
    if (kMarks.find(letter) == std::string_view::npos)
      return fail(Code::Unsupported, "a \\ before a character that it isn't read before");
    return Ranges{{static_cast<std::uint32_t>(letter), static_cast<std::uint32_t>(letter)}};
  }

  Result<Program> one_of() {
    const bool is_other = take('^');
    Ranges all;
    while (!take(']')) {
      if (is_end()) return fail(Code::Invalid, "a [ without its ]");
      LNK_TRY(auto first, character());
      const bool is_range = is_at('-') && at_ + 1 < text_.size() && text_[at_ + 1] != ']';
      if (is_range) {
        ++at_;
        LNK_TRY(const auto last, character());
        const bool are_single =
            first.size() == 1 && last.size() == 1 && first[0].first == first[0].second && last[0].first == last[0].second;
        if (!are_single || first[0].first > last[0].first) return fail(Code::Invalid, "a - between what is no range");
        first[0].second = last[0].first;
      }
      all.insert(all.end(), first.begin(), first.end());
    }
    return one(is_other ? others(std::move(all)) : std::move(all));
  }

  struct Count {
    std::uint32_t least = 1;
    std::optional<std::uint32_t> most = 1;  ///< none: no limit
  };

  Result<std::uint32_t> number() {
    std::uint32_t value = 0;
    const auto begin = at_;
    while (!is_end() && text_[at_] >= '0' && text_[at_] <= '9') {
      value = value * 10 + static_cast<std::uint32_t>(text_[at_++] - '0');
      if (value > kCountMax) return fail(Code::Limit, "it counts to more than " + std::to_string(kCountMax));
    }
    if (begin == at_) return fail(Code::Invalid, "a { without its number");
    return value;
  }

  Result<Count> count() {
    if (take('*')) return Count{0, std::nullopt};
    if (take('+')) return Count{1, std::nullopt};
    if (take('?')) return Count{0, 1};
    if (!take('{')) return Count{};
    Count found;
    LNK_TRY(found.least, number());
    found.most = found.least;
    if (take(',')) {
      found.most.reset();
      if (!is_at('}')) {
        LNK_TRY(found.most, number());
      }
    }
    if (!take('}') || (found.most && *found.most < found.least)) return fail(Code::Invalid, "a { that is no count");
    return found;
  }

  Result<Program> repeated(Program part) {
    const auto before = at_;
    LNK_TRY(const auto wanted, count());
    if (at_ == before) return part;
    if (is_at('*') || is_at('+') || is_at('?') || is_at('{')) return fail(Code::Unsupported, "one count behind another");
    Program all;
    for (std::uint32_t i = 0; i < wanted.least; ++i) LNK_CHECK(append(all, part));
    if (!wanted.most) {
      Program again{split(1, part.size() + 2)};
      LNK_CHECK(append(again, part));
      again.push_back(jump(0));
      LNK_CHECK(append(all, again));
      return all;
    }
    Program maybe{split(1, part.size() + 1)};
    LNK_CHECK(append(maybe, part));
    for (std::uint32_t i = wanted.least; i < *wanted.most; ++i) LNK_CHECK(append(all, maybe));
    return all;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// The steps that may come next, each once.
class Threads {
 public:
  explicit Threads(const Program& program) : program_(&program), is_in_(program.size(), false) {}

  /// Follows what takes no character. True: the pattern is found.
  bool add(std::uint32_t from, bool is_begin, bool is_end) {
    waiting_.push_back(from);
    while (!waiting_.empty()) {
      const auto at = waiting_.back();
      waiting_.pop_back();
      if (is_in_[at]) continue;
      is_in_[at] = true;
      const auto& step = (*program_)[at];
      if (step.op == Op::Found) return true;
      if (step.op == Op::One) ones_.push_back(at);
      if (step.op == Op::Split) waiting_.push_back(step.second);
      if (step.op == Op::Split || step.op == Op::Jump) waiting_.push_back(step.first);
      if ((step.op == Op::Begin && is_begin) || (step.op == Op::End && is_end)) waiting_.push_back(at + 1);
    }
    return false;
  }

  [[nodiscard]] const std::vector<std::uint32_t>& ones() const noexcept { return ones_; }
  void clear() {
    ones_.clear();
    std::fill(is_in_.begin(), is_in_.end(), false);
  }

 private:
  const Program* program_;
  std::vector<bool> is_in_;
  std::vector<std::uint32_t> ones_;
  std::vector<std::uint32_t> waiting_;
};

bool takes(const Pattern::Step& step, std::uint32_t character) {
  return std::any_of(step.ranges.begin(), step.ranges.end(),
                     [character](const auto& range) { return character >= range.first && character <= range.second; });
}

}  // namespace

Result<Pattern> Pattern::read(std::string_view text) {
  if (text.size() > kPatternBytesMax) return fail(Code::Limit, "it has more than " + std::to_string(kPatternBytesMax) + " bytes");
  Pattern pattern;
  LNK_TRY(pattern.program_, Reader(text).whole());
  pattern.program_.push_back({});
  return pattern;
}

bool Pattern::finds(std::string_view text) const {
  Threads now(program_);
  Threads next(program_);
  if (now.add(0, true, text.empty())) return true;
  for (std::size_t at = 0; at < text.size();) {
    const auto character = next_character(text, at);
    const bool is_end = at == text.size();
    for (const auto one : now.ones())
      if (takes(program_[one], character) && next.add(one + 1, false, is_end)) return true;
    if (next.add(0, false, is_end)) return true;
    std::swap(now, next);
    next.clear();
  }
  return false;
}

}  // namespace lnk::host
