// SPDX-License-Identifier: Apache-2.0
#include "ascii.hpp"
#include "fields.hpp"
#include "lnk/http/head.hpp"

namespace lnk::http {
namespace {

/// The request line beside its target: a method, two spaces, the version, the line's end.
constexpr std::size_t kRequestLineRest = 64;

}  // namespace

HeadScanner::Outcome HeadScanner::refuse(std::uint16_t status, std::string_view what) {
  refusal_ = refuse_head(side_, status, what);
  return Outcome::Refused;
}

HeadScanner::Outcome HeadScanner::check_limits() {
  const std::size_t line_bytes = seen_ - line_start_;
  if (side_ == Side::Request && lines_ == 0 && line_bytes > kTargetBytesMax + kRequestLineRest) {
    return refuse(414, "a target over 16 KiB");
  }
  if (side_ == Side::Request && lines_ > 0 && line_bytes > kRequestFieldBytesMax) {
    return refuse(431, "a field over 8 KiB");
  }
  if (seen_ > kHeadBytesMax) return refuse(431, "a head over 64 KiB");
  return Outcome::NeedMore;
}

/// Behind a line feed: Whole at the blank line.
HeadScanner::Outcome HeadScanner::take_line_end() {
  constexpr std::size_t kLineEnd = 2;
  const bool is_blank_line = seen_ - line_start_ == kLineEnd;
  if (is_blank_line && lines_ == 0) return refuse(400, "an empty line before the request");
  if (is_blank_line) return Outcome::Whole;
  ++lines_;
  line_start_ = seen_;
  if (lines_ > kFieldsMax + 1) return refuse(431, "more than 100 fields");
  return Outcome::NeedMore;
}

HeadScanner::Outcome HeadScanner::scan(std::string_view bytes) {
  while (seen_ < bytes.size()) {
    const char byte = bytes[seen_];
    const bool starts_line = seen_ == line_start_;
    if (after_cr_ != (byte == '\n')) return refuse(400, "a bare CR or LF");
    if (starts_line && is_blank(byte)) return refuse(400, "a line that begins with white space");
    after_cr_ = byte == '\r';
    if (is_control(byte) && byte != '\t' && byte != '\r' && byte != '\n') {
      return refuse(400, "a control character");
    }
    ++seen_;
    if (const auto outcome = check_limits(); outcome != Outcome::NeedMore) return outcome;
    if (byte != '\n') continue;
    if (const auto outcome = take_line_end(); outcome != Outcome::NeedMore) return outcome;
  }
  return Outcome::NeedMore;
}

}  // namespace lnk::http
