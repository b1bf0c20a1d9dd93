// SPDX-License-Identifier: Apache-2.0
#include "wire/body_writer.hpp"

#include <array>
#include <charconv>
#include <string>
#include <string_view>

namespace lnk::host {
namespace {

/// One packet for a small chunk; a large one is not copied for the sake of its size line.
constexpr std::size_t kSmallPieceBytes = 4096;

std::span<const std::byte> to_bytes(std::string_view text) noexcept {
  return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace

Task<Status> write_body_piece(ByteStream& to, http::Framing framing, std::span<const std::byte> bytes) {
  if (bytes.empty()) co_return Status{};
  if (framing != http::Framing::Chunked) co_return co_await write_all(to, bytes);
  std::array<char, 18> line;
  char* end = std::to_chars(line.data(), line.data() + 16, bytes.size(), 16).ptr;
  *end++ = '\r';
  *end++ = '\n';
  const std::string_view size_line(line.data(), static_cast<std::size_t>(end - line.data()));
  if (bytes.size() > kSmallPieceBytes)
    co_return co_await write_all_parts(to, to_bytes(size_line), bytes, to_bytes("\r\n"));
  std::string whole(size_line);
  whole.append(reinterpret_cast<const char*>(bytes.data()), bytes.size()).append("\r\n");
  co_return co_await write_all(to, to_bytes(whole));
}

Task<Status> write_body_end(ByteStream& to, http::Framing framing) {
  if (framing == http::Framing::Chunked) co_return co_await write_all(to, to_bytes("0\r\n\r\n"));
  co_return Status{};
}

}  // namespace lnk::host
