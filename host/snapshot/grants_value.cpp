// SPDX-License-Identifier: Apache-2.0
#include "snapshot/grants_value.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "lnk/secret/rule.hpp"
#include "snapshot/canonical.hpp"
#include "snapshot/grant_lists.hpp"
#include "snapshot/object_reader.hpp"
#include "snapshot/tool_grants_value.hpp"
#include "snapshot/verb_grants_value.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

template <class Enum>
struct Word {
  Enum value;
  std::string_view word;
};

constexpr std::array kAccessWords = {Word<Access>{Access::Read, "read"}, Word<Access>{Access::Write, "write"},
                                     Word<Access>{Access::Hide, "hide"}};
constexpr std::array kKindWords = {Word<FileKind>{FileKind::Folder, "dir"}, Word<FileKind>{FileKind::File, "file"},
                                   Word<FileKind>{FileKind::Any, "any"}};
constexpr std::array kNetworkWords = {Word<NetworkMode>{NetworkMode::None, "none"},
                                      Word<NetworkMode>{NetworkMode::Wire, "wire"},
                                      Word<NetworkMode>{NetworkMode::Direct, "direct"}};

template <class Words, class Enum>
std::string_view word_of(const Words& words, Enum value) {
  return std::find_if(words.begin(), words.end(), [value](const auto& entry) { return entry.value == value; })->word;
}

json::object file_json(const GrantedFile& file) {
  return {{"access", word_of(kAccessWords, file.access)},
          {"path", file.path},
          {"target", file.target},
          {"kind", word_of(kKindWords, file.kind)},
          {"optional", file.optional},
          {"open_dot_files", file.open_dot_files}};
}

json::object host_json(const GrantedHost& host) { return {{"name", host.name}, {"ports", ports_json(host.ports)}}; }

json::object machine_json(const GrantedMachine& machine) {
  return {{"name", machine.name}, {"port", std::uint64_t{machine.port}}, {"address", machine.address}};
}

/// The rule was parsed where it was read.
json::object secret_json(const GrantedSecret& secret) {
  json::error_code error;
  return {{"name", secret.name}, {"rule", json::parse(secret.rule_json, error)}};
}

json::value commands_json(const std::optional<std::vector<GrantedProgram>>& commands) {
  if (!commands) return nullptr;
  json::array allow;
  for (const auto& program : *commands)
    allow.emplace_back(json::object{
        {"written", program.written}, {"path", program.path}, {"target", program.target}, {"folder", program.is_folder}});
  return json::object{{"allow", std::move(allow)}};
}

/// The table stands as text: a number with a fraction would not be read and written again as it was.
/// null: there is none.
json::value limit_json(std::optional<std::uint32_t> limit) {
  if (!limit) return nullptr;
  return std::uint64_t{*limit};
}

/// null: no page is opened.
json::value open_json(const std::optional<std::string>& program) {
  if (!program) return nullptr;
  return json::object{{"program", *program}};
}

json::array endpoints_json(const std::vector<GrantedEndpoint>& endpoints) {
  json::array array;
  for (const auto& [name, port, srv] : endpoints) array.emplace_back(json::object{{"name", name}, {"port", std::uint64_t{port}}, {"srv", srv}});
  return array;
}

Result<GrantedFile> read_file_grant(const json::value& value) {
  ObjectReader reader(value, "grants.files[]");
  GrantedFile file{reader.word("access", kAccessWords), reader.text("path"), reader.text("target"),
                 reader.word("kind", kKindWords), reader.boolean("optional"), reader.boolean("open_dot_files")};
  if (!is_clean_path(file.path)) reader.fault("path", "is not a clean absolute path");
  if (!is_clean_path(file.target)) reader.fault("target", "is not a clean absolute path");
  if (file.open_dot_files && file.access != Access::Write) reader.fault("open_dot_files", "is set for a grant that doesn't write");
  if (file.kind == FileKind::Any && !file.optional) reader.fault("kind", "is open for a grant that isn't optional");
  LNK_CHECK(reader.end());
  return file;
}

Result<GrantedProgram> read_program_grant(const json::value& value) {
  ObjectReader reader(value, "grants.commands.allow[]");
  GrantedProgram program{reader.text("written"), reader.text("path"), reader.text("target"), reader.boolean("folder")};
  if (program.written.empty()) reader.fault("written", "is empty");
  if (!is_clean_path(program.path)) reader.fault("path", "is not a clean absolute path");
  if (!is_clean_path(program.target)) reader.fault("target", "is not a clean absolute path");
  LNK_CHECK(reader.end());
  return program;
}

