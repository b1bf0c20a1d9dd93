// SPDX-License-Identifier: Apache-2.0
#include "lnk/cpp/ascii.hpp"
#include "lnk/jsonfilter/coded_body.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

namespace lnk::jsonfilter {
namespace {

constexpr std::size_t kPieceBytes = 64 * 1024;
constexpr int kGzipOnly = 16 + MAX_WBITS;  ///< zlib.h, inflateInit2: no zlib wrapper, no guessing
constexpr int kWindowLogMax = 23;          ///< 8 MiB: what RFC 8878 3.1.1.1.2 asks of every decoder
constexpr std::string_view kZstdMagic("\x28\xb5\x2f\xfd", 4);

/// Takes what was decoded, to the limits.
class Output {
 public:
  Output(std::size_t coded_bytes, const DecodeLimits& limits) noexcept
      : bytes_max_(std::min(limits.bytes_max, std::max(limits.ratio_free_bytes, most(coded_bytes, limits.ratio_max)))) {}

  /// False: over a limit.
  bool take(std::string_view piece) {
    if (piece.size() > bytes_max_ - bytes_.size()) return false;
    bytes_ += piece;
    return true;
  }
  [[nodiscard]] std::string finish() noexcept { return std::move(bytes_); }

 private:
  static std::size_t most(std::size_t coded_bytes, std::size_t ratio) noexcept {
    return ratio != 0 && coded_bytes > std::numeric_limits<std::size_t>::max() / ratio ? std::numeric_limits<std::size_t>::max()
                                                                                    : coded_bytes * ratio;
  }
  std::size_t bytes_max_;
  std::string bytes_;
};

Failure bad(std::string_view what) { return fail(Code::Invalid, "is not well coded: " + std::string(what)); }
Failure too_much() { return fail(Code::Limit, "is too large when decoded"); }

struct EndInflate {
  void operator()(z_stream* stream) const noexcept { ::inflateEnd(stream); }
};

Result<std::string> decode_gzip(std::string_view coded, const DecodeLimits& limits) {
  z_stream stream{};
  if (::inflateInit2(&stream, kGzipOnly) != Z_OK) return fail(Code::Internal, "no memory to decode");
  const std::unique_ptr<z_stream, EndInflate> owned(&stream);
  if (coded.size() > std::numeric_limits<uInt>::max()) return too_much();
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(coded.data()));
  stream.avail_in = static_cast<uInt>(coded.size());
  Output out(coded.size(), limits);
  std::array<char, kPieceBytes> piece;
  for (;;) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    const int result = ::inflate(&stream, Z_NO_FLUSH);
    if (result != Z_OK && result != Z_STREAM_END) return bad("gzip");
    const std::size_t made = piece.size() - stream.avail_out;
    if (!out.take({piece.data(), made})) return too_much();
    if (result == Z_STREAM_END) break;
    if (made == 0 && stream.avail_in == 0) return bad("gzip that is cut short");
  }
  if (stream.avail_in != 0) return bad("more behind the end of its gzip member");
  return out.finish();
}

struct FreeZstd {
  void operator()(ZSTD_DStream* stream) const noexcept { ::ZSTD_freeDStream(stream); }
};

Result<std::string> decode_zstd(std::string_view coded, const DecodeLimits& limits) {
  if (!coded.starts_with(kZstdMagic)) return bad("zstd");  // a skippable frame is none
  const std::unique_ptr<ZSTD_DStream, FreeZstd> stream(::ZSTD_createDStream());
  if (stream == nullptr || ::ZSTD_isError(::ZSTD_DCtx_setParameter(stream.get(), ZSTD_d_windowLogMax, kWindowLogMax)) != 0)
    return fail(Code::Internal, "no memory to decode");
  ZSTD_inBuffer in{coded.data(), coded.size(), 0};
  Output out(coded.size(), limits);
  std::array<char, kPieceBytes> piece;
  for (;;) {
    ZSTD_outBuffer made{piece.data(), piece.size(), 0};
    const std::size_t result = ::ZSTD_decompressStream(stream.get(), &made, &in);
    if (::ZSTD_isError(result) != 0) return bad("zstd");
    if (!out.take({piece.data(), made.pos})) return too_much();
    if (result == 0) break;
    if (made.pos == 0 && in.pos == in.size) return bad("zstd that is cut short");
  }
  if (in.pos != in.size) return bad("more behind the end of its zstd frame");
  return out.finish();
}

}  // namespace

std::optional<Coding> coding_of(std::string_view field_value) noexcept {
  constexpr std::size_t kLongestName = 8;
  if (field_value.size() > kLongestName) return std::nullopt;
  const auto name = folded(field_value);
  if (name == "identity") return Coding::Identity;
  if (name == "gzip" || name == "x-gzip") return Coding::Gzip;
  if (name == "zstd") return Coding::Zstd;
  return std::nullopt;
}

Result<std::string> decode(Coding coding, std::string_view coded, const DecodeLimits& limits) {
  if (coding == Coding::Gzip) return decode_gzip(coded, limits);
  if (coding == Coding::Zstd) return decode_zstd(coded, limits);
  if (coded.size() > limits.bytes_max) return fail(Code::Limit, "is too large");
  return std::string(coded);
}

}  // namespace lnk::jsonfilter
