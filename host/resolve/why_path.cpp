// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "resolve/why.hpp"
#include "spec/shown.hpp"

namespace lnk::host {
namespace {

constexpr std::array<std::string_view, 3> kKernelFolders = {"/proc", "/sys", "/dev"};
constexpr std::array<std::string_view, 4> kEmptyFolders = {"/tmp", "/var/tmp", "/run", "/dev/shm"};

template <class Folders>
std::string_view holding(const Folders& folders, std::string_view path) {
  const auto found = std::find_if(folders.begin(), folders.end(), [path](auto folder) { return is_within(path, folder); });
  return found == folders.end() ? std::string_view() : *found;
}

class PathJudge {
 public:
  PathJudge(std::string path, std::string target, Access access, const Resolved& resolved, const Checked& checked, const Facts& facts)
      : path_(std::move(path)), target_(std::move(target)), access_(access), resolved_(resolved), checked_(checked), facts_(facts) {}

  [[nodiscard]] Verdict judge() const {
    const auto* grant = nearest();
    const auto* closed = nearest_closed();
    if (closed != nullptr && (grant == nullptr || closed->size() >= grant->grant.target.size())) return by_closed(*closed);
    // What a sandbox has of its own stands inside a wider grant too; only a line that names it, or a place in it, opens it.
    if (grant != nullptr && grant->grant.target.size() >= own_folder().size()) return by_grant(*grant);
    if (!holding(kEmptyFolders, target_).empty()) return by_own(holding(kEmptyFolders, target_));
    if (!holding(kKernelFolders, target_).empty())
      return refused("kernel-folders", "a sandbox has a " + std::string(holding(kKernelFolders, target_)) +
                                           " of its own, or none; the machine's is always closed", {});
    if (is_in_home())
      return refused("empty-home", "the home inside is an empty one of the sandbox's own, gone afterwards, but for what the spec names", mend());
    if (is_system_folder(target_) && is_special()) return by_cover();
    if (is_system_folder(target_)) return by_system();
    return refused("not-named", "no line of the spec names it or a folder above it", mend());
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

  /// Empty: it lies in none.
  [[nodiscard]] std::string_view own_folder() const {
    std::string_view own = holding(kEmptyFolders, target_);
    if (own.empty()) own = holding(kKernelFolders, target_);
    const std::string_view home = is_within(target_, facts_.home) ? facts_.home : facts_.home_target;
    return is_in_home() && home.size() > own.size() ? home : own;
  }

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

  [[nodiscard]] std::string mend() const {
    return std::string("[files] ") + (access_ == Access::Write ? "write" : "read") + " = [" + host::quoted(target_) + "]";
  }

  [[nodiscard]] Verdict by_closed(const std::string& place) const {
    if (place == facts_.settings) return refused("settings", "Link's settings are closed to every sandbox; no key opens them", {});
    return refused("keys", host::quoted(place) + " holds keys, and stays closed unless it is named exactly",
                   std::string("[files] ") + (access_ == Access::Write ? "write" : "read") + " = [" + host::quoted(place) + "]");
  }

  [[nodiscard]] Verdict by_own(std::string_view folder) const {
    if (access_ == Access::Write)
      return {true, {}, "own-folders", asked() + ": " + std::string(folder) + " inside is the sandbox's own, empty at the start; the machine's isn't touched", {}};
    return refused("own-folders", std::string(folder) + " inside is the sandbox's own; what the machine has there isn't seen", mend());
  }

  [[nodiscard]] Verdict by_system() const {
    if (access_ == Access::Write) return refused("system", "the system is read only", mend());
    // Each part below the system's folder decides, as others see it.
    for (std::size_t end = target_.find('/', 1); is_within(target_, "/etc"); end = target_.find('/', end + 1)) {
      const auto part = target_.substr(0, end);
      struct stat entry {};
      if (::lstat(part.c_str(), &entry) == 0 && (entry.st_mode & S_IROTH) == 0)
        return refused("system-private", host::quoted(part) + " can't be read by others, and is closed to every sandbox", {});
      if (end == std::string::npos) break;
    }
    return {true, {}, "system", asked() + ": every sandbox reads the system", {}};
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
      return at(file, false, "hide = [" + named + "] closes it", mend() + ", which is nearer; or take it out of hide");
    if (is_special(target_ == grant.target)) return by_cover();
    if (access_ == Access::Write) {
      if (grant.access == Access::Read) return at(file, false, "read = [" + named + "] gives it for reading alone", mend());
      for (const auto& kept : checked_.read_only)
        if (is_within(target_, kept))
          return refused("own-files", host::quoted(kept) + " is this program's, a module's or the spec's own, and read only whatever is granted", {});
    }
    const std::string key = grant.access == Access::Write ? "write" : "read";
    return at(file, true, key + " = [" + named + "] gives it" + (::access(target_.c_str(), F_OK) == 0 ? "" : "; nothing is there now"));
  }

  std::string path_;
  std::string target_;
  Access access_;
  const Resolved& resolved_;
  const Checked& checked_;
  const Facts& facts_;
};

}  // namespace

Result<Verdict> why_path(std::string_view path, Access access, const Resolved& resolved, const Checked& checked, const Facts& facts) {
  auto target = resolve_links(std::string(path));
  if (target.empty()) return fail(Code::Gone, host::quoted(path) + " can't be resolved: its links go in a circle, or a folder in it is closed to you");
  return PathJudge(std::string(path), std::move(target), access, resolved, checked, facts).judge();
}

}  // namespace lnk::host
