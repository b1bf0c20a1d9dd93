// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 as lower-case hex.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace lnk::digest {

/// A hash that is fed piece by piece.
class Sha256 {
 public:
  Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  ~Sha256();

  void add(std::string_view bytes);
  /// Once: the hash of all that was added.
  [[nodiscard]] std::string hex();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

[[nodiscard]] std::string sha256_hex(std::string_view bytes);

}  // namespace lnk::digest
