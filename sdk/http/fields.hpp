// SPDX-License-Identifier: Apache-2.0
//
// What requests and replies have alike: field lines, and the fields that say how the message is framed.
#pragma once

#include <string_view>
#include <vector>

#include "lnk/http/head.hpp"

namespace lnk::http {

/// "the request has …"; a reply's is 502 whatever `status` says.
Refusal refuse_head(Side side, std::uint16_t status, std::string_view what);

/// The fields that decide, gathered in one pass over a head.
struct FieldTally {
  std::size_t host_count = 0;
  std::size_t length_count = 0;
  std::size_t coding_count = 0;
  std::size_t upgrade_count = 0;
  std::string_view host;
  std::string_view length;
  std::string_view coding;
  std::string_view expect;
  std::string_view upgrade;
  bool has_expect = false;
  bool has_high_bytes = false;
  bool asks_close = false;
  bool asks_keep_alive = false;
  bool names_upgrade = false;  ///< by a Connection option

  /// One Upgrade, to websocket and nothing else, which Connection names (RFC 6455 4.1, 4.2.2).
  [[nodiscard]] bool is_websocket() const noexcept;
};

/// `lines`: whole lines with their ends, the blank line left out. Empty, or what is wrong.
std::string_view parse_fields(std::string_view lines, std::vector<Field>& fields, FieldTally& tally);

/// source: RFC 9112 6.1 to 6.3, less everything that two readers take differently
Checked<Body> decide_framing(const FieldTally& tally, int minor_version, Side side);

/// "HTTP/1.0" and "HTTP/1.1" give 0 and 1; anything else -1.
int parse_minor_version(std::string_view text) noexcept;

/// The first line, taken off `head` with its end.
std::string_view take_line(std::string_view& head) noexcept;

}  // namespace lnk::http
