// SPDX-License-Identifier: Apache-2.0
//
// A schema's text into rules: what can't be held is refused here.
#include "verb_tables/schema.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "spec/shown.hpp"
#include "verb_tables/schema_rule.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::size_t kSchemaBytesMax = 32 * 1024;  // as large as the note that carries it
constexpr std::size_t kRulesMax = 2048;             // places of a schema that hold a rule
constexpr std::size_t kDepthMax = 32;               // of its JSON
constexpr std::string_view kDefs = "#/$defs/";
/// Words for people and editors: they hold nothing.
constexpr std::string_view kRemarks[] = {"$schema", "$id",      "$comment",   "$defs",    "title",    "description",
                                         "default", "examples", "deprecated", "readOnly", "writeOnly"};

class SchemaReader {
 public:
  explicit SchemaReader(std::vector<std::unique_ptr<SchemaRule>>& rules) : rules_(rules) {}

  Result<const SchemaRule*> whole(const json::value& value) {
    LNK_CHECK(defs(value));
    LNK_TRY(const auto* top, rule(value, ""));
    for (const auto& [name, reference] : references_) {
      const auto found = defs_.find(name);
      if (found == defs_.end()) return bad(reference.path, "names " + quoted(name) + ", which $defs doesn't have");
      reference.rule->ref = found->second;
    }
    LNK_CHECK(check_circles());
    LNK_CHECK(check_marks());
    return top;
  }

 private:
  static Failure bad(std::string_view path, std::string_view words, Code code = Code::Invalid) {
    return fail(code, (path.empty() ? "at its top" : "at " + shown(path)) + ": " + std::string(words));
  }

  Status defs(const json::value& value) {
    const auto* object = value.if_object();
    const auto* found = object == nullptr ? nullptr : object->if_contains("$defs");
    if (found == nullptr) return {};
    if (!found->is_object()) return bad("", "$defs is no object");
    for (const auto& member : found->get_object()) {
      LNK_TRY(const auto* made, rule(member.value(), below("/$defs", member.key())));
      defs_.emplace(member.key(), made);
    }
    return {};
  }

  Result<const SchemaRule*> rule(const json::value& value, const std::string& path) {
    if (rules_.size() == kRulesMax)
      return bad(path, "it has more than " + std::to_string(kRulesMax) + " places with a rule", Code::Limit);
    auto& made = *rules_.emplace_back(std::make_unique<SchemaRule>());
    if (const auto* is_open = value.if_bool()) {
      made.is_nothing = !*is_open;
      return &made;
    }
    if (!value.is_object()) return bad(path, "a schema is an object, true or false");
    for (const auto& member : value.get_object()) LNK_CHECK(keyword(made, member.key(), member.value(), path));
    LNK_CHECK(check_format(made, path));
    return &made;
  }

  Status keyword(SchemaRule& made, std::string_view key, const json::value& value, const std::string& path) {
    const auto here = below(path, key);
    if (std::find(std::begin(kRemarks), std::end(kRemarks), key) != std::end(kRemarks)) {
      if (key == "$defs" && !path.empty()) return bad(here, "$defs stands at the top alone", Code::Unsupported);
      return {};
    }
    if (key == "type") return types(made, value, here);
    if (key == "enum") return values(made, value, here);
    if (key == "const") return constant(made, value, here);
    if (key == "format") return format(made, value, here);
    if (key == "pattern") return pattern(made, value, here);
    if (key == "uniqueItems") return truth(made.is_unique, value, here);
    if (key == "$ref") return reference(made, value, here);
    if (key == "properties") return properties(made, value, here);
    if (key == "required") return required(made, value, here);
    if (auto* count = count_of(made, key)) return number_of_things(*count, value, here);
    if (auto* limit = limit_of(made, key)) return bound(*limit, value, here);
    if (auto* list = list_of(made, key)) return rules_of(*list, value, here);
    if (auto* one = one_of(made, key)) {
      LNK_TRY(*one, rule(value, here));
      return {};
    }
    return bad(path, "the keyword " + quoted(key) + " isn't held here; sdk/README.md lists those that are", Code::Unsupported);
  }

  static std::size_t* count_of(SchemaRule& made, std::string_view key) {
    if (key == "minLength") return &made.length.least;
    if (key == "maxLength") return &made.length.most;
    if (key == "minItems") return &made.items.least;
    if (key == "maxItems") return &made.items.most;
    if (key == "minProperties") return &made.keys.least;
    return key == "maxProperties" ? &made.keys.most : nullptr;
  }

