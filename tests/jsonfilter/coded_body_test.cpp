// SPDX-License-Identifier: Apache-2.0
#include "lnk/jsonfilter/coded_body.hpp"

#include <zlib.h>
#include <zstd.h>

#include <boost/test/unit_test.hpp>
#include <string>

using lnk::jsonfilter::Coding;
using lnk::jsonfilter::coding_of;
using lnk::jsonfilter::decode;

namespace {

constexpr int kGzip = 16 + MAX_WBITS;

std::string deflated(std::string_view text, int window_bits = kGzip) {
  z_stream stream{};
  BOOST_REQUIRE(::deflateInit2(&stream, 9, Z_DEFLATED, window_bits, 9, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(::deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  BOOST_REQUIRE(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  ::deflateEnd(&stream);
  return out;
}

std::string zstd(std::string_view text, int window_log = 0) {
  ZSTD_CCtx* context = ::ZSTD_createCCtx();
  if (window_log != 0) ::ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
  std::string out(::ZSTD_compressBound(text.size()), '\0');
  const auto size = ::ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size());
  ::ZSTD_freeCCtx(context);
  BOOST_REQUIRE(::ZSTD_isError(size) == 0);
  out.resize(size);
  return out;
}

std::string decoded(Coding coding, std::string_view coded) {
  auto text = decode(coding, coded);
  return text ? *text : "refused: " + text.error().text;
}

std::string numbers(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += std::to_string(i * 2654435761U) + ',';
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_body_of_each_coding_is_decoded) {
  const auto text = numbers(100'000);
  BOOST_TEST((decoded(Coding::Gzip, deflated(text)) == text));
  BOOST_TEST((decoded(Coding::Zstd, zstd(text)) == text));
  BOOST_TEST((decoded(Coding::Identity, text) == text));
  BOOST_TEST(decoded(Coding::Gzip, deflated("")) == "");
  BOOST_TEST(decoded(Coding::Zstd, zstd("")) == "");
}

BOOST_AUTO_TEST_CASE(what_is_cut_broken_or_followed_by_more_is_refused) {
  const auto text = numbers(2000);
  const auto gzip = deflated(text);
  const auto frame = zstd(text);
  for (const std::size_t kept : {std::size_t{0}, std::size_t{1}, gzip.size() / 2, gzip.size() - 1})
    BOOST_TEST(decoded(Coding::Gzip, std::string_view(gzip).substr(0, kept)).starts_with("refused: is not well coded"));
  for (const std::size_t kept : {std::size_t{0}, std::size_t{3}, frame.size() / 2, frame.size() - 1})
    BOOST_TEST(decoded(Coding::Zstd, std::string_view(frame).substr(0, kept)).starts_with("refused: is not well coded"));
  BOOST_TEST(decoded(Coding::Gzip, gzip + gzip) == "refused: is not well coded: more behind the end of its gzip member");
  BOOST_TEST(decoded(Coding::Gzip, gzip + std::string(1, '\0')).starts_with("refused: "));
  BOOST_TEST(decoded(Coding::Zstd, frame + frame) == "refused: is not well coded: more behind the end of its zstd frame");
  BOOST_TEST(decoded(Coding::Zstd, frame + "x").starts_with("refused: "));
  BOOST_TEST(decoded(Coding::Zstd, std::string("\x50\x2a\x4d\x18\x00\x00\x00\x00", 8) + frame) == "refused: is not well coded: zstd");
  BOOST_TEST(decoded(Coding::Gzip, deflated(text, MAX_WBITS)).starts_with("refused: "));   // zlib's own wrapper
  BOOST_TEST(decoded(Coding::Gzip, deflated(text, -MAX_WBITS)).starts_with("refused: "));  // no wrapper
  std::string broken = gzip;
  broken[gzip.size() - 5] = static_cast<char>(broken[gzip.size() - 5] ^ 1);
  BOOST_TEST(decoded(Coding::Gzip, broken).starts_with("refused: "));
}

BOOST_AUTO_TEST_CASE(a_bomb_is_refused_and_a_short_text_of_one_letter_is_not) {
  const std::string large(40 * 1024 * 1024, 'a');
  BOOST_TEST(decoded(Coding::Gzip, deflated(large)) == "refused: is too large when decoded");
  BOOST_TEST(decoded(Coding::Zstd, zstd(large)) == "refused: is too large when decoded");
  const std::string_view some(large.data(), 8 * 1024 * 1024);  // below the size, over the ratio
  BOOST_TEST(decoded(Coding::Gzip, deflated(some)) == "refused: is too large when decoded");
  BOOST_TEST(decoded(Coding::Zstd, zstd(some)) == "refused: is too large when decoded");
  const std::string short_text(1024 * 1024, 'a');
  BOOST_TEST((decoded(Coding::Gzip, deflated(short_text)) == short_text));
  BOOST_TEST((decoded(Coding::Zstd, zstd(short_text)) == short_text));
  BOOST_TEST(decoded(Coding::Identity, std::string_view(large)) == "refused: is too large");
}

BOOST_AUTO_TEST_CASE(a_window_larger_than_every_decoder_has_is_refused) {
  const auto text = numbers(1'500'000);
  BOOST_TEST(decoded(Coding::Zstd, zstd(text, 24)).starts_with("refused: "));
  BOOST_TEST((decoded(Coding::Zstd, zstd(text, 23)) == text));
}

BOOST_AUTO_TEST_CASE(one_coding_is_known_by_its_name) {
  BOOST_TEST((coding_of("gzip") == Coding::Gzip && coding_of("X-GZIP") == Coding::Gzip));
  BOOST_TEST((coding_of("Zstd") == Coding::Zstd && coding_of("identity") == Coding::Identity));
  for (const auto* other : {"", "deflate", "br", "compress", "gzip, gzip", "zstd,gzip", " gzip", "gzip;q=1", "dcz", "a very long coding"})
    BOOST_TEST(!coding_of(other).has_value(), other);
}
