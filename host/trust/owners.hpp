// SPDX-License-Identifier: Apache-2.0
//
// Who may own, and share, what is trusted.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace lnk::host {

constexpr std::size_t kAccountFileBytesMax =
    4 * 1024 * 1024;  // /etc/passwd and /etc/group; some machines have thousands

/// Pure: whether `gid` is the own group of `uid`: of the same name, the user's first one, with no other member. What
/// the account files (passwd(5), group(5)) don't tell is answered with no.
[[nodiscard]] bool is_own_group(std::string_view passwd, std::string_view group, uid_t uid, gid_t gid);

/// As above, of this machine's files.
[[nodiscard]] bool is_own_group(uid_t uid, gid_t gid);

/// Whether an owner is hidden by this process's user namespace: shown as the overflow uid, and no uid of that number is
/// mapped (user_namespaces(7)).
[[nodiscard]] bool is_hidden_owner(uid_t uid);

/// Pure: a place that only root of the machine makes and owns: "/", its usual folders, and all below the system's.
[[nodiscard]] bool is_system_place(const std::filesystem::path& path);

}  // namespace lnk::host
