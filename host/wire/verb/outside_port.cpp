// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/outside_port.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "lnk/http/page_url.hpp"
#include "lnk/http/write.hpp"
#include "wire/limits.hpp"

namespace lnk::host {
namespace {

/// Closes the port when its time is over; outside of the sweep that found it due.
struct Alarm final : Cancellable {
  explicit Alarm(Signal& raised) noexcept : signal(raised) {}
  void cancel() noexcept override { signal.raise(); }
  Signal& signal;
};

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

/// What is answered without the verb: an empty page, so that a browser shows nothing of ours or of others.
Task<void> answer_empty(ReplyWriter& reply, std::uint16_t status) {
  const std::vector<http::Field> fields = {{"Cache-Control", "no-store"},
                                           {"Content-Security-Policy", "default-src 'none'; sandbox"},
                                           {"X-Content-Type-Options", "nosniff"}};
  reply.close_after();
  const bool has_begun = static_cast<bool>(co_await reply.begin(status, http::reason_phrase(status), fields, 0));
  if (has_begun) static_cast<void>(co_await reply.end());
}

/// As a connection inside is closed: a reset could take the reply away.
Task<void> linger(Loop& loop, ByteStream& client) {
  const bool is_shut = static_cast<bool>(co_await client.shutdown_write());
  if (!is_shut) co_return;
  Deadline patience(loop, &client);
  patience.set(kLingerMs);
  for (std::size_t dropped = 0; dropped < kLingerBytes;) {
    const auto read = co_await read_some(client, loop.buffer());
    if (!read || *read == 0) co_return;
    dropped += *read;
  }
}

}  // namespace

OutsidePort::OutsidePort(const Parts& parts, lnk_id id, lnk_id call, ListenPlan plan)
    : parts_(parts),
      id_(id),
      call_(call),
      broker_id_(parts.broker.next_id()),
      plan_(std::move(plan)),
      turn_(parts.loop, 1),
      over_(parts.loop) {}

Task<void> OutsidePort::run(std::shared_ptr<OutsidePort> port) {
  Parts& parts = port->parts_;
  co_await Turn(parts.loop);  // what comes of it is told in no case before the module has its id
  if (port->is_closed_) co_return;
  auto sockets = co_await parts.broker.listen_outside(port->broker_id_, parts.verb.id(), port->plan_.port);
  if (!sockets) {
    const bool is_wanted = !std::exchange(port->is_closed_, true);
    // One whose sockets came too late for its answer to be waited for.
    if (sockets.error().code == Code::Timeout) parts.broker.stop_listening(port->broker_id_, parts.verb.id());
    if (is_wanted)
      parts.told(parts.verb.listening(port->call_, port->id_, static_cast<lnk_status>(sockets.error().code), 0));
    co_return;
  }
  for (auto& socket : *sockets) port->sockets_.push_back(std::make_unique<Watch>(parts.loop, std::move(socket)));
  Alarm alarm(port->over_);
  Deadline deadline(parts.loop, &alarm);
  deadline.set(std::int64_t{port->plan_.seconds} * 1000);
  if (!port->is_closed_) {
    for (const auto& socket : port->sockets_) spawn(accept(port, *socket));
    parts.told(parts.verb.listening(port->call_, port->id_, LNK_OK, port->plan_.port));
  }
  co_await port->over_;
  deadline.clear();
  port->is_closed_ = true;
  for (const auto& socket : port->sockets_) socket->close();
  // Who waits for the verb gets what it said; else nothing more comes.
  if (port->answered_) port->answered_->raise();
  parts.broker.stop_listening(port->broker_id_, parts.verb.id());
}

void OutsidePort::close() {
  is_closed_ = true;
  over_.raise();
}

void OutsidePort::end_of_call(lnk_id call) {
  if (call != 0 && call == call_ && !has_page_) close();
}

void OutsidePort::note_page_opened(lnk_id call) noexcept {
  if (call == call_) has_page_ = true;
}

Task<void> OutsidePort::accept(std::shared_ptr<OutsidePort> port, Watch& socket) {
  while (!port->is_closed_) {
    UniqueFd client(::accept4(socket.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (client.is_open()) {
      // A browser opens two or three; what is beyond is dropped, and nobody's answer waits behind it.
      if (port->clients_ < kOutsideClientsMax) spawn(serve(port, std::move(client)));
      continue;
    }
    if (errno == ECONNABORTED || errno == EINTR) continue;
    if (errno != EAGAIN) co_return port->close();
    const Wake wake = co_await socket.readable();
    if (wake == Wake::Cancelled) co_return;
  }
}

Task<void> OutsidePort::serve(std::shared_ptr<OutsidePort> port, UniqueFd client) {
  struct Leave {
    std::size_t& clients;
    ~Leave() { --clients; }
  };
  ++port->clients_;
  const Leave leave{port->clients_};
  const auto stream = make_plain_stream(port->parts_.loop, std::move(client));
  co_await port->serve_one(*stream);
  co_await linger(port->parts_.loop, *stream);
}

/// One request a connection.
Task<void> OutsidePort::serve_one(ByteStream& client) {
  MessageReader reader(parts_.loop, client);
  Deadline deadline(parts_.loop, &client);
  deadline.set(kOutsideRequestMs);
  auto read = co_await reader.read_request();
  if (const auto* head = std::get_if<http::RequestHead>(&read)) {
    ReplyWriter reply(client, *head);
    co_await serve_request(reader, *head, reply);
    co_return;
  }
  const auto& end = std::get<ReadEnd>(read);
  if (end.kind != ReadEnd::Kind::Refused) co_return;
  ReplyWriter reply(client);
  co_await answer_empty(reply, end.refusal.status == 0 ? std::uint16_t{400} : end.refusal.status);
}

Task<void> OutsidePort::serve_request(MessageReader& reader, const http::RequestHead& head, ReplyWriter& reply) {
  reader.begin_body(head.body);
  const bool is_its = head.form == http::TargetForm::Origin && path_of(head.target) == plan_.path && !is_closed_;
  if (!is_its) co_return co_await answer_empty(reply, 404);
  if (parts_.is_wire_closed && parts_.is_wire_closed()) co_return co_await answer_empty(reply, 503);
  const bool is_invited = static_cast<bool>(co_await reply.invite_body());
  if (!is_invited) co_return;
  auto body = co_await read_body(reader);
  if (!body) co_return co_await answer_empty(reply, 413);
  while (turn_.is_full()) co_await turn_;
  struct Leave {
    ConnectionCount& turn;
    ~Leave() { turn.remove(); }
  };
  turn_.add();
  const Leave leave{turn_};
  // The one before may have been the answer.
  const bool is_still_its = path_of(head.target) == plan_.path && !is_closed_;
  if (!is_still_its) co_return co_await answer_empty(reply, 404);
  co_await tell(head, std::move(*body), reply);
}

/// Nothing: it is larger than an answer is, or doesn't come.
Task<std::optional<std::string>> OutsidePort::read_body(MessageReader& reader) {
  std::string body;
  while (!reader.is_body_whole()) {
    auto read = co_await reader.read_body();
    const auto* piece = std::get_if<BodyPiece>(&read);
    if (piece == nullptr || piece->bytes.size() > kOutsideBodyBytesMax - body.size()) co_return std::nullopt;
    body.append(reinterpret_cast<const char*>(piece->bytes.data()), piece->bytes.size());
  }
  co_return body;
}

Task<void> OutsidePort::tell(const http::RequestHead& head, std::string body, ReplyWriter& reply) {
  answered_.emplace(parts_.loop);
  answer_.reset();
  const auto host = http::find_field(head.fields, "host").value_or(std::string_view());
  const auto type = http::find_field(head.fields, "content-type").value_or(std::string_view());
  const auto told = parts_.verb.callback(id_, {head.method, head.target, host, type, body});
  parts_.told(told);
  Signal& answered = *answered_;
  if (told) co_await answered;
  answered_.reset();
  auto plan = std::exchange(answer_, std::nullopt);
  if (!plan) co_return co_await answer_empty(reply, 502);
  move_path(*plan);
  std::vector<http::Field> fields;
  for (const auto& field : plan->fields) fields.push_back({field.name, field.value});
  reply.close_after();
  const bool has_begun = static_cast<bool>(
      co_await reply.begin(plan->status, http::reason_phrase(plan->status), fields, plan->body.size()));
  if (!has_begun) co_return;
  if (!plan->body.empty())
    static_cast<void>(co_await reply.piece(std::as_bytes(std::span(plan->body.data(), plan->body.size()))));
  static_cast<void>(co_await reply.end());
}

/// A redirect to the port itself belongs to the answer: the browser's next request is for that path.
void OutsidePort::move_path(const AnswerPlan& plan) {
  if (plan.status < 300 || plan.status > 399) return;
  for (const auto& field : plan.fields) {
    if (!http::equals_folded(field.name, "location")) continue;
    const auto parsed = http::parse_page_url(field.value);
    const auto* page = std::get_if<http::PageUrl>(&parsed);
    const bool is_own = page != nullptr && !page->has_tls && page->authority.port == plan_.port &&
                        http::is_loopback(page->authority.host);
    if (is_own) plan_.path = page->path;
  }
}

Status OutsidePort::answer(AnswerPlan plan) {
  if (!answered_ || answer_) return fail(Code::Gone, "an answer to nobody");
  answer_ = std::move(plan);
  answered_->raise();
  return {};
}

}  // namespace lnk::host
