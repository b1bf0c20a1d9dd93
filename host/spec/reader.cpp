// SPDX-License-Identifier: Apache-2.0
#include "spec/reader.hpp"

#include "spec/shown.hpp"
#include "spec/values.hpp"

namespace lnk::host {

const std::vector<TomlNode>& Reader::list(const TomlMember& member, std::string_view example) {
  static const std::vector<TomlNode> kNothing;
  if (member.value.kind != TomlKind::List) {
    refuse(member.value.at, member.key + " is a list, as in " + member.key + " = " + std::string(example) + ", not " +
                                std::string(kind_name(member.value.kind)));
    return kNothing;
  }
  if (member.value.items.size() > kMaxListEntries) {
    refuse(member.value.at, member.key + " has more than " + std::to_string(kMaxListEntries) + " entries");
    return kNothing;
  }
  return member.value.items;
}

bool Reader::is_string(const TomlNode& item, std::string_view key) {
  if (item.kind == TomlKind::String) return true;
  refuse(item.at, "each entry of " + std::string(key) + " is a string, not " + std::string(kind_name(item.kind)));
  return false;
}

void Reader::add_ports(const TomlMember& member, std::vector<Written<std::uint16_t>>& out) {
  if (member.value.kind == TomlKind::String && member.value.text == "*") {
    refuse(member.value.at, std::string(kEveryPort));
    return;
  }
  for (const TomlNode& item : list(member, "[8080]")) {
    if (item.kind == TomlKind::String && item.text == "*") {
      refuse(item.at, std::string(kEveryPort));
    } else if (item.kind != TomlKind::Integer) {
      refuse(item.at, "each entry of " + member.key + " is a port's number, not " + std::string(kind_name(item.kind)));
    } else if (item.integer < 1 || item.integer > 65535) {
      refuse(item.at, std::to_string(item.integer) + " is no port; ports go from 1 to 65535");
    } else {
      out.push_back({static_cast<std::uint16_t>(item.integer), item.at});
    }
  }
}

void Reader::set_boolean(const TomlMember& member, Written<bool>& out) {
  if (member.value.kind != TomlKind::Boolean) {
    refuse(member.value.at, member.key + " is true or false, not " + std::string(kind_name(member.value.kind)));
    return;
  }
  out = {member.value.boolean, member.value.at};
}

}  // namespace lnk::host
