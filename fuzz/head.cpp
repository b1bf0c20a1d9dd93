// SPDX-License-Identifier: Apache-2.0
//
// Request heads: an accepted head breaks none of the rules stated here on its bare text, and what is written out for
// the origin is read as the same request by our reader and by Beast, which is laxer than ours.
#include "lnk/http/head.hpp"

#include <algorithm>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <string>
#include <vector>

#include "entry.hpp"
#include "lnk/http/write.hpp"

namespace lnk::fuzz {
namespace {

using http::HeadScanner;
using Outcome = HeadScanner::Outcome;

struct Scan {
  Outcome outcome = Outcome::NeedMore;
  std::size_t size = 0;
};

Scan scan_whole(std::string_view input) {
  HeadScanner scanner(http::Side::Request);
  const Outcome outcome = scanner.scan(input);
  return {outcome, scanner.size()};
}

/// As it would come from a slow sender.
Scan scan_by_steps(std::string_view input, std::size_t step) {
  HeadScanner scanner(http::Side::Request);
  for (std::size_t size = std::min(step, input.size());; size = std::min(size + step, input.size())) {
    const Outcome outcome = scanner.scan(input.substr(0, size));
    if (outcome != Outcome::NeedMore || size == input.size()) return {outcome, scanner.size()};
  }
}

std::vector<std::string_view> lines_of(std::string_view head) {
  std::vector<std::string_view> lines;
  while (!head.empty()) {
    const std::size_t end = head.find("\r\n");
    LNK_HOLDS(end != std::string_view::npos);
    lines.push_back(head.substr(0, end));
    head.remove_prefix(end + 2);
  }
  return lines;
}

std::string folded(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  return out;
}

/// The rules as they can be seen on the text, by a reader that knows nothing of ours.
void check_text(std::string_view head, const http::RequestHead& request) {
  const auto bad = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; };
  std::vector<std::string_view> lines = lines_of(head);
  LNK_HOLDS(lines.size() >= 2 && lines.back().empty());
  lines.pop_back();
  std::size_t hosts = 0;
  std::size_t lengths = 0;
  std::size_t codings = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    LNK_HOLDS(!lines[i].empty() && std::none_of(lines[i].begin(), lines[i].end(), bad));
    if (i == 0) continue;
    LNK_HOLDS(lines[i].front() != ' ' && lines[i].front() != '\t');
    const std::size_t colon = lines[i].find(':');
    LNK_HOLDS(colon != std::string_view::npos && colon > 0 && lines[i][colon - 1] != ' ' &&
              lines[i][colon - 1] != '\t');
    const std::string name = folded(lines[i].substr(0, colon));
    hosts += name == "host" ? 1U : 0U;
    lengths += name == "content-length" ? 1U : 0U;
    codings += name == "transfer-encoding" ? 1U : 0U;
  }
  LNK_HOLDS(std::count(lines[0].begin(), lines[0].end(), ' ') == 2);
  LNK_HOLDS(hosts == 1 || (hosts == 0 && request.minor_version == 0));
  LNK_HOLDS(lengths == 0 || codings == 0);
  LNK_HOLDS(codings <= 1);
  LNK_HOLDS(request.form != http::TargetForm::Authority || (lengths == 0 && codings == 0) ||
            request.body.framing == http::Framing::None);
  LNK_HOLDS((request.body.framing == http::Framing::Chunked) == (codings == 1));
  LNK_HOLDS(request.fields.size() == lines.size() - 1);
}

