// SPDX-License-Identifier: Apache-2.0
#include "cli/prepare.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "approval/approval.hpp"
#include "cli/verb_grants.hpp"
#include "launch/machine_state.hpp"
#include "lnk/cpp/utf8.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"
#include "modules/catalogue.hpp"
#include "resolve/programs.hpp"
#include "resolve/protected_places.hpp"
#include "secrets/keys.hpp"
#include "secrets/store.hpp"
#include "spec/shown.hpp"
#include "spec/values.hpp"
#include "tools/store.hpp"
#include "trust/trust.hpp"

namespace lnk::host {
namespace {

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

class FlagReader {
 public:
  Result<Spec> read(const GrantFlags& flags) {
    paths("--read", flags.read, spec_.files.read);
    paths("--write", flags.write, spec_.files.write);
    paths("--hide", flags.hide, spec_.files.hide);
    paths("--own", flags.own, spec_.files.write);
    paths("--own", flags.own, spec_.files.write_dot_files);
    if (!flags.allow_command.empty()) spec_.commands.emplace();
    for (const auto& program : flags.allow_command) add("--allow-command", typed_program(program), spec_.commands->allow);
    for (const auto& host : flags.host) add("--host", read_host(host), spec_.network.hosts);
    for (const auto& port : flags.port) this->port(port);
    for (const auto& endpoint : flags.tcp) add("--tcp", read_endpoint(endpoint), spec_.tcp);
    for (const auto& env : flags.env) variable(env);
    for (const auto& secret : flags.secret) name("--secret", secret, spec_.secrets);
    for (const auto& tool : flags.tool) name("--tool", tool, spec_.tools);
    for (const auto& model : flags.model) provider(model);
    spec_.open_pages.value = flags.open;
    if (!flags.name.empty()) {
      auto named = read_name(flags.name, "--name");
      if (named) spec_.name.value = *named;
      if (!named) errors_.push_back(named.error().text);
    }
    if (!errors_.empty()) return fail(Code::Invalid, joined_lines(errors_));
    return std::move(spec_);
  }

 private:
  template <class T>
  void add(const char* flag, Result<T> value, std::vector<T>& into) {
    if (value) return into.push_back(std::move(*value));
    errors_.push_back(std::string(flag) + ": " + value.error().text);
  }

  void paths(const char* flag, const std::vector<std::string>& texts, std::vector<WrittenPath>& into) {
    for (const auto& text : texts) add(flag, typed_path(text), into);
  }

  /// A path typed at a prompt is one of the current folder, unlike a spec's, which says so with ./, and it may climb from
  /// there, which a spec's never does.
  static Result<WrittenPath> typed_path(const std::string& text) {
    const bool is_based = text.starts_with('/') || text.starts_with("~/");
    if (is_based || !climbs(text)) return read_typed_path(text);
    std::error_code error;
    const auto here = std::filesystem::current_path(error);
    if (error) return fail(Code::Gone, "the current folder is gone or closed to you");
    const auto folded = without_climbing((here / text).native());
    if (!folded) return fail(folded.error().code, host::quoted(text) + " " + folded.error().text);
    LNK_TRY(auto path, read_typed_path(*folded));
    path.written = text;
    return path;
  }

  /// A name without a / is looked up on the PATH, as in a spec.
  static Result<ProgramGrant> typed_program(const std::string& text) {
    if (text.find('/') == std::string::npos) return read_program(text);
    ProgramGrant program;
    program.written = text;
    program.folder = text.ends_with('/');
    LNK_TRY(program.path, typed_path(text));
    if (program.path.base == PathBase::Root && program.path.rest.empty())
      return fail(Code::Invalid, host::quoted(text) + " is every program; leave --allow-command out for that");
    return program;
  }

  void port(const std::string& text) {
    const auto port = read_port(text);
    if (port) return spec_.localhost.push_back({*port, {}});
    errors_.push_back("--port: " + port.error().text);
  }

  void variable(const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) return add("--env", read_env_pass(text), spec_.env.pass);
    add("--env", read_env_set(text.substr(0, equals), text.substr(equals + 1)), spec_.env.set);
  }

  void name(const char* flag, const std::string& text, std::vector<Written<std::string>>& into) {
    auto named = read_name(text, flag);
    if (named) into.push_back({std::move(*named), {}});
    if (!named) errors_.push_back(named.error().text);
  }

  void provider(const std::string& text) {
    auto known = read_provider(text);
    if (known) return spec_.model.providers.push_back({std::move(*known), {}});
    errors_.push_back("--model: " + known.error().text);
  }

