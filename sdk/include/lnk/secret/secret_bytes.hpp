// SPDX-License-Identifier: Apache-2.0
//
// Bytes that must not outlive their use: wiped when they go, moved and never copied, and with no formatter, so that a
// secret in a log line does not compile.
//
// Does not do: keep the pages out of swap or out of a core file. The process that holds secrets is undumpable.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

namespace lnk::secret {

class SecretBytes {
 public:
  SecretBytes() noexcept = default;
  /// Copies `bytes`; the caller wipes its own.
  explicit SecretBytes(std::string_view bytes);
  /// Empty, with room for `capacity` bytes. It never grows, since growing leaves an unwiped copy behind.
  static SecretBytes with_capacity(std::size_t capacity);

  SecretBytes(SecretBytes&& other) noexcept;
  SecretBytes& operator=(SecretBytes&& other) noexcept;
  SecretBytes(const SecretBytes&) = delete;
  SecretBytes& operator=(const SecretBytes&) = delete;
  ~SecretBytes();

  /// Borrowed: to write out or to compare, not to keep.
  [[nodiscard]] std::string_view reveal() const noexcept { return {bytes_.get(), size_}; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  /// errors: false where the capacity would be passed; nothing is written then.
  [[nodiscard]] bool append(std::string_view bytes) noexcept;
  /// Where a reader may put up to `room()` bytes before `commit`.
  [[nodiscard]] char* free_space() noexcept { return bytes_.get() + size_; }
  [[nodiscard]] std::size_t room() const noexcept { return capacity_ - size_; }
  void commit(std::size_t count) noexcept { size_ += count; }
  /// Drops bytes from the end, wiped.
  void shrink(std::size_t size) noexcept;

 private:
  void wipe() noexcept;

  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// Wipes a buffer that held a secret for a moment.
void wipe(char* bytes, std::size_t size) noexcept;

}  // namespace lnk::secret
