// SPDX-License-Identifier: Apache-2.0
#include "lnk/posix/capabilities.hpp"

#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "lnk/posix/os_error.hpp"

namespace lnk::posix {

Status drop_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
  if (::syscall(SYS_capset, &header, none) != 0) return os_fail(Code::Unsupported, "capset", "", errno);
  return {};
}

}  // namespace lnk::posix
