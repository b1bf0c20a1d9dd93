// SPDX-License-Identifier: Apache-2.0
#include "survey/survey.hpp"

#include <linux/seccomp.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <filesystem>

#include "survey/bubblewrap.hpp"
#include "survey/exec_watch.hpp"
#include "survey/folder_walk.hpp"
#include "survey/landlock.hpp"
namespace lnk::os_linux {
namespace {

// Where it is a folder it is bound, where it is a link it is made again (merged /usr), where it is missing it is left
// out.
constexpr std::array<const char*, 12> kSystem = {"/usr",    "/bin", "/sbin", "/lib", "/lib32", "/lib64",
                                                 "/libx32", "/etc", "/opt",  "/nix", "/gnu",   "/var/guix"};
// Links into what every sandbox has of its own.
constexpr std::array<const char*, 2> kOwnLinks = {"/var/run", "/var/lock"};

void look_at_layout(Survey& survey) {
  const auto look = [&survey](const char* path, bool may_be_folder) {
    struct stat entry {};
    if (::lstat(path, &entry) != 0) return;
    if (S_ISDIR(entry.st_mode) && may_be_folder) survey.system_folders.emplace_back(path);
    if (!S_ISLNK(entry.st_mode)) return;
    std::array<char, PATH_MAX> target{};
    const ssize_t size = ::readlink(path, target.data(), target.size());
    if (size > 0) survey.links.push_back({path, std::string(target.data(), static_cast<std::size_t>(size))});
  };
  for (const char* path : kSystem) look(path, true);
  for (const char* path : kOwnLinks) look(path, false);
}

// What /etc/resolv.conf leads to: /run/systemd/resolve/stub-resolv.conf and its like. One that leads to nothing, where no
// network is up, is followed once, as far as its text says.
std::string find_resolver_file() {
  const std::filesystem::path named = "/etc/resolv.conf";
  std::error_code error;
  const auto real = std::filesystem::canonical(named, error);
  if (!error) return real.native();
  const auto link = std::filesystem::read_symlink(named, error);
  if (error) return named.native();
  const auto leads_to = std::filesystem::weakly_canonical(named.parent_path() / link, error);
  return error ? named.native() : leads_to.lexically_normal().native();
}

}  // namespace

bool has_seccomp_filters() noexcept {
  const unsigned action = SECCOMP_RET_ERRNO;
  return ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

Survey look_at_machine(const std::string& inner_stage) {
  Survey survey;
  survey.uid = ::geteuid();
  survey.bubblewrap = find_bubblewrap(inner_stage);
  survey.landlock = usable_landlock();
  survey.has_seccomp = has_seccomp_filters();
  survey.exec_watch = try_exec_watch();
  look_at_layout(survey);
  survey.closed = find_closed_entries("/etc");
  const auto closed_of_proc = find_closed_proc_entries();
  survey.closed.insert(survey.closed.end(), closed_of_proc.begin(), closed_of_proc.end());
  survey.proc_read_only = find_writable_proc_entries();
  survey.resolver_file = find_resolver_file();
  return survey;
}

}  // namespace lnk::os_linux
