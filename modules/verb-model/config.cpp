// SPDX-License-Identifier: Apache-2.0
#include "config.hpp"

#include <algorithm>
#include <utility>

#include "lnk/jsonfilter/document.hpp"
#include "lnk/provider/provider.hpp"

namespace lnk::verb_model {
namespace {

using jsonfilter::Kind;
using jsonfilter::Value;

Failure wrong(std::string words) { return fail(Code::Invalid, "configuration: " + std::move(words)); }

/// It is compared with a field's value or a parameter of a query: bytes that mean themselves in each.
bool is_placeholder(std::string_view text) noexcept {
  return text.size() >= kPlaceholderBytesMin && text.size() <= kPlaceholderBytesMax &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  std::string_view("-._~").find(c) != std::string_view::npos;
         });
}

bool has_keys(const Value& object, std::initializer_list<std::string_view> keys) {
  const auto items = object.items();
  return object.is_object() && items.size() == keys.size() &&
         std::all_of(keys.begin(), keys.end(), [&object](auto key) { return object.find(key) != nullptr; });
}

Result<Asked> read_provider(const Value& value) {
  if (!has_keys(value, {"name", "host", "placeholder"})) return wrong("each of 'providers' has name, host and placeholder");
  Asked made{std::string(value.find("name")->text()), std::string(value.find("host")->text()),
             std::string(value.find("placeholder")->text())};
  const auto* known = provider::find(made.name);
  if (known == nullptr) return wrong("'" + made.name + "' is no provider that is known here");
  // The key goes to the provider's own host whatever this says.
  if (!provider::is_host_of(*known, made.host)) return wrong("provider " + made.name + ": 'host' is none of its own");
  if (!is_placeholder(made.placeholder)) return wrong("provider " + made.name + ": 'placeholder' is 16 to 512 plain characters");
  return made;
}

Result<std::vector<Asked>> read_providers(const Value& list) {
  if (!list.is_array() || list.items().size() > kProvidersMax) return wrong("'providers' is a list of up to 64");
  std::vector<Asked> made;
  for (const auto& item : list.items()) {
    LNK_TRY(auto one, read_provider(item.value));
    const auto is_same = [&one](const Asked& other) { return other.name == one.name; };
    if (std::any_of(made.begin(), made.end(), is_same)) return wrong("provider " + one.name + " stands in it twice");
    made.push_back(std::move(one));
  }
  return made;
}

Result<std::vector<std::string>> read_models(const Value& list) {
  if (!list.is_array() || list.items().size() > kModelsMax) return wrong("'models' is a list of up to 256");
  std::vector<std::string> made;
  for (const auto& item : list.items()) {
    const auto text = item.value.text();
    if (!item.value.is_string() || text.empty() || text.find('*') < text.size() - 1)
      return wrong("each of 'models' is a name, or the beginning of one with a * behind");
    made.emplace_back(text);
  }
  return made;
}

Result<bool> read_flag(const Value& value, std::string_view key) {
  if (value.kind() != Kind::True && value.kind() != Kind::False) return wrong("'" + std::string(key) + "' is true or false");
  return value.kind() == Kind::True;
}

}  // namespace

Result<Config> parse_config(std::string_view text) {
  auto document = jsonfilter::parse(text);
  if (!document) return wrong(document.error().text);
  const auto& root = document->root();
  if (!has_keys(root, {"providers", "server_tools", "models", "any_host"}))
    return wrong("is {\"providers\":[…],\"server_tools\":…,\"models\":[…],\"any_host\":…}");
  Config made;
  LNK_TRY(made.providers, read_providers(*root.find("providers")));
  LNK_TRY(made.policy.models, read_models(*root.find("models")));
  LNK_TRY(made.policy.server_tools, read_flag(*root.find("server_tools"), "server_tools"));
  LNK_TRY(made.policy.any_host, read_flag(*root.find("any_host"), "any_host"));
  return made;
}

}  // namespace lnk::verb_model
