// SPDX-License-Identifier: Apache-2.0
//
// Each table of the spec, key by key: what stands in kKeys is all that a spec can say.
#include "spec/tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "lnk/provider/provider.hpp"
#include "spec/known.hpp"
#include "spec/shown.hpp"
#include "spec/suggestion.hpp"
#include "spec/values.hpp"
#include "spec/verb_tables.hpp"

namespace lnk::host {
namespace {

/// More calls a minute than a wire answers; a slip of the finger, not a limit.
constexpr std::int64_t kMaxCallsPerMinute = 10'000'000;

struct Key {
  KnownKey known;
  void (*read)(Reader&, const TomlMember&, Spec&);
};

Result<WrittenPath> optional_path(std::string_view text) { return read_path(text, Optional::Yes); }
Result<WrittenPath> plain_path(std::string_view text) { return read_path(text, Optional::No); }
Result<std::string> secret_name(std::string_view text) { return read_name(text, "a secret's name"); }
Result<std::string> tool_name(std::string_view text) { return read_name(text, "a tool's name"); }

void read_calls_per_minute(Reader& reader, const TomlMember& member, Spec& spec) {
  const TomlNode& value = member.value;
  if (value.kind != TomlKind::Integer) {
    reader.refuse(value.at, "calls_per_minute is a whole number, not " + std::string(kind_name(value.kind)));
  } else if (value.integer < 1 || value.integer > kMaxCallsPerMinute) {
    reader.refuse(value.at, "calls_per_minute goes from 1 to 10000000; leave it out for no limit");
  } else {
    spec.calls_per_minute = Written<std::uint32_t>{static_cast<std::uint32_t>(value.integer), value.at};
  }
}

void read_env_sets(Reader& reader, const TomlMember& member, Spec& spec) {
  if (member.value.kind != TomlKind::Table) {
    reader.refuse(member.value.at,
                  "set is a table, as in set = { CI = \"1\" }, not " + std::string(kind_name(member.value.kind)));
    return;
  }
  for (const TomlMember& variable : member.value.members) {
    if (variable.value.kind != TomlKind::String) {
      reader.refuse(variable.value.at,
                    "a variable's value is a string in quotes, not " + std::string(kind_name(variable.value.kind)));
      continue;
    }
    auto set = read_env_set(variable.key, variable.value.text);
    if (!set) {
      reader.refuse(variable.at, std::move(set.error().text));
      continue;
    }
    set->at = variable.at;
    spec.env.set.push_back(std::move(*set));
  }
}

constexpr std::array<Key, 20> kKeys = {{
    {{"files", "read"},
     [](Reader& r, const TomlMember& m, Spec& s) { r.add_strings(m, "[\"~/src\"]", s.files.read, optional_path); }},
    {{"files", "write"},
     [](Reader& r, const TomlMember& m, Spec& s) { r.add_strings(m, "[\"./\"]", s.files.write, read_write_path); }},
    {{"files", "hide"},
     [](Reader& r, const TomlMember& m, Spec& s) { r.add_strings(m, "[\"~/keys\"]", s.files.hide, plain_path); }},
    {{"files", "write_dot_files"},
     [](Reader& r, const TomlMember& m, Spec& s) {
       r.add_strings(m, "[\"./\"]", s.files.write_dot_files, plain_path);
     }},
    {{"commands", "allow"},
     [](Reader& r, const TomlMember& m, Spec& s) {
       s.commands->at = m.at;  // the line that is named where a program is refused
       r.add_strings(m, "[\"git\"]", s.commands->allow, read_program);
     }},
    {{"network", "hosts"},
     [](Reader& r, const TomlMember& m, Spec& s) {
       r.add_strings(m, "[\"example.com\"]", s.network.hosts, read_host);
     }},
    {{"network", "direct"}, [](Reader& r, const TomlMember& m, Spec& s) { r.set_boolean(m, s.network.direct); }},
    {{"lan", "machines"},
     [](Reader& r, const TomlMember& m, Spec& s) { r.add_strings(m, "[\"nas.local:445\"]", s.lan, read_lan_machine); }},
    {{"localhost", "ports"}, [](Reader& r, const TomlMember& m, Spec& s) { r.add_ports(m, s.localhost); }},
    {{"tcp", "endpoints"},
     [](Reader& r, const TomlMember& m, Spec& s) {
       r.add_strings(m, "[\"db.example.com:5432\"]", s.tcp, read_endpoint);
     }},
    {{"model", "providers"},
     [](Reader& r, const TomlMember& m, Spec& s) {
       r.add_strings(m, "[\"anthropic\"]", s.model.providers, read_provider);
     }},
    {{"model", "server_tools"},
     [](Reader& r, const TomlMember& m, Spec& s) { r.set_boolean(m, s.model.server_tools); }},
    {{"model", "models"},
     [](Reader& r, const TomlMember& m, Spec& s) {
       r.add_strings(m, "[\"claude-*\"]", s.model.models, read_model_pattern);
     }},
    {{"model", "local"}, [](Reader& r, const TomlMember& m, Spec& s) { r.add_ports(m, s.model.local); }},
    {{"secrets", "use"},
     [](Reader& r, const TomlMember& m, Spec& s) { r.add_strings(m, "[\"telegram\"]", s.secrets, secret_name); }},
    {{"tools", "use"},
     [](Reader& r, const TomlMember& m, Spec& s) { r.add_strings(m, "[\"files\"]", s.tools, tool_name); }},
    {{"open", "pages"}, [](Reader& r, const TomlMember& m, Spec& s) { r.set_boolean(m, s.open_pages); }},
    {{"env", "pass"},
     [](Reader& r, const TomlMember& m, Spec& s) { r.add_strings(m, "[\"EDITOR\"]", s.env.pass, read_env_pass); }},
    {{"env", "set"}, read_env_sets},
    {{"limits", "calls_per_minute"}, read_calls_per_minute},
}};

constexpr std::array<KnownKey, kKeys.size() + 1> kKnownKeys = [] {
  std::array<KnownKey, kKeys.size() + 1> out{};
  out[0] = {"", "name"};
  for (std::size_t i = 0; i < kKeys.size(); ++i) out[i + 1] = kKeys[i].known;
  return out;
}();

constexpr std::array<std::string_view, 12> kTables = {"files", "commands", "network", "lan",  "localhost", "tcp",
                                                      "model", "secrets",  "tools",   "open", "limits",    "env"};
constexpr std::array<std::string_view, 4> kTopNames = {"name", "linux", "macos", "verb"};

/// `; it belongs in [network]`, where the key is one of another table.
std::string belongs_in(std::string_view key) {
  for (const Key& one : kKeys) {
    if (one.known.key == key) return "; it belongs in [" + std::string(one.known.table) + "]";
  }
  return {};
}

void refuse_unknown_key(Reader& reader, std::string_view table, const TomlMember& member) {
  std::vector<std::string_view> names;
  for (const Key& one : kKeys) {
    if (one.known.table == table) names.push_back(one.known.key);
  }
  std::string mend = did_you_mean(member.key, names);
  if (mend.empty()) mend = belongs_in(member.key);
  if (mend.empty() && table == "commands") mend = "; it takes allow alone, and what that doesn't list is refused";
  reader.refuse(member.at, "unknown key " + quoted(member.key) + " in [" + std::string(table) + "]" + mend);
}

void refuse_unknown_table(Reader& reader, std::string_view inside, const TomlMember& member) {
  std::vector<std::string_view> names(kTables.begin(), kTables.end());
  if (inside.empty()) names.insert(names.end(), kTopNames.begin(), kTopNames.end());
  std::string mend = did_you_mean(member.key, names);
  if (mend.empty()) mend = belongs_in(member.key);
  const std::string what = member.value.kind == TomlKind::Table ? "table " : "key ";
  const std::string where = inside.empty() ? std::string() : " in [" + std::string(inside) + "]";
  reader.refuse(member.at, "unknown " + what + quoted(member.key) + where + mend);
}

void read_table(Reader& reader, const TomlMember& table, Spec& spec) {
  if (table.value.kind != TomlKind::Table) {
    reader.refuse(table.at, table.key + " is a table, written [" + table.key + "], not " +
                                std::string(kind_name(table.value.kind)));
    return;
  }
  if (table.key == "commands") spec.commands = CommandsTable{{}, table.at};
  for (const TomlMember& member : table.value.members) {
    const auto key = std::find_if(kKeys.begin(), kKeys.end(), [&](const Key& one) {
      return one.known.table == table.key && one.known.key == member.key;
    });
    if (key == kKeys.end()) {
      refuse_unknown_key(reader, table.key, member);
    } else {
      key->read(reader, member, spec);
    }
  }
}

bool is_table(std::string_view name) { return std::find(kTables.begin(), kTables.end(), name) != kTables.end(); }

void read_os(Reader& reader, const TomlMember& os, Spec& spec) {
  if (os.value.kind != TomlKind::Table) {
    reader.refuse(os.at, os.key + " holds tables, as in [" + os.key + ".files]");
    return;
  }
  for (const TomlMember& table : os.value.members) {
    if (is_table(table.key)) {
      read_table(reader, table, spec);
    } else if (table.key == "verb") {
      read_verb_tables(reader, table, spec.verbs);
    } else {
      refuse_unknown_table(reader, os.key, table);
    }
  }
}

void read_spec_name(Reader& reader, const TomlMember& member, Spec& spec) {
  if (member.value.kind != TomlKind::String) {
    reader.refuse(member.value.at, "name is a string, not " + std::string(kind_name(member.value.kind)));
    return;
  }
  auto name = read_name(member.value.text, "name");
  if (name) {
    spec.name = {std::move(*name), member.value.at};
  } else {
    reader.refuse(member.value.at, std::move(name.error().text));
  }
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void add_one(Reader& reader, std::string_view key, Written<bool>& to, const Written<bool>& from) {
  if (from.at == Position{}) return;
  if (to.at != Position{}) {
    reader.refuse(from.at,
                  std::string(key) + " is set already (line " + std::to_string(to.at.line) + "); set it in one place");
    return;
  }
  to = from;
}

}  // namespace

std::span<const KnownKey> known_keys() noexcept { return kKnownKeys; }
std::span<const std::string_view> known_tables() noexcept { return kTables; }
std::span<const std::string_view> known_providers() noexcept {
  static const auto kNames = [] {
    std::vector<std::string_view> names;
    for (const auto& one : provider::providers()) names.push_back(one.name);
    return names;
  }();
  return kNames;
}

SpecTables read_tables(Reader& reader, const TomlNode& root) {
  SpecTables out;
  for (const TomlMember& member : root.members) {
    if (member.key == "name") {
      read_spec_name(reader, member, out.common);
    } else if (member.key == "keychain") {
      reader.note(member.at, "keychain is read as nothing: a sandbox reaches no keychain; leave the key out");
    } else if (member.key == "linux") {
      read_os(reader, member, out.linux_only);
    } else if (member.key == "macos") {
      read_os(reader, member, out.macos_only);
    } else if (member.key == "verb") {
      read_verb_tables(reader, member, out.common.verbs);
    } else if (is_table(member.key)) {
      read_table(reader, member, out.common);
    } else {
      refuse_unknown_table(reader, {}, member);
    }
  }
  return out;
}

Spec add_tables(Reader& reader, const Spec& common, const Spec& os) {
  Spec out = common;
  append(out.files.read, os.files.read);
  append(out.files.write, os.files.write);
  append(out.files.hide, os.files.hide);
  append(out.files.write_dot_files, os.files.write_dot_files);
  if (os.commands) {
    if (!out.commands) out.commands = CommandsTable{{}, os.commands->at};
    append(out.commands->allow, os.commands->allow);
  }
  append(out.network.hosts, os.network.hosts);
  add_one(reader, "direct", out.network.direct, os.network.direct);
  append(out.lan, os.lan);
  append(out.localhost, os.localhost);
  append(out.tcp, os.tcp);
  append(out.model.providers, os.model.providers);
  add_one(reader, "server_tools", out.model.server_tools, os.model.server_tools);
  append(out.model.models, os.model.models);
  append(out.model.local, os.model.local);
  append(out.secrets, os.secrets);
  append(out.tools, os.tools);
  add_one(reader, "pages", out.open_pages, os.open_pages);
  append(out.env.pass, os.env.pass);
  append(out.env.set, os.env.set);
  add_verb_tables(reader, out.verbs, os.verbs);
  if (!os.calls_per_minute) return out;
  if (out.calls_per_minute) {
    reader.refuse(os.calls_per_minute->at, "calls_per_minute is set already (line " +
                                               std::to_string(out.calls_per_minute->at.line) +
                                               "); set it in one place");
  } else {
    out.calls_per_minute = os.calls_per_minute;
  }
  return out;
}

}  // namespace lnk::host
