// SPDX-License-Identifier: Apache-2.0
#include "resolve/check.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <limits>

#include "environment/environment.hpp"
#include "lnk/cpp/utf8.hpp"
#include "lnk/provider/provider.hpp"
#include "resolve/programs.hpp"
#include "resolve/protected_places.hpp"
#include "resolve/tool_place.hpp"
#include "resolve/wire_variables.hpp"
#include "lnk/posix/io.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

constexpr std::array<std::string_view, 8> kSystemFolders = {"/usr", "/bin", "/sbin", "/lib", "/lib64", "/opt", "/etc", "/nix"};
constexpr std::uint16_t kNamesPort = 53;
std::string_view key_of(Access access) {
  return access == Access::Read ? "read" : access == Access::Write ? "write" : "hide";
}

std::vector<std::string> all_key_places(const Resolved& resolved, const Facts& facts) {
  auto places = key_places(facts.home_target);
  for (const auto& file : resolved.files)
    if (file.grant.access != Access::Hide)
      if (auto keys = environment_file_in(file.grant.target); !keys.empty()) places.push_back(std::move(keys));
  return places;
}

/// As a host is listed: what a mongodb+srv name leads to may have any name below its domain.
std::string covered_by(const GrantedEndpoint& endpoint) {
  return endpoint.srv ? "*" + endpoint.name.substr(endpoint.name.find('.')) : endpoint.name;
}

class Checker {
 public:
  Checker(const Resolved& resolved, const Facts& facts, Checked& out)
      : resolved_(resolved),
        facts_(facts),
        out_(out),
        start_places_(with_targets(start_places(facts.home_target))),
        key_places_(with_targets(all_key_places(resolved, facts))) {}

  void files() {
    for (const auto& file : resolved_.files) {
      const auto before = out_.refusals.size();
      if (!is_utf8(file.grant.path) || !is_utf8(file.grant.target))
        refuse(file, "isn't UTF-8, which a kept snapshot can't hold; rename it");
      // One reason is enough for one grant: the first is the plainest.
      if (before == out_.refusals.size()) own_place(file);
      if (before == out_.refusals.size() && file.grant.access == Access::Write) write(file);
      if (before == out_.refusals.size()) settings(file);
      if (before == out_.refusals.size() && file.grant.path != file.grant.target) link(file);
    }
  }

  void network(const Kept& kept) {
    const auto& secrets = kept.secrets;
    if (resolved_.direct && has_wire(resolved_))
      out_.refusals.push_back(resolved_.direct_origin +
                              ": direct = true opens the machine's network as it is, so hosts, machines, ports, endpoints, "
                              "secrets, providers, tools, pages and verbs would hold nothing; take direct out, or them");
    listened_ports(resolved_.localhost);
    listened_ports(resolved_.model_local);
    beside_runtimes();
    if (resolved_.direct && resolved_.calls_per_minute)
      out_.refusals.push_back(resolved_.calls_per_minute_origin +
                              ": calls_per_minute is held by the wire, and [network] direct = true leaves it out; keep one of the two");
    for (const auto& secret : secrets)
      if (!secret.fault.empty()) out_.refusals.push_back(resolved_.secrets.at(secret.name) + ": " + secret.fault);
    for (const auto& key : kept.keys)
      if (!key.fault.empty()) out_.refusals.push_back(resolved_.providers.at(key.provider) + ": " + key.fault);
    for (const auto& tool : kept.tools)
      if (!tool.fault.empty()) out_.refusals.push_back(resolved_.tools.at(tool.grant.name) + ": " + tool.fault);
    for (const auto& tool : kept.tools) beside_tool(tool);
    for (const auto& secret : secrets) {
      for (const auto& host : resolved_.hosts) beside_secret(host.origin, host.grant.name, secret);
      for (const auto& machine : resolved_.machines) beside_secret(machine.origin, machine.grant.name, secret);
      for (const auto& endpoint : resolved_.endpoints)
        beside_secret(endpoint.origin, covered_by(endpoint.grant), secret);
      for (const auto& verb : resolved_.verbs)
        for (const auto& [place, origin] : verb.host_origins) beside_secret(origin, place.name, secret);
    }
    for (const auto& key : kept.keys) {
      // Any host isn't a list: what it lets through is said where it is shown.
      for (const auto& host : resolved_.hosts)
        if (host.grant.name != "*") beside_key(host.origin, host.grant.name, key);
      for (const auto& machine : resolved_.machines) beside_key(machine.origin, machine.grant.name, key);
      for (const auto& endpoint : resolved_.endpoints) beside_key(endpoint.origin, covered_by(endpoint.grant), key);
    }
    for (const auto& verb : resolved_.verbs)
      for (const auto& [port, origin] : verb.port_origins) inside_port(origin, port);
  }

