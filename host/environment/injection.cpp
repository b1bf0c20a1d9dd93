// SPDX-License-Identifier: Apache-2.0
#include "environment/injection.hpp"

#include <algorithm>
#include <array>

namespace lnk::host {
namespace {

// Whole families: every variable of the name's beginning.
constexpr std::array<std::string_view, 4> kPrefixes = {
    "LD_",           // glibc's and musl's loader: ld.so(8)
    "DYLD_",         // macOS's loader: dyld(1)
    "BASH_FUNC_",    // functions that bash imports: bash(1), "FUNCTIONS"
    "GIT_CONFIG_",   // settings without a file, hooks and pagers among them: git-config(1)
};

constexpr std::array<std::string_view, 36> kNames = {
    // glibc reads modules and catalogues from these: ld.so(8), iconv(1), locale(7)
    "GCONV_PATH", "GETCONF_DIR", "GLIBC_TUNABLES", "HOSTALIASES", "LOCALDOMAIN", "LOCPATH", "MALLOC_TRACE", "NIS_PATH",
    "NLSPATH", "RESOLV_HOST_CONF", "RES_OPTIONS", "TZDIR",
    // shells: bash(1), dash(1), zsh(1)
    "BASH_ENV", "ENV", "PROMPT_COMMAND", "SHELLOPTS", "BASHOPTS", "ZDOTDIR", "PS4",
    // interpreters and runtimes
    "PYTHONSTARTUP", "PYTHONPATH", "PYTHONHOME", "PYTHONINSPECT", "PERL5LIB", "PERL5OPT", "PERL5DB", "PERLLIB",
    "RUBYLIB", "RUBYOPT", "NODE_OPTIONS", "NODE_PATH", "BUN_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS",
    "JDK_JAVA_OPTIONS", "CLASSPATH",
};

// git runs what these name: git(1)
constexpr std::array<std::string_view, 8> kGitNames = {
    "GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND", "GIT_EXEC_PATH",
    "GIT_TEMPLATE_DIR", "GIT_CONFIG",
};

bool is_one_of(auto const& names, std::string_view name) noexcept {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool is_injection_variable(std::string_view name) noexcept {
  return is_one_of(kNames, name) || is_one_of(kGitNames, name) ||
         std::any_of(kPrefixes.begin(), kPrefixes.end(), [name](auto prefix) { return name.starts_with(prefix); });
}

}  // namespace lnk::host
