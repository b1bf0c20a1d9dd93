// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ascii.hpp"
#include "lnk/http/body.hpp"
#include "lnk/http/head.hpp"
#include "lnk/http/limits.hpp"

namespace lnk::http {
namespace {

constexpr std::string_view kBareLineEnd = "a bare CR or LF in the chunked body";
constexpr std::string_view kBadSize = "a chunk size that isn't plain hex";
constexpr std::string_view kBadExtension = "a chunk extension that can't be read in one way alone";

}  // namespace

std::string_view ChunkedScanner::take_size(char byte) {
  if (is_hex_digit(byte)) {
    if (++digits_ > kChunkSizeDigitsMax) return kBadSize;
    left_ = left_ << 4U | hex_value(byte);
    return {};
  }
  if (digits_ == 0) return kBadSize;
  if (byte == '\r') {
    state_ = State::SizeLf;
  } else if (byte == ';') {
    state_ = State::Extension;
  } else {
    return kBadSize;  // white space here is what readers differ over
  }
  return {};
}

std::string_view ChunkedScanner::take_extension(char byte) {
  if (++extension_bytes_ > kChunkExtensionBytesMax) return "chunk extensions over 16 KiB";
  if (byte == '\r' && state_ == State::Extension) {
    state_ = State::SizeLf;
    return {};
  }
  if (is_control(byte) && byte != '\t') return kBadExtension;  // a quoted string never goes on over a line's end
  switch (state_) {
    case State::QuotedPair:
      state_ = State::Quoted;
      break;
    case State::Quoted:
      if (byte == '\\') state_ = State::QuotedPair;
      if (byte == '"') state_ = State::Extension;
      break;
    default:
      if (byte == '"') state_ = State::Quoted;
      break;
  }
  return {};
}

/// Trailers are dropped, but one that would frame the message is a sign that somebody reads it in another way.
std::string_view ChunkedScanner::take_trailer_name(char byte) {
  if (byte != ':') {
    if (!is_token_char(byte)) return "a trailer's name that isn't a token";
    if (trailer_name_bytes_ < trailer_name_.size()) trailer_name_[trailer_name_bytes_] = byte;
    ++trailer_name_bytes_;
    return {};
  }
  state_ = State::TrailerValue;
  const std::string_view name(trailer_name_.data(), std::min<std::size_t>(trailer_name_bytes_, trailer_name_.size()));
  if (name.empty()) return "a trailer without a name";
  if (equals_folded(name, "content-length") || equals_folded(name, "transfer-encoding")) {
    return "a trailer that frames the message";
  }
  return {};
}

std::string_view ChunkedScanner::take_trailer(char byte) {
  if (++trailer_bytes_ > kTrailerBytesMax) return "trailers over 8 KiB";
  switch (state_) {
    case State::TrailerStart:
      trailer_name_bytes_ = 0;
      state_ = byte == '\r' ? State::EndLf : State::TrailerName;
      return byte == '\r' ? std::string_view{} : take_trailer_name(byte);
    case State::TrailerName:
      return take_trailer_name(byte);
    case State::TrailerValue:
      if (byte == '\r') state_ = State::TrailerLf;
      return byte == '\r' || byte == '\t' || !is_control(byte) ? std::string_view{}
                                                               : "a control character in a trailer";
    default:
      if (byte != '\n') return kBareLineEnd;
      done_ = state_ == State::EndLf;
      state_ = State::TrailerStart;
      return {};
  }
}

std::string_view ChunkedScanner::take(char byte) {
  switch (state_) {
    case State::Size:
    case State::Extension:
    case State::Quoted:
    case State::QuotedPair:
      if (++line_bytes_ > kChunkLineBytesMax) return "a chunk's size line over 256 bytes";
      return state_ == State::Size ? take_size(byte) : take_extension(byte);
    case State::SizeLf:
      if (byte != '\n') return kBareLineEnd;
      state_ = left_ == 0 ? State::TrailerStart : State::Data;
      return {};
    case State::DataCr:
      state_ = State::DataLf;
      return byte == '\r' ? std::string_view{} : "a chunk longer than its size";
    case State::DataLf:
      state_ = State::Size;
      digits_ = line_bytes_ = 0;
      return byte == '\n' ? std::string_view{} : kBareLineEnd;
    case State::Data:
      return "a fault of the scanner";
    default:
      return take_trailer(byte);
  }
}

ChunkedScanner::Step ChunkedScanner::next(std::string_view input) {
  Step step;
  while (step.consumed < input.size()) {
    if (state_ == State::Data) {
      const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size() - step.consumed));
      step.kind = Step::Kind::Data;
      step.data = input.substr(step.consumed, size);
      step.consumed += size;
      left_ -= size;
      if (left_ == 0) state_ = State::DataCr;
      return step;
    }
    step.words = take(input[step.consumed]);
    if (!step.words.empty()) {
      step.kind = Step::Kind::Refused;
      return step;
    }
    ++step.consumed;
    if (!done_) continue;
    step.kind = Step::Kind::Done;
    return step;
  }
  return step;
}

}  // namespace lnk::http
