// SPDX-License-Identifier: Apache-2.0
//
// Spec to grants: `~` expanded once, links followed once, each path with its target. Reads the file system and changes
// nothing. What it finds is what is checked, shown, approved and opened; it is never resolved again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "snapshot/snapshot.hpp"
#include "spec/spec.hpp"

namespace lnk::host {

/// What resolving needs to know of the person and this program. Every path is absolute and clean.
struct Facts {
  std::string home;         ///< as the person names it
  std::string home_target;  ///< with links followed
  std::string cwd;          ///< with links followed
  std::string settings;     ///< with links followed
  std::string settings_named;  ///< as they were named: a link in it must not be replaced either
  std::string page_opener;             ///< the program that $BROWSER names where pages are opened
  std::vector<std::string> own_files;  ///< this program's files and the module folders: never to be written
};

/// One spec, or the flags of a command line.
struct SpecSource {
  const Spec* spec = nullptr;
  std::string file;    ///< as it was named; empty: the command line
  std::string folder;  ///< what ./ means
};

/// Where a grant was written: "spec.toml:4:9", or "the command line".
using Origin = std::string;

struct ResolvedFile {
  GrantedFile grant;
  Origin origin;
  std::string written;
};

struct ResolvedHost {
  GrantedHost grant;
  Origin origin;
};

struct ResolvedEndpoint {
  GrantedEndpoint grant;
  Origin origin;
};

/// A machine of [lan]. A .local name has no address yet: that is asked for besides.
struct ResolvedMachine {
  GrantedMachine grant;
  Origin origin;
};

/// A verb with a table of its own, and where what it opens was written. Whoever knows the modules adds it.
struct ResolvedVerb {
  GrantedVerb grant;
  Origin origin;
  std::map<GrantedPlace, Origin> host_origins;
  std::map<std::uint16_t, Origin> port_origins;
};

/// A program of the list. One that was not found has a refusal in its stead.
struct ResolvedProgram {
  GrantedProgram grant;
  Origin origin;
};

/// The grants with their origins, before they are checked. Parallel sources are joined: a path named twice is kept
/// once, with the wider access.
struct Resolved {
  std::string name;
  std::vector<ResolvedFile> files;
  std::vector<ResolvedHost> hosts;
  std::vector<ResolvedMachine> machines;
  std::vector<ResolvedEndpoint> endpoints;
  std::map<std::uint16_t, Origin> localhost;               ///< by port
  std::map<std::uint16_t, Origin> model_local;             ///< ports of local runtimes
  std::optional<std::vector<ResolvedProgram>> commands;  ///< nothing: any program
  Origin commands_at;                                    ///< where `allow` stands; empty: there is no list
  bool direct = false;
  Origin direct_origin;
  std::map<std::string, Origin> secrets;    ///< by name
  std::map<std::string, Origin> providers;  ///< of [model], by name
  std::map<std::string, Origin> tools;      ///< by name
  bool server_tools = false;
  std::vector<std::string> models;
  std::vector<ResolvedVerb> verbs;  ///< by their ids
  std::optional<Origin> open_pages;
  std::optional<std::uint32_t> calls_per_minute;
  Origin calls_per_minute_origin;
  std::vector<std::string> env_pass;
  std::map<std::string, Origin> pass_origins;  ///< of whole names; what a prefix takes beside the wire's own stands
  std::map<std::string, std::string> env_set;
  std::map<std::string, Origin> env_origins;  ///< of env_set's names
  std::vector<std::string> refusals;  ///< each one line for a person
};

[[nodiscard]] Origin origin_of(const SpecSource& source, Position at);

[[nodiscard]] Facts gather_facts_for(std::string home, std::string settings, std::vector<std::string> own_files);

/// `before` holds what was resolved of other sources, and is taken as it is: a link that changed since is not followed anew.
[[nodiscard]] Resolved resolve(const std::vector<SpecSource>& sources, const Facts& facts, Resolved before = {});

/// The folder or file a path resolves to: links followed; where its end is missing, its existing part followed and the
/// rest kept. Empty: a loop, or a part that may not be looked into.
[[nodiscard]] std::string resolve_links(const std::string& path);

/// An absolute path without its `..`, which is folded as text only where that is what the kernel takes it for: behind a
/// link it leads elsewhere.
/// errors: Denied where it isn't, Gone where it can't be looked up; the words follow the path's name
[[nodiscard]] Result<std::string> without_climbing(const std::string& path);

[[nodiscard]] bool climbs(const std::filesystem::path& path);  ///< a part of it is ..

/// Whether `path` is `folder` or below it; both clean.
[[nodiscard]] bool is_within(std::string_view path, std::string_view folder) noexcept;

}  // namespace lnk::host
