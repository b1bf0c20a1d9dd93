// SPDX-License-Identifier: Apache-2.0
#include "cli/verb_grants.hpp"

#include <algorithm>

#include "launch/machine_state.hpp"
#include "modules/catalogue.hpp"
#include "modules/gate.hpp"
#include "modules/module.hpp"
#include "modules/module_file.hpp"
#include "spec/shown.hpp"
#include "spec/values.hpp"
#include "verb_tables/schema.hpp"

namespace lnk::host {
namespace {

constexpr std::uint16_t kHttpsPort = 443;
/// Of one verb, as many as a module may declare of hosts.
constexpr std::size_t kPlacesMax = 256;

struct FoundVerb {
  ModuleUse use;
  TableSchema schema;
};

/// What a note asks of the machine is told by the OS module, which the front loads in any case.
Status check_machine(const Context& context, const std::string& needs) {
  if (needs.empty()) return {};
  LNK_TRY(const auto file, find_module(context.module_dirs, "os-linux"));
  LNK_TRY(const auto os, Module::load(file));
  LNK_TRY(const auto machine, os.probe());
  return check_requirements(needs, machine);
}

/// Nothing of the module runs here.
Result<FoundVerb> find_verb(const Context& context, std::string_view id) {
  const auto module = module_of_verb(id);
  auto path = find_module(context.module_dirs, module);
  if (!path) {
    const bool is_missing = path.error().code == Code::Gone;
    return fail(path.error().code,
                path.error().text + (is_missing ? "; install it, or name the folder it is in with --module-dir" : ""));
  }
  const std::string where = "the module " + host::quoted(path->native());
  auto file = ModuleFile::open(*path);
  if (!file) return fail(std::move(file).error().within(where));
  const auto note = file->note();
  if (!note) return fail(Error(note.error()).within(where));
  if (note->kind != ModuleKind::Verb || note->id != module)
    return fail(Code::Invalid, where + " holds " + host::quoted(note->id) + ", which is no such verb");
  if (auto held = check_machine(context, note->needs); !held) return fail(std::move(held).error().within(where));
  const auto text = file->schema();
  if (!text) return fail(Error(text.error()).within(where));
  if (text->empty()) return fail(Code::Unsupported, where + " carries no schema, so it takes no table");
  auto schema = TableSchema::read(*text);
  if (!schema) return fail(std::move(schema).error().within("the schema of " + where));
  LNK_TRY(auto hash, module_hash(context.settings, path->native()));
  LNK_TRY(const auto stamp, file_stamp(*path));
  if (stamp != file->stamp()) return fail(Code::Gone, where + " was replaced while it was read; try again");
  return FoundVerb{{module, path->native(), std::move(hash)}, std::move(*schema)};
}

/// A spec's own reading of a host, but for what a verb can't be given: it speaks TLS to one named host.
Result<GrantedPlace> read_place(const std::string& text) {
  LNK_TRY(const auto host, read_host(text));
  if (host.kind != HostKind::Name)
    return fail(Code::Invalid, host::quoted(text) + " is no host's name; a verb speaks to named hosts, one by one");
  return GrantedPlace{host.name, host.ports.size() == 1 ? host.ports.front() : kHttpsPort};
}

class TableReader {
 public:
  TableReader(const SpecSource& source, const VerbTable& table, Resolved& into) : source_(source), table_(table), into_(into) {}

  void refuse(std::string_view path, std::string_view words) {
    const auto place = table_.places.find(path);
    into_.refusals.push_back(origin_of(source_, place == table_.places.end() ? table_.at : place->second) + ": [verb." +
                             table_.id + "] " + (path.empty() ? std::string() : shown(path) + ": ") + std::string(words));
  }

  void read(const TableSchema& schema) {
    const auto found = schema.check(table_.json);
    for (const auto& fault : found.faults) refuse(fault.path, (fault.path.empty() ? "it " : "") + fault.words);
    ResolvedVerb verb{{table_.id, table_.json, {}, {}}, origin_of(source_, table_.at), {}, {}};
    for (const auto& value : found.marked) add(value, verb);
    if (verb.host_origins.size() > kPlacesMax || verb.port_origins.size() > kPlacesMax)
      refuse({}, "it names more than " + std::to_string(kPlacesMax) + " hosts or ports; name those that are needed");
    for (const auto& [place, origin] : verb.host_origins) verb.grant.hosts.push_back(place);
    for (const auto& [port, origin] : verb.port_origins) verb.grant.inside_ports.push_back(port);
    into_.verbs.push_back(std::move(verb));
  }

 private:
  void add(const MarkedValue& value, ResolvedVerb& verb) {
    const auto place = table_.places.find(value.path);
    const auto origin = origin_of(source_, place == table_.places.end() ? table_.at : place->second);
    if (value.opens == Opens::InsidePort) {
      verb.port_origins.emplace(value.port, origin);
      return;
    }
    auto host = read_place(value.text);
    if (host)
      verb.host_origins.emplace(std::move(*host), origin);
    else
      refuse(value.path, host.error().text);
  }

  const SpecSource& source_;
  const VerbTable& table_;
  Resolved& into_;
};

}  // namespace

std::vector<ModuleUse> add_verbs(const Context& context, const SpecSource& source, Resolved& into) {
  std::vector<ModuleUse> uses;
  for (const auto& table : source.spec->verbs) {
    TableReader reader(source, table, into);
    auto found = find_verb(context, table.id);
    if (!found) {
      reader.refuse({}, found.error().text);
      continue;
    }
    reader.read(found->schema);
    uses.push_back(std::move(found->use));
  }
  std::sort(into.verbs.begin(), into.verbs.end(),
            [](const auto& left, const auto& right) { return left.grant.id < right.grant.id; });
  return uses;
}

}  // namespace lnk::host