/// null: any program.
Status read_commands(const json::value& value, Grants& grants) {
  if (value.is_null()) return {};
  ObjectReader reader(value, "grants.commands");
  grants.commands.emplace();
  reader.each("allow", [&grants](const json::value& element) -> Status {
    LNK_TRY(auto program, read_program_grant(element));
    grants.commands->push_back(std::move(program));
    return {};
  });
  return reader.end();
}

Result<GrantedHost> read_host_grant(const json::value& value) {
  ObjectReader reader(value, "grants.network.hosts[]");
  GrantedHost host{reader.text("name"), {}};
  if (host.name.empty()) reader.fault("name", "is empty");
  read_ports(reader, "ports", host.ports);
  if (host.ports.empty()) reader.fault("ports", "is empty");
  LNK_CHECK(reader.end());
  return host;
}

Result<GrantedSecret> read_secret_grant(const json::value& value) {
  ObjectReader reader(value, "grants.secrets[]");
  GrantedSecret secret{reader.text("name"), canonical_json(reader.member("rule"))};
  if (secret.name.empty()) reader.fault("name", "is empty");
  if (const auto rule = secret::parse_rule(secret.rule_json); !rule) reader.fault("rule", "can't hold: " + rule.error().text);
  LNK_CHECK(reader.end());
  return secret;
}

Status read_network(const json::value& value, Grants& grants) {
  ObjectReader reader(value, "grants.network");
  grants.network = reader.word("mode", kNetworkWords);
  reader.each("hosts", [&grants](const json::value& element) -> Status {
    LNK_TRY(auto host, read_host_grant(element));
    grants.hosts.push_back(std::move(host));
    return {};
  });
  if (!grants.hosts.empty() && grants.network != NetworkMode::Wire) reader.fault("hosts", "are named without a wire");
  return reader.end();
}

Result<GrantedMachine> read_machine(const json::value& value) {
  ObjectReader reader(value, "grants.lan.machines[]");
  GrantedMachine machine{reader.text("name"), {}, reader.text("address")};
  if (machine.name.empty()) reader.fault("name", "is empty");
  const auto* port = reader.member("port").if_int64();
  const bool is_port = port != nullptr && *port >= 1 && *port <= 65535;
  if (!is_port) reader.fault("port", "is not a port");
  if (is_port) machine.port = static_cast<std::uint16_t>(*port);
  LNK_CHECK(reader.end());
  return machine;
}

Status read_lan(const json::value& value, Grants& grants) {
  ObjectReader reader(value, "grants.lan");
  reader.each("machines", [&grants](const json::value& element) -> Status {
    LNK_TRY(auto machine, read_machine(element));
    grants.machines.push_back(std::move(machine));
    return {};
  });
  if (!grants.machines.empty() && grants.network != NetworkMode::Wire) reader.fault("machines", "are named without a wire");
  return reader.end();
}

Status read_localhost(const json::value& value, Grants& grants) {
  ObjectReader reader(value, "grants.localhost");
  read_own_ports(reader, "ports", grants.network, grants.localhost);
  return reader.end();
}

Result<GrantedEndpoint> read_endpoint_grant(const json::value& value) {
  ObjectReader reader(value, "grants.tcp.endpoints[]");
  GrantedEndpoint endpoint{reader.text("name"), 0, reader.boolean("srv")};
  const auto* port = reader.member("port").if_int64();
  const std::int64_t number = port == nullptr ? -1 : *port;
  if (endpoint.name.empty() || endpoint.name == "*") reader.fault("name", "is no host's");
  if (number < 0 || number > 65535 || (number == 0) != endpoint.srv) reader.fault("port", "is not an endpoint's");
  LNK_CHECK(reader.end());
  endpoint.port = static_cast<std::uint16_t>(number);
  return endpoint;
}

Status read_tcp(const json::value& value, Grants& grants) {
  ObjectReader reader(value, "grants.tcp");
  reader.each("endpoints", [&grants](const json::value& element) -> Status {
    LNK_TRY(auto endpoint, read_endpoint_grant(element));
    grants.endpoints.push_back(std::move(endpoint));
    return {};
  });
  if (!is_in_order(grants.endpoints)) reader.fault("endpoints", "are not in order, each once");
  if (!grants.endpoints.empty() && grants.network != NetworkMode::Wire) reader.fault("endpoints", "are named without a wire");
  return reader.end();
}

/// null: no page is opened.
Status read_open(const json::value& value, Grants& grants) {
  if (value.is_null()) return {};
  ObjectReader reader(value, "grants.open");
  grants.open_pages = reader.text("program");
  if (!is_clean_path(*grants.open_pages)) reader.fault("program", "is not a clean absolute path");
  if (grants.network != NetworkMode::Wire) reader.fault("program", "is named without a wire");
  return reader.end();
}