  /// After all that decides what is open, and what can be written.
  void programs() {
    if (!resolved_.commands) return;
    const auto judged = judge_programs(ground_for_programs(out_.grants, out_.closed));
    for (const auto& fault : judged.faults) {
      const auto& program = (*resolved_.commands)[fault.place];
      out_.refusals.push_back(program.origin + ": " + program_words(program.grant.written, program.grant.path, is_typed(program.origin)) +
                              fault.fault.text(is_typed(program.origin)));
    }
    out_.loaders = judged.loaders;
  }

  /// Key folders and settings under a wider grant.
  void close() {
    out_.closed.push_back(facts_.settings);
    // A link to a place of keys is left as it is: what it leads to is closed.
    for (const auto& place : key_places_)
      if (is_covered(place) && !is_named(place) && posix::is_there(place) && resolve_links(place) == place) out_.closed.push_back(place);
    std::sort(out_.closed.begin(), out_.closed.end());
    out_.closed.erase(std::unique(out_.closed.begin(), out_.closed.end()), out_.closed.end());
  }

  void keep_read_only(const std::vector<std::string>& spec_files) {
    for (const auto& list : {facts_.own_files, spec_files})
      for (const auto& file : list) hold(resolve_links(file));
    std::sort(out_.read_only.begin(), out_.read_only.end());
    out_.read_only.erase(std::unique(out_.read_only.begin(), out_.read_only.end()), out_.read_only.end());
  }

 private:
  /// A place of ours that isn't there could be made from inside and be used by the next start outside, so the nearest folder
  /// that is there is held in its stead.
  void hold(const std::string& place) {
    const auto& grants = out_.grants.files;
    const auto folder = writable_way_to(place, grants);
    const auto is_it = [&folder](const auto& file) { return file.grant.access == Access::Write && file.grant.target == *folder; };
    const auto named = folder ? std::find_if(resolved_.files.begin(), resolved_.files.end(), is_it) : resolved_.files.end();
    if (named == resolved_.files.end()) return out_.read_only.push_back(folder.value_or(place));
    refuse(*named, "would let " + host::quoted(place) + " be made, which this program or a module of it is taken from and which "
                   "isn't there; make that folder first, or name a narrower one to write");
  }

  void beside_secret(const Origin& origin, const std::string& listed, const NamedSecret& secret) {
    if (!secret.fault.empty() || !covers(listed, secret.host)) return;
    out_.refusals.push_back(origin + ": " + host::quoted(listed) + " covers the host of the secret " + host::quoted(secret.name) +
                            ", so a call could go around its rule; take one of them out");
  }

  /// What runs outside as the person, and the folders it works in, must not be the program's to change.
  void beside_tool(const NamedTool& named) {
    const auto& tool = named.grant;
    for (const auto& word : tool.argv)
      if (const auto path = path_of_word(word, facts_.home); !path.empty()) beside_tool(tool, "runs", word, path);
    for (const auto& root : tool.roots) beside_tool(tool, "is told of the folder", root, root);
    // What a variable leads to is searched, loaded or written: something in it counts.
    for (const auto& [name, value] : named.env)
      for (const auto& path : paths_in(value)) beside_tool(tool, "is given, in " + name + ",", path, path + "/-");
  }

  void beside_tool(const GrantedTool& tool, std::string_view does, const std::string& word, const std::string& path) {
    const auto* grant = changeable_by(path, out_.grants.files);
    if (grant == nullptr) return;
    const auto is_it = [grant](const ResolvedFile& file) { return file.grant.path == grant->path; };
    const auto file = std::find_if(resolved_.files.begin(), resolved_.files.end(), is_it);
    if (file == resolved_.files.end()) return;
    out_.refusals.push_back(resolved_.tools.at(tool.name) + ": the tool " + host::quoted(tool.name) + " " + std::string(does) + " " +
                            host::quoted(word) + " outside as you, and the program could change it, by write " +
                            host::quoted(file->written) + " (" + file->origin +
                            "); keep it elsewhere, or name a narrower folder to write");
  }

