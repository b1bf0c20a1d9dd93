// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "resolve/program_place.hpp"
#include "resolve/why.hpp"
#include "lnk/posix/io.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

/// Of the /dev that each sandbox has: the plan's minimal one.
constexpr std::array<std::string_view, 6> kDevices = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"};

std::string parent_of(const std::string& path) { return path.substr(0, std::max<std::size_t>(path.rfind('/'), 1)); }

/// By the modes alone, as for a process that holds no capability: access(2) would tell root that it may do all.
bool may_by_mode(const std::string& path, mode_t bit) {
  struct stat entry {};
  if (::stat(path.c_str(), &entry) != 0) return true;
  if (entry.st_uid == ::geteuid()) return (entry.st_mode & (bit << 6U)) != 0;
  std::vector<gid_t> groups(static_cast<std::size_t>(std::max(::getgroups(0, nullptr), 0)));
  const int got = ::getgroups(static_cast<int>(groups.size()), groups.data());
  groups.resize(static_cast<std::size_t>(std::max(got, 0)));
  groups.push_back(::getegid());
  const bool is_member = std::find(groups.begin(), groups.end(), entry.st_gid) != groups.end();
  return (entry.st_mode & (is_member ? bit << 3U : bit)) != 0;
}

/// Whether the person may do it at all, below `root`, which is what the sandbox is given.
bool may_person(const std::string& path, Access access, const std::string& root) {
  if (!posix::is_there(path)) {
    if (access != Access::Write) return true;
    const auto folder = parent_of(path);
    return !posix::is_there(folder) || !is_within(folder, root) || (may_person(folder, access, root) && may_by_mode(folder, S_IXOTH));
  }
  const bool is_write = access == Access::Write;
  if (::geteuid() != 0) return ::faccessat(AT_FDCWD, path.c_str(), is_write ? W_OK : R_OK, AT_EACCESS) == 0;
  for (auto folder = parent_of(path); is_within(folder, root) && folder.size() > 1; folder = parent_of(folder))
    if (!may_by_mode(folder, S_IXOTH)) return false;
  return may_by_mode(path, is_write ? S_IWOTH : S_IROTH);
}

template <class Folders>
std::string_view holding(const Folders& folders, std::string_view path) {
  const auto found = std::find_if(folders.begin(), folders.end(), [path](auto folder) { return is_within(path, folder); });
  return found == folders.end() ? std::string_view() : *found;
}

class PathJudge {
 public:
  PathJudge(std::string path, std::string target, Access access, const PathGround& ground)
      : path_(std::move(path)), target_(std::move(target)), access_(access), ground_(ground), resolved_(ground.resolved), checked_(ground.checked), facts_(ground.facts) {}

  [[nodiscard]] Verdict judge() const {
    const auto* grant = nearest();
    const auto* closed = nearest_closed();
    if (closed != nullptr && (grant == nullptr || closed->size() >= grant->grant.target.size())) return by_closed(*closed);
    // What a sandbox has of its own stands inside a wider grant too; only a line that names it, or a place in it, opens it.
    if (grant != nullptr && grant->grant.target.size() >= own_folder().size()) return by_grant(*grant);
    if (!holding(kEmptyFolders, target_).empty()) return by_own(holding(kEmptyFolders, target_));
    if (std::find(kDevices.begin(), kDevices.end(), target_) != kDevices.end())
      return {true, {}, "kernel-folders", asked() + ": it is one of the few devices of every sandbox", {}};
    if (!holding(kKernelFolders, target_).empty())
      return refused("kernel-folders", "a sandbox has a " + std::string(holding(kKernelFolders, target_)) +
                                           " of its own, or none; the machine's is always closed", {});
    if (access_ == Access::Write && is_in_home() && stands_inside(parent_of(target_)) && !stands_inside(target_))
      return {true, {}, "own-folders", asked() + ": the home inside is the sandbox's own, empty at the start and gone afterwards; yours isn't touched", {}};
    if (is_in_home())
      return refused_with_mend("empty-home", "the home inside is an empty one of the sandbox's own, gone afterwards, but for what the spec names");
    if (is_system_folder(target_) && is_special()) return by_cover();
    if (is_system_folder(target_)) return by_system();
    return refused_with_mend("not-named", "no line of the spec names it or a folder above it");
  }

