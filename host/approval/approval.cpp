// SPDX-License-Identifier: Apache-2.0
#include "approval/approval.hpp"

#include <boost/json.hpp>

#include "snapshot/canonical.hpp"
#include "spec/spec.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

std::string approval_name(std::string_view hash) {
  return "approved/" + std::string(hash.substr(hash.find(':') + 1)) + ".json";
}

/// One file for each spec, whatever its path holds.
std::string last_name(const std::string& spec) {
  const auto hash = hash_name(spec);
  return "last/" + hash.substr(hash.find(':') + 1) + ".json";
}

std::string binding_name(std::string_view name) { return "names/" + std::string(name) + ".json"; }

Result<json::value> read_json(const Settings& settings, std::string_view name, std::string_view text) {
  auto value = parse_canonical_json(text);
  if (value) return value;
  return fail(Code::Invalid, (settings.folder() / name).string() + ": " + value.error().text + "; remove it and approve again");
}

Result<Approval> read_approval(const Settings& settings, std::string_view name, std::string_view text) {
  const std::string place = (settings.folder() / name).string();
  LNK_TRY(const auto value, read_json(settings, name, text));
  const auto* object = value.if_object();
  const auto member = [object](std::string_view key) -> const json::string* {
    const auto* found = object == nullptr ? nullptr : object->if_contains({key.data(), key.size()});
    return found == nullptr ? nullptr : found->if_string();
  };
  if (member("name") == nullptr || member("spec") == nullptr)
    return fail(Code::Invalid, place + ": is not an approval; remove it and approve again");
  return Approval{std::string(*member("name")), std::string(*member("spec"))};
}

std::string approval_json(const Approval& approval) {
  return canonical_json(json::object{{"name", approval.name}, {"spec", approval.spec}});
}

/// Removes each entry of a folder of the settings that was given to this spec. One that can't be read is whoever's it was, and
/// approves nothing: it stays, and holds up no other.
Result<std::size_t> drop_of_spec(const Settings& settings, std::string_view folder, std::string_view spec) {
  std::size_t dropped = 0;
  LNK_TRY(const auto names, settings.list(folder));
  for (const auto& entry : names) {
    const std::string name = std::string(folder) + "/" + entry;
    LNK_TRY(const auto text, settings.read(name));
    if (!text || !entry.ends_with(".json")) continue;
    const auto approval = read_approval(settings, name, *text);
    if (!approval || approval->spec != spec) continue;
    LNK_CHECK(settings.remove(name));
    ++dropped;
  }
  return dropped;
}

}  // namespace

Result<bool> is_approved(const Settings& settings, std::string_view grants_hash) {
  const std::string name = approval_name(grants_hash);
  LNK_TRY(const auto text, settings.read(name));
  if (!text) return false;
  LNK_CHECK(read_approval(settings, name, *text));
  return true;
}

Status approve(const Settings& settings, const Grants& grants, const std::string& spec) {
  const std::string text = grants_json(grants);
  const std::string approval = approval_json({grants.name, spec});
  LNK_CHECK(settings.write(last_name(spec), canonical_json(json::object{{"grants", text}, {"name", grants.name}, {"spec", spec}})));
  if (grants.name != kNoName) LNK_CHECK(settings.write(binding_name(grants.name), approval));
  return settings.write(approval_name(hash_name(text)), approval);
}

Result<std::optional<Grants>> last_approved(const Settings& settings, const std::string& spec) {
  const std::string name = last_name(spec);
  LNK_TRY(const auto text, settings.read(name));
  if (!text) return std::optional<Grants>();
  const std::string place = (settings.folder() / name).string();
  LNK_TRY(const auto value, read_json(settings, name, *text));
  const auto* object = value.if_object();
  const auto* kept = object == nullptr ? nullptr : object->if_contains("grants");
  const auto* grants = kept == nullptr ? nullptr : kept->if_string();
  if (grants == nullptr) return fail(Code::Invalid, place + ": holds no grants; forget the spec and approve it again");
  auto parsed = parse_grants({grants->data(), grants->size()});
  if (!parsed) return fail(Code::Invalid, place + ": " + parsed.error().text + "; forget the spec and approve it again");
  return std::optional<Grants>(std::move(*parsed));
}

Result<std::size_t> forget(const Settings& settings, std::string_view spec) {
  LNK_TRY(const std::size_t approvals, drop_of_spec(settings, "approved", spec));
  LNK_CHECK(drop_of_spec(settings, "names", spec));
  LNK_CHECK(drop_of_spec(settings, "last", spec));
  return approvals;
}

Result<std::optional<std::string>> spec_of_name(const Settings& settings, std::string_view name) {
  const std::string file = binding_name(name);
  LNK_TRY(const auto text, settings.read(file));
  if (!text) return std::optional<std::string>();
  LNK_TRY(const auto approval, read_approval(settings, file, *text));
  return std::optional<std::string>(approval.spec);
}

}  // namespace lnk::host
