// SPDX-License-Identifier: Apache-2.0
#include "shapes.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "lnk/cpp/ascii.hpp"

namespace lnk::verb_model {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view take_word(std::string_view& text) noexcept {
  text = trimmed(text);
  const auto word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  return word;
}

/// Parts at `mark`, outside of brackets.
std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size()) {
      if (text[at] == '[' || text[at] == '{') ++depth;
      if (text[at] == ']' || text[at] == '}') --depth;
    }
    if (at < text.size() && (text[at] != mark || depth != 0)) continue;
    parts.push_back(trimmed(text.substr(from, at - from)));
    from = at + 1;
  }
  return parts;
}

std::string snake_case(std::string_view camel) {
  std::string out;
  for (const char c : camel) {
    if (c >= 'A' && c <= 'Z') {
      out += '_';
      out += static_cast<char>(c - 'A' + 'a');
    } else {
      out += c;
    }
  }
  return out;
}

struct ScalarWord {
  std::string_view word;
  ScalarUse use;
};
constexpr auto kScalarWords = std::to_array<ScalarWord>({{"scalar", ScalarUse::Kept},
                                                         {"model", ScalarUse::Model},
                                                         {"model!", ScalarUse::Model},
                                                         {"url", ScalarUse::Url},
                                                         {"inline", ScalarUse::Inline},
                                                         {"beta", ScalarUse::Beta},
                                                         {"false!", ScalarUse::False}});

}  // namespace

std::string lax_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') out += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out += c;
  }
  return out;
}

/// Reads the tables' lines; shapes may be named before they stand.
class TableReader {
 public:
  Result<Shapes> read(const std::vector<std::string_view>& tables) {
    for (const auto table : tables) {
      for (const auto line : split_lines(table)) LNK_CHECK(read_line(line));
    }
    for (const auto& [name, line] : wanted_)
      if (!std::any_of(known_.begin(), known_.end(), [&name = name](const auto& k) { return k == name; }))
        return fail(Code::Invalid, "no shape '" + name + "' for: " + line);
    return std::move(made_);
  }

