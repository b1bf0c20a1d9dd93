// SPDX-License-Identifier: Apache-2.0
//
// The name that a TLS client asks for, read from the first bytes of a tunnel. What two readers could take for two names, or for
// none, is refused. source: RFC 8446 4.1.2 and 5.1, RFC 6066 3, RFC 9849 (ECH)
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lnk::host {

/// One ClientHello, over any number of records and reads.
class ClientHello {
 public:
  enum class State : std::uint8_t { Incomplete, Whole, Refused };

  /// All bytes so far, from the tunnel's first. Cheap to call again as they grow: what was read is not read again.
  State read(std::string_view bytes);

  /// In lower case; empty: it names none. Once Whole.
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// Why it was refused.
  [[nodiscard]] std::string_view fault() const noexcept { return fault_; }

 private:
  State refuse(std::string_view fault);
  State take_records(std::string_view bytes);
  State take_hello();
  State take_extensions(std::string_view extensions);
  State take_extension(std::uint16_t type, std::string_view body, bool is_last);
  State take_server_name(std::string_view body);

  State state_ = State::Incomplete;
  std::size_t at_ = 0;       ///< where the next record begins
  std::size_t records_ = 0;
  std::string handshake_;    ///< the records' contents
  std::string name_;
  std::vector<std::uint16_t> types_;
  std::string_view fault_;
};

}  // namespace lnk::host
