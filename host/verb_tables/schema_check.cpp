// SPDX-License-Identifier: Apache-2.0
//
// A table held against its schema: every fault, and what the values open.
#include <algorithm>
#include <optional>

#include "spec/shown.hpp"
#include "verb_tables/schema_rule.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::size_t kFaultsMax = 200;         // as many lines as a spec's errors
constexpr std::size_t kStepsMax = 4'000'000;    // a second of work; anyOf in anyOf doubles it with each
constexpr std::size_t kPatternTextMax = 65536;  // bytes of a string that a pattern is held against
constexpr std::size_t kTableDepthMax = 32;

std::string types_in_words(unsigned types) {
  std::string words;
  for (const auto& type : kTypeNames)
    if ((types & type.bit) != 0) words += (words.empty() ? "" : " or ") + std::string(type.words);
  return words;
}

std::string kind_in_words(const json::value& value) {
  const unsigned types = types_of(value);
  if (types == kNumber) return "a number with a fraction";
  return (types & kInteger) != 0 ? "a number" : types_in_words(types);
}

class Holder {
 public:
  explicit Holder(TableFindings& out) : out_(out) {}

  void hold(const SchemaRule& rule, const json::value& value, const std::string& path) {
    if (!has_time(path)) return;
    if (rule.is_nothing) return fault(path, "is not taken here");
    if ((rule.types & types_of(value)) == 0)
      return fault(path, "is " + kind_in_words(value) + ", and " + types_in_words(rule.types) + " is wanted");
    one_of_values(rule, value, path);
    if ((types_of(value) & kNumber) != 0) number(rule, value, path);
    if (const auto* text = value.if_string()) string(rule, {text->data(), text->size()}, path);
    if (const auto* array = value.if_array()) list(rule, *array, path);
    if (const auto* object = value.if_object()) table(rule, *object, path);
    if (rule.ref != nullptr) hold(*rule.ref, value, path);
    for (const auto* each : rule.all) hold(*each, value, path);
    tried(rule, value, path);
    mark(rule, value, path);
  }

  void fault(const std::string& path, std::string words) {
    if (out_.faults.size() < kFaultsMax) out_.faults.push_back({path, std::move(words)});
  }

 private:
  /// What takes too long is no table that fits.
  bool has_time(const std::string& path) {
    if (++steps_ <= kStepsMax) return true;
    if (!is_over_) fault(path, "can't be held against the schema in a reasonable time, here and below");
    is_over_ = true;
    return false;
  }

  void one_of_values(const SchemaRule& rule, const json::value& value, const std::string& path) {
    if (!rule.values) return;
    for (const auto& allowed : *rule.values)
      if (is_equal(allowed, value, steps_)) return;
    std::string words;
    for (const auto& allowed : *rule.values) words += (words.empty() ? "" : ", ") + in_short(allowed);
    fault(path, "is " + in_short(value) + ", and " + (rule.values->size() == 1 ? "only " : "one of ") + words + " is taken");
  }

  void number(const SchemaRule& rule, const json::value& value, const std::string& path) {
    const auto found = number_of(value);
    const auto& limits = rule.number;
    const auto say = [&](const std::optional<json::value>& limit, bool is_wrong, std::string_view words) {
      if (limit && is_wrong)
        fault(path, "is " + in_short(value) + ", and " + std::string(words) + in_short(*limit) + " is wanted");
    };
    say(limits.least, limits.least && found < number_of(*limits.least), "at least ");
    say(limits.most, limits.most && found > number_of(*limits.most), "at most ");
    say(limits.above, limits.above && found <= number_of(*limits.above), "more than ");
    say(limits.below, limits.below && found >= number_of(*limits.below), "less than ");
  }

  void count(const CountLimits& limits, std::size_t found, std::string_view what, const std::string& path) {
    if (found < limits.least)
      fault(path, "has " + std::to_string(found) + " " + std::string(what) + ", and at least " + std::to_string(limits.least) +
                      " are wanted");
    if (found > limits.most)
      fault(path, "has " + std::to_string(found) + " " + std::string(what) + ", and at most " + std::to_string(limits.most) +
                      " are taken");
  }

