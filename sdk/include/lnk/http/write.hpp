// SPDX-License-Identifier: Apache-2.0
//
// Heads written anew from parsed parts: nothing of the received bytes goes on but tokens, targets and values that were
// checked, and they are checked again here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lnk/http/head.hpp"

namespace lnk::http {

/// Fields that speak of this hop alone, and those that Connection names, are left out; so are the ones a writer sets
/// itself: Host, Content-Length, Transfer-Encoding, Expect.
/// source: RFC 9110 7.6.1
[[nodiscard]] std::vector<Field> end_to_end_fields(const std::vector<Field>& fields);

/// A text that can't be written as asked makes the whole head unusable: `text()` is then empty, and stays so.
class HeadWriter {
 public:
  HeadWriter& request(std::string_view method, std::string_view target);
  HeadWriter& reply(std::uint16_t status, std::string_view reason);
  HeadWriter& field(std::string_view name, std::string_view value);
  HeadWriter& fields(const std::vector<Field>& fields);
  /// Content-Length or Transfer-Encoding; nothing for None and UntilClose.
  HeadWriter& framing(const Body& body);
  /// The one switch of protocols that is passed on, asked for or made.
  HeadWriter& websocket();
  /// The blank line. Empty: a part was not fit to be written.
  [[nodiscard]] std::string finish();

 private:
  std::string text_;
  bool is_unfit_ = false;
};

/// The request as an origin server is asked: origin-form, Host from the authority, end-to-end fields, framing, and the
/// upgrade where it asks for a WebSocket; any other upgrade is left out.
/// `default_port`: 80, or 443 under TLS.
[[nodiscard]] std::string write_origin_request(const RequestHead& head, std::uint16_t default_port);

/// "Not Found" for 404; empty where the status has no phrase of its own here.
[[nodiscard]] std::string_view reason_phrase(std::uint16_t status) noexcept;

}  // namespace lnk::http
