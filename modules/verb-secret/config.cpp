// SPDX-License-Identifier: Apache-2.0
#include "config.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <utility>

namespace lnk::verb_secret {
namespace {

namespace json = boost::json;

Failure wrong(std::string words) { return fail(Code::Invalid, "configuration: " + std::move(words)); }

bool is_name(std::string_view name) noexcept {
  return !name.empty() && name.size() <= kNameBytesMax && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

/// It is compared with parts of a path, a field or a query: bytes that mean themselves in each.
bool is_placeholder(std::string_view text) noexcept {
  return text.size() >= kPlaceholderBytesMin && text.size() <= kPlaceholderBytesMax &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  std::string_view("-._~:").find(c) != std::string_view::npos;
         });
}

std::string text_of(const json::object& object, std::string_view key) {
  const auto* value = object.if_contains({key.data(), key.size()});
  if (value == nullptr || !value->is_string()) return {};
  return {value->as_string().c_str(), value->as_string().size()};
}

Result<Secret> read_secret(const json::value& value) {
  if (!value.is_object()) return wrong("each of 'secrets' is an object");
  const auto& object = value.as_object();
  Secret made{text_of(object, "name"), text_of(object, "placeholder"), {}};
  if (!is_name(made.name)) return wrong("'name' is 1 to 40 of a-z, 0-9 and '-'");
  if (!is_placeholder(made.placeholder))
    return wrong("secret " + made.name + ": 'placeholder' is 16 to 512 plain characters");
  const auto* rule = object.if_contains("rule");
  if (rule == nullptr || object.size() != 3) return wrong("secret " + made.name + ": has name, placeholder and rule");
  auto parsed = secret::parse_rule(json::serialize(*rule));
  if (!parsed) return fail(std::move(parsed).error().within("secret " + made.name));
  made.rule = std::move(parsed).value();
  return made;
}

/// A name or a placeholder that two share would make one secret's requests another's.
Result<void> check_distinct(const std::vector<Secret>& secrets) {
  for (std::size_t i = 0; i < secrets.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (secrets[i].name == secrets[k].name) return wrong("secret " + secrets[i].name + " stands in it twice");
      if (secrets[i].placeholder == secrets[k].placeholder) {
        return wrong("secrets " + secrets[k].name + " and " + secrets[i].name + " have one placeholder");
      }
    }
  }
  return {};
}

}  // namespace

Result<std::vector<Secret>> parse_config(std::string_view text) {
  json::error_code error;
  const auto value = json::parse({text.data(), text.size()}, error);
  if (error) return wrong("is no JSON: " + error.message());
  const auto* object = value.if_object();
  const auto* list = object != nullptr ? object->if_contains("secrets") : nullptr;
  if (list == nullptr || !list->is_array() || object->size() != 1) return wrong("is {\"secrets\":[…]}");
  if (list->as_array().size() > kSecretsMax) return wrong("has more than 64 secrets");
  std::vector<Secret> secrets;
  for (const auto& entry : list->as_array()) {
    LNK_TRY(auto made, read_secret(entry));
    secrets.push_back(std::move(made));
  }
  LNK_CHECK(check_distinct(secrets));
  return secrets;
}

}  // namespace lnk::verb_secret
