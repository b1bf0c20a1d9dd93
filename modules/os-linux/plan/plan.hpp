// SPDX-License-Identifier: Apache-2.0
//
// A wall as a value: numbered steps in the order in which they are carried out. Nothing here looks at the machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "plan/snapshot.hpp"
#include "survey/survey.hpp"

namespace lnk::os_linux {

enum class Op {
  Namespaces,
  BindRead,    ///< `source` at `path`, read only
  BindWrite,   ///< `source` at `path`
  Empty,       ///< an empty writable file system in memory
  Folder,      ///< an empty folder in one of those
  Link,        ///< `path` leads to `source`
  Processes,   ///< a /proc of its own
  Devices,     ///< a minimal /dev
  Mask,        ///< nothing of what stands at `path` is seen
  Protect,     ///< `path` again over itself, read only
  NameServer,  ///< what names are asked of, written at `path` (resolv.conf(5)): the wire's address inside
  InnerStage,  ///< the first program
  Seal,        ///< read only from here on, once all below it is mounted
  Landlock,
  Filter,
  Start,
};

struct PlanStep {
  Op op = Op::Start;
  std::string path = {};
  std::string source = {};
  unsigned mode = 0;
  FileKind kind = FileKind::Any;
  bool optional = false;   ///< left out at launch where its source is missing
  bool is_nested = false;  ///< a mount inside a granted folder, which others may write: looked at again from inside
};

/// What Landlock lets be done below a path.
enum class RuleClass {
  List,     ///< see names
  Read,     ///< read and execute
  Write,    ///< all
  Process,  ///< /proc: read, and write what is there
  Device,   ///< /dev: read, write, control
};

struct LandlockRule {
  RuleClass rule = RuleClass::Read;
  std::string path;
  std::size_t step = 0;  ///< the place in `steps` of the mount it follows; dropped with it
};

enum class HeldState { Held, Weaker, NotHeld };

struct HeldGrant {
  HeldState state = HeldState::Held;
  std::string grant;
  std::string words;
};

struct Plan {
  std::vector<PlanStep> steps;
  std::vector<LandlockRule> rules;
  std::vector<HeldGrant> holdings;
  std::optional<std::vector<ListedProgram>> programs;  ///< each once; nothing: any
  Landlock landlock;
  ExecWatch exec_watch;
  Bubblewrap bubblewrap;
  NetworkMode network = NetworkMode::None;
  uid_t uid = 0;

  /// The number, from 1, of the first step of a kind; 0: none.
  [[nodiscard]] std::uint32_t number_of(Op op) const noexcept;
};

/// errors: Unsupported where this machine can't hold a grant; Denied where no machine may; Invalid
[[nodiscard]] Result<Plan> build_plan(const Snapshot& snapshot, const Survey& survey);

/// What Landlock below its newest level doesn't hold, for a person; empty: nothing, or there is no Landlock.
[[nodiscard]] std::string left_out_by(const Landlock& landlock);

[[nodiscard]] std::string step_kind(const PlanStep& step);
[[nodiscard]] std::string step_words(const Plan& plan, const PlanStep& step);

}  // namespace lnk::os_linux
