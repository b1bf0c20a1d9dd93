// SPDX-License-Identifier: Apache-2.0
//
// The values behind handles. Read once, before the wire confines itself; no module ever sees one.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "lnk/secret/secret_bytes.hpp"

namespace lnk::host {

inline constexpr std::size_t kHandleBytesMax = 4096;  ///< a value stands in one field, which is at most 8 KiB

class HandleStore {
 public:
  /// Reads a value's file.
  /// errors: names the handle and the file: Gone (not there), Denied (others may read or change it), Invalid (empty,
  /// too long, or with a byte that would end a field).
  Result<void> load(const std::string& handle, const std::string& file);
  /// For tests and for values that come by another way.
  void put(const std::string& handle, secret::SecretBytes value);
  /// Null: not known. Lives as long as the store.
  [[nodiscard]] const secret::SecretBytes* find(std::string_view handle) const noexcept;

 private:
  std::map<std::string, secret::SecretBytes, std::less<>> values_;
};

}  // namespace lnk::host