  void string(const SchemaRule& rule, std::string_view text, const std::string& path) {
    count(rule.length, length_of(text), "characters", path);
    if (!rule.pattern) return;
    steps_ += text.size() * rule.pattern->second.size() / 64;
    if (text.size() > kPatternTextMax)
      return fault(path, "is longer than " + std::to_string(kPatternTextMax) + " bytes, which no pattern is held against");
    if (!rule.pattern->second.finds(text))
      fault(path, "is " + quoted(text) + ", which isn't of the form " + quoted(rule.pattern->first));
  }

  void list(const SchemaRule& rule, const json::array& array, const std::string& path) {
    count(rule.items, array.size(), "items", path);
    if (rule.is_unique) unique(array, path);
    if (rule.item == nullptr) return;
    for (std::size_t i = 0; i < array.size() && !is_over_; ++i) hold(*rule.item, array[i], below(path, i));
  }

  void unique(const json::array& array, const std::string& path) {
    for (std::size_t i = 1; i < array.size(); ++i) {
      if (!has_time(path)) return;
      const auto is_same = [&](const json::value& before) { return is_equal(before, array[i], steps_); };
      if (std::any_of(array.begin(), array.begin() + static_cast<std::ptrdiff_t>(i), is_same))
        fault(below(path, i), "is in the list already");
    }
  }

  void table(const SchemaRule& rule, const json::object& object, const std::string& path) {
    count(rule.keys, object.size(), "keys", path);
    for (const auto& name : rule.required)
      if (!object.contains(name)) fault(path, "lacks the key " + quoted(name));
    for (const auto& member : object) {
      const std::string_view key(member.key());
      const auto found = rule.properties.find(key);
      if (found != rule.properties.end())
        hold(*found->second, member.value(), below(path, key));
      else if (rule.other_keys != nullptr && rule.other_keys->is_nothing)
        fault(below(path, key), "is a key that the verb doesn't know");
      else if (rule.other_keys != nullptr)
        hold(*rule.other_keys, member.value(), below(path, key));
    }
  }

  /// Whether the value fits, with nothing told of why not.
  bool fits(const SchemaRule& rule, const json::value& value, const std::string& path) {
    TableFindings found;
    Holder holder(found);
    holder.steps_ = steps_;
    holder.hold(rule, value, path);
    steps_ = holder.steps_;
    return found.faults.empty();
  }

  void tried(const SchemaRule& rule, const json::value& value, const std::string& path) {
    const auto fit = [&](const std::vector<const SchemaRule*>& list) {
      return std::count_if(list.begin(), list.end(), [&](const auto* each) { return fits(*each, value, path); });
    };
    if (!rule.any.empty() && fit(rule.any) == 0)
      fault(path, "is " + in_short(value) + ", which fits none of the forms that are taken");
    if (!rule.one.empty()) {
      const auto found = fit(rule.one);
      if (found != 1)
        fault(path, "is " + in_short(value) + ", which fits " + (found == 0 ? "none" : "more than one") +
                        " of the forms that are taken");
    }
    const bool is_over = steps_ > kStepsMax;
    if (rule.none != nullptr && fits(*rule.none, value, path) && !is_over)
      fault(path, "is " + in_short(value) + ", which is of the form that isn't taken");
    if (steps_ > kStepsMax) has_time(path);  // nothing that was left out may pass as what fits not
  }

  void mark(const SchemaRule& rule, const json::value& value, const std::string& path) {
    if (!rule.opens) return;
    if (rule.opens == Opens::Host) {
      out_.marked.push_back({path, Opens::Host, std::string(value.get_string()), 0});
      return;
    }
    const auto port = number_of(value);
    if (port < 1 || port > 65535) return fault(path, "is " + in_short(value) + ", which is no port; ports go from 1 to 65535");
    out_.marked.push_back({path, Opens::InsidePort, {}, static_cast<std::uint16_t>(port)});
  }

  TableFindings& out_;
  std::size_t steps_ = 0;
  bool is_over_ = false;
};

}  // namespace

TableFindings TableSchema::check(std::string_view table_json) const {
  TableFindings out;
  Holder holder(out);
  json::parse_options options;
  options.max_depth = kTableDepthMax;
  json::error_code error;
  const auto value = json::parse({table_json.data(), table_json.size()}, error, {}, options);
  if (error) {
    holder.fault("", "is not JSON: " + error.message());
    return out;
  }
  if (!value.is_object()) {
    holder.fault("", "is no table");
    return out;
  }
  holder.hold(*rules_->top, value, "");
  return out;
}

}  // namespace lnk::host
