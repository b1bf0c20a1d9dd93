// SPDX-License-Identifier: Apache-2.0
#include "secrets/keys.hpp"

#include <algorithm>
#include <boost/json.hpp>

#include "lnk/provider/provider.hpp"
#include "lnk/secret/placeholder.hpp"
#include "secrets/kept_file.hpp"
#include "snapshot/canonical.hpp"
#include "snapshot/object_reader.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

constexpr std::string_view kFolder = "keys";

std::string file_of(std::string_view provider) { return std::string(kFolder) + "/" + std::string(provider); }

std::string about_json(std::string_view provider, std::string_view host) {
  return canonical_json(boost::json::object{{"provider", provider}, {"host", host}});
}

std::string how_to_add(std::string_view provider) {
  const auto* known = provider::find(provider);
  const std::string part(known == nullptr ? std::string_view() : provider::part_name(known->part));
  return "lnk-sandbox key add " + std::string(provider) + (part.empty() ? "" : " --" + part + " NAME") + " < FILE";
}

/// A bearer token in a field: RFC 6750 2.1 has no space in one, and a control character would end the field.
Status check_value(std::string_view value) {
  const auto bad = [](std::string_view words) { return fail(Code::Invalid, "the key " + std::string(words)); };
  if (value.size() < secret::kValueBytesMin) return bad("is shorter than 6 bytes");
  if (value.size() > secret::kValueBytesMax) return bad("is over 4096 bytes");
  if (std::any_of(value.begin(), value.end(), [](char c) { return c <= 0x20 || c >= 0x7f; }))
    return bad("has a space, a control character or a byte beyond ASCII");
  return {};
}

Status check_host(std::string_view name, std::string_view host) {
  const auto* known = provider::find(name);
  if (known == nullptr) return fail(Code::Invalid, host::quoted(name) + " is no provider known");
  if (!provider::is_host_of(*known, host)) return fail(Code::Invalid, host::quoted(host) + " is no host of " + std::string(name));
  return {};
}

Result<KeptKey> read_kept(std::string_view provider, UniqueFd file) {
  LNK_TRY(const auto kept, KeptFile::read(file.get()));
  LNK_TRY(const auto about, parse_canonical_json(kept.about()));
  ObjectReader reader(about, "its first line");
  KeptKey key{reader.text("provider"), reader.text("host"), std::move(file)};
  if (key.provider != provider) reader.fault("provider", "is another one");
  LNK_CHECK(reader.end());
  LNK_CHECK(check_host(key.provider, key.host));
  LNK_CHECK(check_value(kept.value()));
  return key;
}

}  // namespace

Status add_key(const Settings& settings, std::string_view provider, std::string_view host, const secret::SecretBytes& value) {
  LNK_CHECK(check_host(provider, host));
  LNK_CHECK(check_value(value.reveal()));
  LNK_TRY(const auto text, kept_text(about_json(provider, host), value.reveal()));
  return settings.write(file_of(provider), text.reveal());
}

Result<KeptKey> load_key(const Settings& settings, std::string_view provider) {
  LNK_TRY(auto file, settings.open_file(file_of(provider)));
  if (!file.is_open())
    return fail(Code::Gone, "no key of " + std::string(provider) + " is kept; add it with: " + how_to_add(provider));
  auto kept = read_kept(provider, std::move(file));
  if (kept) return kept;
  auto error = std::move(kept).error().within((settings.folder() / file_of(provider)).native());
  error.text += "; add it again with: " + how_to_add(provider);
  return fail(std::move(error));
}

Result<std::vector<std::string>> list_keys(const Settings& settings) {
  LNK_TRY(auto names, settings.list(kFolder));
  // Beside the keys only drafts of one that was being written when its process was killed.
  std::erase_if(names, [](const std::string& name) { return provider::find(name) == nullptr; });
  return names;
}

Result<bool> remove_key(const Settings& settings, std::string_view provider) {
  LNK_TRY(const auto kept, list_keys(settings));
  LNK_CHECK(settings.remove(file_of(provider)));
  return std::find(kept.begin(), kept.end(), provider) != kept.end();
}

}  // namespace lnk::host
