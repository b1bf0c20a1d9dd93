// SPDX-License-Identifier: Apache-2.0
//
// The values behind handles. Read once, before the wire confines itself; no module ever sees one.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "lnk/secret/secret_bytes.hpp"

namespace lnk::host {

class HandleStore {
 public:
  /// Reads the value of a kept secret from the descriptor that its rule was read from.
  /// errors: names the handle: Denied (others may read or change the file), Invalid (not the form of a kept secret).
  Result<void> load(const std::string& handle, int fd);
  /// For tests and for values that come by another way.
  void put(const std::string& handle, secret::SecretBytes value);
  /// Null: not known. Lives as long as the store.
  [[nodiscard]] const secret::SecretBytes* find(std::string_view handle) const noexcept;

 private:
  std::map<std::string, secret::SecretBytes, std::less<>> values_;
};

}  // namespace lnk::host
