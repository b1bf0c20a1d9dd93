// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include "ascii.hpp"
#include "fields.hpp"

namespace lnk::http {
namespace {

enum class Coding { Chunked, Unknown, Unreadable };

/// One `chunked`, last, and nothing else is read here. What names another coding before it is not known; everything
/// that some reader takes for no coding, or for two, can't be read.
Coding read_coding(std::string_view value) {
  std::size_t chunked_count = 0;
  std::size_t count = 0;
  bool ends_chunked = false;
  for (std::size_t start = 0; start <= value.size();) {
    const std::size_t end = std::min(value.find(',', start), value.size());
    const std::string_view coding = trimmed(value.substr(start, end - start));
    start = end + 1;
    if (!is_token(coding) || equals_folded(coding, "identity")) return Coding::Unreadable;
    ends_chunked = equals_folded(coding, "chunked");
    if (ends_chunked) ++chunked_count;
    ++count;
  }
  if (chunked_count > 1 || (chunked_count == 1 && !ends_chunked)) return Coding::Unreadable;
  return chunked_count == 1 && count == 1 ? Coding::Chunked : Coding::Unknown;
}

/// Digits alone, no leading zero, below 2^63.
bool read_length(std::string_view value, std::uint64_t& length) noexcept {
  constexpr std::size_t kDigitsMax = 18;
  if (value.empty() || value.size() > kDigitsMax || !std::all_of(value.begin(), value.end(), is_digit)) return false;
  if (value.size() > 1 && value.front() == '0') return false;
  return std::from_chars(value.data(), value.data() + value.size(), length).ec == std::errc();
}

Checked<Body> frame_by_coding(const FieldTally& tally, int minor_version, Side side) {
  if (tally.length_count > 0) return refuse_head(side, 400, "both Content-Length and Transfer-Encoding");
  if (tally.coding_count > 1) return refuse_head(side, 400, "two Transfer-Encoding fields");
  if (minor_version == 0) return refuse_head(side, 400, "a Transfer-Encoding in HTTP/1.0");
  switch (read_coding(tally.coding)) {
    case Coding::Chunked:
      return Body{Framing::Chunked, 0};
    case Coding::Unknown:
      return refuse_head(side, 501, "a transfer coding that isn't known here");
    case Coding::Unreadable:
      break;
  }
  return refuse_head(side, 400, "a Transfer-Encoding other than one chunked");
}

}  // namespace

Checked<Body> decide_framing(const FieldTally& tally, int minor_version, Side side) {
  if (tally.coding_count > 0) return frame_by_coding(tally, minor_version, side);
  if (tally.length_count > 1) return refuse_head(side, 400, "two Content-Length fields");
  if (tally.length_count == 0) return Body{side == Side::Reply ? Framing::UntilClose : Framing::None, 0};
  Body body{Framing::Length, 0};
  if (!read_length(tally.length, body.length))
    return refuse_head(side, 400, "a Content-Length that isn't plain digits");
  return body;
}

}  // namespace lnk::http
