// SPDX-License-Identifier: Apache-2.0
#include "modules/module_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <span>
#include <utility>

#include "digest/sha256.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"
#include "modules/module.hpp"
#include "trust/trust.hpp"

namespace lnk::host {

namespace {

constexpr std::size_t kFileBytesMax = 256 * 1024 * 1024;  // far above any library; a bound for the mapping
constexpr std::size_t kFrontBytes = 4096;  // a linker puts headers and notes first; read in one call of a page

class MappedFile {
 public:
  [[nodiscard]] static Result<MappedFile> map(int fd, std::size_t size) {
    void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED) return posix::os_fail(Code::Internal, "map it", {}, errno);
    return MappedFile(data, size);
  }
  MappedFile(MappedFile&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
  MappedFile& operator=(MappedFile&&) = delete;
  ~MappedFile() {
    if (data_ != nullptr) ::munmap(data_, size_);
  }

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept {
    return {static_cast<const std::byte*>(data_), size_};
  }
  [[nodiscard]] std::string_view text() const noexcept { return {static_cast<const char*>(data_), size_}; }

 private:
  MappedFile(void* data, std::size_t size) noexcept : data_(data), size_(size) {}

  void* data_;
  std::size_t size_;
};

std::string nanoseconds(const timespec& time) {
  return std::to_string(time.tv_sec) + "." + std::to_string(time.tv_nsec);
}

/// The change time is the kernel's, so that no write goes unseen, not even one that sets the other times back
/// (inode(7)).
std::string stamp_of(const struct stat& status) {
  return std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino) + ":" + std::to_string(status.st_size) +
         ":" + nanoseconds(status.st_mtim) + ":" + nanoseconds(status.st_ctim);
}

}  // namespace

Result<std::string> file_stamp(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return posix::os_fail(Code::Gone, "look at", file.native(), errno);
  return stamp_of(status);
}

Result<ModuleFile> ModuleFile::open(const std::filesystem::path& file) {
  LNK_TRY(UniqueFd fd, open_trusted(file));
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return posix::os_fail(Code::Gone, "look at it", {}, errno);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return fail(Code::Invalid, "it is empty");
  if (size > kFileBytesMax) return fail(Code::Limit, "it has more than " + std::to_string(kFileBytesMax) + " bytes");
  return ModuleFile(std::move(fd), size, stamp_of(status));
}

Result<Note> ModuleFile::note() const {
  std::array<std::byte, kFrontBytes> front;
  const ssize_t count = posix::retry([&] { return ::pread(fd_.get(), front.data(), front.size(), 0); });
  if (count > 0) {
    // Where the headers and notes all lie in front, this is what the whole file would say; else it fails for being cut.
    auto note = read_note(std::span(front).first(static_cast<std::size_t>(count)));
    if (note) return note;
  }
  LNK_TRY(const MappedFile mapped, MappedFile::map(fd_.get(), size_));
  return read_note(mapped.bytes());
}

Result<std::string> ModuleFile::schema() const {
  LNK_TRY(const MappedFile mapped, MappedFile::map(fd_.get(), size_));
  return read_schema_note(mapped.bytes());
}

Status ModuleFile::check_hash(std::string_view wanted) const {
  LNK_TRY(const MappedFile mapped, MappedFile::map(fd_.get(), size_));
  const std::string found = sha256_hex(mapped.text());
  if (found == wanted) return {};
  return fail(Code::Gone, "it is another file than the snapshot holds: its SHA-256 is " + found + ", and " +
                              std::string(wanted) + " is wanted");
}

}  // namespace lnk::host
