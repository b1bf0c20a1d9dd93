// SPDX-License-Identifier: Apache-2.0
//
// Empty folders that hold names which aren't there, for as long as a run lives that needs them.
//
// They are kept in one file of the settings, under a lock: each with the runs that hold it, written before the folder is made.
// Guarantees: a process killed at any moment leaves at most a folder that is in the file, which the next start of any sandbox
// with these settings clears; what isn't ours, or isn't empty, stays; none is removed while a run that holds it lives, since
// removing a folder undoes the mounts over it (rmdir(2), and path_umount in the kernel). A number that was freed can be another
// folder's, so ours is also known by when it was made (statx(2), STATX_BTIME) and by its mode.
// Does not do: tell, where a file system keeps no such time (NFS, some FUSE), an empty folder with the number, owner and sticky bit
// of ours from it.
// Does not do: outlive a power cut (the file isn't flushed, so an empty folder may stay); tell runs of other machines or other
// pid namespaces that share these settings, whose holds look dead to it.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "dot_files/find.hpp"
#include "dot_files/journal.hpp"
#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "settings/settings.hpp"

namespace lnk::host {

/// errors: Gone
[[nodiscard]] Result<ProcessName> name_process(pid_t pid);
/// A process that has ended and is still to be waited for doesn't live.
[[nodiscard]] bool is_alive(const ProcessName& process);

/// One run's hold on its placeholders.
class Placeholders {
 public:
  /// Clears what dead runs left, makes what is missing and holds it.
  /// errors: Denied, Gone or Limit where a name can't be held: nothing of this run's is left then
  [[nodiscard]] static Result<Placeholders> hold(const Settings& settings, const std::vector<DotPlace>& places);

  Placeholders(Placeholders&&) noexcept;
  Placeholders& operator=(Placeholders&&) = delete;
  /// Gives up the hold, and removes what nobody holds then. What fails here is cleared by the next start.
  ~Placeholders();

  /// The places that stand now and are to be mounted read only. Missing of them: those that nobody can make who runs as this
  /// person, in a folder of another or on a disk that is read only.
  [[nodiscard]] const std::vector<std::string>& standing() const noexcept { return standing_; }

  /// From here on the hold lasts as long as the first process of this one's sandbox, though the front may be killed before it.
  [[nodiscard]] Status bind_to_sandbox_of(pid_t target);

 private:
  explicit Placeholders(const Settings& settings) : settings_(&settings) {}

  [[nodiscard]] Status make_all(Journal& journal);
  void give_up();

  const Settings* settings_;
  ProcessName front_;
  std::vector<std::string> standing_;
  std::vector<JournalEntry> made_;
  UniqueFd inside_;  ///< the sandbox's first process
  bool is_held_ = false;
};

}  // namespace lnk::host