  static std::optional<json::value>* limit_of(SchemaRule& made, std::string_view key) {
    if (key == "minimum") return &made.number.least;
    if (key == "maximum") return &made.number.most;
    if (key == "exclusiveMinimum") return &made.number.above;
    return key == "exclusiveMaximum" ? &made.number.below : nullptr;
  }

  static std::vector<const SchemaRule*>* list_of(SchemaRule& made, std::string_view key) {
    if (key == "allOf") return &made.all;
    if (key == "anyOf") return &made.any;
    return key == "oneOf" ? &made.one : nullptr;
  }

  static const SchemaRule** one_of(SchemaRule& made, std::string_view key) {
    if (key == "items") return &made.item;
    if (key == "additionalProperties") return &made.other_keys;
    return key == "not" ? &made.none : nullptr;
  }

  static Status types(SchemaRule& made, const json::value& value, const std::string& path) {
    const json::array one{value};
    const json::array& names = value.is_array() ? value.get_array() : one;
    made.types = 0;
    for (const auto& name : names) {
      const auto is_it = [&name](const TypeName& type) { return name.is_string() && type.name == name.get_string(); };
      const auto found = std::find_if(std::begin(kTypeNames), std::end(kTypeNames), is_it);
      if (found == std::end(kTypeNames)) return bad(path, "names a type that JSON Schema doesn't have");
      made.types |= found->bit;
    }
    if (made.types == 0) return bad(path, "names no type");
    return {};
  }

  static Status values(SchemaRule& made, const json::value& value, const std::string& path) {
    if (!value.is_array() || value.get_array().empty()) return bad(path, "is no list of values");
    if (made.values) return bad(path, "stands beside const; keep one of the two", Code::Unsupported);
    made.values.emplace(value.get_array().begin(), value.get_array().end());
    return {};
  }

  static Status constant(SchemaRule& made, const json::value& value, const std::string& path) {
    if (made.values) return bad(path, "stands beside enum; keep one of the two", Code::Unsupported);
    made.values.emplace(1, value);
    return {};
  }

  static Status format(SchemaRule& made, const json::value& value, const std::string& path) {
    const auto* name = value.if_string();
    if (name != nullptr && std::string_view(*name) == kHostFormat) made.opens = Opens::Host;
    if (name != nullptr && std::string_view(*name) == kInsidePortFormat) made.opens = Opens::InsidePort;
    if (made.opens) return {};
    return bad(path,
               "is neither " + quoted(kHostFormat) + " nor " + quoted(kInsidePortFormat) +
                   ", which are those that are held; write a pattern",
               Code::Unsupported);
  }

  static Status check_format(const SchemaRule& made, const std::string& path) {
    if (made.opens == Opens::Host && made.types != kString)
      return bad(path, "lnk-host is the format of a string; add \"type\": \"string\"");
    if (made.opens == Opens::InsidePort && made.types != kInteger)
      return bad(path, "lnk-inside-port is the format of a whole number; add \"type\": \"integer\"");
    return {};
  }

  static Status pattern(SchemaRule& made, const json::value& value, const std::string& path) {
    if (!value.is_string()) return bad(path, "is no string");
    const std::string text(value.get_string());
    auto read = Pattern::read(text);
    if (!read) return bad(path, "the pattern " + quoted(text) + " can't be held: " + read.error().text, read.error().code);
    made.pattern.emplace(text, std::move(*read));
    return {};
  }

  static Status truth(bool& into, const json::value& value, const std::string& path) {
    if (!value.is_bool()) return bad(path, "is neither true nor false");
    into = value.get_bool();
    return {};
  }

  Status reference(SchemaRule& made, const json::value& value, const std::string& path) {
    const std::string_view name = value.is_string() ? std::string_view(value.get_string()) : std::string_view();
    if (!name.starts_with(kDefs) || name.find_first_of("/~%", kDefs.size()) != std::string_view::npos)
      return bad(path, "leads elsewhere than to \"#/$defs/NAME\"; nothing is fetched", Code::Unsupported);
    references_.emplace_back(std::string(name.substr(kDefs.size())), Reference{&made, path});
    return {};
  }

  Status properties(SchemaRule& made, const json::value& value, const std::string& path) {
    if (!value.is_object()) return bad(path, "is no object");
    for (const auto& member : value.get_object()) {
      LNK_TRY(const auto* held, rule(member.value(), below(path, member.key())));
      made.properties.emplace(member.key(), held);
    }
    return {};
  }