  Spec spec_;
  std::vector<std::string> errors_;
};

struct ReadSpec {
  Spec spec;
  std::string path;  ///< with links followed
  std::vector<std::string> notes;
  std::vector<std::string> skipped;
};

Result<ReadSpec> read_spec(const std::string& file) {
  ReadSpec read;
  // As the kernel takes it: link/../x is not ./x.
  std::error_code failed;
  read.path = std::filesystem::canonical(file, failed).native();
  if (failed == std::errc::no_such_file_or_directory || failed == std::errc::not_a_directory)
    return fail(Code::Gone,
                "there is no spec at " + host::quoted(file) + "; name one by its path, or make one with: lnk-sandbox init",
                failed.value());
  if (failed)
    return fail(Code::Gone,
                "the spec " + host::quoted(file) + " can't be opened: " + std::string(posix::errno_words(failed.value())) +
                    "; name one whose folders you may enter",
                failed.value());
  struct stat seen {};
  // Said first: of a device others may write it would be wrong to say how to close it.
  if (::stat(read.path.c_str(), &seen) == 0 && !S_ISREG(seen.st_mode))
    return fail(Code::Invalid, host::quoted(file) + " is no regular file, and a spec is one; name a spec, as lnk-sandbox init makes");
  LNK_CHECK(check_trusted_by_links(std::filesystem::absolute(file)));
  LNK_TRY(const auto fd, open_trusted(read.path));
  auto text = posix::read_all(fd.get(), kMaxSpecBytes);
  if (!text) return fail(std::move(text).error().within("the spec " + host::quoted(file)));
  auto parsed = parse_spec(*text, file);
  std::vector<std::string> errors;
  for (const auto& error : parsed.errors) errors.push_back(error.text());
  if (!errors.empty()) return fail(Code::Invalid, joined_lines(errors));
  for (const auto& note : parsed.notes) read.notes.push_back(note.text());
  for (const auto& table : parsed.skipped) read.skipped.push_back(table.text());
  read.spec = std::move(parsed.spec);
  return read;
}

/// The current folder, `write`: what a run without a spec gives, unless a flag names the folder itself.
Status add_current_folder(Spec& spec, const Facts& facts) {
  const auto names_it = [&facts](const WrittenPath& path) {
    return (path.base == PathBase::SpecFolder && path.rest.empty()) || (path.base == PathBase::Root && "/" + path.rest == facts.cwd);
  };
  for (const auto* list : {&spec.files.read, &spec.files.write, &spec.files.hide})
    if (std::any_of(list->begin(), list->end(), names_it)) return {};
  if (is_within(facts.home_target, facts.cwd))
    return fail(Code::Denied, "without a spec the current folder is written, and " + host::quoted(facts.cwd) +
                                  (facts.cwd == facts.home_target ? " is your home" : " holds your home") +
                                  "; go to the folder that the program works in, or say --read .");
  for (const auto& place : with_targets(start_places(facts.home_target))) {
    const std::string written = "without a spec the current folder is written, and " + host::quoted(facts.cwd);
    if (is_within(facts.cwd, place))
      return fail(Code::Denied, written + " runs as you without being asked; name it with --write if that is what you want");
    if (is_within(place, facts.cwd))
      return fail(Code::Denied, written + " holds " + host::quoted(place) +
                                    ", which runs as you without being asked; go to the folder that the "
                                    "program works in, or say --read .");
  }
  spec.files.write.push_back({facts.cwd, PathBase::SpecFolder, "", false, {}});
  return {};
}

/// Adds those that are not in it yet. Each is read once: between two looks it could be replaced, and another rule be used
/// than the one that was asked about.
void add_kept(const Context& context, const Resolved& resolved, Kept& all) {
  for (const auto& [name, origin] : resolved.secrets) {
    const auto is_it = [&name = name](const NamedSecret& secret) { return secret.name == name; };
    if (std::any_of(all.secrets.begin(), all.secrets.end(), is_it)) continue;
    const auto kept = load_secret(context.settings, name);
    all.secrets.push_back(kept ? NamedSecret{name, kept->rule.host, kept->rule_json, {}}
                               : NamedSecret{name, {}, {}, kept.error().text});
  }
  for (const auto& [name, origin] : resolved.providers) {
    const auto is_it = [&name = name](const NamedKey& key) { return key.provider == name; };
    if (std::any_of(all.keys.begin(), all.keys.end(), is_it)) continue;
    const auto kept = load_key(context.settings, name);
    all.keys.push_back(kept ? NamedKey{name, kept->host, {}} : NamedKey{name, {}, kept.error().text});
  }
  for (const auto& [name, origin] : resolved.tools) {
    const auto is_it = [&name = name](const NamedTool& tool) { return tool.grant.name == name; };
    if (std::any_of(all.tools.begin(), all.tools.end(), is_it)) continue;
    const auto kept = load_tool(context.settings, name);
    all.tools.push_back(kept ? NamedTool{granted_of(*kept), {}, kept->env} : NamedTool{{name}, kept.error().text});
  }
}

/// `verbs`: the modules of those with tables, as they were found when the tables were held against their schemas.
Result<std::vector<ModuleUse>> modules_for(const Context& context, const Grants& grants, const std::vector<ModuleUse>& verbs) {
  std::vector<std::string> ids = {"os-linux"};
  if (!grants.secrets.empty()) ids.emplace_back("verb-secret");
  if (!grants.model.providers.empty()) ids.emplace_back("verb-model");
  if (!grants.model.local.empty()) ids.emplace_back("verb-local");
  if (!grants.tools.empty()) ids.emplace_back("verb-mcp");
  if (grants.open_pages) ids.emplace_back("verb-open");
  std::vector<ModuleUse> uses;
  for (const auto& id : ids) {
    LNK_TRY(const auto file, find_module(context.module_dirs, id));
    LNK_CHECK(context.remember_module_dir(file.parent_path()));
    LNK_TRY(auto hash, module_hash(context.settings, file.native()));
    uses.push_back({id, file.native(), std::move(hash)});
  }
  for (const auto& verb : verbs) {
    LNK_CHECK(context.remember_module_dir(std::filesystem::path(verb.file).parent_path()));
    uses.push_back(verb);
  }
  return uses;
}

Result<Checked> checked_of(const Resolved& resolved, const Facts& facts, const Kept& kept, const std::string& spec_path) {
  std::vector<std::string> spec_files;
  if (!spec_path.empty()) spec_files.push_back(spec_path);
  auto checked = check(resolved, facts, kept, spec_files);
  if (!checked.refusals.empty()) return fail(Code::Denied, joined_lines(checked.refusals));
  return checked;
}

/// A snapshot is JSON, which holds texts alone; a grant's paths were looked at when they were checked.
Status check_texts(const Snapshot& snapshot) {
  const auto check = [](std::string_view what, const std::string& text) -> Status {
    if (is_utf8(text)) return {};
    return fail(Code::Invalid, std::string(what) + " " + host::quoted(text) + " isn't UTF-8, which a kept snapshot can't hold");
  };
  for (const auto& [name, value] : snapshot.grants.env_set) LNK_CHECK(check("the variable", name + "=" + value));
  for (const auto& name : snapshot.grants.env_pass) LNK_CHECK(check("the variable", name));
  LNK_CHECK(check("the program's name", snapshot.program.name));
  return check("the program's path", snapshot.program.path);
}

}  // namespace