Status read_env(const json::value& value, Grants& grants) {
  ObjectReader reader(value, "grants.env");
  grants.env_pass = reader.texts("pass");
  const auto* set = reader.member("set").if_object();
  if (set == nullptr) reader.fault("set", "is not an object");
  for (const auto& member : set == nullptr ? json::object() : *set) {
    const auto* text = member.value().if_string();
    if (text == nullptr) reader.fault("set", "holds what is not a text");
    if (text != nullptr) grants.env_set.emplace(member.key(), std::string(text->data(), text->size()));
  }
  return reader.end();
}

Status read_limits(const json::value& value, Grants& grants) {
  ObjectReader reader(value, "grants.limits");
  const auto& limit = reader.member("calls_per_minute");
  if (!limit.is_null()) {
    const auto* calls = limit.if_int64();
    const bool is_limit = calls != nullptr && *calls >= 1 && *calls <= std::numeric_limits<std::uint32_t>::max();
    if (!is_limit) reader.fault("calls_per_minute", "is no number of calls");
    if (is_limit) grants.calls_per_minute = static_cast<std::uint32_t>(*calls);
    if (grants.network == NetworkMode::Direct) reader.fault("calls_per_minute", "is set without a wire");
  }
  return reader.end();
}

}  // namespace

boost::json::array strings_json(const std::vector<std::string>& texts) {
  json::array array;
  for (const auto& text : texts) array.emplace_back(text);
  return array;
}

bool is_clean_path(std::string_view path) {
  if (path.empty() || path.front() != '/' || path.find('\0') != std::string_view::npos) return false;
  if (path == "/") return true;
  for (std::size_t begin = 1; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const auto part = path.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") return false;
    begin = end + 1;
  }
  return true;
}

boost::json::object grants_value(const Grants& grants) {
  json::array files;
  for (const auto& file : grants.files) files.emplace_back(file_json(file));
  json::array hosts;
  for (const auto& host : grants.hosts) hosts.emplace_back(host_json(host));
  json::array machines;
  for (const auto& machine : grants.machines) machines.emplace_back(machine_json(machine));
  json::array secrets;
  for (const auto& secret : grants.secrets) secrets.emplace_back(secret_json(secret));
  json::object set;
  for (const auto& [name, value] : grants.env_set) set[name] = value;
  return {{"name", grants.name},
          {"home", grants.home},
          {"files", std::move(files)},
          {"commands", commands_json(grants.commands)},
          {"network", json::object{{"mode", word_of(kNetworkWords, grants.network)}, {"hosts", std::move(hosts)}}},
          {"lan", json::object{{"machines", std::move(machines)}}},
          {"localhost", json::object{{"ports", ports_json(grants.localhost)}}},
          {"tcp", json::object{{"endpoints", endpoints_json(grants.endpoints)}}},
          {"secrets", std::move(secrets)},
          {"model", model_json(grants.model)},
          {"tools", tools_json(grants.tools)},
          {"verbs", verbs_json(grants.verbs)},
          {"open", open_json(grants.open_pages)},
          {"limits", json::object{{"calls_per_minute", limit_json(grants.calls_per_minute)}}},
          {"env", json::object{{"pass", strings_json(grants.env_pass)}, {"set", std::move(set)}}}};
}

Result<Grants> read_grants(const boost::json::value& value) {
  ObjectReader reader(value, "grants");
  Grants grants;
  grants.name = reader.text("name");
  grants.home = reader.text("home");
  if (!is_clean_path(grants.home)) reader.fault("home", "is not a clean absolute path");
  reader.each("files", [&grants](const json::value& element) -> Status {
    LNK_TRY(auto file, read_file_grant(element));
    grants.files.push_back(std::move(file));
    return {};
  });
  LNK_CHECK(read_commands(reader.member("commands"), grants));
  LNK_CHECK(read_network(reader.member("network"), grants));
  LNK_CHECK(read_lan(reader.member("lan"), grants));
  LNK_CHECK(read_localhost(reader.member("localhost"), grants));
  LNK_CHECK(read_tcp(reader.member("tcp"), grants));
  reader.each("secrets", [&grants](const json::value& element) -> Status {
    LNK_TRY(auto secret, read_secret_grant(element));
    grants.secrets.push_back(std::move(secret));
    return {};
  });
  if (!grants.secrets.empty() && grants.network != NetworkMode::Wire) reader.fault("secrets", "are named without a wire");
  LNK_CHECK(read_model(reader.member("model"), grants));
  read_tools(reader, grants);
  read_verbs(reader, grants);
  LNK_CHECK(read_open(reader.member("open"), grants));
  LNK_CHECK(read_limits(reader.member("limits"), grants));
  LNK_CHECK(read_env(reader.member("env"), grants));
  LNK_CHECK(reader.end());
  return grants;
}

}  // namespace lnk::host