  static Status required(SchemaRule& made, const json::value& value, const std::string& path) {
    if (!value.is_array()) return bad(path, "is no list");
    for (const auto& name : value.get_array()) {
      if (!name.is_string()) return bad(path, "holds what is no string");
      made.required.emplace_back(name.get_string());
    }
    return {};
  }

  static Status number_of_things(std::size_t& into, const json::value& value, const std::string& path) {
    if (!value.is_int64() || value.get_int64() < 0) return bad(path, "is no whole number from 0 on");
    into = static_cast<std::size_t>(value.get_int64());
    return {};
  }

  static Status bound(std::optional<json::value>& into, const json::value& value, const std::string& path) {
    if ((types_of(value) & kNumber) == 0) return bad(path, "is no number");
    into = value;
    return {};
  }

  Status rules_of(std::vector<const SchemaRule*>& into, const json::value& value, const std::string& path) {
    if (!value.is_array() || value.get_array().empty()) return bad(path, "is no list of schemas");
    for (std::size_t i = 0; i < value.get_array().size(); ++i) {
      LNK_TRY(const auto* held, rule(value.get_array()[i], below(path, i)));
      into.push_back(held);
    }
    return {};
  }

  /// The rules that are held to the same value as this one.
  static std::vector<const SchemaRule*> of_same_value(const SchemaRule& from) {
    std::vector<const SchemaRule*> all;
    for (const auto* list : {&from.all, &from.any, &from.one}) all.insert(all.end(), list->begin(), list->end());
    for (const auto* one : {from.ref, from.none})
      if (one != nullptr) all.push_back(one);
    return all;
  }

  /// Where a rule led back to itself without going deeper into the value, holding a value to it would never end.
  Status check_circles() const {
    std::set<const SchemaRule*> done;
    for (const auto& rule : rules_)
      if (std::set<const SchemaRule*> on_way; leads_back(rule.get(), on_way, done))
        return bad("", "a $ref leads back to itself without going deeper");
    return {};
  }

  static bool leads_back(const SchemaRule* from, std::set<const SchemaRule*>& on_way, std::set<const SchemaRule*>& done) {
    if (done.contains(from)) return false;
    if (!on_way.insert(from).second) return true;
    for (const auto* next : of_same_value(*from))
      if (leads_back(next, on_way, done)) return true;
    on_way.erase(from);
    done.insert(from);
    return false;
  }

  /// What is tried and may not hold opens nothing: it would be open by one branch and closed by another.
  Status check_marks() const {
    std::set<const SchemaRule*> seen;
    for (const auto& rule : rules_)
      for (const auto& list : {rule->any, rule->one, std::vector<const SchemaRule*>(rule->none == nullptr ? 0 : 1, rule->none)})
        for (const auto* tried : list)
          if (opens_anything(tried, seen))
            return bad("", "what stands below anyOf, oneOf or not can't have one of the formats that open something");
    return {};
  }

  static bool opens_anything(const SchemaRule* from, std::set<const SchemaRule*>& seen) {
    if (from == nullptr || !seen.insert(from).second) return false;
    if (from->opens) return true;
    auto next = of_same_value(*from);
    next.push_back(from->item);
    next.push_back(from->other_keys);
    for (const auto& [name, rule] : from->properties) next.push_back(rule);
    return std::any_of(next.begin(), next.end(), [&seen](const auto* one) { return opens_anything(one, seen); });
  }

  struct Reference {
    SchemaRule* rule;
    std::string path;
  };

  std::vector<std::unique_ptr<SchemaRule>>& rules_;
  std::map<std::string, const SchemaRule*, std::less<>> defs_;
  std::vector<std::pair<std::string, Reference>> references_;
};

}  // namespace

Result<TableSchema> TableSchema::read(std::string_view text) {
  if (text.size() > kSchemaBytesMax) return fail(Code::Limit, "it has more than " + std::to_string(kSchemaBytesMax) + " bytes");
  json::parse_options options;
  options.max_depth = kDepthMax;
  json::error_code error;
  const auto value = json::parse({text.data(), text.size()}, error, {}, options);
  if (error) return fail(Code::Invalid, "it is not JSON: " + error.message());
  auto rules = std::make_shared<Rules>();
  LNK_TRY(rules->top, SchemaReader(rules->rules).whole(value));
  return TableSchema(std::move(rules));
}

}  // namespace lnk::host
