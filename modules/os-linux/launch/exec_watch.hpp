// SPDX-License-Identifier: Apache-2.0
//
// The front's end of an exec watch: starts it, hears its reports, and answers for it where it has ended.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "keeper/notification.h"
#include "lnk/cpp/exec_namer.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "plan/plan.hpp"

namespace lnk::os_linux {

/// A file or a folder of programs, as it stands at its path now.
struct HeldProgram {
  std::string path;
  bool is_folder = false;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

/// errors: Gone where one is no longer what the plan names
[[nodiscard]] Result<std::vector<HeldProgram>> hold_programs(const Plan& plan);

/// What the watch is to judge by, as bytes: keeper/exec_list.h. `flags`: LNK_EXEC_….
[[nodiscard]] Result<std::string> write_exec_list(std::vector<HeldProgram> programs, std::uint32_t flags);

class ExecWatcher {
 public:
  /// Has the keeper start one, with the list of write_exec_list.
  [[nodiscard]] static Result<std::unique_ptr<ExecWatcher>> start(const UniqueFd& keeper, std::string_view list);

  /// Hands the sandbox's listener over, and keeps it too.
  [[nodiscard]] Status take_listener(UniqueFd listener);
  /// There is none: what is to be said of it comes with the next reports.
  void go_without_listener(int os_errno);

  /// Waits until `fd` is readable, and answers calls meanwhile where the watch has ended.
  [[nodiscard]] Status wait_for(const UniqueFd& fd);

  [[nodiscard]] int readable() const noexcept { return events_.get(); }
  /// errors: Gone, once: nothing is reported from here on
  [[nodiscard]] Result<std::vector<ProgramReport>> reports();

 private:
  struct Unmap {
    void operator()(lnk_taken* taken) const noexcept;
  };

  ExecWatcher() = default;
  [[nodiscard]] Status send(std::uint32_t kind, const UniqueFd& fd) const;
  [[nodiscard]] Status listen_to(const UniqueFd& fd) const;
  [[nodiscard]] bool is_anybody_watched() const noexcept;
  void take_over();
  void answer_one();

  UniqueFd socket_;    ///< to the watch
  UniqueFd listener_;
  UniqueFd events_;    ///< an epoll of the one that is to be read
  std::unique_ptr<lnk_taken, Unmap> taken_;  ///< shared with the watch
  bool has_taken_over_ = false;
  std::string gone_;   ///< why nothing is reported; empty: it is
};

}  // namespace lnk::os_linux
