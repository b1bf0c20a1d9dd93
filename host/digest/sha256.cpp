// SPDX-License-Identifier: Apache-2.0
#include "digest/sha256.hpp"

#include <fcntl.h>
#include <openssl/sha.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {
namespace {

// The plain functions, and not EVP: they need no library context, so that a start which hashes opens nothing of OpenSSL.
// They are linked in statically, and are the only part of it in the front.
class Sha256 {
 public:
  Sha256() { SHA256_Init(&context_); }
  void add(const void* bytes, std::size_t size) { SHA256_Update(&context_, bytes, size); }
  [[nodiscard]] std::string hex() {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256_Final(digest.data(), &context_);
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * digest.size());
    for (const unsigned char byte : digest) {
      text += kDigits[byte >> 4U];
      text += kDigits[byte & 15U];
    }
    return text;
  }

 private:
  SHA256_CTX context_{};
};

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes.data(), bytes.size());
  return hash.hex();
}

Result<std::string> sha256_file(const std::filesystem::path& file) {
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!fd.is_open()) return fail(Code::Gone, file.string() + ": " + std::strerror(errno), errno);
  Sha256 hash;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t got = ::read(fd.get(), buffer.data(), buffer.size());
    if (got == 0) return hash.hex();
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(Code::Gone, file.string() + ": " + std::strerror(errno), errno);
    hash.add(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace lnk::host
