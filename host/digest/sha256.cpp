// SPDX-License-Identifier: Apache-2.0
#include "digest/sha256.hpp"

#include <fcntl.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "lnk/digest/sha256.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

std::string sha256_hex(std::string_view bytes) { return digest::sha256_hex(bytes); }

Result<std::string> sha256_file(const std::filesystem::path& file) {
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!fd.is_open()) return fail(Code::Gone, file.string() + ": " + std::strerror(errno), errno);
  digest::Sha256 hash;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
    if (got == 0) return hash.hex();
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(Code::Gone, file.string() + ": " + std::strerror(errno), errno);
    hash.add({buffer.data(), static_cast<std::size_t>(got)});
  }
}

}  // namespace lnk::host