 private:
  [[nodiscard]] const ResolvedFile* nearest() const {
    const ResolvedFile* found = nullptr;
    for (const auto& file : resolved_.files)
      if (is_within(target_, file.grant.target) && (found == nullptr || file.grant.target.size() > found->grant.target.size()))
        found = &file;
    return found;
  }

  [[nodiscard]] bool is_in_home() const { return is_within(target_, facts_.home_target) || is_within(target_, facts_.home); }

  /// A folder of the sandbox's own home: the home, and those above a place that a line names.
  [[nodiscard]] bool stands_inside(const std::string& folder) const {
    return folder == facts_.home || folder == facts_.home_target || std::any_of(resolved_.files.begin(), resolved_.files.end(), [&folder](const auto& file) {
      return file.grant.target != folder && is_within(file.grant.target, folder);
    });
  }

  [[nodiscard]] std::string_view own_folder() const { return own_folder_of(target_, facts_.home, facts_.home_target); }

  [[nodiscard]] const std::string* nearest_closed() const {
    const std::string* found = nullptr;
    for (const auto& place : checked_.closed)
      if (is_within(target_, place) && (found == nullptr || place.size() > found->size())) found = &place;
    return found;
  }

  [[nodiscard]] std::string asked() const {
    std::string words = (access_ == Access::Write ? "write " : "read ") + host::quoted(path_);
    return path_ == target_ ? words : words + ", which is " + host::quoted(target_);
  }

  [[nodiscard]] Verdict refused(std::string rule, const std::string& why, std::string mend) const {
    return {false, {}, std::move(rule), asked() + ": " + why, std::move(mend)};
  }

  [[nodiscard]] Verdict at(const ResolvedFile& file, bool allowed, const std::string& why, std::string mend = {}) const {
    return {allowed, file.origin, "grant", asked() + ": " + why, std::move(mend)};
  }

  [[nodiscard]] std::string line(const std::string& path) const {
    return std::string("[files] ") + (access_ == Access::Write ? "write" : "read") + " = [" + host::quoted(path) + "]";
  }

  /// With the mend, where a spec with it would be taken and the person may do it; else with what stands in its way.
  [[nodiscard]] Verdict with_mend(Verdict verdict, const std::string& rest = {}) const {
    const auto refusal = posix::is_there(target_) ? ground_.refusal_of(target_, access_) : std::string();
    if (!refusal.empty()) {
      verdict.words += "; and a spec that names it is refused: " + refusal;
      return verdict;
    }
    if (!may_person(target_, access_, target_)) {
      verdict.words += "; and its mode doesn't let you, with which no line of a spec helps";
      return verdict;
    }
    if (!posix::is_there(target_)) {
      auto folder = parent_of(target_);
      while (!posix::is_there(folder)) folder = parent_of(folder);
      verdict.words += "; and nothing is there: the nearest folder that is there is " + host::quoted(folder);
      verdict.mend = "make " + host::quoted(target_) + " first, then " + line(target_) + rest;
      return verdict;
    }
    verdict.mend = line(target_) + rest;
    return verdict;
  }

  [[nodiscard]] Verdict refused_with_mend(std::string rule, const std::string& why) const { return with_mend(refused(std::move(rule), why, {})); }

  /// What is granted is granted to who may do it.
  [[nodiscard]] Verdict by_mode(Verdict allowed, const std::string& root) const {
    if (may_person(target_, access_, root)) return allowed;
    return refused("permissions", "it is given, but its mode, or that of a folder above it, doesn't let you; a sandbox has no more rights than you, and root's none beyond them", {});
  }

  [[nodiscard]] const HeldPlace* held_place() const {
    const auto found = std::find_if(ground_.held.begin(), ground_.held.end(), [this](const auto& place) { return is_within(target_, place.path); });
    return found == ground_.held.end() ? nullptr : &*found;
  }

  [[nodiscard]] Verdict by_closed(const std::string& place) const {
    if (place == facts_.settings)
      return refused("settings", "lnk-sandbox's settings are closed to every sandbox; no key opens them", {});
    const auto refusal = ground_.refusal_of(place, access_);
    return refused("keys", host::quoted(place) + " holds keys, and stays closed unless it is named exactly" +
                               (refusal.empty() ? "" : "; and a spec that names it is refused: " + refusal),
                   refusal.empty() ? line(place) : "");
  }