Result<Spec> read_flags(const GrantFlags& flags) { return FlagReader().read(flags); }

Result<Program> find_program(const std::string& name, const Grants& grants) {
  const auto found = looks_inside(grants).find(name);
  if (found.empty()) return Program{name, {}};
  const auto target = resolve_links(found);
  if (auto trusted = check_trusted(target); !trusted)
    return fail(std::move(trusted).error().within("the program " + host::quoted(name)));
  return Program{name, target};
}

namespace {

/// Of a list, and of what it is started with.
Status add_started(Snapshot& snapshot, const std::vector<std::string>& command) {
  if (command.empty()) return {};
  LNK_TRY(snapshot.program, find_program(command.front(), snapshot.grants));
  if (!snapshot.grants.commands || snapshot.program.path.empty()) return {};
  const auto ground = ground_for_programs(snapshot.grants, snapshot.closed);
  const auto fault = judge_started(snapshot.program.path, ground, snapshot.loaders);
  if (fault.words.empty()) return {};
  return fail(Code::Denied, "the program " + host::quoted(command.front()) + " can't be started beside a list of programs (" +
                                snapshot.commands_at + "): " + host::quoted(snapshot.program.path) + ": " + fault.text(is_typed(snapshot.commands_at)));
}

}  // namespace

Result<Prepared> prepare(const Context& context, const std::string& spec, Spec flags, const std::vector<std::string>& command,
                         Pins pins) {
  LNK_TRY(const auto facts, context.facts());
  if (facts.cwd.empty()) return fail(Code::Gone, "the current folder is gone or closed to you");
  Prepared prepared;
  ReadSpec read;
  // Once: between two looks a name can become a link, and another place be opened than the one that was approved.
  Resolved resolved;
  Kept kept;
  std::vector<ModuleUse> verbs;
  Checked asked;  // of flags alone nothing is asked
  if (!spec.empty()) {
    LNK_TRY(read, read_spec(spec));
    resolved = resolve({{&read.spec, spec, std::filesystem::path(read.path).parent_path().native()}}, facts);
    LNK_CHECK(pin_link_names(context, read.path, pins, resolved));
    verbs = add_verbs(context, {&read.spec, spec, {}}, resolved);
    add_kept(context, resolved, kept);
    LNK_TRY(asked, checked_of(resolved, facts, kept, read.path));
  } else {
    LNK_CHECK(add_current_folder(flags, facts));
  }
  resolved = resolve({{&flags, {}, facts.cwd}}, facts, std::move(resolved));
  add_kept(context, resolved, kept);
  LNK_TRY(auto checked, checked_of(resolved, facts, kept, read.path));

  prepared.settings = facts.settings;
  prepared.spec_path = read.path;
  prepared.spec_shown = spec;
  prepared.notes = std::move(read.notes);
  prepared.skipped = std::move(read.skipped);
  prepared.grants_hash = hash_name(grants_json(asked.grants));
  prepared.asked = std::move(asked.grants);
  prepared.snapshot.grants = std::move(checked.grants);
  if (!spec.empty()) prepared.snapshot.approval = prepared.grants_hash;
  prepared.snapshot.closed = std::move(checked.closed);
  prepared.snapshot.read_only = std::move(checked.read_only);
  prepared.snapshot.loaders = std::move(checked.loaders);
  prepared.snapshot.commands_at = line_of(resolved.commands_at);
  LNK_TRY(prepared.snapshot.modules, modules_for(context, prepared.snapshot.grants, verbs));
  LNK_CHECK(add_started(prepared.snapshot, command));
  LNK_CHECK(check_texts(prepared.snapshot));
  return prepared;
}

