// SPDX-License-Identifier: Apache-2.0
#include "cli/grant_words.hpp"

#include <algorithm>
#include <iterator>

#include "approval/approval.hpp"
#include "cli/model_words.hpp"
#include "cli/program_words.hpp"
#include "cli/secret_words.hpp"
#include "cli/tool_words.hpp"
#include "cli/verb_words.hpp"
#include "lnk/http/authority.hpp"
#include "spec/shown.hpp"
#include "wire/address.hpp"

namespace lnk::host {
namespace {

std::string ports_in_words(const std::vector<std::uint16_t>& ports) {
  std::string words;
  for (const auto port : ports) words += (words.empty() ? "" : ", ") + std::to_string(port);
  return words;
}

/// A public host isn't dressed as one of the network, and a name leads where name servers say.
std::string whose(const GrantedMachine& machine) {
  const auto read = http::parse_host(machine.name);
  if (!machine.address.empty() || http::is_refused(read)) return " of your network";
  const auto& host = std::get<http::Host>(read);
  if (host.kind == http::HostKind::Name) return ", wherever that name leads, your network included";
  const auto kind = closed_kind(Address{host.kind == http::HostKind::Ipv6, host.address});
  return kind.empty() ? ", a public address" : " of your network";
}

}  // namespace

std::vector<std::string> in_words(const Grants& grants) {
  std::vector<std::string> lines;
  const auto files = [&](Access access, const char* word) {
    for (const auto& file : grants.files) {
      if (file.access != access) continue;
      std::string line = std::string(word) + host::quoted_whole(file.path);
      if (file.path != file.target) line += ", which is " + host::quoted_whole(file.target);
      if (file.open_dot_files) line += ", with .git and all else in it that runs as you outside";
      lines.push_back(line + (file.optional ? ", if it is there" : ""));
    }
  };
  files(Access::Write, "writes   ");
  files(Access::Read, "reads    ");
  files(Access::Hide, "hides    ");
  for (auto& line : programs_in_words(grants.commands)) lines.push_back(std::move(line));
  for (const auto& host : grants.hosts)
    lines.push_back("reaches  " + (host.name == "*" ? "any public host" : shown(host.name)) + " (ports " + ports_in_words(host.ports) + ")");
  for (const auto& machine : grants.machines)
    lines.push_back("reaches  " + shown(machine.name) + whose(machine) + " (port " + std::to_string(machine.port) + ")" +
                    (machine.address.empty() ? "" : ", always at " + shown(machine.address)));
  for (const auto port : grants.localhost)
    lines.push_back("reaches  port " + std::to_string(port) + " of this machine's loopback, at localhost:" +
                    std::to_string(port) + " inside");
  for (const auto& endpoint : grants.endpoints) {
    const std::string whom = endpoint.srv ? "the servers that mongodb+srv://" + shown(endpoint.name) + " names, below its own domain, on any port"
                                          : shown(endpoint.name) + " on port " + std::to_string(endpoint.port);
    lines.push_back("reaches  " + whom + ", whatever it speaks there");
  }
  for (const auto& secret : grants.secrets)
    for (auto& line : secret_in_words(secret)) lines.push_back(std::move(line));
  for (const auto& tool : grants.tools)
    for (auto& line : tool_in_words(tool)) lines.push_back(std::move(line));
  for (auto& line : models_in_words(grants)) lines.push_back(std::move(line));
  for (const auto& verb : grants.verbs)
    for (auto& line : verb_in_words(verb)) lines.push_back(std::move(line));
  if (grants.open_pages) {
    lines.emplace_back("opens    pages in your browser, each only after you were asked with its whole URL");
    lines.emplace_back("is given the answer of a login that such a page sends back to a port of this machine, once");
  }
  if (grants.calls_per_minute)
    lines.push_back("calls    at most " + std::to_string(*grants.calls_per_minute) + " times a minute in each run, whatever it reaches");
  if (grants.network == NetworkMode::Direct) lines.emplace_back("reaches  the machine's whole network as it is, with no wire");
  if (grants.network == NetworkMode::None) lines.emplace_back("reaches  nothing: it has no network");
  for (const auto& name : grants.env_pass) lines.push_back("is given " + host::quoted_whole(name) + " of your environment");
  for (const auto& [name, value] : grants.env_set) lines.push_back("is given " + host::quoted_whole(name + "=" + value));
  return lines;
}

std::vector<std::string> in_words(const Prepared& prepared) {
  const auto& grants = prepared.asked;
  auto lines = in_words(grants);
  for (const auto& file : grants.files)
    // What is there and is neither a folder nor a file.
    if (file.kind == FileKind::Any && !file.optional && file.access != Access::Hide)
      lines.push_back("but not  " + host::quoted_whole(file.path) + ", which is a pipe of the machine: an empty file stands there");
  const auto keeps_dot_files = [](const GrantedFile& file) {
    return file.access == Access::Write && !file.open_dot_files && file.kind != FileKind::File;
  };
  if (std::any_of(grants.files.begin(), grants.files.end(), keeps_dot_files))
    lines.emplace_back(
        "but not  what runs as you there later: .git, .vscode, .idea, git's hooks, and those that are there of .envrc, .husky and hook "
        "managers' files; write_dot_files opens them");
  for (const auto& place : prepared.snapshot.closed)
    if (is_open(place, grants))
      lines.push_back(
          "but not  " + host::quoted_whole(place) +
          (place == prepared.settings ? ", which are lnk-sandbox's settings" : ", which holds keys; name it exactly to open it"));
  for (const auto& place : prepared.snapshot.read_only)
    if (const auto* nearest = nearest_grant(place, grants.files); nearest != nullptr && nearest->access == Access::Write)
      lines.push_back("but not  " + host::quoted_whole(place) + ", which is this program's, a module's or the spec's own, or where one of them belongs");
  lines.emplace_back("and the system, read only; all else is closed");
  return lines;
}

std::string Changes::text(std::string_view indent) const {
  std::string text;
  for (const auto& line : opens) text += std::string(indent) + "new   " + line + "\n";
  for (const auto& line : gone) text += std::string(indent) + "gone  " + line + "\n";
  if (text.empty())
    text = std::string(indent) + "the same in words: a path that was a folder is a file now or the other way, "
           "a secret's rule has another note or placeholder, a tool's variable another value, an allowed tool of its another definition, or your home is another\n";
  return text;
}

Result<std::optional<Changes>> changes_since_approval(const Context& context, const Prepared& prepared) {
  LNK_TRY(const auto last, last_approved(context.settings, prepared.spec_path));
  if (!last || hash_name(grants_json(*last)) == prepared.grants_hash) return std::optional<Changes>();
  const auto before = in_words(*last);
  const auto after = in_words(prepared.asked);
  const auto without = [](const std::vector<std::string>& lines, const std::vector<std::string>& known) {
    std::vector<std::string> rest;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(rest),
                 [&known](const auto& line) { return std::find(known.begin(), known.end(), line) == known.end(); });
    return rest;
  };
  Changes changes{without(after, before), without(before, after)};
  if (last->name != prepared.asked.name) {
    changes.opens.push_back("is named " + host::quoted(prepared.asked.name));
    changes.gone.push_back("is named " + host::quoted(last->name));
  }
  return std::optional<Changes>(std::move(changes));
}

}  // namespace lnk::host