  /// Beside the host of the key the same resource's and region's others: each answers to the same key.
  void beside_key(const Origin& origin, const std::string& listed, const NamedKey& key) {
    if (!key.fault.empty()) return;
    const auto hosts = provider::same_hosts(*provider::find(key.provider), key.host);
    const auto covered = std::find_if(hosts.begin(), hosts.end(), [&listed](const auto& host) { return covers(listed, host); });
    if (covered == hosts.end()) return;
    const bool is_it = listed == *covered;
    out_.refusals.push_back(origin + ": " + host::quoted(listed) + (is_it ? " is" : " covers " + host::quoted(*covered) + ",") +
                            " the host of the provider " + host::quoted(key.provider) +
                            " in [model], so a call could go around what the wire keeps out of requests; take it out" +
                            (is_it ? ", since the provider is reached without it" : ", and list what else is needed by its own names"));
  }

  /// What listens there isn't the program: a verb that called it would come back to the wire, or to this machine.
  void inside_port(const Origin& origin, std::uint16_t port) {
    std::string whose;
    if (port == kWirePort) whose = "is where the wire listens inside";
    if (port == kNamesPort && !resolved_.endpoints.empty()) whose = "is where names are answered inside, for [tcp]";
    if (const auto carried = resolved_.localhost.find(port); carried != resolved_.localhost.end())
      whose = "is one of this machine, carried in (" + carried->second + ")";
    if (const auto runtime = resolved_.model_local.find(port); runtime != resolved_.model_local.end())
      whose = "is a local runtime's, carried in (" + runtime->second + ")";
    if (!whose.empty())
      out_.refusals.push_back(origin + ": port " + std::to_string(port) + " " + whose +
                              ", and a verb calls the program's own alone; name another");
  }

  /// Ports of this machine that are found inside at the same number.
  void listened_ports(const std::map<std::uint16_t, Origin>& ports) {
    if (const auto wires = ports.find(kWirePort); wires != ports.end())
      out_.refusals.push_back(wires->second + ": port " + std::to_string(kWirePort) +
                              " is where the wire listens inside, so none of this machine can be carried in there; take it out");
    if (const auto names = ports.find(kNamesPort); names != ports.end() && !resolved_.endpoints.empty())
      out_.refusals.push_back(names->second + ": port " + std::to_string(kNamesPort) +
                              " is where names are answered inside, for [tcp], so none of this machine can be carried in there; take it out");
    if (ports.size() > kPortsMax)
      out_.refusals.push_back(std::next(ports.begin(), kPortsMax)->second + ": more than " + std::to_string(kPortsMax) +
                              " ports of this machine are named; name those that are needed");
  }

  void beside_runtimes() {
    for (const auto& [port, origin] : resolved_.localhost)
      if (const auto local = resolved_.model_local.find(port); local != resolved_.model_local.end())
        out_.refusals.push_back(origin + ": port " + std::to_string(port) + " is a local runtime's in [model] local (" + local->second +
                                "), and carried in as it is it would go around what is kept out of requests; keep one of the two");
  }

  void refuse(const ResolvedFile& file, std::string_view why) {
    out_.refusals.push_back(file.origin + ": " + std::string(key_of(file.grant.access)) + " " + host::quoted(file.written) + ": " +
                            std::string(why));
  }

  void own_place(const ResolvedFile& file) {
    for (const auto folder : kKernelFolders)
      if (is_within(file.grant.target, folder))
        return refuse(file, "a sandbox has a " + std::string(folder) + " of its own, or none; the machine's is always closed");
    if (file.grant.access != Access::Hide) return;
    for (const auto folder : kSystemFolders)
      if (is_within(folder, file.grant.target) || file.grant.target == resolve_links(std::string(folder)))
        return refuse(file, "the system can't be hidden, since programs run from it; name the places to hide one by one");
  }

  void settings(const ResolvedFile& file) {
    const bool names_them = is_within(file.grant.target, facts_.settings) || is_within(file.grant.path, facts_.settings);
    if (file.grant.access != Access::Hide && names_them)
      refuse(file, "lnk-sandbox's settings are closed to every sandbox; no key opens them");
    else if (file.grant.access == Access::Write &&
             (is_within(facts_.settings, file.grant.target) || is_within(facts_.settings_named, file.grant.target)))
      refuse(file, "holds lnk-sandbox's settings, which no sandbox writes; name a folder beside them");
  }

