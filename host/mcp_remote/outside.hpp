// SPDX-License-Identifier: Apache-2.0
//
// Connections to the one server: its name asked of the resolver, TCP, and TLS where the URL has it. No proxy, and nothing of the
// environment.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "mcp_remote/url.hpp"
#include "wire/byte_stream.hpp"
#include "wire/resolver_client.hpp"
#include "wire/tls_stream.hpp"

namespace lnk::host::remote {

class Outside {
 public:
  /// Starts the resolver and loads TLS where the URL needs them; what fails is said then. `parts`: the folder with our own parts.
  static Result<std::unique_ptr<Outside>> open(Loop& loop, Url url, const std::string& parts);

  /// errors: words that name the server
  Task<Result<std::unique_ptr<ByteStream>>> connect();
  [[nodiscard]] const Url& url() const noexcept { return url_; }
  /// Once the process is confined.
  void start();

 private:
  Outside(Loop& loop, Url url) : loop_(loop), url_(std::move(url)) {}
  Task<Result<std::vector<Address>>> find_addresses();
  Task<Result<std::unique_ptr<ByteStream>>> connect_plain(std::int64_t until_ms);
  Task<Result<std::unique_ptr<ByteStream>>> secure(std::unique_ptr<ByteStream> plain, std::int64_t until_ms);

  Loop& loop_;
  Url url_;
  std::optional<ResolverClient> resolver_;
  std::unique_ptr<TlsLibrary> tls_;
};

}  // namespace lnk::host::remote
