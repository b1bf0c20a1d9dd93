// SPDX-License-Identifier: Apache-2.0
#include "wire/connection.hpp"

#include "wire/decision.hpp"
#include "wire/limits.hpp"
#include "wire/plain_relay.hpp"
#include "wire/refusals.hpp"
#include "wire/tunnel.hpp"

namespace lnk::host {
namespace {

class Connection {
 public:
  /// `local_port`: 0 for the wire's own.
  Connection(WireParts& parts, UniqueFd client, std::uint16_t local_port)
      : parts_(parts),
        client_(make_plain_stream(parts.loop, std::move(client))),
        reader_(parts.loop, *client_),
        local_port_(local_port) {
    if (local_port_ != 0) mount_ = "local/" + std::to_string(local_port_) + '/';
  }

  Task<void> run() {
    for (bool is_first = true;; is_first = false) {
      if (!is_first && !co_await wait_for_request()) co_return;
      auto read = co_await read_head();
      if (const auto* end = std::get_if<ReadEnd>(&read)) {
        co_await answer_unread(*end);
        break;
      }
      if (!co_await serve(std::get<http::RequestHead>(read))) break;
    }
    co_await linger();
  }

 private:
  /// False: the client closed or stayed silent too long; nothing is to be said.
  Task<bool> wait_for_request() {
    Deadline idle(parts_.loop, client_.get());
    idle.set(kKeepAliveMs);
    co_return co_await reader_.wait_for_more();
  }

  Task<ReadResult<http::RequestHead>> read_head() {
    Deadline slow(parts_.loop, client_.get());
    slow.set(kHeadMs);
    co_return co_await reader_.read_request();
  }

  Task<void> answer_unread(const ReadEnd& end) {
    if (end.kind == ReadEnd::Kind::Closed || end.kind == ReadEnd::Kind::Cut) co_return;
    http::Refusal refusal = end.kind == ReadEnd::Kind::TimedOut ? refuse_slow_head() : end.refusal;
    CallLog log(parts_.log, ++parts_.last_call_id);
    log.refused(refusal);
    ReplyWriter reply(*client_);
    co_await reply.refuse(std::move(refusal));
    parts_.gate.note_refusal(log, client_->cuttable());
  }

  /// True: the connection takes another request.
  Task<bool> serve(const http::RequestHead& head) {
    CallLog log(parts_.log, ++parts_.last_call_id);
    ReplyWriter reply(*client_, head);
    if (local_port_ != 0) reply.close_after();  // each request is a connection's one
    reader_.begin_body(head.body);
    Exchange exchange{parts_.loop, head, *client_, reader_, reply, log};
    const bool is_own_path = local_port_ == 0 && head.form == http::TargetForm::Origin;
    if (parts_.verbs != nullptr && is_own_path) reply.refuse_by(parts_.verbs->refusal_form(head.path));
    co_await dispatch(exchange);
    if (log.is_open()) note_cut(log);
    log.closed();
    parts_.gate.note_refusal(log, client_->cuttable());
    co_return parts_.gate.state() == WireState::Open && !reply.closes() && reply.has_begun() && reader_.is_body_whole();
  }

  /// The gate, closed while a call was open, has cut it.
  void note_cut(CallLog& log) const {
    if (const auto refusal = parts_.gate.closed()) log.cut(refusal->reason);
  }

  /// A call that is refused for what it asks is no call that the limit counts, and keeps its own reason: what it asks is
  /// looked at by the gate's patterns.
  Decision judge(const http::RequestHead& head) {
    Decision decision = local_port_ == 0 ? decide(head, parts_.hosts, parts_.config.port) : decide_at_port(head, local_port_);
    if (decision.road == Road::Verb && parts_.verbs == nullptr && !decision.refusal)
      decision.refusal = refuse_no_such_verb();
    if (auto closed = parts_.gate.look(client_->cuttable())) {
      decision.refusal = std::move(closed);
    } else if (!decision.refusal) {
      decision.refusal = parts_.gate.count_call();
    }
    return decision;
  }

  Task<void> dispatch(Exchange& exchange) {
    Decision decision = judge(exchange.head);
    name_call(exchange, decision.road);
    if (decision.refusal) {
      exchange.log.refused(*decision.refusal);
      if (decision.refusal->status == 503) exchange.reply.close_after();  // open connections are closed
      // What follows a CONNECT's head is a tunnel's, and was never to be read as a request.
      if (decision.road == Road::Tunnel) exchange.reply.close_after();
      co_await exchange.refuse(std::move(*decision.refusal));
      co_return;
    }
    if (decision.road != Road::Plain) kept_outside_.stream.reset();
    if (decision.road == Road::Tunnel) co_await run_tunnel(parts_, exchange);
    if (decision.road == Road::Plain) co_await relay_plain(parts_, exchange, kept_outside_);
    if (decision.road == Road::Verb && local_port_ == 0) co_await parts_.verbs->serve(exchange);
    if (decision.road == Road::Verb && local_port_ != 0) co_await parts_.verbs->serve_mount(exchange, mount_);
  }

  void name_call(Exchange& exchange, Road road) const {
    if (local_port_ != 0) exchange.log.set_target({"local", "localhost", local_port_});
    if (road == Road::Verb) return;  // the verbs name their own
    const http::Authority& target = exchange.head.authority;
    exchange.log.set_target({road == Road::Tunnel ? "connect" : "http", target.host.text, target.port});
  }

  /// Closing with bytes unread resets the connection, and a reset can take away a reply that is on its way (RFC 9112
  /// 9.6): first an end of ours, then a moment for the client's.
  Task<void> linger() {
    if (!(co_await client_->shutdown_write())) co_return;
    Deadline patience(parts_.loop, client_.get());
    patience.set(kLingerMs);
    for (std::size_t dropped = 0; dropped < kLingerBytes;) {
      auto read = co_await read_some(*client_, parts_.loop.buffer());
      if (!read || *read == 0) co_return;
      dropped += *read;
    }
  }

  WireParts& parts_;
  std::unique_ptr<ByteStream> client_;
  MessageReader reader_;
  KeptConnection kept_outside_;
  std::uint16_t local_port_;
  std::string mount_;  ///< of the local port
};

}  // namespace

Task<void> serve_connection(WireParts& parts, UniqueFd client) {
  Connection connection(parts, std::move(client), 0);
  co_await connection.run();
}

Task<void> serve_local_connection(WireParts& parts, UniqueFd client, std::uint16_t port) {
  Connection connection(parts, std::move(client), port);
  co_await connection.run();
}

}  // namespace lnk::host
