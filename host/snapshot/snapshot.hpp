// SPDX-License-Identifier: Apache-2.0
//
// The snapshot: what a spec gives after resolving and checking, names with their targets, never resolved again. It is kept
// in the settings under the hash of its canonical JSON. The grants alone are what a person approves; the program started
// and the modules used stand beside them.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "settings/settings.hpp"

namespace lnk::host {

enum class Access { Read, Write, Hide };
enum class FileKind { Folder, File, Any };  ///< Any: optional, told at launch
enum class NetworkMode { None, Wire, Direct };

struct GrantedFile {
  Access access = Access::Read;
  std::string path;    ///< as written: absolute, lexically clean
  std::string target;  ///< what it resolved to, once
  FileKind kind = FileKind::Any;
  bool optional = false;
  bool open_dot_files = false;  ///< a folder that is written with what runs as the person outside: write_dot_files
};

struct GrantedHost {
  std::string name;  ///< "api.github.com", "*.github.com", "*", "192.0.2.1", "[2001:db8::1]"
  std::vector<std::uint16_t> ports;
};

/// An endpoint of [tcp], by name: "db.example.com", "*.example.com"; of a mongodb+srv name the servers are asked for, and it has no port.
struct GrantedEndpoint {
  std::string name;
  std::uint16_t port = 0;
  bool srv = false;

  friend auto operator<=>(const GrantedEndpoint&, const GrantedEndpoint&) = default;
};

/// A machine of the local network, at one port.
struct GrantedMachine {
  std::string name;
  std::uint16_t port = 0;
  std::string address;  ///< what a .local name was pinned to; of others empty, for they are looked up at each call
};

/// A secret with the rule it may be used by. Its value is not of the snapshot: a new one under the same rule changes nothing.
struct GrantedSecret {
  std::string name;
  std::string rule_json;  ///< canonical
};

/// A provider of hosted models, and the host that its kept key goes to. A new key for the same host changes nothing.
struct GrantedProvider {
  std::string name;
  std::string host;

  friend auto operator<=>(const GrantedProvider&, const GrantedProvider&) = default;
};

/// [model]: what the wire puts a key into, and the runtimes of this machine.
struct ModelGrants {
  std::vector<GrantedProvider> providers;  ///< in order of their names, each once
  bool server_tools = false;               ///< the provider's own tools stay in requests
  std::vector<std::string> models;         ///< "claude-*"; none: every model
  std::vector<std::uint16_t> local;        ///< ports of this machine's loopback, in order, each once; none is in localhost
};

/// One place that a verb may speak to, with TLS.
struct GrantedPlace {
  std::string name;  ///< a name, never an address or a *
  std::uint16_t port = 0;

  friend auto operator<=>(const GrantedPlace&, const GrantedPlace&) = default;
};

/// A verb of others with its table of the spec, and what the schema of its module says that the table opens.
struct GrantedVerb {
  std::string id;    ///< "greeting"; its module is verb-greeting
  std::string json;  ///< canonical
  std::vector<GrantedPlace> hosts;           ///< in order, each once
  std::vector<std::uint16_t> inside_ports;   ///< of the program, which it may call; in order, each once
};

/// A tool that runs outside, as the person: what it is, and which of its own tools may be called unasked. Two that are equal do the
/// same; a header's new value changes nothing.
struct GrantedTool {
  std::string name;
  std::vector<std::string> argv = {};  ///< its program's absolute path first; empty where it is at a URL
  std::string url = {};
  std::map<std::string, std::string> allow = {};  ///< a tool's name → the SHA-256 of its definition
  bool asks = true;                               ///< false: every call goes unasked
  std::vector<std::string> roots = {};            ///< folders that it is told of; in order, each once
  std::vector<std::string> headers = {};          ///< names alone; in order, each once
  std::vector<std::string> env = {};              ///< names alone; in order, each once
  std::string env_sha256 = {};                    ///< of the names with their values

  friend bool operator==(const GrantedTool&, const GrantedTool&) = default;
};

/// The module of a verb that has a table of its own.
[[nodiscard]] inline std::string module_of_verb(std::string_view id) { return "verb-" + std::string(id); }

/// A program that may run, or with `is_folder` all that lie in a folder and below it.
struct GrantedProgram {
  std::string written;
  std::string path;    ///< as it was found on the sandbox's PATH, or expanded
  std::string target;  ///< with links followed, once
  bool is_folder = false;
};

struct Grants {
  std::string name;
  std::string home;
  std::vector<GrantedFile> files;
  std::optional<std::vector<GrantedProgram>> commands;  ///< nothing: any program; an empty list: none but the one started
  NetworkMode network = NetworkMode::None;
  std::vector<GrantedHost> hosts;
  std::vector<GrantedMachine> machines;  ///< of [lan]
  std::vector<std::uint16_t> localhost;  ///< ports of this machine's loopback, in order, each once
  std::vector<GrantedEndpoint> endpoints;  ///< in order, each once
  std::vector<GrantedSecret> secrets;
  ModelGrants model;
  std::vector<GrantedTool> tools;  ///< in order of their names, each once
  std::vector<GrantedVerb> verbs;  ///< by their ids
  std::optional<std::string> open_pages;  ///< the program that $BROWSER names inside; nothing: no page is opened
  std::optional<std::uint32_t> calls_per_minute;  ///< nothing: no limit
  std::vector<std::string> env_pass;
  std::map<std::string, std::string> env_set;
};

struct Program {
  std::string name;  ///< as it was asked for
  std::string path;  ///< what it resolved to; empty: not found outside, so looked up inside
};

struct ModuleUse {
  std::string id;
  std::string file;
  std::string sha256;
};

struct Snapshot {
  Grants grants;
  std::string approval;  ///< the hash of the grants that were asked about: those of the spec, without flags; empty: none were
  std::vector<std::string> closed;
  std::vector<std::string> read_only;
  Program program;
  std::vector<std::string> loaders;  ///< what the kernel starts the listed programs by, with links followed: runs too
  std::string commands_at;           ///< "spec.toml:12", or "the command line": where the list stands; empty: there is none
  std::vector<ModuleUse> modules;

  [[nodiscard]] const ModuleUse* find_module(std::string_view id) const;
};

[[nodiscard]] std::string grants_json(const Grants& grants);
/// errors: Invalid with the JSON path that is wrong
[[nodiscard]] Result<Grants> parse_grants(std::string_view text);
[[nodiscard]] std::string snapshot_json(const Snapshot& snapshot);
/// What the OS module plans from: the snapshot, and the places that are read only in this run.
[[nodiscard]] std::string snapshot_to_plan(const Snapshot& snapshot, const std::vector<std::string>& held);
/// errors: Invalid with the JSON path that is wrong
[[nodiscard]] Result<Snapshot> parse_snapshot(std::string_view text);

/// "sha256:" and 64 hex digits.
[[nodiscard]] std::string hash_name(std::string_view text);

/// Keeps a snapshot and returns its hash.
[[nodiscard]] Result<std::string> keep_snapshot(const Settings& settings, const Snapshot& snapshot);
/// The kept snapshot, its bytes held against its hash.
/// errors: Gone: not kept; Invalid: not what its name says
[[nodiscard]] Result<Snapshot> load_snapshot(const Settings& settings, std::string_view hash);

}  // namespace lnk::host
