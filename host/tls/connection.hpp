// SPDX-License-Identifier: Apache-2.0
//
// One TLS connection over memory.
#pragma once

#include <openssl/ssl.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"

namespace lnk::host::tls {

struct SslDeleter {
  void operator()(SSL* ssl) const noexcept { SSL_free(ssl); }
};

class Connection {
 public:
  /// errors: Invalid where `host` can't be a server's name; Internal.
  static Result<std::unique_ptr<Connection>> open(SSL_CTX* context, const std::string& host);

  [[nodiscard]] bool feed(std::string_view bytes) noexcept;
  void feed_end() noexcept;
  [[nodiscard]] std::string_view outgoing() const noexcept;
  void sent(std::size_t bytes) noexcept;

  Result<void> handshake();
  Result<std::size_t> read(std::span<unsigned char> into);
  Result<void> write(std::string_view bytes);
  void finish() noexcept;

 private:
  Connection() = default;
  Failure failure(int returned, std::string_view step);

  std::unique_ptr<SSL, SslDeleter> ssl_;
  BIO* in_ = nullptr;   ///< the SSL's
  BIO* out_ = nullptr;  ///< the SSL's
};

}  // namespace lnk::host::tls
