// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "lnk/posix/os_error.hpp"
#include "plan/plan.hpp"
#include "survey/landlock.hpp"

namespace lnk::os_linux {
namespace {

std::string octal(unsigned mode) {
  char text[16];
  std::snprintf(text, sizeof text, "%04o", mode);
  return text;
}

std::string namespaces(const Plan& plan) {
  std::string words = "its own user, pid, ipc, uts and cgroup namespaces, no capability";
  words += plan.network == NetworkMode::Direct ? "; the machine's network" : "; its own network";
  if (plan.bubblewrap.disables_userns) words += "; no further user namespace";
  return words;
}

// A right given on a folder reaches all below it, mounts included (landlock(7)): below what is written, the empty home
// too, mounts alone hold.
std::string landlock(const Plan& plan) {
  std::string words = "Landlock " + std::to_string(plan.landlock.level) + " holds the file grants again (" +
                      std::to_string(plan.rules.size()) + " rules), but not below a folder that is written";
  if (plan.landlock.scoped != 0) words += "; and signals and abstract sockets";
  if ((plan.landlock.fs & kResolveUnix) != 0) words += "; and path sockets of the machine";
  if (plan.programs) words += "; and lets " + std::to_string(plan.programs->size()) + " files or folders of programs run, and no other";
  if (const std::string lost = left_out_by(plan.landlock); !lost.empty()) words += "; it leaves out " + lost;
  return words;
}

}  // namespace

std::string left_out_by(const Landlock& landlock) {
  if (landlock.level == 0) return {};
  std::string words;
  const auto lost = [&words](std::uint64_t held, std::uint64_t wanted, std::string_view what) {
    if ((held & wanted) == wanted) return;
    words += (words.empty() ? "" : ", ") + std::string(what);
  };
  lost(landlock.fs, kTruncate, "cutting files short (level 3)");
  lost(landlock.fs, kIoctlDev, "control of devices (level 5)");
  lost(landlock.scoped, kScopeSockets | kScopeSignals, "signals and abstract sockets (level 6)");
  lost(landlock.fs, kResolveUnix, "path sockets of the machine (level 9)");
  return words;
}

std::string step_kind(const PlanStep& step) {
  switch (step.op) {
    case Op::Namespaces:
      return "namespace";
    case Op::InnerStage:
      return "program";
    case Op::Landlock:
      return "landlock";
    case Op::Filter:
      return "filter";
    case Op::Start:
      return "start";
    default:
      return "mount";
  }
}

std::string step_words(const Plan& plan, const PlanStep& step) {
  const std::string path = posix::escaped(step.path);
  const std::string source = posix::escaped(step.source);
  const std::string from = step.source == step.path || step.source.empty() ? "" : " from " + source;
  const std::string if_there = step.optional ? ", if it is there" : "";
  switch (step.op) {
    case Op::Namespaces:
      return namespaces(plan);
    case Op::BindRead:
      return "read " + path + from + if_there;
    case Op::BindWrite:
      return "write " + path + from + if_there;
    case Op::Empty:
      return "empty " + path + ", mode " + octal(step.mode);
    case Op::Folder:
      return "folder " + path + ", mode " + octal(step.mode);
    case Op::Link:
      return "link " + path + " to " + source + if_there;
    case Op::Processes:
      return "processes of the sandbox alone at " + path;
    case Op::Devices:
      return "null, zero, full, random, urandom, tty and new terminals at " + path;
    case Op::Mask:
      return "close " + path + (step.mode != 0 ? ", but for what is named inside" : "") + if_there;
    case Op::Protect:
      return "read only again " + path + if_there;
    case Op::NameServer:
      return "names are asked of the wire alone, by " + path + if_there;
    case Op::InnerStage:
      return "the first program at " + path;
    case Op::Seal:
      return "read only from here on " + path;
    case Op::Landlock:
      return landlock(plan);
    case Op::Filter:
      return std::string("the system call filter") + (plan.landlock.level > 0 ? "" : ", on pid 1 as well") +
             (plan.programs ? "; and one that lets no memory file run" : "");
    case Op::Start:
      return "execute the target";
  }
  return {};
}

}  // namespace lnk::os_linux
