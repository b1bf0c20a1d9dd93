// SPDX-License-Identifier: Apache-2.0
//
// A spec as it is written: plain values, each with its place in the file, and every error at once. Pure: no file is
// looked at, no name looked up, `~` isn't expanded; what needs the machine is for the resolver.
//
// Guarantees of a spec without errors: every value has the form its table asks for; nothing in it is ignored but the
// tables of another OS; nothing in it belongs to a later version.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lnk::host {

/// Where a value stands; both count from 1, columns in characters. 0, 0: it isn't written anywhere.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend bool operator==(const Position&, const Position&) = default;
};

template <class T>
struct Written {
  T value{};
  Position at;
};

enum class PathBase { Root, Home, SpecFolder };

/// `~/src/./app/` is {Home, "src/app"}. Never holds `..`, an empty part or a `.` part; "" is the base itself.
struct WrittenPath {
  std::string written;
  PathBase base = PathBase::Root;
  std::string rest;       ///< without a leading or trailing slash
  bool optional = false;  ///< written with a ? at the end
  Position at;
};

/// A program, or with `folder` a folder of programs. A bare name stands in `name`, all else in `path`.
struct ProgramGrant {
  std::string written;
  std::string name;  ///< "git"; empty where it is a path
  WrittenPath path;
  bool folder = false;
  Position at;
};

enum class HostKind { Name, Below, Any, Ipv4, Ipv6 };

/// A host and its ports. `name` is in lower case, with no trailing dot; `*.x.org` for Below, `*` for Any; an address
/// stands in its one usual form and without brackets.
struct HostGrant {
  std::string written;
  HostKind kind = HostKind::Name;
  std::string name;
  std::vector<std::uint16_t> ports;  ///< in order, each once
  Position at;
};

/// `mongodb+srv://name` has srv and port 0.
struct EndpointGrant {
  std::string written;
  HostKind kind = HostKind::Name;
  std::string name;
  std::uint16_t port = 0;
  bool srv = false;
  Position at;
};

/// A variable of [env] pass; `prefix` where it was written with a * at the end, which `name` leaves out.
struct EnvPass {
  std::string name;
  bool prefix = false;
  Position at;
};

struct EnvSet {
  std::string name;
  std::string value;
  Position at;
};

struct FilesTable {
  std::vector<WrittenPath> read;
  std::vector<WrittenPath> write;
  std::vector<WrittenPath> hide;
  std::vector<WrittenPath> write_dot_files;
};

struct CommandsTable {
  std::vector<ProgramGrant> allow;
  Position at;
};

struct NetworkTable {
  std::vector<HostGrant> hosts;
  Written<bool> direct;
};

struct ModelTable {
  std::vector<Written<std::string>> providers;
  Written<bool> server_tools;
  std::vector<Written<std::string>> models;
  std::vector<Written<std::uint16_t>> local;
};

struct EnvTable {
  std::vector<EnvPass> pass;
  std::vector<EnvSet> set;
};

/// A module's own table, as canonical JSON; the module's schema checks it.
struct VerbTable {
  std::string id;
  std::string json;
  Position at;
  /// Where each value stands, by its JSON Pointer in the table: of what has a key, the key's place.
  std::map<std::string, Position, std::less<>> places;
};

struct Spec {
  Written<std::string> name;  ///< the name written, else the file's stem folded to the grammar, else "sandbox"
  FilesTable files;
  std::optional<CommandsTable> commands;  ///< absent: any program; with an empty list: none but the one started
  NetworkTable network;
  std::vector<HostGrant> lan;                     ///< [lan] machines
  std::vector<Written<std::uint16_t>> localhost;  ///< [localhost] ports
  std::vector<EndpointGrant> tcp;                 ///< [tcp] endpoints
  ModelTable model;
  std::vector<Written<std::string>> secrets;  ///< [secrets] use
  std::vector<Written<std::string>> tools;    ///< [tools] use
  Written<bool> open_pages;                   ///< [open] pages
  std::optional<Written<std::uint32_t>> calls_per_minute;
  EnvTable env;
  std::vector<VerbTable> verbs;
};

/// One line for a person. `text()` is escaped: nothing of the file can move a terminal's cursor.
struct Diagnostic {
  std::string file;
  Position at;
  std::string words;

  [[nodiscard]] std::string text() const;  ///< "file:line:col: words"
};

struct ParseResult {
  Spec spec;                       ///< of use only where there are no errors
  std::vector<Diagnostic> errors;  ///< in the order of the file
  std::vector<Diagnostic> notes;
  std::vector<Diagnostic> skipped;  ///< tables of another OS

  [[nodiscard]] bool ok() const noexcept { return errors.empty(); }
};

enum class Os { Linux, Macos };

#ifdef __APPLE__
inline constexpr Os kThisOs = Os::Macos;
#else
inline constexpr Os kThisOs = Os::Linux;
#endif

/// A list of 100,000 hosts is 2 to 3 MiB; what is larger is no spec.
inline constexpr std::size_t kMaxSpecBytes = 8 * std::size_t{1024} * 1024;
/// In one list.
inline constexpr std::size_t kMaxListEntries = 131072;
/// More are counted, not shown: a file that isn't a spec at all shouldn't fill the screen.
inline constexpr std::size_t kMaxDiagnostics = 200;

/// Reads a spec with the tables of `os` added. Values that only a later version enforces are errors in words.
/// thread: any.
[[nodiscard]] ParseResult parse_spec(std::string_view text, std::string_view file_name, Os os = kThisOs);

/// Of a spec that names none and whose file's stem has nothing of a name's letters, and of a run without a spec.
inline constexpr std::string_view kNoName = "sandbox";

/// The name of a spec that names none: the file's stem folded to [a-z0-9-]{1,40}, else `kNoName`.
[[nodiscard]] std::string default_name(std::string_view file_name);

/// The JSON Schema (draft 2020-12) of the whole spec, for editors.
[[nodiscard]] std::string_view spec_schema() noexcept;

}  // namespace lnk::host
