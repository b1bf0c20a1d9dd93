// SPDX-License-Identifier: Apache-2.0
#include "confinement/seccomp.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "lnk/posix/os_error.hpp"

namespace lnk::host {

using seccomp::allow;
using seccomp::Case;
using seccomp::low_equals;
using seccomp::low_has_none;
using seccomp::refuse_with;
using seccomp::Rule;

std::vector<Rule> no_new_code() {
  const std::vector<Case> plain_memory = {{{low_has_none(2, PROT_EXEC)}, allow()}};
  return {Rule{SYS_mmap, plain_memory, refuse_with(EPERM)}, Rule{SYS_mprotect, plain_memory, refuse_with(EPERM)}};
}

Rule plain_fcntl() {
  Rule rule{SYS_fcntl, {}, refuse_with(EPERM)};
  for (const int command : {F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC, F_GETPIPE_SZ, F_SETPIPE_SZ})
    rule.cases.push_back({{low_equals(1, static_cast<std::uint32_t>(command))}, allow()});
  return rule;
}

Rule signal_to_itself() {
  const auto self = static_cast<std::uint32_t>(::getpid());
  return Rule{SYS_tgkill, {{{low_equals(0, self)}, allow()}}, refuse_with(EPERM)};
}

Status install(const seccomp::Policy& policy) {
  LNK_TRY(seccomp::Program program, seccomp::compile(policy));
  sock_fprog filter{};
  filter.len = static_cast<unsigned short>(program.size());
  filter.filter = program.data();
  if (::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) == 0) return {};
  return posix::os_fail(Code::Unsupported, "PR_SET_SECCOMP", "", errno);
}

}  // namespace lnk::host
