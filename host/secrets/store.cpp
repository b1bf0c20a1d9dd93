// SPDX-License-Identifier: Apache-2.0
#include "secrets/store.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "lnk/secret/base64.hpp"
#include "lnk/secret/placeholder.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

constexpr std::string_view kFolder = "secrets";

std::string rule_file(std::string_view name) { return std::string(kFolder) + "/" + std::string(name) + "/rule.json"; }
std::string value_file(std::string_view name) { return std::string(kFolder) + "/" + std::string(name) + "/value"; }

}  // namespace

std::string random_name() {
  std::array<char, 32> bytes{};
  // Never short for up to 256 bytes once the pool is ready: getrandom(2).
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
  return secret::base64url_encode({bytes.data(), bytes.size()});
}

Status add_secret(const Settings& settings, std::string_view name, std::string_view rule_json, const secret::SecretBytes& value) {
  LNK_TRY(const auto rule, secret::parse_rule(rule_json));
  LNK_CHECK(secret::check_value(rule, value.reveal()));
  LNK_TRY(const auto canonical, secret::canonical_rule(rule_json));
  // The rule goes last: without one a value is used by nothing.
  LNK_CHECK(settings.remove(rule_file(name)));
  LNK_CHECK(settings.write(value_file(name), value.reveal()));
  return settings.write(rule_file(name), canonical);
}

Result<KeptSecret> load_secret(const Settings& settings, std::string_view name) {
  LNK_TRY(auto rule_json, settings.read(rule_file(name)));
  LNK_TRY(auto value, settings.read(value_file(name)));
  if (!rule_json || !value)
    return fail(Code::Gone, "no secret " + host::quoted(name) + " is kept; add it with: lnk-sandbox secret add " + std::string(name) +
                                " --rule FILE");
  auto rule = secret::parse_rule(*rule_json);
  if (!rule) return fail(std::move(rule).error().within((settings.folder() / rule_file(name)).native()));
  auto placeholder = secret::make_placeholder(*rule, *value, random_name());
  secret::wipe(value->data(), value->size());
  if (!placeholder) return fail(std::move(placeholder).error().within("the secret " + host::quoted(name)));
  return KeptSecret{std::string(name), std::move(*rule), std::move(*rule_json), (settings.folder() / value_file(name)).native(),
                    std::move(*placeholder)};
}

Result<std::vector<std::string>> list_secrets(const Settings& settings) {
  LNK_TRY(const auto names, settings.list(kFolder));
  std::vector<std::string> kept;
  for (const auto& name : names) {
    LNK_TRY(const auto rule, settings.read(rule_file(name)));
    if (rule) kept.push_back(name);
  }
  return kept;
}

Result<bool> remove_secret(const Settings& settings, std::string_view name) {
  LNK_TRY(const auto rule, settings.read(rule_file(name)));
  LNK_CHECK(settings.remove(rule_file(name)));
  LNK_CHECK(settings.remove(value_file(name)));
  LNK_CHECK(settings.remove_folder(std::string(kFolder) + "/" + std::string(name)));
  return rule.has_value();
}

}  // namespace lnk::host
