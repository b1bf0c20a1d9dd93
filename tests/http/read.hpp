// SPDX-License-Identifier: Apache-2.0
//
// Whole messages read at once, for tables of bytes.
#pragma once

#include <string>
#include <string_view>

#include "lnk/http/head.hpp"

namespace lnk::http::testing {

/// Scans and parses; a head that isn't whole counts as refused with status 0.
template <class Head, class Parse>
Checked<Head> read_head(Side side, std::string_view bytes, Parse parse) {
  HeadScanner scanner(side);
  switch (scanner.scan(bytes)) {
    case HeadScanner::Outcome::Refused:
      return scanner.refusal();
    case HeadScanner::Outcome::NeedMore:
      return Refusal{0, "more", "more bytes are needed"};
    case HeadScanner::Outcome::Whole:
      break;
  }
  return parse(bytes.substr(0, scanner.size()));
}

inline Checked<RequestHead> read_request(std::string_view bytes) {
  return read_head<RequestHead>(Side::Request, bytes, [](std::string_view head) { return parse_request(head); });
}

inline Checked<ReplyHead> read_reply(std::string_view bytes, std::string_view method = "GET") {
  return read_head<ReplyHead>(Side::Reply, bytes,
                              [method](std::string_view head) { return parse_reply(head, method); });
}

/// 0: taken, or more is needed.
template <class Head>
int refused_status(const Checked<Head>& head) {
  return is_refused(head) ? std::get<Refusal>(head).status : 0;
}

struct Unchunked {
  std::string body;
  std::string words;  ///< why it was refused
  std::size_t consumed = 0;
  bool is_whole = false;
};

/// `step`: how many bytes come at once.
inline Unchunked unchunk(std::string_view bytes, std::size_t step) {
  Unchunked read;
  ChunkedScanner scanner;
  for (std::size_t end = std::min(step, bytes.size());; end = std::min(end + step, bytes.size())) {
    while (read.consumed < end) {
      const auto one = scanner.next(bytes.substr(read.consumed, end - read.consumed));
      read.consumed += one.consumed;
      read.body += one.data;
      if (one.kind == ChunkedScanner::Step::Kind::Refused) read.words = one.words;
      read.is_whole = one.kind == ChunkedScanner::Step::Kind::Done;
      if (read.is_whole || !read.words.empty()) return read;
      if (one.kind == ChunkedScanner::Step::Kind::NeedMore) break;
    }
    if (end == bytes.size()) return read;
  }
}

}  // namespace lnk::http::testing
