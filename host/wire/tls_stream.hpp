// SPDX-License-Identifier: Apache-2.0
//
// TLS over any ByteStream, by tls.so, which is opened only where a verb needs it.
#pragma once

#include <memory>
#include <string>

#include "lnk/cpp/result.hpp"
#include "wire/byte_stream.hpp"

struct lnk_tls_v1;
struct lnk_tls_trust;

namespace lnk::host {

/// The library and the machine's trust store in memory. Never unloaded.
class TlsLibrary {
 public:
  /// Opens `file` and reads the trust store: before the process confines itself.
  /// errors: names the file or the store that can't be read.
  static Result<std::unique_ptr<TlsLibrary>> open(const std::string& file);
  ~TlsLibrary();
  TlsLibrary(const TlsLibrary&) = delete;
  TlsLibrary& operator=(const TlsLibrary&) = delete;

  /// TLS to `host` over `under`, whose name and chain are verified. Waits for the handshake; the caller's deadline
  /// cancels `under`. errors: Denied (the server is not who it must be), Upstream, Timeout.
  Task<Result<std::unique_ptr<ByteStream>>> connect(std::unique_ptr<ByteStream> under, std::string host) const;

 private:
  TlsLibrary(const lnk_tls_v1& table, lnk_tls_trust* trust) noexcept : table_(table), trust_(trust) {}

  const lnk_tls_v1& table_;
  lnk_tls_trust* trust_;
};

}  // namespace lnk::host