  [[nodiscard]] Verdict by_own(std::string_view folder) const {
    if (access_ == Access::Write)
      return {true, {}, "own-folders", asked() + ": " + std::string(folder) + " inside is the sandbox's own, empty at the start; the machine's isn't touched", {}};
    return refused_with_mend("own-folders", std::string(folder) + " inside is the sandbox's own; what the machine has there isn't seen");
  }

  [[nodiscard]] Verdict by_system() const {
    if (access_ == Access::Write) return refused_with_mend("system", "the system is read only");
    // Each part below the system's folder decides, as others see it.
    for (std::size_t end = target_.find('/', 1); is_within(target_, "/etc"); end = target_.find('/', end + 1)) {
      const auto part = target_.substr(0, end);
      struct stat entry {};
      const mode_t needed = S_IROTH | (::lstat(part.c_str(), &entry) == 0 && S_ISDIR(entry.st_mode) ? S_IXOTH : 0U);
      if (posix::is_there(part) && !S_ISLNK(entry.st_mode) && (entry.st_mode & needed) != needed)
        return refused_with_mend("system-private", host::quoted(part) + " can't be read by everyone, and is closed unless a line names it");
      if (end == std::string::npos) break;
    }
    return by_mode({true, {}, "system", asked() + ": every sandbox reads the system", {}}, "/");
  }

  /// A socket, or a pipe that a grant names.
  [[nodiscard]] bool is_special(bool is_named = false) const {
    struct stat entry {};
    return ::lstat(target_.c_str(), &entry) == 0 && (S_ISSOCK(entry.st_mode) || (is_named && S_ISFIFO(entry.st_mode)));
  }

  [[nodiscard]] Verdict by_cover() const {
    return refused("sockets", "a socket or pipe of the machine leads outside, and is covered by an empty file", {});
  }

  [[nodiscard]] Verdict by_grant(const ResolvedFile& file) const {
    const auto& grant = file.grant;
    const auto named = host::quoted(file.written);
    if (grant.access == Access::Hide)
      return with_mend(at(file, false, "hide = [" + named + "] closes it"), ", which is nearer; or take it out of hide");
    if (is_special(target_ == grant.target)) return by_cover();
    if (access_ == Access::Write) {
      if (grant.access == Access::Read) return with_mend(at(file, false, "read = [" + named + "] gives it for reading alone"));
      for (const auto& kept : checked_.read_only)
        if (is_within(target_, kept))
          return refused("own-files", host::quoted(kept) + " is this program's, a module's or the spec's own, and read only whatever is granted", {});
      if (const auto* place = held_place())
        return refused("dot-files", host::quoted(place->path) + " is " + place->why + (posix::is_there(place->path) ? "" : ", of which an empty folder keeps the name") +
                                        ": it runs as you outside, and is read only",
                       "[files] write_dot_files = [" + host::quoted(grant.target) + "], which opens all such places in it");
    }
    const std::string key = grant.access == Access::Write ? "write" : "read";
    return by_mode(at(file, true, key + " = [" + named + "] gives it" + (posix::is_there(target_) ? "" : "; nothing is there now")), grant.target);
  }

  std::string path_;
  std::string target_;
  Access access_;
  const PathGround& ground_;
  const Resolved& resolved_;
  const Checked& checked_;
  const Facts& facts_;
};

}  // namespace

Verdict why_path(std::string_view path, Access access, const PathGround& ground) {
  auto target = resolve_links(std::string(path));
  if (target.empty())
    return Verdict{false, {}, "permissions", host::quoted(path) + " can't be resolved: its links go in a circle, or a folder in it is closed to you", {}};
  auto verdict = PathJudge(std::string(path), std::move(target), access, ground).judge();
  const auto& grants = ground.checked.grants;
  // What the links lead to is open; they must be there too.
  const auto unseen = verdict.allowed ? link_not_inside(std::string(path), ground_for_programs(grants, ground.checked.closed))
                                      : std::optional<UnseenLink>();
  if (!unseen) return verdict;
  const bool is_in_home = is_within(unseen->link, grants.home) || is_within(unseen->link, ground.facts.home_target);
  return {false, {}, is_in_home ? "empty-home" : "not-named",
          (access == Access::Write ? "write " : "read ") + host::quoted(path) + ": its target is open, but it is reached by the link " +
              host::quoted(unseen->link) + ", which isn't there in the sandbox",
          "[files] read = [" + toml_string(unseen->folder) + "]"};
}

}  // namespace lnk::host