  void write(const ResolvedFile& file) {
    const auto& target = file.grant.target;
    if (target == "/") return refuse(file, "the root can't be written; name the folder that the program works in");
    if (is_within(facts_.home_target, target))
      return refuse(file, "the home itself can't be written; name the folders in it that the program works in");
    for (const auto& place : start_places_) {
      const bool holds = is_within(place, target) && place != target;
      const bool is_it = is_within(target, place);
      if ((is_it && file.grant.path != target) || (holds && !is_named(place)))
        return refuse(file, "reaches " + host::quoted(place) + ", which runs as you without being asked; " +
                                (holds ? "name a narrower folder, or name that one exactly as well"
                                       : "name it exactly, and not by a link"));
    }
  }

  void link(const ResolvedFile& file) {
    for (const auto& hidden : resolved_.files)
      if (hidden.grant.access == Access::Hide && file.grant.access != Access::Hide &&
          is_within(file.grant.target, hidden.grant.target) && !is_within(file.grant.path, hidden.grant.path))
        return refuse(file, "is a link into " + host::quoted(hidden.grant.target) + ", which is hidden (" + hidden.origin +
                         "); name the place itself");
    for (const auto& place : key_places_)
      if (file.grant.access != Access::Hide && is_within(file.grant.target, place) && !is_within(file.grant.path, place))
        return refuse(file, "is a link into " + host::quoted(place) + ", which holds keys; name the place itself");
  }

  [[nodiscard]] bool is_named(std::string_view place) const {
    return std::any_of(resolved_.files.begin(), resolved_.files.end(),
                       [place](const auto& file) { return file.grant.access != Access::Hide && file.grant.path == place; });
  }

  [[nodiscard]] bool is_covered(std::string_view place) const {
    return std::any_of(resolved_.files.begin(), resolved_.files.end(), [place](const auto& file) {
      return file.grant.access != Access::Hide && is_within(place, file.grant.target);
    });
  }

  /// Whether a listed host takes in another host's name.
  static bool covers(std::string_view listed, std::string_view host) {
    if (listed == "*" || listed == host) return true;
    return listed.starts_with("*.") && host.size() > listed.size() - 1 && host.ends_with(listed.substr(1));
  }

  const Resolved& resolved_;
  const Facts& facts_;
  Checked& out_;
  std::vector<std::string> start_places_;
  std::vector<std::string> key_places_;
};

/// The line and column that an origin at a text's beginning ends in; of the command line, which comes last: none.
std::pair<std::uint32_t, std::uint32_t> place_of(std::string_view refusal) {
  constexpr auto kNowhere = std::pair(std::numeric_limits<std::uint32_t>::max(), std::numeric_limits<std::uint32_t>::max());
  const auto number_before = [refusal](std::size_t& end) {
    std::size_t begin = end;
    while (begin > 0 && refusal[begin - 1] >= '0' && refusal[begin - 1] <= '9') --begin;
    std::uint32_t number = 0;
    const auto read = std::from_chars(refusal.data() + begin, refusal.data() + end, number);
    const bool is_one = read.ec == std::errc() && begin > 0 && refusal[begin - 1] == ':';
    end = is_one ? begin - 1 : std::string_view::npos;
    return number;
  };
  for (auto end = refusal.find(": "); end != std::string_view::npos; end = refusal.find(": ", end + 1)) {
    auto at = end;
    const auto column = number_before(at);
    const auto line = at == std::string_view::npos ? 0 : number_before(at);
    if (at != std::string_view::npos) return {line, column};
  }
  return kNowhere;
}

/// They are found in the order of what is checked, and read in that of the file.
void order_by_line(std::vector<std::string>& refusals) {
  std::stable_sort(refusals.begin(), refusals.end(),
                   [](const auto& left, const auto& right) { return place_of(left) < place_of(right); });
}

}  // namespace

const GrantedFile* nearest_grant(std::string_view path, const std::vector<GrantedFile>& files) {
  const GrantedFile* nearest = nullptr;
  for (const auto& file : files)
    if (is_within(path, file.target) && (nearest == nullptr || file.target.size() > nearest->target.size())) nearest = &file;
  return nearest;
}

