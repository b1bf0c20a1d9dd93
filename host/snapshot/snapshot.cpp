// SPDX-License-Identifier: Apache-2.0
#include "snapshot/snapshot.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "digest/sha256.hpp"
#include "snapshot/canonical.hpp"
#include "snapshot/grants_value.hpp"
#include "snapshot/object_reader.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

constexpr std::uint64_t kVersion = 1;
constexpr std::string_view kHashPrefix = "sha256:";

json::object snapshot_value(const Snapshot& snapshot) {
  json::array modules;
  for (const auto& use : snapshot.modules)
    modules.emplace_back(json::object{{"id", use.id}, {"file", use.file}, {"sha256", use.sha256}});
  return {{"version", kVersion},
          {"grants", grants_value(snapshot.grants)},
          {"approval", snapshot.approval},
          {"closed", strings_json(snapshot.closed)},
          {"read_only", strings_json(snapshot.read_only)},
          {"program", json::object{{"name", snapshot.program.name}, {"path", snapshot.program.path}}},
          {"loaders", strings_json(snapshot.loaders)},
          {"commands_at", snapshot.commands_at},
          {"modules", std::move(modules)}};
}

Result<ModuleUse> read_module(const json::value& value) {
  ObjectReader reader(value, "modules[]");
  ModuleUse use{reader.text("id"), reader.text("file"), reader.text("sha256")};
  if (!is_clean_path(use.file)) reader.fault("file", "is not a clean absolute path");
  LNK_CHECK(reader.end());
  return use;
}

std::string file_name(std::string_view hash) { return "snapshots/" + std::string(hash) + ".json"; }

bool is_hash_digits(std::string_view text) {
  return text.size() == 64 &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

bool is_hash_name(std::string_view text) {
  return text.starts_with(kHashPrefix) && is_hash_digits(text.substr(kHashPrefix.size()));
}

}  // namespace

const ModuleUse* Snapshot::find_module(std::string_view id) const {
  const auto found = std::find_if(modules.begin(), modules.end(), [id](const auto& use) { return use.id == id; });
  return found == modules.end() ? nullptr : &*found;
}

std::string grants_json(const Grants& grants) { return canonical_json(grants_value(grants)); }

Result<Grants> parse_grants(std::string_view text) {
  LNK_TRY(const auto value, parse_canonical_json(text));
  return read_grants(value);
}

std::string snapshot_json(const Snapshot& snapshot) { return canonical_json(snapshot_value(snapshot)); }

std::string snapshot_to_plan(const Snapshot& snapshot, const std::vector<std::string>& held) {
  auto value = snapshot_value(snapshot);
  value["held"] = strings_json(held);
  return canonical_json(value);
}

Result<Snapshot> parse_snapshot(std::string_view text) {
  LNK_TRY(const auto value, parse_canonical_json(text));
  ObjectReader reader(value, "snapshot");
  Snapshot snapshot;
  const auto* version = reader.member("version").if_int64();
  if (version == nullptr || *version != static_cast<std::int64_t>(kVersion))
    reader.fault("version", "is not one this program knows");
  LNK_TRY(snapshot.grants, read_grants(reader.member("grants")));
  snapshot.approval = reader.text("approval");
  if (!snapshot.approval.empty() && !is_hash_name(snapshot.approval)) reader.fault("approval", "is not a hash");
  snapshot.closed = reader.texts("closed");
  snapshot.read_only = reader.texts("read_only");
  ObjectReader program(reader.member("program"), "program");
  snapshot.program = {program.text("name"), program.text("path")};
  LNK_CHECK(program.end());
  snapshot.loaders = reader.texts("loaders");
  if (!std::all_of(snapshot.loaders.begin(), snapshot.loaders.end(), is_clean_path))
    reader.fault("loaders", "holds what is not a clean absolute path");
  if (!snapshot.loaders.empty() && !snapshot.grants.commands) reader.fault("loaders", "are named without a list of programs");
  snapshot.commands_at = reader.text("commands_at");
  if (snapshot.commands_at.empty() != !snapshot.grants.commands) reader.fault("commands_at", "isn't the place of a list, or there is none");
  reader.each("modules", [&snapshot](const json::value& element) -> Status {
    LNK_TRY(auto use, read_module(element));
    snapshot.modules.push_back(std::move(use));
    return {};
  });
  LNK_CHECK(reader.end());
  return snapshot;
}

std::string hash_name(std::string_view text) { return std::string(kHashPrefix) + sha256_hex(text); }

Result<std::string> keep_snapshot(const Settings& settings, const Snapshot& snapshot) {
  const std::string text = snapshot_json(snapshot);
  const std::string hash = hash_name(text);
  const std::string name = file_name(hash.substr(kHashPrefix.size()));
  LNK_TRY(const auto kept, settings.read(name));
  if (!kept || *kept != text) LNK_CHECK(settings.write(name, text));
  return hash;
}

Result<Snapshot> load_snapshot(const Settings& settings, std::string_view hash) {
  if (!is_hash_name(hash))
    return fail(Code::Invalid, "not a snapshot's name: it is \"sha256:\" and 64 hex digits");
  const std::string name = file_name(hash.substr(kHashPrefix.size()));
  LNK_TRY(const auto text, settings.read(name));
  if (!text) return fail(Code::Gone, "no snapshot of that name is kept in " + settings.folder().string());
  if (hash_name(*text) != hash) return fail(Code::Invalid, (settings.folder() / name).string() + ": is not what its name says");
  auto snapshot = parse_snapshot(*text);
  if (!snapshot) return fail(std::move(snapshot).error().within((settings.folder() / name).string()));
  return snapshot;
}

}  // namespace lnk::host
