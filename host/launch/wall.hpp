// SPDX-License-Identifier: Apache-2.0
//
// A wall as the host sees it: the OS module's confiner and doorway behind values that clean up after themselves.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "launch/inside_listeners.hpp"
#include "lnk/abi/confiner.h"
#include "lnk/abi/doorway.h"
#include "lnk/abi/exec_namer.h"
#include "lnk/abi/remount.h"
#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "modules/instance.hpp"

namespace lnk::host {

/// A sandbox ends with its target, or with its front; a disk that hangs may keep it some time.
constexpr std::chrono::milliseconds kEndWait{5000};

struct Step {
  std::uint32_t number = 0;
  std::string kind;
  std::string words;
};

struct Holding {
  std::uint32_t state = LNK_HELD;
  std::string grant;
  std::string words;
};

struct Start {
  std::vector<std::string> argv;
  std::vector<std::string> env;
  std::string cwd;
  int stdio[3] = {0, 1, 2};
  std::uint32_t terminal = 0;  ///< LNK_TERMINAL_…
  std::uint32_t watch = 0;     ///< LNK_WATCH_…
};

/// A program that something inside started, or was refused.
struct SeenProgram {
  std::string path;    ///< bytes, as the kernel was given them
  std::string parent;  ///< what started it; empty: not known
  bool is_allowed = false;
};

struct Target {
  pid_t pid = -1;
  UniqueFd pidfd;
  UniqueFd terminal;  ///< the other end of the sandbox's own, where the start asked for one
  int events = -1;    ///< the wall's own: readable when `stopped` may have something to tell
};

/// The OS module's tables on one instance of it.
struct WallBuilder {
  lnk_instance* instance = nullptr;
  const lnk_confiner* confiner = nullptr;
  const lnk_doorway* doorway = nullptr;
  const lnk_remount* remount = nullptr;  ///< not every OS module has one
  const lnk_exec_namer* namer = nullptr;  ///< nor this

  [[nodiscard]] static Result<WallBuilder> of(const Instance& instance);
  [[nodiscard]] Result<std::string> survey() const;
};

class WallPlan {
 public:
  [[nodiscard]] static Result<WallPlan> make(const WallBuilder& builder, std::string_view snapshot_json, std::string_view survey_json);
  WallPlan(WallPlan&&) noexcept;
  WallPlan& operator=(WallPlan&&) = delete;
  ~WallPlan();

  [[nodiscard]] Result<std::vector<Step>> steps() const;
  [[nodiscard]] Result<std::vector<Holding>> holdings() const;
  [[nodiscard]] lnk_id id() const noexcept { return id_; }

 private:
  WallPlan(const WallBuilder& builder, lnk_id id) : builder_(builder), id_(id) {}

  WallBuilder builder_;
  lnk_id id_ = 0;
};

/// A wall that stands or is being built. It ends with the process that holds it, and when this value goes.
class Wall {
 public:
  [[nodiscard]] static Result<Wall> launch(const WallBuilder& builder, const WallPlan& plan, const Start& start);
  Wall(Wall&&) noexcept;
  Wall& operator=(Wall&&) = delete;
  ~Wall();

  /// The host's child, whose exit code is the target's.
  [[nodiscard]] pid_t pid() const noexcept { return pid_; }
  /// A socket listening inside, or of datagrams one that is bound there. Waits until the network is there.
  [[nodiscard]] Result<UniqueFd> listen_inside(const InsideIp& ip, std::uint16_t port, std::uint32_t kind = LNK_SOCKET_STREAM);
  /// A stream connected to 127.0.0.1:port inside, or where nobody listens there to [::1]:port, where somebody takes it at once.
  [[nodiscard]] Result<UniqueFd> connect_inside(std::uint16_t port);
  [[nodiscard]] Result<Target> stand();
  /// LNK_TARGET_…; the error holds the words where it isn't LNK_TARGET_RUNS.
  [[nodiscard]] std::uint32_t go(Error& error);
  /// Holds a name read only again that was replaced outside; after an error the run must end.
  [[nodiscard]] Status cover(std::string_view path, std::uint64_t device, std::uint64_t inode);
  /// The signal that stopped a target with a terminal; 0: none did. errors: Gone where it has ended
  [[nodiscard]] Result<int> stopped();
  /// Lets it go on, as the foreground of its terminal or not.
  [[nodiscard]] Status resume(bool in_front);
  /// Programs are told of from here on, which is before `go`: readable when `take_programs` may have some, the wall's own.
  /// errors: Unsupported: of this run none is told
  [[nodiscard]] Result<int> name_programs();
  /// Adds those that have come. errors: Gone, once: no more come, and the words say why
  [[nodiscard]] Status take_programs(std::vector<SeenProgram>& into);
  /// Waits for the child to end: its exit code.
  [[nodiscard]] Result<int> wait();
  /// Ends it where it has not ended by itself, which alone gives another code than 128+KILL. errors: Timeout
  [[nodiscard]] Result<int> end();

 private:
  Wall(const WallBuilder& builder, lnk_id id, pid_t pid) : builder_(builder), id_(id), pid_(pid) {}
  using MakeSocket = decltype(lnk_doorway::listen_inside);
  [[nodiscard]] Result<UniqueFd> socket_inside(MakeSocket make, std::span<const std::uint8_t> ip, std::uint16_t port, std::uint32_t kind);
  void let_go_of_child() noexcept;

  WallBuilder builder_;
  lnk_id id_ = 0;
  lnk_id doorway_ = 0;
  lnk_id namer_ = 0;
  pid_t pid_ = -1;
};

}  // namespace lnk::host
