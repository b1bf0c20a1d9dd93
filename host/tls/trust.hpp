// SPDX-License-Identifier: Apache-2.0
//
// The machine's trust store, read into memory once.
#pragma once

#include <openssl/ssl.h>

#include <memory>

#include "lnk/cpp/result.hpp"

namespace lnk::host::tls {

struct ContextDeleter {
  void operator()(SSL_CTX* context) const noexcept { SSL_CTX_free(context); }
};
using Context = std::unique_ptr<SSL_CTX, ContextDeleter>;

/// A client's settings with the machine's trust store in memory.
/// errors: Gone where no certificate could be read; Internal.
Result<Context> make_context();

}  // namespace lnk::host::tls
