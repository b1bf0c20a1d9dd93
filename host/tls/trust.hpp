// SPDX-License-Identifier: Apache-2.0
//
// The settings of every connection, and the machine's trust store in memory.
#pragma once

#include <openssl/ssl.h>

#include <memory>

#include "lnk/cpp/result.hpp"
#include "trust_store.hpp"

namespace lnk::host::tls {

struct ContextDeleter {
  void operator()(SSL_CTX* context) const noexcept { SSL_CTX_free(context); }
};
using Context = std::unique_ptr<SSL_CTX, ContextDeleter>;

/// The store is read at once, since its files are out of reach later; what OpenSSL needs of its own is made at the
/// first connection, so that a start that makes none does not pay for it (6 ms).
class Trust {
 public:
  /// errors: Gone where no certificate could be read.
  static Result<std::unique_ptr<Trust>> read_machines();
  /// errors: Internal.
  Result<SSL_CTX*> context();

 private:
  TrustStore store_;
  Context context_;  ///< points into `store_`, so it goes first
};

}  // namespace lnk::host::tls
