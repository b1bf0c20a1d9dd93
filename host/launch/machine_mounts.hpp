// SPDX-License-Identifier: Apache-2.0
//
// File systems of the kernel's own that are mounted below a granted folder, a /proc in the root of a container for one. A
// bind brings them along, and they are always closed: so such a grant is refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "snapshot/snapshot.hpp"

namespace lnk::host {

/// Pure: the mount points of kernel file systems that a grant would bring along. `mountinfo` as proc(5) has it.
[[nodiscard]] std::vector<std::string> kernel_mounts_below(std::string_view mountinfo, const std::vector<GrantedFile>& files);

/// errors: Denied with the place and the mend
[[nodiscard]] Status check_machine_mounts(const std::vector<GrantedFile>& files);

}  // namespace lnk::host
