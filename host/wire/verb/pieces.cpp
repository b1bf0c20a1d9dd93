// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/pieces.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "lnk/cpp/view.hpp"
#include "lnk/http/limits.hpp"
#include "lnk/route/path_shape.hpp"
#include "lnk/secret/base64.hpp"
#include "wire/limits.hpp"

namespace lnk::host {
namespace {

/// A control character, CR, LF and NUL above all, would end the line that the value stands in.
bool may_stand(std::string_view text, ValuePlace place) noexcept {
  const char lowest = place == ValuePlace::Target ? 0x21 : 0x20;
  return std::all_of(text.begin(), text.end(), [&](char c) { return c >= lowest && c < 0x7f; }) &&
         (place == ValuePlace::Field || text.find('#') == std::string_view::npos);
}

std::size_t bytes_max(ValuePlace place) noexcept {
  return place == ValuePlace::Target ? http::kTargetBytesMax : http::kRequestFieldBytesMax;
}

bool is_handle(std::uint32_t kind) noexcept { return kind == LNK_PIECE_HANDLE || kind == LNK_PIECE_QUERY_HANDLE; }

Failure bad(std::string_view words) { return fail(Code::Invalid, "a value " + std::string(words)); }

/// Base64 stands only in fields, and its pieces are not nested.
Result<void> check_order(const Pieces& pieces, ValuePlace place) {
  bool encoded = false;
  for (const Piece& piece : pieces) {
    const bool begins = piece.kind == LNK_PIECE_BASE64_BEGIN;
    const bool ends = piece.kind == LNK_PIECE_BASE64_END;
    if ((begins && encoded) || (ends && !encoded)) return bad("has base64 marks that do not pair");
    if (begins && place == ValuePlace::Target) return bad("of a target has base64 in it");
    if (piece.kind == LNK_PIECE_QUERY_HANDLE && place == ValuePlace::Field)
      return bad("of a field has a query's handle in it");
    encoded = (encoded || begins) && !ends;
  }
  if (encoded) return bad("has base64 marks that do not pair");
  return {};
}

Result<Piece> read_piece(const lnk_piece& raw, ValuePlace place) {
  Piece piece{raw.kind, std::string(view(raw.text))};
  if (raw.text.data == nullptr && raw.text.size != 0) return bad("has a text that is not there");
  if (raw.kind < LNK_PIECE_TEXT || raw.kind > LNK_PIECE_QUERY_HANDLE) return bad("has a piece of an unknown kind");
  if (is_handle(raw.kind) && (piece.text.empty() || piece.text.size() > kHandleNameBytesMax))
    return bad("names no handle");
  if (raw.kind == LNK_PIECE_TEXT && !may_stand(piece.text, place))
    return bad("has a character that may not stand in it");
  return piece;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  out.reserve(3 * text.size());  // it never grows, which would leave an unwiped copy
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~").find(c) != std::string_view::npos;
    const auto byte = static_cast<unsigned char>(c);
    if (plain) {
      out += c;
    } else {
      out += {'%', kHex[byte >> 4U], kHex[byte & 15U]};
    }
  }
  return out;
}

/// As one part of a path, since a '/' or '?' of the value would make another path than was decided on.
bool may_stand_in_path(std::string_view value) noexcept {
  return value.find('/') == std::string_view::npos && route::is_plain_path(value);
}

Result<void> append_handle(const Piece& piece, ValuePlace place, const HandleStore& handles, secret::SecretBytes& out) {
  const auto* value = handles.find(piece.text);
  if (value == nullptr) return fail(Code::Gone, "no value for " + piece.text);
  bool fits = false;
  if (piece.kind == LNK_PIECE_QUERY_HANDLE) {
    std::string encoded = percent_encoded(value->reveal());
    fits = out.append(encoded);
    secret::wipe(encoded.data(), encoded.size());
  } else {
    if (place == ValuePlace::Target && !may_stand_in_path(value->reveal())) {
      return fail(Code::Invalid, "the value of " + piece.text + " can't stand in a path");
    }
    fits = out.append(value->reveal());
  }
  if (!fits) return fail(Code::Limit, "a value is too long");
  return {};
}

}  // namespace

Result<Pieces> read_pieces(const lnk_value& value, ValuePlace place) {
  if (value.count > kPiecesMax || (value.pieces == nullptr && value.count != 0)) return bad("has too many pieces");
  Pieces pieces;
  std::size_t bytes = 0;
  for (const lnk_piece& raw : std::span(value.pieces, value.count)) {
    if (raw.text.size > bytes_max(place)) return fail(Code::Limit, "a value is too long");
    LNK_TRY(auto piece, read_piece(raw, place));
    bytes += piece.text.size();
    pieces.push_back(std::move(piece));
  }
  if (bytes > bytes_max(place)) return fail(Code::Limit, "a value is too long");
  LNK_CHECK(check_order(pieces, place));
  return pieces;
}

std::vector<std::string> handles_of(const Pieces& pieces) {
  std::vector<std::string> out;
  for (const Piece& piece : pieces) {
    if (is_handle(piece.kind)) out.push_back(piece.text);
  }
  return out;
}

Result<secret::SecretBytes> render(const Pieces& pieces, ValuePlace place, const HandleStore& handles) {
  auto out = secret::SecretBytes::with_capacity(bytes_max(place));
  auto encoded = secret::SecretBytes::with_capacity(0);
  bool in_base64 = false;
  for (const Piece& piece : pieces) {
    secret::SecretBytes& to = in_base64 ? encoded : out;
    if (piece.kind == LNK_PIECE_BASE64_BEGIN) {
      in_base64 = true;
      encoded = secret::SecretBytes::with_capacity(bytes_max(place));
    } else if (piece.kind == LNK_PIECE_BASE64_END) {
      in_base64 = false;
      if (!out.append(secret::base64_encode(encoded.reveal()).reveal()))
        return fail(Code::Limit, "a value is too long");
    } else if (piece.kind == LNK_PIECE_TEXT) {
      if (!to.append(piece.text)) return fail(Code::Limit, "a value is too long");
    } else {
      LNK_CHECK(append_handle(piece, place, handles, to));
    }
  }
  if (!may_stand(out.reveal(), place))
    return fail(Code::Invalid, "a handle's value has a character that may not stand there");
  return out;
}

}  // namespace lnk::host
