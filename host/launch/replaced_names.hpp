// SPDX-License-Identifier: Apache-2.0
//
// Names that a run holds read only, watched from outside: an editor's save by rename, or `git config`, puts another file
// in a name's place, and the mount falls away with the one it covered. The watch learns of it after it happened, so it is
// no enforcement: what the sandbox opened in between stays open to it (docs/threat-model.md).
#pragma once

#include <sys/types.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

struct ReplacedName {
  std::string path;
  bool is_there = false;
  bool was_folder = false;  ///< what stood there before
  dev_t device = 0;
  ino_t inode = 0;
};

class ReplacedNames {
 public:
  /// Watches the folders that hold these names, which are there, and those above, but for such as others own and close; before they are pinned, so that nothing is missed.
  /// errors: Limit (fs.inotify.max_user_watches), Gone
  [[nodiscard]] static Result<ReplacedNames> watch(const std::vector<std::string>& paths);

  /// Readable once something happened in one of the folders; -1 where nothing is watched.
  [[nodiscard]] int fd() const noexcept { return inotify_.get(); }

  /// The names that were made, removed or renamed since it was last asked, whatever stands there now: a file system may
  /// give a new file the number of the one it replaces. errors: Denied where a folder above a name was
  /// itself moved or removed, or events were lost: what stands where isn't known any more
  [[nodiscard]] Result<std::vector<ReplacedName>> take();

  /// One of the names is held read only again.
  void held_again(const std::string& path) { open_.erase(path); }

  /// Once the run is over: the names that something was put at and that were not held again. errors: as of `take`
  [[nodiscard]] Result<std::set<std::string>> left_open();

  /// What stands at one of the names now.
  [[nodiscard]] ReplacedName look_again(const std::string& path) { return look(path, names_.at(path)); }

 private:
  static ReplacedName look(const std::string& path, bool& is_folder);

  UniqueFd inotify_;
  std::map<int, std::string> folders_;   ///< by the watch's number
  std::map<std::string, bool> names_;    ///< whether a folder stands there
  std::set<std::string> open_;           ///< those that `take` told of, less those held again
};

}  // namespace lnk::host
