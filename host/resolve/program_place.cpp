// SPDX-License-Identifier: Apache-2.0
#include "resolve/program_place.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "lnk/cpp/utf8.hpp"
#include "resolve/check.hpp"
#include "spec/shown.hpp"
#include "trust/trust.hpp"

namespace lnk::host {
namespace {

/// Of a folder that is listed; a large tree of packages has some tens of thousands, which take a tenth of a second.
constexpr std::size_t kFolderEntriesMax = 200'000;

constexpr std::string_view kOtherName =
    "has another name too (a hard link), by which it could be written; copy it to a file of its own";

/// Packages of the system have such files (perl), and stores link what is equal; none of their names is for a sandbox
/// to write.
bool is_system_own(std::string_view path, const struct stat& entry) {
  return is_within(path, "/nix") || (is_system_folder(path) && (::geteuid() == 0 || entry.st_uid != ::geteuid()));
}

/// Whoever owns a file can make it writable by any name that lies in a place to write.
bool may_be_written_by_another_name(const struct stat& entry, const std::string& path) {
  if (!S_ISREG(entry.st_mode) || entry.st_nlink < 2 || is_system_own(path, entry)) return false;
  return entry.st_uid == ::geteuid() || ::access(path.c_str(), W_OK) == 0;
}

/// A wider grant doesn't open what a sandbox has of its own.
const GrantedFile* deciding_grant(std::string_view target, const ProgramGround& ground) {
  const auto* nearest = nearest_grant(target, ground.grants.files);
  const auto own = own_folder_of(target, ground.grants.home, ground.home_target);
  return nearest != nullptr && nearest->target.size() >= own.size() ? nearest : nullptr;
}

bool is_closed(std::string_view target, const GrantedFile* grant, const std::vector<std::string>& closed) {
  return std::any_of(closed.begin(), closed.end(), [&](const auto& place) {
    return is_within(target, place) && (grant == nullptr || place.size() >= grant->target.size());
  });
}

/// Of a path and the folders above it, from itself on.
template <class See>
void for_each_above(std::string path, See see) {
  for (; !path.empty(); path.resize(path.rfind('/'))) see(path);
}

bool is_same_file(const struct stat& left, const struct stat& right) {
  return left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

/// What is written by another path to the same place: one folder is mounted twice (mount(8), --bind), or is known by names
/// of other case.
class WrittenElsewhere {
 public:
  explicit WrittenElsewhere(const ProgramGround& ground) : ground_(ground) {
    for (const auto& file : ground.grants.files) {
      struct stat entry {};
      if (file.access == Access::Write && ::stat(file.target.c_str(), &entry) == 0) places_.emplace_back(&file, entry);
    }
  }

  /// The path by which the sandbox writes what lies at `target`; empty: none.
  [[nodiscard]] std::string way_to(const std::string& target) const {
    std::string way;
    for_each_above(target, [&](const std::string& above) {
      struct stat entry {};
      if (!way.empty() || places_.empty() || ::stat(above.c_str(), &entry) != 0) return;
      for (const auto& [file, place] : places_) {
        if (is_within(target, file->target) || !is_same_file(place, entry)) continue;
        const auto other = file->target + target.substr(above.size());
        if (const auto* grant = deciding_grant(other, ground_); grant != nullptr && grant->access == Access::Write) way = other;
      }
    });
    return way;
  }

  /// The place below a folder that a grant writes, which lies elsewhere by its path; empty: none.
  [[nodiscard]] std::string place_below(const std::string& folder, const struct stat& entry) const {
    std::string found;
    for (const auto& [file, place] : places_)
      if (!is_within(file->target, folder) && !is_within(folder, file->target))
        for_each_above(file->target, [&, name = file->target](const std::string& above) {
          struct stat other {};
          if (::stat(above.c_str(), &other) == 0 && is_same_file(other, entry)) found = name;
        });
    return found;
  }

  /// The grant that writes this entry of a folder by another path; empty: none.
  [[nodiscard]] std::string place_of(const std::string& path, const struct stat& entry) const {
    for (const auto& [file, place] : places_)
      if (is_same_file(place, entry) && !is_within(path, file->target)) return file->target;
    return {};
  }

 private:
  const ProgramGround& ground_;
  std::vector<std::pair<const GrantedFile*, struct stat>> places_;
};

std::string written_as(const std::string& path) {
  return "is " + host::quoted(path) + " too, by which the sandbox can write it; name that in [files] read, or another place to write";
}

/// Names the first place in a folder that the sandbox could put a program in.
std::string writable_place_in(const std::string& folder, const ProgramGround& ground) {
  for (const auto& file : ground.grants.files)
    if (file.access == Access::Write && file.target != folder && is_within(file.target, folder)) return file.target;
  std::vector<std::string> own(kEmptyFolders.begin(), kEmptyFolders.end());
  own.push_back(ground.home_target);
  for (const auto& place : own)
    if (is_within(place, folder) && deciding_grant(place, ground) == nullptr) return place;
  return {};
}

}  // namespace

std::string kind_fault(const std::string& target, bool is_folder) {
  struct stat entry {};
  if (::stat(target.c_str(), &entry) != 0) return "isn't there; make it first, or take it out";
  const bool is_dir = S_ISDIR(entry.st_mode);
  if (is_folder) return is_dir ? "" : "is no folder; leave out the / at its end";
  if (is_dir) return "is a folder; write a / at its end for all programs in it and below";
  if (!S_ISREG(entry.st_mode)) return "is no regular file, and so no program";
  return ::access(target.c_str(), X_OK) == 0 ? "" : "can't be executed by you; chmod +x makes a program of it";
}

std::string inside_fault(const std::string& path, const ProgramGround& ground) {
  if (!path.starts_with('/')) return "it is known by no path";
  if (!is_utf8(path)) return "isn't UTF-8, which a kept snapshot can't hold; rename it";
  const auto* grant = deciding_grant(path, ground);
  if (is_closed(path, grant, ground.closed)) return "is closed to the sandbox";
  const auto own = own_folder_of(path, ground.grants.home, ground.home_target);
  if (grant == nullptr && !(own.empty() && is_system_folder(path)))
    return "isn't there in the sandbox" +
           (own.empty() ? "" : ": " + std::string(own) + " inside is the sandbox's own") +
           "; name it, or the folder it lies in, in [files] read";
  return grant != nullptr && grant->access == Access::Hide ? "is hidden from the sandbox; take it out of hide, or out of the list" : "";
}

bool read_would_help(const std::string& target, const ProgramGround& ground) {
  const auto* grant = deciding_grant(target, ground);
  return !is_closed(target, grant, ground.closed) && (grant == nullptr || (grant->access == Access::Write && grant->target != target));
}

std::optional<UnseenLink> link_not_inside(const std::string& path, const ProgramGround& ground) {
  return unseen_link(path, ground.grants, [&](const std::string& place) { return inside_fault(place, ground).empty(); });
}

std::string way_words(const UnseenLink& unseen) {
  return "is reached by the link " + host::quoted(unseen.link) + ", which isn't there in the sandbox; name " +
         host::quoted(unseen.folder) + ", which holds it, in [files] read";
}

std::string place_fault(const std::string& target, const ProgramGround& ground) {
  if (auto fault = inside_fault(target, ground); !fault.empty()) return fault;
  const auto* grant = deciding_grant(target, ground);
  if (grant != nullptr && grant->access == Access::Write)
    return "the sandbox can write it, and so make it any program; name it in [files] read, which holds it read only, "
           "or keep it elsewhere";
  if (const auto way = WrittenElsewhere(ground).way_to(target); !way.empty()) return written_as(way);
  if (const auto trusted = check_trusted(target); !trusted) return trusted.error().text;
  struct stat entry {};
  if (::stat(target.c_str(), &entry) == 0 && may_be_written_by_another_name(entry, target))
    return std::string(kOtherName);
  return {};
}

std::string folder_fault(const std::string& target, const ProgramGround& ground) {
  if (const auto place = writable_place_in(target, ground); !place.empty())
    return "holds " + host::quoted(place) +
           ", which the sandbox can write, and so put any program there; name the programs, or narrower folders";
  struct stat folder {};
  const bool is_there = ::stat(target.c_str(), &folder) == 0;
  const WrittenElsewhere elsewhere(ground);
  if (const auto place = elsewhere.place_below(target, folder); is_there && !place.empty())
    return "holds what is " + host::quoted(place) + " too, by which the sandbox can put any program there; name narrower folders";
  if (is_there && is_system_own(target, folder)) return {};
  std::error_code error;
  std::size_t seen = 0;
  for (std::filesystem::recursive_directory_iterator
           at(target, std::filesystem::directory_options::skip_permission_denied, error),
       end;
       !error && at != end; at.increment(error)) {
    if (++seen > kFolderEntriesMax)
      return "holds more than " + std::to_string(kFolderEntriesMax) +
             " files, which aren't all looked at; name the folder of its programs";
    const auto& path = at->path().native();
    struct stat entry {};
    if (::lstat(path.c_str(), &entry) != 0) continue;
    if (may_be_written_by_another_name(entry, path))
      return "holds " + host::quoted(path) + ", which " + std::string(kOtherName);
    if (const auto place = elsewhere.place_of(path, entry); !place.empty())
      return "holds " + host::quoted(path) + ", which " + written_as(place);
  }
  return error ? "can't be looked through: " + error.message() : std::string();
}

}  // namespace lnk::host
