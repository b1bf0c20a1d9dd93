// SPDX-License-Identifier: Apache-2.0
#include "secrets/store.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include "lnk/secret/base64.hpp"
#include "lnk/secret/placeholder.hpp"
#include "secrets/kept_file.hpp"
#include "spec/shown.hpp"
#include "spec/values.hpp"

namespace lnk::host {
namespace {

constexpr std::string_view kFolder = "secrets";

std::string file_of(std::string_view name) { return std::string(kFolder) + "/" + std::string(name); }

std::string how_to_add(std::string_view name) {
  return "lnk-sandbox secret add " + std::string(name) + " --rule RULE < FILE";
}

/// Before there was one file a secret was a folder of two, which could be read as of two secrets.
bool is_folder(const Settings& settings, std::string_view name) {
  std::error_code ignored;
  return std::filesystem::is_directory(std::filesystem::symlink_status(settings.folder() / file_of(name), ignored));
}

Failure old_form(const Settings& settings, std::string_view name) {
  return fail(Code::Invalid, (settings.folder() / file_of(name)).string() +
                                 ": is a folder, as secrets were kept before; remove it with: lnk-sandbox secret remove " +
                                 std::string(name) + ", and add the secret again");
}

Result<KeptSecret> read_kept(std::string_view name, UniqueFd file) {
  LNK_TRY(const auto kept, KeptFile::read(file.get()));
  LNK_TRY(auto rule, secret::parse_rule(kept.about()));
  LNK_TRY(auto canonical, secret::canonical_rule(kept.about()));
  // What is approved and shown is this text, so there is one of it.
  if (canonical != kept.about()) return fail(Code::Invalid, "has a rule that is not written as this program does");
  LNK_CHECK(secret::check_value(rule, kept.value()));
  LNK_TRY(auto placeholder, secret::make_placeholder(rule, kept.value(), random_name()));
  return KeptSecret{std::string(name), std::move(rule), std::move(canonical), std::move(file), std::move(placeholder)};
}

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
  LNK_TRY(const auto text, kept_text(canonical, value.reveal()));
  if (is_folder(settings, name)) return old_form(settings, name);
  return settings.write(file_of(name), text.reveal());
}

Result<KeptSecret> load_secret(const Settings& settings, std::string_view name) {
  if (is_folder(settings, name)) return old_form(settings, name);
  LNK_TRY(auto file, settings.open_file(file_of(name)));
  if (!file.is_open()) return fail(Code::Gone, "no secret " + host::quoted(name) + " is kept; add it with: " + how_to_add(name));
  auto kept = read_kept(name, std::move(file));
  if (kept) return kept;
  auto error = std::move(kept).error().within((settings.folder() / file_of(name)).native());
  error.text += "; add it again with: " + how_to_add(name);
  return fail(std::move(error));
}

Result<std::vector<std::string>> list_secrets(const Settings& settings) {
  LNK_TRY(auto names, settings.list(kFolder));
  // Beside the secrets only drafts of one that was being written when its process was killed.
  std::erase_if(names, [](const std::string& name) { return !read_name(name, "a secret's name"); });
  return names;
}

Result<bool> remove_secret(const Settings& settings, std::string_view name) {
  LNK_TRY(const auto kept, list_secrets(settings));
  if (is_folder(settings, name)) {
    for (const char* part : {"/rule.json", "/value"}) LNK_CHECK(settings.remove(file_of(name) + part));
    LNK_CHECK(settings.remove_folder(file_of(name)));
  } else {
    LNK_CHECK(settings.remove(file_of(name)));
  }
  return std::find(kept.begin(), kept.end(), name) != kept.end();
}

}  // namespace lnk::host
