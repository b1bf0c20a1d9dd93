// SPDX-License-Identifier: Apache-2.0
#include "probe.hpp"

#include "lnk/posix/os_error.hpp"
#include "plan/plan.hpp"
#include "survey/bubblewrap.hpp"
#include "survey/exec_watch.hpp"
#include "survey/landlock.hpp"
#include "survey/survey.hpp"

namespace lnk::os_linux {
namespace {

constexpr std::string_view kTried = "ran an empty program in a sandbox of its own";

Status report_bubblewrap(CapabilityReport& report, const Bubblewrap& bubblewrap) {
  const bool works = bubblewrap.problem.empty();
  const bool lacks_bind_fd = bubblewrap.problem.find("bind-fd") != std::string::npos;
  const bool was_tried = bubblewrap.identity != FileIdentity{};
  const std::string evidence = works ? std::string(kTried) + " with " + bubblewrap.path : bubblewrap.problem;
  const CapabilityState userns = works                         ? CapabilityState::Supported
                                 : was_tried && !lacks_bind_fd ? CapabilityState::Unsupported
                                                               : CapabilityState::Unknown;
  const std::string& mend = bubblewrap.mend;
  LNK_CHECK(report.add({"linux.userns", userns, 0, 0, evidence, mend}));
  const CapabilityState bind_fd = works                         ? CapabilityState::Supported
                                  : lacks_bind_fd || !was_tried ? CapabilityState::Unsupported
                                                                : CapabilityState::Unknown;
  LNK_CHECK(report.add({"bubblewrap.bind_fd", bind_fd, 0, 0, evidence, mend}));
  const CapabilityState disabled = !works                       ? CapabilityState::Unknown
                                   : bubblewrap.disables_userns ? CapabilityState::Supported
                                                                : CapabilityState::Degraded;
  return report.add({"bubblewrap.disable_userns",
                     disabled,
                     0,
                     0,
                     works && !bubblewrap.disables_userns
                         ? "--disable-userns was refused; the system call filter alone refuses further user namespaces"
                         : evidence,
                     {}});
}

Status report_landlock(CapabilityReport& report, const Landlock& usable) {
  const ReportedLandlock reported = reported_landlock();
  const std::string lost = left_out_by(usable);
  const CapabilityState state = usable.level == 0 ? CapabilityState::Unsupported
                                : lost.empty()    ? CapabilityState::Supported
                                                  : CapabilityState::Degraded;
  std::string evidence = "the kernel says level " + std::to_string(reported.level) +
                         "; a process held itself to level " + std::to_string(usable.level);
  if (!lost.empty()) evidence += ", which leaves out " + lost;
  if (reported.level == 0) evidence = "landlock_create_ruleset: " + std::string(posix::errno_words(reported.os_errno));
  const std::string_view mend =
      usable.level == 0
          ? "a kernel of 5.19 or later with landlock in its lsm= list; without it mounts alone hold the files"
          : std::string_view{};
  return report.add({"linux.landlock", state, usable.level, reported.os_errno, evidence, mend});
}

Status report_exec_watch(CapabilityReport& report, const ExecWatch& watch) {
  const CapabilityState listener = !watch.has_listener     ? CapabilityState::Unsupported
                                   : !watch.waits_killable ? CapabilityState::Degraded
                                                           : CapabilityState::Supported;
  const std::string_view heard = !watch.has_listener     ? "a process that asked for a seccomp listener got none, or its calls were lost"
                                 : !watch.waits_killable ? "a process had its calls answered; a signal interrupts one that waits, and it is made again"
                                                         : "a process had its calls answered, with signals in between";
  LNK_CHECK(report.add({"linux.exec_watch", listener, 0, 0, heard,
                        watch.has_listener ? "" : "a kernel of 5.19 or later, outside of a container that has a listener of its own; without it "
                                                  "programs that [commands] refuses aren't named, and it allows no memory files"}));
  return report.add({"linux.sealed_memory", watch.seals_memory ? CapabilityState::Supported : CapabilityState::Unsupported, 0, 0,
                     watch.seals_memory ? "a process that asked for a memory file got one that can't be made to run"
                                        : "no memory file was made that can't run",
                     watch.seals_memory ? "" : "a kernel of 6.3 or later (MFD_NOEXEC_SEAL); without it [commands] allows no memory files"});
}

}  // namespace

Status report_capabilities(CapabilityReport& report, const std::string& inner_stage) {
  LNK_CHECK(report_bubblewrap(report, find_bubblewrap(inner_stage)));
  const bool filters = has_seccomp_filters();
  LNK_CHECK(
      report.add({"linux.seccomp", filters ? CapabilityState::Supported : CapabilityState::Unsupported, 0, 0,
                  filters ? "SECCOMP_GET_ACTION_AVAIL names SECCOMP_RET_ERRNO" : "SECCOMP_GET_ACTION_AVAIL was refused",
                  filters ? "" : "a kernel with CONFIG_SECCOMP_FILTER"}));
  LNK_CHECK(report_landlock(report, usable_landlock()));
  return report_exec_watch(report, try_exec_watch());
}

}  // namespace lnk::os_linux
