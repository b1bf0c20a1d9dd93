// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/request_text.hpp"

#include <algorithm>
#include <string>

#include "lnk/http/limits.hpp"

namespace lnk::host {
namespace {

constexpr std::uint16_t kTlsPort = 443;

/// Appends to a head of bounded size; what does not fit makes it unusable.
class HeadBytes {
 public:
  HeadBytes() : bytes_(secret::SecretBytes::with_capacity(http::kHeadBytesMax)) {}

  HeadBytes& add(std::string_view text) {
    fits_ = fits_ && bytes_.append(text);
    return *this;
  }
  void field(std::string_view name, std::string_view value) { add(name).add(": ").add(value).add("\r\n"); }
  Result<secret::SecretBytes> take() && {
    if (!fits_) return fail(Code::Limit, "the request's head is over 64 KiB");
    return std::move(bytes_);
  }

 private:
  secret::SecretBytes bytes_;
  bool fits_ = true;
};

bool is_edited(const RelayPlan& plan, std::string_view name) {
  return std::any_of(plan.edits.begin(), plan.edits.end(),
                     [&](const Edit& e) { return http::equals_folded(e.name, name); });
}

/// A field that is set more than once has its last value.
bool is_last_of_name(const std::vector<Edit>& edits, std::size_t at) {
  return std::none_of(edits.begin() + static_cast<std::ptrdiff_t>(at) + 1, edits.end(),
                      [&](const Edit& later) { return http::equals_folded(later.name, edits[at].name); });
}

/// Some of what listens on loopback takes requests to loopback's own address alone, against names that lead there.
std::string host_of(const RelayPlan& plan) {
  constexpr std::string_view kLoopback = "127.0.0.1";
  const std::string host = plan.tls ? plan.host : std::string(kLoopback);
  return plan.tls && plan.port == kTlsPort ? host : host + ':' + std::to_string(plan.port);
}

void write_framing(const http::Body& framing, HeadBytes& out) {
  if (framing.framing == http::Framing::Length) out.field("Content-Length", std::to_string(framing.length));
  if (framing.framing == http::Framing::Chunked) out.field("Transfer-Encoding", "chunked");
}

}  // namespace

Result<secret::SecretBytes> write_request_head(const RelayPlan& plan, std::span<const http::Field> fields,
                                               const http::Body& framing, const HandleStore& handles) {
  HeadBytes out;
  LNK_TRY(const auto target, render(plan.target, ValuePlace::Target, handles));
  out.add(plan.method).add(" ").add(target.reveal()).add(" HTTP/1.1\r\n");
  out.field("Host", host_of(plan));
  for (const http::Field& field : fields) {
    if (!is_edited(plan, field.name)) out.field(field.name, field.value);
  }
  for (std::size_t at = 0; at < plan.edits.size(); ++at) {
    if (!plan.edits[at].is_set || !is_last_of_name(plan.edits, at)) continue;
    LNK_TRY(const auto value, render(plan.edits[at].value, ValuePlace::Field, handles));
    out.field(plan.edits[at].name, value.reveal());
  }
  write_framing(framing, out);
  // One request a connection: what the server sends behind its reply belongs to nobody.
  out.field("Connection", "close");
  out.add("\r\n");
  return std::move(out).take();
}

}  // namespace lnk::host
