// SPDX-License-Identifier: Apache-2.0
#include "cli/verb_words.hpp"

#include "spec/shown.hpp"

namespace lnk::host {

std::vector<std::string> verb_in_words(const GrantedVerb& verb) {
  const std::string whose = "the verb " + host::quoted(verb.id);
  std::vector<std::string> lines;
  lines.push_back("uses     " + whose + ", code of others that runs outside beside the wire, with " + shown(verb.json));
  for (const auto& [name, port] : verb.hosts)
    lines.push_back("reaches  " + shown(name) + " (port " + std::to_string(port) + ") by " + whose + " alone, with TLS");
  for (const auto port : verb.inside_ports) lines.push_back("is called on its own port " + std::to_string(port) + " by " + whose);
  if (verb.hosts.empty() && verb.inside_ports.empty())
    lines.push_back("but not  any host or port by " + whose + ": its table names none");
  return lines;
}

}  // namespace lnk::host
