// SPDX-License-Identifier: Apache-2.0
#include "lnk/posix/memory_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U  // Linux 6.3; the headers of Debian 12 are older
#endif

namespace lnk::posix {

Result<UniqueFd> make_sealed_file(const char* name, std::string_view content) {
  UniqueFd file(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL));
  // Before 6.3 the flag is unknown and answered EINVAL.
  if (!file.is_open() && errno == EINVAL) file = UniqueFd(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file.is_open()) return os_fail(Code::Limit, "make the memory file", name, errno);
  LNK_CHECK(write_all(file.get(), content));
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return os_fail(Code::Internal, "rewind the memory file", name, errno);
  if (::fcntl(file.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
    return os_fail(Code::Internal, "seal the memory file", name, errno);
  return file;
}

}  // namespace lnk::posix
