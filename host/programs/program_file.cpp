// SPDX-License-Identifier: Apache-2.0
#include "programs/program_file.hpp"

#include <fcntl.h>
#include <glob.h>
#include <unistd.h>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"

namespace lnk::host {

Result<ProgramHead> read_program_file(const std::string& path) {
  LNK_TRY(const auto file, posix::open_file(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW));
  return read_program_head([&](std::uint64_t offset, std::size_t size) -> Result<std::string> {
    std::string bytes(size, '\0');
    std::size_t got = 0;
    while (got < size) {
      const auto more = posix::retry(
          [&] { return ::pread(file.get(), bytes.data() + got, size - got, static_cast<off_t>(offset + got)); });
      // An offset that no file has is the end of each.
      if (more < 0 && errno != EINVAL) return posix::os_fail(Code::Gone, "read", path, errno);
      if (more <= 0) break;
      got += static_cast<std::size_t>(more);
    }
    bytes.resize(got);
    return bytes;
  });
}

std::vector<std::string> machine_loaders() {
  std::vector<std::string> loaders;
  for (const char* pattern : {"/lib*/ld-linux*.so*", "/lib/ld-musl-*.so*"}) {
    glob_t found{};
    if (::glob(pattern, GLOB_NOSORT, nullptr, &found) == 0)
      loaders.insert(loaders.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    ::globfree(&found);
  }
  return loaders;
}

}  // namespace lnk::host
