// SPDX-License-Identifier: Apache-2.0
#include "rule_body.hpp"

#include <algorithm>
#include <boost/json/value.hpp>
#include <string>
#include <utility>

#include "lnk/secret/rule.hpp"

namespace lnk::secret {
namespace {

namespace json = boost::json;

Failure wrong(std::string_view name, std::string_view words) {
  const auto which = name.empty() ? std::string() : " has '" + std::string(name) + "', which";
  return fail(Code::Invalid, "rule: 'refuse_body'" + which + " " + std::string(words));
}

std::string_view text_of(const json::value& value) {
  return value.is_string() ? std::string_view(value.as_string().data(), value.as_string().size()) : std::string_view{};
}

bool is_word_byte(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

Result<ValueShape> read_shape(std::string_view name, std::string_view text) {
  constexpr std::string_view kName = "{name}";
  const auto is_plain = [](char c) { return c >= 0x20 && c < 0x7f && c != '{' && c != '}'; };
  const auto at = text.find(kName);
  ValueShape shape{std::string(text.substr(0, at)), {}, at != std::string_view::npos};
  if (shape.has_name) shape.after = text.substr(at + kName.size());
  if (text.empty() || text.size() > kTemplateBytesMax || !std::all_of(shape.before.begin(), shape.before.end(), is_plain) ||
      !std::all_of(shape.after.begin(), shape.after.end(), is_plain)) {
    return wrong(name, "has in 'values' printable ASCII with {name} at most once, up to 256 bytes");
  }
  return shape;
}

Result<std::string> read_word(std::string_view name, std::string_view text) {
  if (text.size() < kHeldWordBytesMin || text.size() > kTemplateBytesMax || !std::all_of(text.begin(), text.end(), is_word_byte))
    return wrong(name, "has in 'holds' words of 3 to 256 letters, digits and '_'");
  std::string word(text);
  for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return word;
}

template <class T>
Result<std::vector<T>> read_list(const json::object& entry, std::string_view key, std::string_view name,
                                 Result<T> (*read)(std::string_view, std::string_view)) {
  std::vector<T> out;
  const auto* list = entry.if_contains({key.data(), key.size()});
  if (list == nullptr) return out;
  if (!list->is_array() || list->as_array().empty() || list->as_array().size() > kHeldTextsMax)
    return wrong(name, "has as '" + std::string(key) + "' a list of 1 to 64 texts");
  for (const auto& text : list->as_array()) {
    LNK_TRY(auto one, read(name, text_of(text)));
    out.push_back(std::move(one));
  }
  return out;
}

Result<HeldField> read_entry(const json::value& value) {
  if (!value.is_object() || !value.as_object().contains("name")) return wrong({}, "is a list of objects with a 'name'");
  const auto& entry = value.as_object();
  HeldField field;
  field.name = text_of(entry.at("name"));
  field.letters = letters_and_digits(field.name);
  if (field.letters.empty() || field.name.size() > kTemplateBytesMax || field.name.find_first_of("[].") != std::string::npos)
    return wrong(field.name.empty() ? "" : field.name, "is no name of a field: one has a letter or a digit, no '[', ']' and '.'");
  for (const auto& member : entry) {
    const std::string_view key(member.key().data(), member.key().size());
    if (key != "name" && key != "values" && key != "holds" && key != "json")
      return wrong(field.name, "has the key '" + std::string(key) + "'; name, values, holds and json are known");
  }
  LNK_TRY(field.values, read_list<ValueShape>(entry, "values", field.name, &read_shape));
  LNK_TRY(field.holds, read_list<std::string>(entry, "holds", field.name, &read_word));
  if (const auto* json = entry.if_contains("json")) {
    if (!json->is_bool() || !json->as_bool()) return wrong(field.name, "has as 'json' true, or leaves it out");
    field.is_json = true;
  }
  // A word in JSON could be escaped, so that the text does not hold it.
  if (!field.holds.empty() && (field.is_json || !field.values.empty()))
    return wrong(field.name, "has 'holds' alone, with neither 'values' nor 'json'");
  return field;
}

}  // namespace

Result<std::vector<HeldField>> read_held_fields(const json::object& rule) {
  std::vector<HeldField> out;
  const auto* list = rule.if_contains("refuse_body");
  if (list == nullptr) return out;
  if (!list->is_array() || list->as_array().size() > kHeldFieldsMax) return wrong({}, "is a list of up to 64 objects");
  for (const auto& value : list->as_array()) {
    LNK_TRY(auto field, read_entry(value));
    const auto same = [&](const HeldField& known) { return known.letters == field.letters; };
    if (std::any_of(out.begin(), out.end(), same)) return wrong(field.name, "is named already: letters and digits alone count");
    out.push_back(std::move(field));
  }
  return out;
}

}  // namespace lnk::secret
