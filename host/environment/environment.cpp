// SPDX-License-Identifier: Apache-2.0
#include "environment/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "environment/injection.hpp"
#include "environment/model_variables.hpp"

namespace lnk::host {
namespace {

constexpr std::array<std::string_view, 10> kPassedAlways = {"PATH", "HOME", "USER",      "LOGNAME", "SHELL",
                                                            "LANG", "TZ",   "COLORTERM", "TERM",    "NO_COLOR"};
constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

std::string upper(std::string_view kept) {
  std::string name;
  for (const char c : kept) name += c == '-' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name;
}

bool is_passed(std::string_view name, const std::vector<std::string>& pass) {
  if (std::find(kPassedAlways.begin(), kPassedAlways.end(), name) != kPassedAlways.end() || name.starts_with("LC_")) return true;
  return std::any_of(pass.begin(), pass.end(), [name](const std::string& pattern) {
    if (pattern.ends_with('*')) return name.starts_with(std::string_view(pattern).substr(0, pattern.size() - 1));
    return name == pattern;
  });
}

void add_wire(Environment& environment, const Grants& grants, const Identity& identity) {
  const std::string wire = "http://127.0.0.1:" + std::to_string(kWirePort);
  environment["LNK_WIRE"] = wire;
  environment["LNK_SECRET"] = identity.secret;
  // Programs disagree on the case: curl reads http_proxy in lower case alone, others only the upper.
  for (const std::string_view name : {"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"})
    environment[std::string(name)] = wire;
  for (const std::string_view name : {"NO_PROXY", "no_proxy"}) environment[std::string(name)] = "localhost,127.0.0.1,::1";
  environment["NODE_USE_ENV_PROXY"] = "1";
  if (grants.open_pages) environment["BROWSER"] = *grants.open_pages;
  for (const auto& [name, placeholder] : identity.placeholders) {
    environment[secret_variable(name)] = placeholder;
    environment[secret_variable(name) + "_URL"] = wire + "/_link/secret/" + name;
  }
  for (const auto& tool : grants.tools) environment[tool_variable(tool.name)] = wire + "/_link/s/" + identity.secret + "/mcp/" + tool.name;
  for (const auto& granted : grants.model.providers)
    if (const auto found = identity.model_placeholders.find(granted.name); found != identity.model_placeholders.end())
      set_model_variables(environment, granted, wire, found->second);
}

void add_settled(Environment& environment, const Grants& grants, const Identity* wire) {
  environment["HOME"] = grants.home;
  environment["TMPDIR"] = "/tmp";
  if (environment["PATH"].empty()) environment["PATH"] = kDefaultPath;
  for (const auto& [name, value] : grants.env_set) environment[name] = value;
  if (wire != nullptr) add_wire(environment, grants, *wire);
}

}  // namespace

std::string secret_variable(std::string_view secret) { return "LNK_SECRET_" + upper(secret); }

std::string tool_variable(std::string_view tool) { return "LNK_MCP_" + upper(tool); }

Environment own_environment() {
  Environment environment;
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const auto equals = text.find('=');
    // Of two entries of one name a C program reads the first.
    if (equals != std::string_view::npos && equals != 0)
      environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return environment;
}

Environment environment_from_nothing(const Environment& person, const Grants& grants, const Identity* wire) {
  Environment environment;
  for (const auto& [name, value] : person)
    if (is_passed(name, grants.env_pass) && !is_injection_variable(name)) environment.emplace(name, value);
  add_settled(environment, grants, wire);
  return environment;
}

Environment environment_of_harness(const Environment& harness, const Grants& grants, const Identity* wire) {
  Environment environment;
  for (const auto& [name, value] : harness)
    if (!is_injection_variable(name)) environment.emplace(name, value);
  add_settled(environment, grants, wire);
  return environment;
}

std::vector<std::string> as_assignments(const Environment& environment) {
  std::vector<std::string> assignments;
  assignments.reserve(environment.size());
  for (const auto& [name, value] : environment) assignments.push_back(name + "=" + value);
  return assignments;
}

}  // namespace lnk::host
