// SPDX-License-Identifier: Apache-2.0
//
// Chunked bodies: however the bytes are cut, the same body comes out; a plain reader of our own and Beast see that body
// too, and its end at the same byte, unless Beast refuses it.
#include <algorithm>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <charconv>
#include <string>

#include "entry.hpp"
#include "lnk/http/body.hpp"

namespace lnk::fuzz {
namespace {

using Kind = http::ChunkedScanner::Step::Kind;

struct Read {
  Kind kind = Kind::NeedMore;
  std::size_t consumed = 0;
  std::string body;
};

/// The scanner sees at most `step` new bytes at a time.
Read read_by_steps(std::string_view input, std::size_t step) {
  http::ChunkedScanner scanner;
  Read out;
  std::size_t seen = std::min(step, input.size());
  for (;;) {
    const auto got = scanner.next(input.substr(out.consumed, seen - out.consumed));
    LNK_HOLDS(got.consumed <= seen - out.consumed);
    out.consumed += got.consumed;
    out.kind = got.kind;
    if (got.kind == Kind::Data) {
      LNK_HOLDS(!got.data.empty() && got.data.size() <= got.consumed);
      out.body += got.data;
    } else if (got.kind == Kind::NeedMore) {
      LNK_HOLDS(out.consumed == seen);
      if (seen == input.size()) return out;
      seen = std::min(seen + step, input.size());
    } else {
      if (got.kind == Kind::Refused) LNK_HOLDS(!got.words.empty());
      return out;
    }
  }
}

/// The coding as RFC 9112 7.1 has it, on input that was accepted: sizes, data and CRLFs, with no check but of those.
void check_plainly(std::string_view text, const std::string& body) {
  std::string plain;
  for (;;) {
    const std::size_t line = text.find("\r\n");
    LNK_HOLDS(line != std::string_view::npos);
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + line, size, 16);
    LNK_HOLDS(error == std::errc() && (end == text.data() + line || *end == ';'));
    text.remove_prefix(line + 2);
    if (size == 0) break;
    LNK_HOLDS(size + 2 <= text.size() && text.substr(size, 2) == "\r\n");
    plain += text.substr(0, size);
    text.remove_prefix(size + 2);
  }
  LNK_HOLDS(text == "\r\n" || text.ends_with("\r\n\r\n"));
  LNK_HOLDS(plain == body);
}

void check_beast(std::string_view text, const std::string& body) {
  namespace beast = boost::beast;
  beast::http::request_parser<beast::http::string_body> parser;
  parser.eager(true);
  parser.body_limit(boost::none);
  beast::error_code error;
  std::string whole = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + std::string(text);
  std::size_t at = 0;
  while (at < whole.size() && !parser.is_done()) {
    const std::size_t took = parser.put(boost::asio::buffer(whole.data() + at, whole.size() - at), error);
    if (error) return;  // stricter than ours, on extensions, is no other reading
    LNK_HOLDS(took > 0);
    at += took;
  }
  LNK_HOLDS(parser.is_done() && at == whole.size());
  LNK_HOLDS(parser.get().body() == body);
}

}  // namespace

void check(std::string_view input) {
  const Read whole = read_by_steps(input, input.size() + 1);
  LNK_HOLDS(whole.body.size() <= input.size());
  for (const std::size_t step : {std::size_t{1}, std::size_t{3}}) {
    const Read steps = read_by_steps(input, step);
    LNK_HOLDS(steps.kind == whole.kind && steps.body == whole.body);
    if (whole.kind == Kind::Done) LNK_HOLDS(steps.consumed == whole.consumed);
  }
  if (whole.kind != Kind::Done) return;
  check_plainly(input.substr(0, whole.consumed), whole.body);
  check_beast(input.substr(0, whole.consumed), whole.body);
}

}  // namespace lnk::fuzz