std::optional<std::string> writable_way_to(const std::string& place, const std::vector<GrantedFile>& files) {
  if (posix::is_there(place)) return std::nullopt;
  std::string folder = place;
  while (folder.size() > 1 && !posix::is_there(folder)) folder.resize(std::max<std::size_t>(folder.rfind('/'), 1));
  const auto* nearest = nearest_grant(folder, files);
  if (nearest == nullptr || nearest->access != Access::Write) return std::nullopt;
  return folder;
}

bool has_wire(const Resolved& resolved) noexcept {
  return !resolved.hosts.empty() || !resolved.machines.empty() || !resolved.localhost.empty() || !resolved.endpoints.empty() ||
         !resolved.secrets.empty() || !resolved.providers.empty() || !resolved.model_local.empty() || !resolved.verbs.empty() ||
         !resolved.tools.empty() || resolved.open_pages;
}

bool is_system_folder(std::string_view path) {
  return std::any_of(kSystemFolders.begin(), kSystemFolders.end(), [path](auto folder) { return is_within(path, folder); });
}

std::string_view own_folder_of(std::string_view path, std::string_view home, std::string_view home_target) {
  const auto holding = [path](const auto& folders) {
    const auto found = std::find_if(folders.begin(), folders.end(), [path](auto folder) { return is_within(path, folder); });
    return found == folders.end() ? std::string_view() : *found;
  };
  std::string_view own = holding(kEmptyFolders);
  if (own.empty()) own = holding(kKernelFolders);
  const std::string_view nearer = is_within(path, home) ? home : is_within(path, home_target) ? home_target : std::string_view();
  return nearer.size() > own.size() ? nearer : own;
}

bool is_open(std::string_view path, const Grants& grants) {
  const auto* nearest = nearest_grant(path, grants.files);
  return nearest != nullptr ? nearest->access != Access::Hide : is_system_folder(path);
}

bool may_start_in(std::string_view cwd, const Grants& grants) { return is_open(cwd, grants); }

Checked check(const Resolved& resolved, const Facts& facts, const Kept& kept,
              const std::vector<std::string>& spec_files) {
  Checked out;
  out.refusals = resolved.refusals;
  for (const auto& file : resolved.files) out.grants.files.push_back(file.grant);
  if (resolved.commands) out.grants.commands.emplace();
  for (const auto& program : resolved.commands.value_or(std::vector<ResolvedProgram>())) out.grants.commands->push_back(program.grant);
  out.grants.name = resolved.name;
  out.grants.home = facts.home;
  out.grants.env_pass = resolved.env_pass;
  out.grants.env_set = resolved.env_set;
  Checker checker(resolved, facts, out);
  checker.files();
  checker.network(kept);
  refuse_variables_of_the_wire(resolved, has_wire(resolved), out.refusals);
  checker.close();
  checker.keep_read_only(spec_files);
  checker.programs();
  order_by_line(out.refusals);
  for (const auto& host : resolved.hosts) out.grants.hosts.push_back(host.grant);
  for (const auto& machine : resolved.machines) out.grants.machines.push_back(machine.grant);
  for (const auto& [port, origin] : resolved.localhost) out.grants.localhost.push_back(port);
  for (const auto& [port, origin] : resolved.model_local) out.grants.model.local.push_back(port);
  for (const auto& endpoint : resolved.endpoints) out.grants.endpoints.push_back(endpoint.grant);
  for (const auto& secret : kept.secrets)
    if (secret.fault.empty()) out.grants.secrets.push_back({secret.name, secret.rule_json});
  for (const auto& key : kept.keys)
    if (key.fault.empty()) out.grants.model.providers.push_back({key.provider, key.host});
  std::sort(out.grants.model.providers.begin(), out.grants.model.providers.end());
  out.grants.model.server_tools = resolved.server_tools;
  out.grants.model.models = resolved.models;
  for (const auto& tool : kept.tools)
    if (tool.fault.empty()) out.grants.tools.push_back(tool.grant);
  std::sort(out.grants.tools.begin(), out.grants.tools.end(), [](const auto& left, const auto& right) { return left.name < right.name; });
  for (const auto& verb : resolved.verbs) out.grants.verbs.push_back(verb.grant);
  if (resolved.open_pages) out.grants.open_pages = facts.page_opener;
  out.grants.calls_per_minute = resolved.calls_per_minute;
  out.grants.network = resolved.direct ? NetworkMode::Direct : has_wire(resolved) ? NetworkMode::Wire : NetworkMode::None;
  return out;
}

}  // namespace lnk::host
