// SPDX-License-Identifier: Apache-2.0
//
// One stdio server outside and the requests that it answers: of one session, or, in the stateless family, of all clients of a
// route.
//
// A request waits until its server runs and has shaken hands, until the server's tools are known where a call could go unasked, and
// until a person said yes where one is asked. Then it is sent, under a number of ours, and its reply carried back under the id
// it came with. A server that ended is started again by the next request, and given the kept `initialize`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "config.hpp"
#include "event_store.hpp"
#include "head.hpp"
#include "lnk/cpp/verb_actions.hpp"
#include "message.hpp"
#include "methods.hpp"
#include "question.hpp"
#include "replies.hpp"
#include "tool_list.hpp"

namespace lnk::verb_mcp {

class Session {
 public:
  /// What all sessions have together.
  struct Shared {
    std::set<lnk_id> running;    ///< servers, those that are ending too
    std::size_t held_bytes = 0;  ///< of requests that wait to be sent
    std::size_t questions = 0;   ///< that are open
  };

  /// `id`: empty in the stateless family. Borrows the others.
  Session(const Tool& tool, Family family, std::string id, Replies& replies, Shared& shared)
      : tool_(tool), family_(family), id_(std::move(id)), replies_(replies), shared_(shared) {}

  // ---- from inside ----
  void take_message(Actions& actions, lnk_id call, const HeadFacts& head, Message& message);
  /// GET: the stream of what belongs to no request, or one that broke.
  void take_listener(Actions& actions, lnk_id call, const HeadFacts& head);
  void take_gone(Actions& actions, lnk_id call);

  // ---- from outside ----
  void take_started(Actions& actions, lnk_status status);
  void take_line(Actions& actions, std::string_view line);
  void take_exit(Actions& actions, std::int32_t code);
  void take_tool_drained(Actions& actions);
  void take_answer(Actions& actions, lnk_id question, Answer answer);
  /// Behind each event: a server is paused while its clients read too slowly, and ended where it reads nothing itself.
  void settle(Actions& actions);

  void tick(Actions& actions);
  /// Ends all that is open, and the server.
  void end(Actions& actions, std::string_view words);

  void set_now(std::uint64_t now_ms) noexcept { now_ms_ = now_ms; }
  [[nodiscard]] const Tool& tool() const noexcept { return tool_; }
  [[nodiscard]] Family family() const noexcept { return family_; }
  [[nodiscard]] const std::string& id() const noexcept { return id_; }
  [[nodiscard]] lnk_id server() const noexcept { return server_; }
  [[nodiscard]] bool has_call(lnk_id call) const noexcept { return calls_.contains(call); }
  [[nodiscard]] bool has_question(lnk_id question) const noexcept;
  [[nodiscard]] bool is_over() const noexcept { return is_over_; }
  /// Since when nothing is under way; nothing: something is.
  [[nodiscard]] std::optional<std::uint64_t> idle_since() const noexcept;

 private:
  enum class State : std::uint8_t { Down, Starting, Handshake, Ready };

  struct Request {
    enum class Step : std::uint8_t { Waits, Asked, Sent };
    Id id;
    const Method* method = nullptr;
    std::string name;           ///< of tools/call: the server's tool
    std::optional<Id> token;    ///< the program's own, for progress
    std::string params;         ///< as they are sent
    std::optional<Question> question;
    SentParams sent_params;     ///< stateless: fields that repeat arguments
    Step step = Step::Waits;
    lnk_id asked = 0;           ///< the open question
    lnk_id asked_call = 0;      ///< whose end drops it
    std::uint64_t stream = 0;   ///< where its reply goes; 0: to `call` alone, as one message where it can be
    lnk_id call = 0;
    bool has_begun = false;     ///< that reply is a stream already
    bool wants_log = false;
    std::size_t held_bytes = 0;
    int root_rounds = 0;
    std::uint64_t heard_ms = 0;  ///< when anything was last heard of it
    std::uint64_t spoke_ms = 0;  ///< when anything was last said to `call`
  };
  /// A stream of events of the sessions' family. 0 is the one that belongs to no request.
  struct Stream {
    lnk_id call = 0;         ///< 0: nobody listens
    std::uint64_t next = 1;  ///< the number of the event to come
    std::uint64_t sent = 0;  ///< the last that went to anybody
    bool is_finished = false;
    std::uint64_t spoke_ms = 0;
  };
  struct Wanted {
    Id id;  ///< the server's own
    std::string method;
    std::uint64_t stream = 0;
  };
  using Requests = std::map<std::uint64_t, Request>;

