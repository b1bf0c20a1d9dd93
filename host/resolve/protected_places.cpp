// SPDX-License-Identifier: Apache-2.0
#include "resolve/protected_places.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>

#include "lnk/posix/unique_fd.hpp"
#include "resolve/resolve.hpp"

namespace lnk::host {
namespace {

constexpr std::array<std::string_view, 34> kStartInHome = {
    ".ssh",
    // shells: bash(1), dash(1), zsh(1), fish(1), ksh(1), csh(1)
    ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin",
    ".zlogout", ".kshrc", ".mkshrc", ".cshrc", ".tcshrc", ".login", ".inputrc", ".config/fish", ".config/zsh",
    // sessions: systemd.unit(5), environment.d(5), the XDG autostart specification, Xsession(5), pam_env(8)
    ".config/autostart", ".config/autostart-scripts", ".config/plasma-workspace", ".config/systemd", ".local/share/systemd",
    ".config/environment.d", ".config/upstart", ".xprofile", ".xinitrc", ".xsession", ".xsessionrc", ".pam_environment",
    ".crontab", ".local/share/cron",
};

constexpr std::array<std::string_view, 20> kStartOfMachine = {
    "/etc/profile",     "/etc/profile.d",   "/etc/bash.bashrc", "/etc/bashrc",       "/etc/zsh",
    "/etc/fish",        "/etc/environment", "/etc/crontab",     "/etc/cron.d",       "/etc/cron.hourly",
    "/etc/cron.daily",  "/etc/cron.weekly", "/etc/cron.monthly", "/etc/anacrontab",  "/var/spool/cron",
    "/etc/systemd",     "/usr/lib/systemd", "/run/systemd",      "/etc/xdg/autostart", "/etc/ssh",
};

constexpr std::array kKeysInHome = std::to_array<std::string_view>({
    ".ssh", ".gnupg", ".aws", ".azure", ".config/gcloud", ".kube", ".docker", ".config/containers", ".netrc", ".git-credentials",
    ".config/git/credentials", ".config/gh", ".config/hub", ".config/glab-cli", ".npmrc", ".yarnrc.yml", ".pypirc", ".cargo/credentials",
    ".cargo/credentials.toml", ".gem/credentials", ".terraform.d", ".config/op", ".password-store", ".local/share/keyrings",
    ".local/share/kwalletd", ".kde/share/apps/kwallet", ".config/keepassxc", ".config/Bitwarden", ".mozilla", ".thunderbird",
    ".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge", ".config/vivaldi", ".config/opera",
    ".local/share/pass", ".env",
    // browsers: what else Firefox, Chromium and WebKit are built as, and where Snap and Flatpak keep the profiles
    ".config/mozilla", ".librewolf", ".config/librewolf", ".waterfox", ".floorp", ".zen", ".config/zen",
    ".local/share/torbrowser", ".config/google-chrome-beta", ".config/google-chrome-unstable", ".config/thorium", ".config/yandex-browser",
    ".config/falkon", ".local/share/falkon", ".local/share/epiphany", ".local/share/qutebrowser", ".config/qutebrowser",
    "snap/firefox", "snap/chromium", "snap/thunderbird", "snap/brave", "snap/opera", ".var/app/org.mozilla.firefox",
    ".var/app/org.mozilla.Thunderbird", ".var/app/com.google.Chrome", ".var/app/org.chromium.Chromium", ".var/app/com.brave.Browser",
    ".var/app/com.microsoft.Edge", ".var/app/io.gitlab.librewolf-community",
    // passwords, databases, clouds, package registries
    ".config/1Password", ".config/keepass", ".keepass", ".local/share/keepassxc", ".config/sops", ".config/age", ".vault-token",
    ".pgpass", ".my.cnf", ".mylogin.cnf", ".s3cfg", ".boto", ".config/rclone", ".config/doctl", ".config/hcloud", ".config/linode-cli",
    ".oci", ".aliyun", ".bluemix", ".config/heroku", ".config/netlify",
    ".m2/settings.xml", ".m2/settings-security.xml", ".gradle/gradle.properties", ".nuget/NuGet", ".composer/auth.json",
    ".config/composer/auth.json", ".config/pypoetry/auth.toml",
});

/// Tells of places, most of which aren't there and lie in few folders, whether a link is the place or on the way to it. Each
/// folder is opened once.
class LinkTeller {
 public:
  /// False of a place that isn't there. A call that the kernel doesn't have tells nothing, which is true: openat2(2).
  bool may_lead_by_link(const std::string& place) {
    const auto end = place.rfind('/');
    const auto [folder, is_new] = folders_.try_emplace(place.substr(0, std::max<std::size_t>(end, 1)));
    if (is_new) folder->second = open_folder(folder->first);
    const auto& [fd, os_errno] = folder->second;
    if (!fd.is_open()) return !is_gone(os_errno);
    struct stat entry {};
    return ::fstatat(fd.get(), place.c_str() + end + 1, &entry, AT_SYMLINK_NOFOLLOW) == 0 ? S_ISLNK(entry.st_mode) : !is_gone(errno);
  }

 private:
  struct Folder {
    UniqueFd fd;
    int os_errno = 0;
  };

  static bool is_gone(int os_errno) { return os_errno == ENOENT || os_errno == ENOTDIR; }

  static Folder open_folder(const std::string& path) {
    open_how how{};
    how.flags = O_PATH | O_CLOEXEC;
    how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    UniqueFd fd(static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how)));
    const int os_errno = errno;
    return {std::move(fd), os_errno};
  }

  std::map<std::string, Folder> folders_;
};

}  // namespace

std::vector<std::string> with_targets(std::vector<std::string> places) {
  LinkTeller links;
  const auto count = places.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (!links.may_lead_by_link(places[i])) continue;
    if (auto target = resolve_links(places[i]); !target.empty() && target != places[i]) places.push_back(std::move(target));
  }
  return places;
}

std::vector<std::string> start_places(std::string_view home) {
  std::vector<std::string> places;
  for (const auto name : kStartInHome) places.push_back(std::string(home) + "/" + std::string(name));
  for (const auto name : kStartOfMachine) places.emplace_back(name);
  return places;
}

std::string environment_file_in(const std::string& granted) {
  std::string file = (granted == "/" ? "" : granted) + "/.env";
  struct stat entry {};
  return ::stat(file.c_str(), &entry) == 0 && !S_ISDIR(entry.st_mode) ? file : std::string();
}

std::vector<std::string> key_places(std::string_view home) {
  std::vector<std::string> places;
  for (const auto name : kKeysInHome) places.push_back(std::string(home) + "/" + std::string(name));
  return places;
}

}  // namespace lnk::host
