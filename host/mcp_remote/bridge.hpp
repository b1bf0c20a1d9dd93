// SPDX-License-Identifier: Apache-2.0
//
// The client on standard input and output, the server at its URL: each line a POST, each message of a reply a line. Both families:
// the one with sessions (2025-03-26 to 2025-11-25) and the stateless one (2026-07-28); the client's own messages say which.
// source: https://modelcontextprotocol.io/specification, "Transports" of each revision
//
// thread: all of it belongs to the loop's.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "lnk/cpp/result.hpp"
#include "mcp_remote/event_stream.hpp"
#include "mcp_remote/http_call.hpp"
#include "mcp_remote/message.hpp"
#include "mcp_remote/outside.hpp"
#include "mcp_remote/request_head.hpp"
#include "mcp_remote/standard_stream.hpp"
#include "mcp_remote/tool_headers.hpp"

namespace lnk::host::remote {

/// A wait for a time that something else may end.
class Sleeper final : public Cancellable {
 public:
  explicit Sleeper(Loop& loop) noexcept : woken_(loop), deadline_(loop, this) {}
  Task<void> sleep(std::int64_t ms);
  void cancel() noexcept override { woken_.raise(); }

 private:
  Signal woken_;
  Deadline deadline_;
};

class Bridge {
 public:
  Bridge(Loop& loop, Outside& outside, Headers headers, StandardStream input, StandardStream output);

  /// To the end of standard input, or of who reads standard output; then stops the loop.
  Task<void> run();
  /// As the end of standard input, without a wait for what is open.
  void leave_now();

 private:
  /// What of the client is answered by one POST.
  struct OpenCall {
    OpenCall(Bridge& of, Message what);
    ~OpenCall();
    OpenCall(const OpenCall&) = delete;
    OpenCall& operator=(const OpenCall&) = delete;

    Bridge& bridge;
    Message message;
    HttpCall http;
    HeldBytes held;
    Sleeper* sleeper = nullptr;  ///< while it waits to go on with its stream
    std::size_t unanswered;      ///< ids that no answer has come for
    std::uint64_t session = 0;   ///< the number of the one that it was asked in
    std::string session_id;      ///< of the session that its reply begins
    bool is_own = false;         ///< nothing of it is the client's to see
    bool is_dropped = false;     ///< nobody waits for it any more

    void drop() noexcept;
    void end() noexcept;  ///< what it waits for
  };

  struct Session {
    std::string id;
    std::string version;
    std::uint64_t number = 0;  ///< tells one from the next
  };

  // ---- from the client (bridge.cpp) ----
  Task<void> take_line(std::string line);
  Task<void> take_message(Message message);
  Task<void> carry(Message message);
  Task<void> put(std::string line);
  Task<void> refuse(const Message& message, std::string words);
  Task<void> take_small(Message message);
  Task<void> send_small_ones();
  Task<void> post_small(Message message);
  [[nodiscard]] bool is_stateless(const Message& message) const;
  [[nodiscard]] std::string refusal_of(const Message& message) const;
  [[nodiscard]] std::string head_for(const Message& message) const;
  void cancel_open(const std::string& id);

  // ---- replies (replies.cpp) ----
  Task<Status> exchange(OpenCall& call);
  Task<Status> take_reply(OpenCall& call);
  Task<Status> take_refusal(OpenCall& call);
  Task<Status> follow(OpenCall& call);
  /// One connection's events. `call`: whose stream it is, which ends with its last answer; null: the stream of the server's own.
  Task<Status> pump(HttpCall& http, EventStream& events, OpenCall* call);
  Task<Status> deliver(std::string text, OpenCall* call);
  Task<Status> hand_over(Message message);
  void adopt(const OpenCall& call, const Message& answer);
  Task<Status> reopen(HttpCall& http, const EventStream& events);

  // ---- the session (session.cpp) ----
  Task<void> listen(std::uint64_t session);
  Task<Status> listen_once(HttpCall& http, EventStream& events, bool& is_refused);
  Task<Status> renew(std::uint64_t lost);
  Task<Status> begin_again();
  [[nodiscard]] bool is_busy() const noexcept { return calls_ > 0 || !small_.empty() || is_sending_small_; }
  void note_end();
  Task<void> leave();
  Task<void> end_session();
  void begin_listening();

  void say(std::string_view words) const;

  Loop& loop_;
  Outside& outside_;
  Headers headers_;
  LineReader input_;
  LineWriter output_;
  Session session_;
  std::string initialize_;         ///< the client's own, for a session that is begun anew
  std::string stateless_version_;  ///< of the last message that named one; empty: the family with sessions
  ToolHeaders tool_headers_;
  std::map<std::string, OpenCall*> open_;  ///< by a request's id
  std::deque<Message> small_;              ///< what has no answer, in its order
  std::size_t small_bytes_ = 0;
  std::size_t held_ = 0;
  std::size_t calls_ = 0;
  Bell small_come_;
  Bell small_gone_;
  Bell renewed_;
  HttpCall* listening_ = nullptr;
  Sleeper* listening_sleeper_ = nullptr;
  Sleeper* leaving_sleeper_ = nullptr;
  bool is_sending_small_ = false;
  bool is_renewing_ = false;
  bool is_leaving_ = false;  ///< nothing new is begun
};

}  // namespace lnk::host::remote
