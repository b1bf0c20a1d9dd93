// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "ascii.hpp"
#include "fields.hpp"

namespace lnk::http {
namespace {

constexpr std::uint16_t kHttpPort = 80;
constexpr std::string_view kHttpScheme = "http://";

/// None: nothing is wrong.
using Fault = std::optional<Refusal>;

Refusal bad(std::string_view what) { return refuse_head(Side::Request, 400, what); }

Fault parse_request_line(std::string_view line, RequestHead& head) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return bad("a request line that isn't three words");
  head.method = line.substr(0, first);
  head.target = line.substr(first + 1, last - first - 1);
  head.minor_version = parse_minor_version(line.substr(last + 1));
  if (!is_token(head.method)) return bad("a method that isn't a token");
  if (head.minor_version < 0) return bad("a version other than HTTP/1.0 and HTTP/1.1");
  if (head.target.empty()) return bad("an empty target");
  if (head.target.size() > kTargetBytesMax) return refuse_head(Side::Request, 414, "a target over 16 KiB");
  if (!std::all_of(head.target.begin(), head.target.end(), is_visible)) {
    return bad("a byte in the target that isn't visible ASCII");
  }
  if (head.target.find('#') != std::string_view::npos) return bad("a fragment in the target");
  return {};
}

void split_path(std::string_view path, RequestHead& head) {
  const std::size_t mark = path.find('?');
  head.path = path.substr(0, mark);
  head.has_query = mark != std::string_view::npos;
  if (head.has_query) head.query = path.substr(mark + 1);
}

Fault read_authority(std::string_view text, RequestHead& head) {
  auto authority = parse_authority(text);
  if (is_refused(authority)) return bad(std::get<Refusal>(authority).words);
  head.authority = std::get<Authority>(std::move(authority));
  return {};
}

Fault parse_connect_target(RequestHead& head) {
  head.form = TargetForm::Authority;
  if (auto fault = read_authority(head.target, head)) return fault;
  if (head.authority.port == 0) return bad("a CONNECT target without a port");
  return {};
}

Fault parse_absolute_target(RequestHead& head) {
  head.form = TargetForm::Absolute;
  const std::string_view rest = head.target.substr(kHttpScheme.size());
  const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
  if (auto fault = read_authority(rest.substr(0, end), head)) return fault;
  if (head.authority.port == 0) head.authority.port = kHttpPort;
  split_path(rest.substr(end), head);
  // RFC 9112 3.2.4: the last proxy turns an OPTIONS of no path into one of the server itself.
  if (head.path.empty()) head.path = head.method == "OPTIONS" && !head.has_query ? "*" : "/";
  return {};
}

Fault parse_target(RequestHead& head) {
  if (head.method == "CONNECT") return parse_connect_target(head);
  if (head.target.front() == '/') {
    head.form = TargetForm::Origin;
    split_path(head.target, head);
    return {};
  }
  if (head.target == "*") {
    head.form = TargetForm::Asterisk;
    head.path = head.target;
    return head.method == "OPTIONS" ? Fault{} : bad("the target * with a method other than OPTIONS");
  }
  if (equals_folded(head.target.substr(0, kHttpScheme.size()), kHttpScheme)) return parse_absolute_target(head);
  return bad("a target that is none of host:port with CONNECT, http://host/path, /path");
}

/// Host and the target's authority name one and the same place. With CONNECT a Host without a port is real (clients
/// leave out 443), and can't be read as another place.
bool is_same_place(const Authority& host, const RequestHead& head) noexcept {
  if (host.host != head.authority.host) return false;
  if (host.port == head.authority.port) return true;
  if (host.port != 0) return false;
  return head.form == TargetForm::Authority || head.authority.port == kHttpPort;
}

Fault check_host(const FieldTally& tally, RequestHead& head) {
  if (tally.host_count > 1) return bad("two Host fields");
  if (tally.host_count == 0) return head.minor_version == 0 ? Fault{} : bad("no Host field");
  auto host = parse_authority(tally.host);
  if (is_refused(host)) return bad(std::get<Refusal>(host).words);
  if (head.form == TargetForm::Origin || head.form == TargetForm::Asterisk) {
    head.authority = std::get<Authority>(std::move(host));
    return {};
  }
  return is_same_place(std::get<Authority>(host), head) ? Fault{} : bad("a Host field that differs from the target");
}

Fault check_expect(const FieldTally& tally, RequestHead& head) {
  if (!tally.has_expect) return {};
  if (!equals_folded(tally.expect, "100-continue"))
    return refuse_head(Side::Request, 417, "an Expect other than 100-continue");
  head.expects_continue = head.minor_version >= 1;  // RFC 9110 10.1.1: not from HTTP/1.0
  return {};
}

Fault check_fields(const FieldTally& tally, RequestHead& head) {
  if (auto fault = check_host(tally, head)) return fault;
  const bool is_connect = head.form == TargetForm::Authority;
  if (is_connect && tally.length_count + tally.coding_count > 0) return bad("a body or its framing with CONNECT");
  return check_expect(tally, head);
}

}  // namespace

Checked<RequestHead> parse_request(std::string_view bytes) {
  RequestHead head;
  head.storage = std::make_unique<char[]>(bytes.size());
  std::memcpy(head.storage.get(), bytes.data(), bytes.size());
  std::string_view rest(head.storage.get(), bytes.size());
  if (!rest.ends_with("\r\n\r\n")) return bad("a head that isn't whole");
  rest.remove_suffix(2);
  if (auto fault = parse_request_line(take_line(rest), head)) return *std::move(fault);
  if (auto fault = parse_target(head)) return *std::move(fault);
  FieldTally tally;
  if (const auto words = parse_fields(rest, head.fields, tally); !words.empty()) return bad(words);
  if (auto fault = check_fields(tally, head)) return *std::move(fault);
  auto body = decide_framing(tally, head.minor_version, Side::Request);
  if (is_refused(body)) return std::get<Refusal>(std::move(body));
  head.body = std::get<Body>(body);
  head.has_high_bytes = tally.has_high_bytes;
  head.has_upgrade = tally.upgrade_count > 0;
  head.asks_websocket = tally.is_websocket() && head.method == "GET" && head.minor_version == 1 &&
                        head.body.framing == Framing::None && tally.length_count == 0;
  head.wants_keep_alive = !tally.asks_close && (head.minor_version == 1 || tally.asks_keep_alive);
  return head;
}

}  // namespace lnk::http
