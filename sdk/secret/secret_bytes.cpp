// SPDX-License-Identifier: Apache-2.0
#include "lnk/secret/secret_bytes.hpp"

#include <string.h>

#include <algorithm>
#include <utility>

namespace lnk::secret {

// explicit_bzero is never left out by the optimiser, as a memset of dying memory is (explicit_bzero(3)).
void wipe(char* bytes, std::size_t size) noexcept {
  if (size != 0) ::explicit_bzero(bytes, size);
}

SecretBytes::SecretBytes(std::string_view bytes) : SecretBytes(with_capacity(bytes.size())) {
  static_cast<void>(append(bytes));
}

SecretBytes SecretBytes::with_capacity(std::size_t capacity) {
  SecretBytes made;
  made.bytes_ = std::make_unique<char[]>(capacity);
  made.capacity_ = capacity;
  return made;
}

SecretBytes::SecretBytes(SecretBytes&& other) noexcept
    : bytes_(std::move(other.bytes_)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}

SecretBytes& SecretBytes::operator=(SecretBytes&& other) noexcept {
  if (this == &other) return *this;
  wipe();
  bytes_ = std::move(other.bytes_);
  size_ = std::exchange(other.size_, 0);
  capacity_ = std::exchange(other.capacity_, 0);
  return *this;
}

SecretBytes::~SecretBytes() { wipe(); }

bool SecretBytes::append(std::string_view bytes) noexcept {
  if (bytes.size() > room()) return false;
  std::copy(bytes.begin(), bytes.end(), free_space());
  size_ += bytes.size();
  return true;
}

void SecretBytes::shrink(std::size_t size) noexcept {
  if (size >= size_) return;
  secret::wipe(bytes_.get() + size, size_ - size);
  size_ = size;
}

void SecretBytes::wipe() noexcept { secret::wipe(bytes_.get(), capacity_); }

}  // namespace lnk::secret
