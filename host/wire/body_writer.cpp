// SPDX-License-Identifier: Apache-2.0
#include "wire/body_writer.hpp"

#include <array>
#include <charconv>
#include <string_view>

namespace lnk::host {
namespace {

/// One packet for a small chunk; a large one is not copied for the sake of its size line.
constexpr std::size_t kSmallPieceBytes = 4096;

std::span<const std::byte> to_bytes(std::string_view text) noexcept {
  return std::as_bytes(std::span(text.data(), text.size()));
}

struct SizeLine {
  std::array<char, 18> text{};
  std::size_t size = 0;

  explicit SizeLine(std::size_t chunk_bytes) noexcept {
    char* end = std::to_chars(text.data(), text.data() + 16, chunk_bytes, 16).ptr;
    *end++ = '\r';
    *end++ = '\n';
    size = static_cast<std::size_t>(end - text.data());
  }
  [[nodiscard]] std::string_view view() const noexcept { return {text.data(), size}; }
};

}  // namespace

void append_body_piece(std::string& text, http::Framing framing, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const bool is_chunked = framing == http::Framing::Chunked;
  if (is_chunked) text.append(SizeLine(bytes.size()).view());
  text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (is_chunked) text.append("\r\n");
}

Task<Status> write_body_piece(ByteStream& to, http::Framing framing, std::span<const std::byte> bytes) {
  if (bytes.empty()) co_return Status{};
  if (framing != http::Framing::Chunked) co_return co_await write_all(to, bytes);
  if (bytes.size() <= kSmallPieceBytes) {
    std::string whole;
    append_body_piece(whole, framing, bytes);
    co_return co_await write_all(to, to_bytes(whole));
  }
  const SizeLine line(bytes.size());
  co_return co_await write_all_parts(to, to_bytes(line.view()), bytes, to_bytes("\r\n"));
}

Task<Status> write_body_end(ByteStream& to, http::Framing framing) {
  if (framing == http::Framing::Chunked) co_return co_await write_all(to, to_bytes("0\r\n\r\n"));
  co_return Status{};
}

}  // namespace lnk::host
