// SPDX-License-Identifier: Apache-2.0
#include "resolve/resolve.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "lnk/posix/os_error.hpp"
#include "resolve/check.hpp"
#include "resolve/programs.hpp"
#include "spec/shown.hpp"

namespace lnk::host {

Origin origin_of(const SpecSource& source, Position at) {
  if (source.file.empty()) return "the command line";
  return shown(source.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

namespace {

std::string joined(std::string base, std::string_view rest) {
  if (rest.empty()) return base;
  if (base != "/") base += '/';
  return base += rest;
}

std::string expand(const WrittenPath& path, const SpecSource& source, const Facts& facts) {
  switch (path.base) {
    case PathBase::Root: return joined("/", path.rest);
    case PathBase::Home: return joined(facts.home, path.rest);
    case PathBase::SpecFolder: return joined(source.folder, path.rest);
  }
  return {};
}

std::string_view access_word(Access access) {
  return access == Access::Read ? "read" : access == Access::Write ? "write" : "hide";
}

/// The first link of a path that leads to nothing: its place and what it names. Nothing: all that is missing is missing itself.
struct LostLink {
  std::string link;
  std::string target;
};
std::optional<LostLink> lost_link(const std::string& path) {
  std::filesystem::path place;
  std::error_code error;
  for (const auto& part : std::filesystem::path(path)) {
    place /= part;
    if (std::filesystem::exists(place, error)) continue;
    if (!std::filesystem::is_symlink(std::filesystem::symlink_status(place, error))) return std::nullopt;
    const auto target = std::filesystem::read_symlink(place, error);
    return LostLink{place.native(), (place.parent_path() / target).lexically_normal().native()};
  }
  return std::nullopt;
}

/// Collects one source's grants into a Resolved.
class Collector {
 public:
  Collector(const SpecSource& source, const Facts& facts, Resolved& into) : source_(source), facts_(facts), into_(into) {
    for (std::size_t i = 0; i < into.files.size(); ++i) file_places_.emplace(into.files[i].grant.path, i);
    for (std::size_t i = 0; i < into.hosts.size(); ++i) host_places_.emplace(into.hosts[i].grant.name, i);
  }

  void collect() {
    const Spec& spec = *source_.spec;
    files(Access::Read, spec.files.read);
    files(Access::Write, spec.files.write);
    files(Access::Hide, spec.files.hide);
    for (const auto& path : spec.files.write_dot_files) open_dot_files(path);
    for (const auto& host : spec.network.hosts) this->host(host);
    if (spec.network.direct.value) {
      into_.direct = true;
      into_.direct_origin = origin_of(source_, spec.network.direct.at);
    }
    for (const auto& machine : spec.lan) this->machine(machine);
    for (const auto& port : spec.localhost) into_.localhost.emplace(port.value, origin_of(source_, port.at));
    for (const auto& port : spec.model.local) into_.model_local.emplace(port.value, origin_of(source_, port.at));
    for (const auto& endpoint : spec.tcp) this->endpoint(endpoint);
    for (const auto& secret : spec.secrets) into_.secrets.emplace(secret.value, origin_of(source_, secret.at));
    for (const auto& tool : spec.tools) into_.tools.emplace(tool.value, origin_of(source_, tool.at));
    for (const auto& provider : spec.model.providers) into_.providers.emplace(provider.value, origin_of(source_, provider.at));
    if (spec.model.server_tools.value) into_.server_tools = true;
    for (const auto& model : spec.model.models) add_once(into_.models, model.value);
    if (spec.open_pages.value && !into_.open_pages) into_.open_pages = origin_of(source_, spec.open_pages.at);
    if (spec.calls_per_minute) {
      into_.calls_per_minute = spec.calls_per_minute->value;
      into_.calls_per_minute_origin = origin_of(source_, spec.calls_per_minute->at);
    }
    for (const auto& pass : spec.env.pass) {
      add_once(into_.env_pass, pass.prefix ? pass.name + "*" : pass.name);
      if (!pass.prefix) into_.pass_origins.emplace(pass.name, origin_of(source_, pass.at));
    }
    for (const auto& set : spec.env.set) {
      into_.env_set[set.name] = set.value;
      into_.env_origins[set.name] = origin_of(source_, set.at);
    }
    // Last: a bare name is looked up on the PATH that the sandbox has, among what it may read.
    if (spec.commands) commands(*spec.commands);
  }

 private:
  static void add_once(std::vector<std::string>& list, const std::string& value) {
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
  }

  void refuse(const Origin& origin, Access access, const WrittenPath& path, std::string_view why) {
    if (access == Access::Write) refused_writes_.insert(expand(path, source_, facts_));
    into_.refusals.push_back(origin + ": " + std::string(access_word(access)) + " " + host::quoted(path.written) + ": " +
                             std::string(why));
  }

  void files(Access access, const std::vector<WrittenPath>& paths) {
    for (const auto& path : paths) file(access, path);
  }

  void file(Access access, const WrittenPath& written) {
    const Origin origin = origin_of(source_, written.at);
    ResolvedFile file{{access, expand(written, source_, facts_), {}, FileKind::Any, written.optional}, origin, written.written};
    file.grant.target = resolve_links(file.grant.path);
    if (file.grant.target.empty())
      return refuse(origin, access, written, "can't be resolved: its links go in a circle, or a folder in it is closed to you");
    if (source_.file.empty() && access != Access::Hide && file.grant.target != in_real_home(file.grant.path))
      return refuse(origin, access, written, "leads by a link to " + host::quoted(file.grant.target) +
                                                 "; type that place itself, since an earlier run may have put the link there");
    struct stat entry {};
    const bool is_there = ::lstat(file.grant.target.c_str(), &entry) == 0;
    if (const auto lost = lost_link(file.grant.path); lost && (!written.optional || S_ISLNK(entry.st_mode)))
      return refuse(origin, access, written,
                    (lost->link == file.grant.path ? "is a link to " : host::quoted(lost->link) + " on the way is a link to ") +
                        host::quoted(lost->target) + ", which isn't there; make that first, or remove the link");
    if (!is_there && !written.optional)
      return refuse(origin, access, written,
                    access == Access::Hide   ? "isn't there; name what exists, or take it out"
                    : source_.file.empty() ? "isn't there; make it first"
                                           : "isn't there; make it first, or write a ? at its end");
    const bool is_plain = !is_there || S_ISDIR(entry.st_mode) || S_ISREG(entry.st_mode);
    // A pipe that is named is covered at launch, and a socket can be hidden; neither is ever opened.
    const bool is_coverable = is_there && (S_ISFIFO(entry.st_mode) || (S_ISSOCK(entry.st_mode) && access == Access::Hide));
    if (!is_plain && !is_coverable)
      return refuse(origin, access, written, "is neither a folder nor a file; sockets and devices stay closed");
    // What may or may not be there keeps its kind open, so that the grants' hash doesn't change as it comes and goes.
    if (is_there && is_plain && !written.optional) file.grant.kind = S_ISDIR(entry.st_mode) ? FileKind::Folder : FileKind::File;
    join(std::move(file));
  }

  /// Of this source's own grants, or of one before it: flags come after the spec.
  void open_dot_files(const WrittenPath& written) {
    const auto path = expand(written, source_, facts_);
    const auto same = std::find_if(into_.files.begin(), into_.files.end(), [&path](const auto& file) { return file.grant.path == path; });
    if (same != into_.files.end() && same->grant.access == Access::Write) {
      same->grant.open_dot_files = true;
      return;
    }
    if (refused_writes_.contains(path)) return;  // which is said already, and why
    into_.refusals.push_back(origin_of(source_, written.at) + ": write_dot_files " + host::quoted(written.written) +
                             ": isn't in write; name it there too, as it is written here");
  }

  /// A path with the home's own links followed, which are the machine's and no run's.
  [[nodiscard]] std::string in_real_home(const std::string& path) const {
    if (!is_within(path, facts_.home)) return path;
    return facts_.home_target + path.substr(facts_.home.size());
  }

  void join(ResolvedFile file) {
    const auto [place, is_new] = file_places_.emplace(file.grant.path, into_.files.size());
    if (is_new) return into_.files.push_back(std::move(file));
    auto* same = &into_.files[place->second];
    if ((same->grant.access == Access::Hide) != (file.grant.access == Access::Hide)) {
      if (file.grant.access == Access::Write) refused_writes_.insert(file.grant.path);
      into_.refusals.push_back(file.origin + ": " + host::quoted(file.written) + " is both hidden and granted (" + same->origin +
                               "); take one out");
      return;
    }
    if (file.grant.access == Access::Write && same->grant.access == Access::Read) {
      same->grant.access = Access::Write;
      same->origin = file.origin;  // the line that decides
    }
    // The grant that must be there is the stronger wish.
    if (!file.grant.optional) same->grant.optional = false, same->grant.kind = file.grant.kind;
  }

  void commands(const CommandsTable& table) {
    if (!into_.commands) {
      into_.commands.emplace();
      into_.commands_at = origin_of(source_, table.at);
    }
    const auto look = looks_inside(into_);
    for (const auto& program : table.allow) this->program(program, look);
  }

  void program(const ProgramGrant& written, const LooksInside& look) {
    ResolvedProgram program{{written.written, {}, {}, written.folder}, origin_of(source_, written.at)};
    const auto refuse_it = [&](std::string_view why) {
      into_.refusals.push_back(program.origin + ": " + program_words(written.written, program.grant.path, is_typed(program.origin)) + std::string(why));
    };
    auto& grant = program.grant;
    grant.path = written.name.empty() ? expand(written.path, source_, facts_) : look.find(written.name);
    if (grant.path.empty())
      return refuse_it(not_found_words(written.name, look) + "; write its path, or take it out");
    grant.target = resolve_links(grant.path);
    if (grant.target.empty())
      return refuse_it("can't be resolved: its links go in a circle, or a folder in it is closed to you; mend the link, or take it out");
    const bool is_typed_path = source_.file.empty() && written.name.empty();
    if (is_typed_path && grant.target != in_real_home(grant.path) && !is_system_folder(grant.path))
      return refuse_it("leads by a link to " + host::quoted(grant.target) +
                       "; type that place itself, since an earlier run may have put the link there");
    const auto is_same = [&grant](const auto& other) { return other.grant.path == grant.path && other.grant.is_folder == grant.is_folder; };
    auto& all = *into_.commands;
    if (std::none_of(all.begin(), all.end(), is_same)) all.push_back(std::move(program));
  }

  static std::string name_of(const HostGrant& written) {
    return written.kind == HostKind::Ipv6 ? "[" + written.name + "]" : written.name;
  }

  void machine(const HostGrant& written) {
    GrantedMachine machine{name_of(written), written.ports.front(), {}};
    const auto is_same = [&machine](const auto& other) {
      return other.grant.name == machine.name && other.grant.port == machine.port;
    };
    if (std::none_of(into_.machines.begin(), into_.machines.end(), is_same))
      into_.machines.push_back({std::move(machine), origin_of(source_, written.at)});
  }

  void host(const HostGrant& written) {
    const std::string name = name_of(written);
    const auto [place, is_new] = host_places_.emplace(name, into_.hosts.size());
    if (is_new) return into_.hosts.push_back({{name, written.ports}, origin_of(source_, written.at)});
    auto& ports = into_.hosts[place->second].grant.ports;
    ports.insert(ports.end(), written.ports.begin(), written.ports.end());
    std::sort(ports.begin(), ports.end());
    ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
  }

  void endpoint(const EndpointGrant& written) {
    const GrantedEndpoint grant{written.name, written.port, written.srv};
    const auto is_same = [&grant](const ResolvedEndpoint& other) { return other.grant == grant; };
    if (std::none_of(into_.endpoints.begin(), into_.endpoints.end(), is_same))
      into_.endpoints.push_back({grant, origin_of(source_, written.at)});
  }

  const SpecSource& source_;
  const Facts& facts_;
  Resolved& into_;
  std::set<std::string> refused_writes_;
  std::unordered_map<std::string, std::size_t> file_places_;
  std::unordered_map<std::string, std::size_t> host_places_;  ///< a spec may list 100,000
};

/// What $BROWSER names has to be seen inside, where it isn't one of the system's, and to run beside a list.
void add_page_opener(Resolved& resolved, const Facts& facts) {
  if (!resolved.open_pages) return;
  const auto& program = facts.page_opener;
  const auto is_it = [&program](const auto& each) { return each.grant.path == program; };
  if (!is_system_folder(program) && std::none_of(resolved.files.begin(), resolved.files.end(), is_it))
    resolved.files.push_back({{Access::Read, program, resolve_links(program), FileKind::File, false}, *resolved.open_pages, program});
  if (resolved.commands && std::none_of(resolved.commands->begin(), resolved.commands->end(), is_it))
    resolved.commands->push_back({{program, program, resolve_links(program), false}, *resolved.open_pages});
}

}  // namespace

bool is_within(std::string_view path, std::string_view folder) noexcept {
  if (folder == "/") return true;
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

std::string resolve_links(const std::string& path) {
  std::error_code error;
  const auto target = std::filesystem::weakly_canonical(path, error);
  if (error) return {};
  std::string text = target.lexically_normal().native();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

bool climbs(const std::filesystem::path& path) { return std::find(path.begin(), path.end(), "..") != path.end(); }

Result<std::string> without_climbing(const std::string& path) {
  const std::string slashed = path + "/";
  const std::string climb = path.substr(0, slashed.rfind("/../") + std::string_view("/..").size());
  std::error_code error;
  const auto led = std::filesystem::canonical(climb, error);
  if (error)
    return fail(Code::Gone, "can't be looked up (" + std::string(posix::errno_words(error.value())) + "); write where it leads",
                error.value());
  if (resolve_links(std::filesystem::path(climb).lexically_normal().native()) != led.native())
    return fail(Code::Denied, "goes up out of a link, to " + host::quoted(led.native()) + "; write where it leads");
  std::string folded = std::filesystem::path(path).lexically_normal().native();
  while (folded.size() > 1 && folded.back() == '/') folded.pop_back();
  return folded;
}

Facts gather_facts_for(std::string home, std::string settings, std::vector<std::string> own_files) {
  Facts facts;
  facts.home = std::move(home);
  facts.home_target = resolve_links(facts.home);
  std::error_code error;
  const auto cwd = std::filesystem::current_path(error);
  if (!error) facts.cwd = resolve_links(cwd.native());
  facts.settings = resolve_links(settings);
  facts.settings_named = std::move(settings);
  facts.own_files = std::move(own_files);
  return facts;
}

Resolved resolve(const std::vector<SpecSource>& sources, const Facts& facts, Resolved before) {
  Resolved resolved = std::move(before);
  if (resolved.name.empty()) resolved.name = kNoName;
  for (const auto& source : sources) {
    if (!source.spec->name.value.empty()) resolved.name = source.spec->name.value;
    Collector(source, facts, resolved).collect();
  }
  add_page_opener(resolved, facts);
  std::sort(resolved.files.begin(), resolved.files.end(),
            [](const auto& left, const auto& right) { return left.grant.path < right.grant.path; });
  std::sort(resolved.hosts.begin(), resolved.hosts.end(),
            [](const auto& left, const auto& right) { return left.grant.name < right.grant.name; });
  std::sort(resolved.machines.begin(), resolved.machines.end(), [](const auto& left, const auto& right) {
    return std::tie(left.grant.name, left.grant.port) < std::tie(right.grant.name, right.grant.port);
  });
  std::sort(resolved.endpoints.begin(), resolved.endpoints.end(),
            [](const auto& left, const auto& right) { return left.grant < right.grant; });
  if (resolved.commands)
    std::sort(resolved.commands->begin(), resolved.commands->end(),
              [](const auto& left, const auto& right) {
                return std::tie(left.grant.path, left.grant.is_folder) < std::tie(right.grant.path, right.grant.is_folder);
              });
  std::sort(resolved.models.begin(), resolved.models.end());
  std::sort(resolved.env_pass.begin(), resolved.env_pass.end());
  return resolved;
}

}  // namespace lnk::host
