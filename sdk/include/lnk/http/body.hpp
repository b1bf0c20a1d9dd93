// SPDX-License-Identifier: Apache-2.0
//
// How long a message's body is, and a strict reader of the chunked coding.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lnk/http/refusal.hpp"

namespace lnk::http {

enum class Framing : std::uint8_t {
  None,
  Length,
  Chunked,
  UntilClose,  ///< replies alone
};

struct Body {
  Framing framing = Framing::None;
  std::uint64_t length = 0;  ///< Length alone
  friend bool operator==(const Body&, const Body&) = default;
};

/// Reads a chunked body piece by piece, whatever the pieces. Extensions and trailers are read, bounded and dropped.
class ChunkedScanner {
 public:
  struct Step {
    enum class Kind : std::uint8_t { NeedMore, Data, Done, Refused } kind = Kind::NeedMore;
    std::size_t consumed = 0;  ///< bytes of the input that are dealt with, `data` included
    std::string_view data;     ///< Data: body bytes, a view into the input
    std::string_view words;    ///< Refused
  };

  /// One step over `input`, which begins where the last step's `consumed` ended. After Done or Refused: not called
  /// again.
  [[nodiscard]] Step next(std::string_view input);

 private:
  enum class State : std::uint8_t {
    Size,
    Extension,
    Quoted,
    QuotedPair,
    SizeLf,
    Data,
    DataCr,
    DataLf,
    TrailerStart,
    TrailerName,
    TrailerValue,
    TrailerLf,
    EndLf
  };

  /// Empty, or the words of a refusal.
  std::string_view take(char byte);
  std::string_view take_size(char byte);
  std::string_view take_extension(char byte);
  std::string_view take_trailer(char byte);
  std::string_view take_trailer_name(char byte);

  std::uint64_t left_ = 0;  ///< of the chunk's data
  std::uint32_t digits_ = 0;
  std::uint32_t line_bytes_ = 0;
  std::uint32_t extension_bytes_ = 0;
  std::uint32_t trailer_bytes_ = 0;
  State state_ = State::Size;
  std::uint32_t trailer_name_bytes_ = 0;
  std::array<char, 24> trailer_name_{};  ///< its first bytes: enough to tell the names that are refused
  bool done_ = false;
};

}  // namespace lnk::http
