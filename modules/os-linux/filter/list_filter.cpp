// SPDX-License-Identifier: Apache-2.0
#include "filter/list_filter.hpp"

#include <linux/memfd.h>

#include <cerrno>
#include <string_view>

#include "filter/target_filter.hpp"

namespace lnk::os_linux {
namespace {

using seccomp::allow;
using seccomp::low_has_any;
using seccomp::notify;
using seccomp::refuse_with;
using seccomp::Rule;

constexpr std::uint32_t kByDescriptor = 0x1000;  // AT_EMPTY_PATH
constexpr std::uint32_t kNoExecSeal = 0x0008;    // MFD_NOEXEC_SEAL, Linux 6.3

Rule execve_rule(std::uint32_t number, const ListFilter& filter) {
  return {number, {}, filter.is_watched ? notify() : allow()};
}

// A file without a name can be run by its descriptor alone. A program that wants that of a file which has one, fexecve(3)
// among them, takes the answer for an old kernel's and goes by /proc/self/fd, which Landlock judges as any path.
Rule execveat_rule(std::uint32_t number, const ListFilter& filter) {
  Rule rule = execve_rule(number, filter);
  if (filter.memory != MemoryFiles::Open) rule.cases.push_back({{low_has_any(4, kByDescriptor)}, refuse_with(ENOSYS)});
  return rule;
}

// hugetlbfs takes the seal and doesn't keep it: a file of huge pages is made runnable by fchmod(2) all the same. A kernel
// built without huge pages says EINVAL, and programs go on with small ones (memfd_create(2)).
Rule memory_rule(std::uint32_t number, MemoryFiles memory) {
  if (memory == MemoryFiles::Refused) return {number, {}, refuse_with(ENOSYS)};
  if (memory == MemoryFiles::Open) return {number, {}, allow()};
  return {number, {{{low_has_any(1, MFD_HUGETLB)}, refuse_with(EINVAL)}, {{low_has_any(1, kNoExecSeal)}, allow()}}, notify()};
}

// An access control list on a memory file makes it runnable past its seal: the kernel holds chmod(2) to the seal alone
// (mm/shmem.c, shmem_setattr), and an attribute's name lies behind a pointer. What copies attributes takes the answer for
// that of a file system without any, and goes on.
bool sets_attributes(std::string_view call) {
  return call == "setxattr" || call == "lsetxattr" || call == "fsetxattr" || call == "setxattrat";
}

}  // namespace

seccomp::Policy list_policy(const ListFilter& filter, seccomp::Architecture architecture) {
  seccomp::Policy policy;
  policy.architecture = architecture;
  policy.otherwise = allow();
  policy.foreign = refuse_with(ENOSYS);
  for (const NamedCall& call : calls_of(architecture)) {
    if (call.name == "execve") policy.rules.push_back(execve_rule(call.number, filter));
    if (call.name == "execveat") policy.rules.push_back(execveat_rule(call.number, filter));
    if (filter.memory != MemoryFiles::Open && sets_attributes(call.name))
      policy.rules.push_back({call.number, {}, refuse_with(EOPNOTSUPP)});
    if (call.name == "memfd_create") policy.rules.push_back(memory_rule(call.number, filter.memory));
  }
  return policy;
}

}  // namespace lnk::os_linux
