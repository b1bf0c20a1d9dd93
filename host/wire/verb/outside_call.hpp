// SPDX-License-Identifier: Apache-2.0
//
// Carries out a RELAY or FORWARD: TLS to the one host, the request with its secrets put in, the reply as it comes.
//
// Guarantees: the secret is written to the verified server alone; a reply that holds it is cut before it passes; a
// redirect is neither followed nor rewritten.
#pragma once

#include <memory>

#include "wire/dialer.hpp"
#include "wire/exchange.hpp"
#include "wire/tls_stream.hpp"
#include "wire/upload.hpp"
#include "wire/verb/decided.hpp"
#include "wire/verb/echo_watch.hpp"
#include "wire/verb/handles.hpp"

namespace lnk::host {

/// What every call to the outside works with.
struct Outside {
  Loop& loop;
  Dialer& dialer;
  const TlsLibrary& tls;
  const HandleStore& handles;
};

class OutsideCall {
 public:
  OutsideCall(const Outside& outside, Exchange& exchange, const RelayPlan& plan) noexcept;

  /// Answers the exchange, or leaves it unanswered and the connection closes.
  Task<void> run();

 private:
  Task<bool> connect();
  Task<bool> send_head();
  Task<void> exchange_bodies();
  Task<void> relay_reply(MessageReader& reader, Upload& upload);
  Task<bool> relay_body(MessageReader& reader);
  Task<bool> pass(std::string_view bytes);
  Task<ReadResult<http::ReplyHead>> read_final_head(MessageReader& reader);
  [[nodiscard]] std::optional<http::Refusal> refuse_head(const http::ReplyHead& head) const;
  [[nodiscard]] std::vector<http::Field> kept_fields(const http::ReplyHead& head) const;
  void watch_for_echo();
  Task<void> refuse(http::Refusal refusal);

  const Outside& outside_;
  Exchange& exchange_;
  const RelayPlan& plan_;
  EchoWatch echo_;
  Deadline idle_;
  std::unique_ptr<ByteStream> stream_;
};

}  // namespace lnk::host
