// SPDX-License-Identifier: Apache-2.0
//
// A port of this machine's loopback that one verb listens at for a page's way back: a server of a few small requests,
// whose sockets the front made.
//
// Guarantees: a verb is told of requests for one path alone, one at a time, each read whole and strictly within limits;
// all else is answered here. Nothing is taken once it is closed: by the verb, by its time, or with its call where that
// opened no page.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/broker_client.hpp"
#include "wire/byte_stream.hpp"
#include "wire/listener.hpp"
#include "wire/loop.hpp"
#include "wire/message_reader.hpp"
#include "wire/reply_writer.hpp"
#include "wire/task.hpp"
#include "wire/verb/loaded_verb.hpp"

namespace lnk::host {

class OutsidePort : public std::enable_shared_from_this<OutsidePort> {
 public:
  struct Parts {
    Loop& loop;
    BrokerClient& broker;
    LoadedVerb& verb;
    std::function<void(const Result<void>&)> told;  ///< what the module did wrong in an event of no call
    std::function<bool()> is_wire_closed;           ///< by pause or stop
  };
  /// `id`: the verb's; `call`: who wants it.
  OutsidePort(const Parts& parts, lnk_id id, lnk_id call, ListenPlan plan);
  OutsidePort(const OutsidePort&) = delete;
  OutsidePort& operator=(const OutsidePort&) = delete;

  /// From its start, of which the verb is told, to its end.
  static Task<void> run(std::shared_ptr<OutsidePort> port);
  /// What the one who waits gets. errors: Gone: nobody waits
  Status answer(AnswerPlan plan);
  void close();
  /// Its call has gone; where no page was opened for it, nobody comes back.
  void end_of_call(lnk_id call);
  /// It outlives its call.
  void note_page_opened(lnk_id call) noexcept;
  [[nodiscard]] bool listens_at(std::uint16_t port) const noexcept {
    return !is_closed_ && !sockets_.empty() && plan_.port == port;
  }

 private:
  static Task<void> accept(std::shared_ptr<OutsidePort> port, Watch& socket);
  static Task<void> serve(std::shared_ptr<OutsidePort> port, UniqueFd client);
  Task<void> serve_one(ByteStream& client);
  Task<void> serve_request(MessageReader& reader, const http::RequestHead& head, ReplyWriter& reply);
  Task<std::optional<std::string>> read_body(MessageReader& reader);
  Task<void> tell(const http::RequestHead& head, std::string body, ReplyWriter& reply);
  void move_path(const AnswerPlan& plan);

  Parts parts_;
  lnk_id id_;
  lnk_id call_;
  std::uint64_t broker_id_;
  ListenPlan plan_;
  std::vector<std::unique_ptr<Watch>> sockets_;
  ConnectionCount turn_;  ///< one request at a time is the verb's
  std::size_t clients_ = 0;
  Signal over_;
  std::optional<Signal> answered_;  ///< of the one who waits
  std::optional<AnswerPlan> answer_;
  bool has_page_ = false;
  bool is_closed_ = false;
};

}  // namespace lnk::host