void check_same(const http::RequestHead& first, const http::RequestHead& second, const std::string& text) {
  LNK_HOLDS(second.form == http::TargetForm::Origin || second.form == http::TargetForm::Asterisk);
  LNK_HOLDS(first.method == second.method && first.path == second.path && first.query == second.query);
  LNK_HOLDS(first.has_query == second.has_query && first.body == second.body);
  LNK_HOLDS(first.authority.host == second.authority.host);
  LNK_HOLDS(second.minor_version == 1 && !second.expects_continue);
  // Of what speaks of a hop nothing goes on but the switch to a WebSocket, and that whole.
  LNK_HOLDS(second.has_upgrade == first.asks_websocket && second.asks_websocket == first.asks_websocket);
  const auto fields = http::end_to_end_fields(first.fields);
  const auto written = http::end_to_end_fields(second.fields);
  LNK_HOLDS(fields.size() == written.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    LNK_HOLDS(fields[i].name == written[i].name && fields[i].value == written[i].value);
  }
  LNK_HOLDS(http::find_field(second.fields, "connection").has_value() == first.asks_websocket);
  LNK_HOLDS(text.ends_with("\r\n\r\n"));
}

void check_beast(const http::RequestHead& request, const std::string& text) {
  namespace beast = boost::beast;
  beast::http::request_parser<beast::http::empty_body> parser;
  parser.header_limit(1024 * 1024);
  parser.body_limit(boost::none);
  beast::error_code error;
  parser.put(boost::asio::buffer(text), error);
  LNK_HOLDS(!error || error == beast::http::error::need_more);
  LNK_HOLDS(parser.is_header_done());
  const auto& seen = parser.get();
  const auto view = [](beast::string_view part) { return std::string_view(part.data(), part.size()); };
  LNK_HOLDS(view(seen.method_string()) == request.method && view(seen.target()) == request.target);
  LNK_HOLDS(seen.version() == 11 && seen.count(beast::http::field::host) == 1);
  LNK_HOLDS(parser.chunked() == (request.body.framing == http::Framing::Chunked));
  const auto length = parser.content_length();
  LNK_HOLDS(bool(length) == (request.body.framing == http::Framing::Length));
  if (length) LNK_HOLDS(*length == request.body.length);
  // Beast keeps fields of one name together, each in its order.
  std::vector<http::Field> grouped = request.fields;
  std::vector<http::Field> beasts;
  for (const auto& field : seen) beasts.push_back({view(field.name_string()), view(field.value())});
  for (auto* fields : {&grouped, &beasts}) {
    std::stable_sort(fields->begin(), fields->end(),
                     [](const auto& a, const auto& b) { return folded(a.name) < folded(b.name); });
  }
  LNK_HOLDS(beasts.size() == grouped.size());
  for (std::size_t i = 0; i < beasts.size(); ++i) {
    LNK_HOLDS(beasts[i].name == grouped[i].name && beasts[i].value == grouped[i].value);
  }
}

}  // namespace

void check(std::string_view input) {
  const Scan whole = scan_whole(input);
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}}) {
    const Scan steps = scan_by_steps(input, step);
    LNK_HOLDS(steps.outcome == whole.outcome);
    if (whole.outcome == Outcome::Whole) LNK_HOLDS(steps.size == whole.size);
  }
  if (whole.outcome != Outcome::Whole) return;
  LNK_HOLDS(whole.size <= input.size());
  const std::string_view head = input.substr(0, whole.size);
  LNK_HOLDS(head.ends_with("\r\n\r\n") && head.find("\r\n\r\n") == head.size() - 4);
  const auto parsed = http::parse_request(head);
  if (http::is_refused(parsed)) return;
  const auto& request = std::get<http::RequestHead>(parsed);
  check_text(head, request);
  if (request.form == http::TargetForm::Authority) return;  // a tunnel: nothing of its head goes out
  if (request.authority.host.text.empty()) return;          // of HTTP/1.0, to the wire itself: goes nowhere

  const std::string text = http::write_origin_request(request, 80);
  LNK_HOLDS(!text.empty());
  const Scan written = scan_whole(text);
  LNK_HOLDS(written.outcome == Outcome::Whole && written.size == text.size());
  const auto again = http::parse_request(text);
  LNK_HOLDS(!http::is_refused(again));
  check_same(request, std::get<http::RequestHead>(again), text);
  check_beast(std::get<http::RequestHead>(again), text);
}

}  // namespace lnk::fuzz