 private:
  static std::vector<std::string_view> split_lines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
      const auto line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      const auto said = trimmed(line.substr(0, line.find('#')));
      if (!said.empty()) lines.push_back(said);
    }
    return lines;
  }

  Result<void> read_line(std::string_view line) {
    auto rest = line;
    Shape shape;
    for (auto word = take_word(rest);; word = take_word(rest)) {
      if (word == "tools") shape.is_tools = true;
      else if (word == "keyed") shape.is_keyed = true;
      else if (word == "shape" || word == "proto" || word == "union") return begin(std::move(shape), word, rest);
      else break;
    }
    if (current_ < 0) return fail(Code::Invalid, "a line of no shape: " + std::string(line));
    return read_member(line);
  }

  int named(std::string_view name) {
    const auto found = made_.names_.find(name);
    if (found != made_.names_.end()) return found->second;
    const int at = static_cast<int>(made_.shapes_.size());
    made_.shapes_.push_back({});
    made_.shapes_.back().name = name;
    made_.names_.emplace(std::string(name), at);
    return at;
  }

  Result<void> begin(Shape shape, std::string_view kind, std::string_view rest) {
    const std::string name(take_word(rest));
    shape.name = name;
    shape.is_proto = kind == "proto";
    auto word = take_word(rest);
    if (kind == "union") {
      if (word != "by") return fail(Code::Invalid, "union " + name + " is by no member");
      shape.tag = take_word(rest);
      word = take_word(rest);
    }
    if (word == "like") {
      const auto other = std::string(take_word(rest));
      if (std::find(known_.begin(), known_.end(), other) == known_.end())
        return fail(Code::Invalid, "no shape '" + other + "' above " + name);
      Shape like = made_.shape(made_.find(other));
      like.name = name;
      like.tag = shape.tag;
      like.is_proto = shape.is_proto;
      like.is_tools = shape.is_tools || like.is_tools;
      like.is_keyed = shape.is_keyed || like.is_keyed;
      shape = std::move(like);
    } else if (!word.empty()) {
      return fail(Code::Invalid, "an unknown word '" + std::string(word) + "' at " + name);
    }
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) return fail(Code::Invalid, "shape " + name + " stands twice");
    current_ = named(name);
    known_.push_back(name);
    made_.shapes_[static_cast<std::size_t>(current_)] = std::move(shape);
    return {};
  }

  Result<void> read_member(std::string_view line) {
    auto rest = line;
    const auto names = take_word(rest);
    const auto words = trimmed(rest);
    if (words.empty()) return fail(Code::Invalid, "a member of no type: " + std::string(line));
    if (!made_.shape(current_).tag.empty()) {
      for (const auto name : split(names, ',')) {
        const int shape = want(words, line);
        made_.shapes_[static_cast<std::size_t>(current_)].variants.insert_or_assign(std::string(name), shape);
      }
      return {};
    }
    LNK_TRY(const int type, read_type(words, line));
    for (auto name : split(names, ',')) {
      const std::size_t marks = name.ends_with("!!") ? 2 : name.ends_with('!') ? 1 : 0;
      name.remove_suffix(marks);
      add_member(name, type, marks);
      if (name == "model") made_.shapes_[static_cast<std::size_t>(current_)].needs_model = words == "model!";
    }
    return {};
  }

  void add_member(std::string_view name, int type, std::size_t marks) {
    auto& shape = made_.shapes_[static_cast<std::size_t>(current_)];
    shape.has_needed = shape.has_needed || marks > 0;
    shape.has_forced = shape.has_forced || made_.type(type).scalar == ScalarUse::False;
    const Member member{type, shape.member_count++, marks > 0, marks > 1};
    shape.members.insert_or_assign(std::string(name), member);  // above what it is like
    shape.lax_names.insert(lax_name(name));  // the snake form's too
    if (shape.is_proto) shape.members.insert_or_assign(snake_case(name), member);
  }

  int want(std::string_view name, std::string_view line) {
    wanted_.emplace_back(std::string(name), std::string(line));
    return named(name);
  }

  Result<int> read_type(std::string_view words, std::string_view line) {
    Type type;
    for (const auto word : split(words, '|')) LNK_CHECK(add_word(type, word, line));
    made_.types_.push_back(std::move(type));
    return static_cast<int>(made_.types_.size()) - 1;
  }

  Result<void> add_word(Type& type, std::string_view word, std::string_view line) {
    const auto inner = word.size() >= 2 ? word.substr(1, word.size() - 2) : std::string_view();
    const auto known = std::find_if(kScalarWords.begin(), kScalarWords.end(), [word](const auto& w) { return w.word == word; });
    if (known != kScalarWords.end()) {
      type.scalar = known->use;
    } else if (word == "any") {
      type.scalar = ScalarUse::Kept;
      type.object = type.array = kAny;
    } else if (word == "state" || word == "server") {
      type.scalar = word == "state" ? ScalarUse::State : ScalarUse::Server;
    } else if (word.starts_with('\'') && word.ends_with('\'')) {
      type.scalar = ScalarUse::Text;
      type.texts.emplace_back(inner);
    } else if (word.starts_with('[') && word.ends_with(']')) {
      LNK_TRY(type.array, read_type(inner, line));
    } else if (word.starts_with('{') && word.ends_with('}')) {
      LNK_TRY(type.map, read_type(inner, line));
    } else if (!word.empty()) {
      type.object = want(word, line);
    } else {
      return fail(Code::Invalid, "an empty type: " + std::string(line));
    }
    return {};
  }

  Shapes made_;
  int current_ = -1;
  std::vector<std::string> known_;
  std::vector<std::pair<std::string, std::string>> wanted_;
};

Result<Shapes> Shapes::read(const std::vector<std::string_view>& tables) { return TableReader().read(tables); }

int Shapes::find(std::string_view name) const noexcept {
  const auto found = names_.find(name);
  return found == names_.end() ? kGoes : found->second;
}

}  // namespace lnk::verb_model
