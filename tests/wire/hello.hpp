// SPDX-License-Identifier: Apache-2.0
//
// ClientHellos as bytes, part by part, so that a test can get each part wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lnk::test {

inline std::string number(std::size_t value, std::size_t bytes) {
  std::string out;
  for (std::size_t i = bytes; i-- > 0;) out += static_cast<char>(value >> (8 * i) & 0xffU);
  return out;
}
inline std::string with_length(std::string_view text, std::size_t bytes) { return number(text.size(), bytes) + std::string(text); }

inline std::string extension(std::uint16_t type, std::string_view body) { return number(type, 2) + with_length(body, 2); }
inline std::string name_entry(std::string_view name, std::uint8_t kind = 0) { return number(kind, 1) + with_length(name, 2); }
inline std::string server_name(std::string_view name) { return extension(0, with_length(name_entry(name), 2)); }

struct Hello {
  std::uint16_t version = 0x0303;
  std::string session = std::string(32, 's');
  std::string suites = "\x13\x01\x13\x02";
  std::string compressions = std::string(1, '\0');
  std::string extensions = server_name("example.com");
  bool has_extensions = true;

  /// The handshake message.
  [[nodiscard]] std::string message() const {
    std::string body = number(version, 2) + std::string(32, 'r') + with_length(session, 1) + with_length(suites, 2) + with_length(compressions, 1);
    if (has_extensions) body += with_length(extensions, 2);
    return "\x01" + with_length(body, 3);
  }
};

inline std::string record(std::string_view content, std::uint8_t type = 22, std::uint16_t version = 0x0301) {
  return number(type, 1) + number(version, 2) + with_length(content, 2);
}
/// Over records of so many bytes.
inline std::string records(std::string_view message, std::size_t size) {
  std::string out;
  for (; !message.empty(); message.remove_prefix(std::min(size, message.size()))) out += record(message.substr(0, size));
  return out;
}

}  // namespace lnk::test