Result<bool> is_approved(const Context& context, const Prepared& prepared) {
  LNK_TRY(const bool approved, is_approved(context.settings, prepared.grants_hash));
  if (prepared.asked.name == kNoName) return approved;
  LNK_TRY(const auto bound, spec_of_name(context.settings, prepared.asked.name));
  return approved && bound && *bound == prepared.spec_path;
}

Result<std::optional<std::string>> other_spec_of_name(const Context& context, const Prepared& prepared) {
  if (prepared.asked.name == kNoName) return std::optional<std::string>();
  LNK_TRY(auto bound, spec_of_name(context.settings, prepared.asked.name));
  if (bound && *bound == prepared.spec_path) bound.reset();
  return bound;
}

std::string refusal_with(const Traced& traced, const std::string& path, Access access) {
  GrantFlags more;
  (access == Access::Write ? more.write : more.read).push_back(path);
  const auto flags = read_flags(more);
  if (!flags) return flags.error().text;
  const auto resolved = resolve({{&*flags, {}, traced.facts.cwd}}, traced.facts, traced.resolved);
  const std::string origin = "the command line: ";
  std::string words = joined_lines(check(resolved, traced.facts, traced.kept, {traced.spec_path}).refusals);
  for (auto at = words.find(origin); at != std::string::npos; at = words.find(origin)) words.erase(at, origin.size());
  return words;
}

Result<Traced> trace(const Context& context, const std::string& spec) {
  Traced traced;
  LNK_TRY(traced.facts, context.facts());
  LNK_TRY(const auto read, read_spec(spec));
  traced.spec_path = read.path;
  traced.resolved = resolve({{&read.spec, spec, std::filesystem::path(read.path).parent_path().native()}}, traced.facts);
  LNK_CHECK(pin_link_names(context, read.path, Pins::AsApproved, traced.resolved));
  static_cast<void>(add_verbs(context, {&read.spec, spec, {}}, traced.resolved));
  add_kept(context, traced.resolved, traced.kept);
  traced.checked = check(traced.resolved, traced.facts, traced.kept, {read.path});
  if (!traced.checked.refusals.empty()) return fail(Code::Denied, joined_lines(traced.checked.refusals));
  return traced;
}

}  // namespace lnk::host
