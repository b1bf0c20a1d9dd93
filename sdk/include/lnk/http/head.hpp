// SPDX-License-Identifier: Apache-2.0
//
// Heads of HTTP/1.0 and 1.1 messages, read strictly. Guarantees: a head that any server could read in another way is
// refused, never mended; a value that comes out holds no control character but tabs inside a field's value. Trusts
// nothing of its input. Does not read bodies, and never looks at a byte behind the blank line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/http/authority.hpp"
#include "lnk/http/body.hpp"
#include "lnk/http/limits.hpp"
#include "lnk/http/refusal.hpp"

namespace lnk::http {

enum class Side : std::uint8_t { Request, Reply };

/// Finds a head's end as bytes come, and refuses at the first byte that can't be in one.
class HeadScanner {
 public:
  enum class Outcome : std::uint8_t { NeedMore, Whole, Refused };

  explicit HeadScanner(Side side) noexcept : side_(side) {}

  /// `bytes`: everything so far from the head's first byte; what was seen before is not looked at again.
  [[nodiscard]] Outcome scan(std::string_view bytes);
  /// After Whole: the head's size, the blank line included.
  [[nodiscard]] std::size_t size() const noexcept { return seen_; }
  [[nodiscard]] const Refusal& refusal() const noexcept { return refusal_; }

 private:
  Outcome refuse(std::uint16_t status, std::string_view what);
  Outcome take_line_end();
  Outcome check_limits();

  Side side_;
  std::size_t seen_ = 0;
  std::size_t line_start_ = 0;
  std::size_t lines_ = 0;
  bool after_cr_ = false;
  Refusal refusal_;
};

struct Field {
  std::string_view name;   ///< a token, as sent
  std::string_view value;  ///< white space at both ends left out
};

enum class TargetForm : std::uint8_t { Origin, Absolute, Authority, Asterisk };

/// Views point into `storage`, which moves with the head.
struct RequestHead {
  std::unique_ptr<char[]> storage;
  std::string_view method;
  std::string_view target;  ///< as sent
  TargetForm form = TargetForm::Origin;
  int minor_version = 1;
  Authority authority;     ///< of the target; of Host in origin-form
  std::string_view path;   ///< as sent, without the query; "/" where the target has none; empty for CONNECT
  std::string_view query;  ///< behind the first '?', as sent
  bool has_query = false;
  std::vector<Field> fields;
  Body body;
  bool expects_continue = false;
  bool wants_keep_alive = true;  ///< false: the client asked to close, or speaks 1.0 and didn't ask to stay
  bool has_high_bytes = false;   ///< bytes over 0x7f in a field's value (obs-text)
  bool has_upgrade = false;
  bool asks_websocket = false;  ///< a GET of 1.1 without a body, with one Upgrade, which is to websocket alone
};

struct ReplyHead {
  std::unique_ptr<char[]> storage;
  std::uint16_t status = 0;
  std::string_view reason;  ///< visible ASCII and spaces, else empty
  int minor_version = 1;
  std::vector<Field> fields;
  Body body;
  std::optional<std::uint64_t> told_length;  ///< Content-Length, also where there is no body (HEAD, 304)
  bool wants_keep_alive = true;
  bool is_websocket = false;  ///< 101 to websocket alone, with no framing of a body
};

/// `head`: a whole head as HeadScanner found it, and nothing more.
/// source: RFC 9112 2-7, RFC 9110 5, 7, 9.3.6
[[nodiscard]] Checked<RequestHead> parse_request(std::string_view head);
/// `request_method`: a reply to HEAD, and one with status 1xx, 204 or 304, has no body whatever its fields say.
/// A refusal's status is 502 and its reason "upstream".
[[nodiscard]] Checked<ReplyHead> parse_reply(std::string_view head, std::string_view request_method);

[[nodiscard]] bool equals_folded(std::string_view left, std::string_view right) noexcept;
[[nodiscard]] bool is_token(std::string_view text) noexcept;
/// The first field of a name, compared without case.
[[nodiscard]] std::optional<std::string_view> find_field(const std::vector<Field>& fields,
                                                         std::string_view name) noexcept;

}  // namespace lnk::http