  // session.cpp: from inside
  void take_request(Actions& actions, lnk_id call, const HeadFacts& head, Message& message);
  void take_notification(Actions& actions, lnk_id call, Message& message);
  void take_response(Actions& actions, lnk_id call, Message& message);
  void take_cancelled(Actions& actions, const Message& message);
  [[nodiscard]] std::optional<Refusal> request_fault(const Message& message, const Method* method) const;
  Request& add_request(Actions& actions, lnk_id call, Message& message, const Method& method);
  void cancel(Actions& actions, Requests::iterator request, std::string_view why);
  /// It was sent, or isn't any more: what it is made of is let go.
  void release(Request& request);
  void close_question(Request& request) noexcept;

  // session_turn.cpp: what a request waits for
  void start(Actions& actions);
  void advance(Actions& actions, std::uint64_t number);
  void advance_all(Actions& actions);
  [[nodiscard]] bool needs_list(const Request& request) const;
  [[nodiscard]] std::string field_fault(const Request& request) const;
  void ask(Actions& actions, Requests::iterator request);
  void forward(Actions& actions, Requests::iterator request);
  void send(Actions& actions, std::string line);
  void begin_handshake(Actions& actions);
  void begin_list(Actions& actions);
  void ask_for_page(Actions& actions);
  void finish_list(Actions& actions);
  [[nodiscard]] bool is_list_fresh() const noexcept;
  [[nodiscard]] std::string own_params(std::string_view members) const;
  void fail_waiting(Actions& actions, const Refusal& refusal);
  void stop_server(Actions& actions);

  // session_lines.cpp: from outside
  void take_server_request(Actions& actions, Message& message);
  void take_server_news(Actions& actions, Message& message);
  void take_server_reply(Actions& actions, Message& message);
  void take_handshake(Actions& actions, Message& message);
  void take_initialized(Actions& actions, Message& message);
  void take_probed(Actions& actions, Message& message);
  void take_page(Actions& actions, const Message& message);
  [[nodiscard]] bool try_with_roots(Actions& actions, Requests::iterator request, Message& message);
  void take_server_cancelled(Actions& actions, Message& message);
  void note_watch(const Message& message);
  void end_watch() noexcept;
  [[nodiscard]] std::uint64_t stream_for_news(bool is_of_request) const;
  [[nodiscard]] Requests::iterator find_progress(const Message& message);

  // session_streams.cpp: to the program
  void say(Actions& actions, Request& request, std::string_view message);
  void finish(Actions& actions, Requests::iterator request, std::string_view message, std::uint32_t status = 200);
  void fail(Actions& actions, Requests::iterator request, int code, std::string_view words);
  void push_event(Actions& actions, std::uint64_t number, std::string_view message);
  void finish_stream(Actions& actions, std::uint64_t number);
  void resume(Actions& actions, lnk_id call, EventId last);
  void listen(Actions& actions, lnk_id call);
  void keep_alive(Actions& actions);
  [[nodiscard]] bool has_first_events() const noexcept { return version_ >= "2025-11-25"; }

  const Tool& tool_;
  Family family_;
  std::string id_;
  Replies& replies_;
  Shared& shared_;

  State state_ = State::Down;
  lnk_id server_ = 0;
  std::uint64_t state_since_ms_ = 0;
  std::vector<std::string> queue_;  ///< lines that the server doesn't take yet
  std::size_t queue_bytes_ = 0;
  bool is_full_ = false;
  bool is_paused_ = false;
  bool is_stuck_ = false;  ///< it let more wait than is kept
  std::uint64_t lines_dropped_ = 0;

  std::uint64_t last_number_ = 0;
  Requests requests_;
  std::map<std::uint64_t, Wanted> wanted_;  ///< what the server asked and the program didn't answer yet, by our number
  std::map<std::uint64_t, Stream> streams_;
  std::set<lnk_id> calls_;  ///< that it answers or answered, and that have not gone
  EventStore store_;

  std::string kept_initialize_;  ///< its params, to start the server again
  std::uint64_t handshake_ = 0;  ///< the number under which it is sent
  std::string version_;          ///< as negotiated
  bool was_ready_ = false;
  bool was_initialized_ = false;
  bool is_known_old_ = false;    ///< stateless: the server said that it isn't of that family

  ToolList list_;
  std::uint64_t list_number_ = 0;  ///< the page that is waited for; 0: none
  std::uint64_t list_since_ms_ = 0;
  std::uint64_t list_read_ms_ = 0;
  bool tells_changes_ = false;  ///< the server said that it tells when its list changes
  std::uint64_t watch_number_ = 0;  ///< stateless: the verb's own subscription to changes of the list
  bool list_changed_ = false;       ///< while it was read
  int list_rounds_ = 0;

  std::uint64_t now_ms_ = 0;
  std::uint64_t used_ms_ = 0;
  bool is_over_ = false;
};

}  // namespace lnk::verb_mcp
