// SPDX-License-Identifier: Apache-2.0
//
// A RELAY or FORWARD on its way: TLS to the one host, or plain HTTP to a port of this machine; the request with its secrets
// put in, the reply looked through as it comes. Who reads the reply passes it on, or shows it to the verb.
//
// Guarantees: the secret is written to the verified server alone; a reply that holds it is cut before it passes; a
// redirect is neither followed nor rewritten.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>

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
  const TlsLibrary* tls;  ///< null: no verb goes further than this machine
  const HandleStore& handles;
};

/// Why there is no reply.
struct NoReply {
  http::Refusal refusal;
  lnk_status status = LNK_OK;  ///< LNK_E_UPSTREAM, LNK_E_TIMEOUT: the outside failed; LNK_OK: it is for the host to refuse
};

/// More of a reply's body, looked through.
struct ReplyPiece {
  enum class Kind : std::uint8_t {
    More,    ///< may be empty: what came is held until more has
    Last,    ///< the body is whole behind it
    Cut,     ///< by the outside
    Stalled,
    Echoed,  ///< it holds the secret; cut by us
  } kind = Kind::Cut;
  std::string bytes;
};

class OutsideRequest {
 public:
  OutsideRequest(const Outside& outside, Exchange& exchange, const RelayPlan& plan);

  /// Connects, and writes the request. The program's body goes out while the reply is read.
  Task<std::optional<NoReply>> send();
  /// The reply's head, behind all interim ones, which are not passed on.
  Task<std::variant<http::ReplyHead, NoReply>> read_head();
  [[nodiscard]] std::vector<http::Field> kept_fields(const http::ReplyHead& head) const;
  /// Until Last, or what cuts it.
  Task<ReplyPiece> next();
  /// Once the program has its reply, or nobody wants it. Returns when nothing of this runs any more.
  Task<void> finish();
  /// What is waited for comes back.
  void cancel() noexcept;
  /// The program's body isn't read any more: who waits for the program to go may. `bell` is rung then.
  void rings(Bell& bell) noexcept { upload_bell_ = &bell; }
  [[nodiscard]] bool reads_client() const noexcept { return upload_ && upload_->is_running(); }

 private:
  Task<std::optional<NoReply>> connect();
  Task<std::optional<NoReply>> secure(std::unique_ptr<ByteStream> plain);
  Task<std::optional<NoReply>> send_head();
  Task<ReadResult<http::ReplyHead>> read_final_head();
  [[nodiscard]] std::optional<http::Refusal> refuse_head(const http::ReplyHead& head) const;

  const Outside& outside_;
  Exchange& exchange_;
  const RelayPlan& plan_;
  EchoWatch echo_;
  Deadline idle_;
  std::unique_ptr<ByteStream> stream_;
  std::optional<Upload> upload_;
  std::optional<MessageReader> reader_;
  Bell* upload_bell_ = nullptr;
  bool is_cancelled_ = false;
};

/// The reply goes to the program as it comes. Answers the exchange, or leaves it unanswered and the connection closes.
Task<void> pass_reply(const Outside& outside, Exchange& exchange, const RelayPlan& plan);

}  // namespace lnk::host
