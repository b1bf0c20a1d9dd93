// SPDX-License-Identifier: Apache-2.0
//
// One call as its verb sees it: what the verb does for it, in its own events or in those of others, is held to the order
// of verb.h, and kept until the host carries it out. Pure: no I/O, no clock.
//
// Order: NEED_BODY at most once, before anything else; then one of RELAY, FORWARD, ANSWER, DENY. Where a RELAY or FORWARD sees
// its reply, one ANSWER or DENY more. Behind an ANSWER that streams: STREAM any number of times, then END, or DENY, which cuts it.
//
// Fails closed: an action that is malformed, out of order, not granted or not in this version refuses the call,
// whatever the verb does after it; so does an event behind which the call is undecided and waits for nothing.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "lnk/abi/verb.h"
#include "lnk/http/refusal.hpp"
#include "wire/verb/decided.hpp"

namespace lnk::host {

/// What the module did wrong, for the log. It is refused inside with words that tell nothing of it.
struct ModuleFault {
  Error error;
};

/// Nothing is decided, and something that the verb asked for will come.
struct Waits {};

using Decided = std::variant<Waits, ModuleFault, NeedBodyPlan, RelayPlan, AnswerPlan, http::Refusal>;

/// What a verb may do, by its own declaration and by the snapshot.
struct VerbLimits {
  std::uint64_t body_bytes_max = 0;
  /// Whether a request may go to that host, and carry those handles there.
  std::function<Result<void>(const RelayPlan&)> check_upstream;
  /// Whether something of the verb's may bring a call its answer, beside what the call asked for itself: a tool that runs.
  std::function<bool()> may_wait = {};
};

class Call {
 public:
  /// `changed`: called when there is something new to carry out; it may not call the module.
  explicit Call(const VerbLimits& limits, std::function<void()> changed = {}) noexcept
      : limits_(&limits), changed_(std::move(changed)) {}

  // ---- the verb's side ----
  /// An event of this call is about to be given to the verb.
  void begin_event(std::uint32_t kind) noexcept;
  lnk_status take(const lnk_action& action);
  /// Refuses the call whatever the verb does from here; the first fault is the one that is told.
  lnk_status fault(Error error);
  /// The event's call returned.
  void end_event(lnk_status returned, const Error& error);
  /// Refuses the call where nothing is decided and nothing will come any more.
  void check_waits();
  /// A timer or a call inside that will be answered, and has been.
  void add_pending() noexcept { ++pending_; }
  void remove_pending() noexcept { --pending_; }

  // ---- the host's side ----
  /// What was decided and not carried out yet; Waits: nothing.
  [[nodiscard]] Decided take_decided();
  /// The word that was logged last; empty: none.
  [[nodiscard]] std::string take_log() noexcept;
  /// The pieces of a stream that wait.
  [[nodiscard]] std::string take_stream() noexcept;
  [[nodiscard]] bool has_stream() const noexcept { return !stream_.empty(); }
  /// More waits than the mark, and the verb was told: nothing more is asked of it before DRAINED.
  [[nodiscard]] bool is_full() const noexcept { return is_full_; }
  void note_drained() noexcept { is_full_ = false; }
  /// END was said.
  [[nodiscard]] bool has_ended() const noexcept { return step_ == Step::Over; }
  [[nodiscard]] bool has_fault() const noexcept { return fault_.has_value(); }
  /// The reply is the verb's to make, and not made whole: its events go on.
  [[nodiscard]] bool takes_reply() const noexcept { return !fault_ && !is_closed_ && (step_ == Step::Seen || step_ == Step::Streams); }
  /// From here on the verb is told that the call is gone.
  void close() noexcept { is_closed_ = true; }
  [[nodiscard]] bool is_closed() const noexcept { return is_closed_; }

 private:
  enum class Step : std::uint8_t {
    Undecided,  ///< HEAD was given
    Body,       ///< NEED_BODY: BODY comes
    BodyRead,   ///< it came, and nothing is decided
    Seen,       ///< a request went out whose reply the verb sees
    Streams,    ///< the head of its answer is there
    Over        ///< nothing more is taken
  };
  [[nodiscard]] bool is_undecided() const noexcept;
  lnk_status decide(Result<Decided> decided);
  Result<Decided> read(const lnk_action& action);
  Result<Decided> read_passage(const lnk_action& action);
  Result<Decided> read_body_wish(const lnk_action& action);
  Result<Decided> read_reply(const lnk_action& action);
  lnk_status take_piece(const lnk_action& action);
  lnk_status take_end();
  lnk_status take_word(const lnk_action& action);

  const VerbLimits* limits_;
  std::function<void()> changed_;
  Step step_ = Step::Undecided;
  bool reply_has_ended_ = false;
  bool is_full_ = false;
  bool is_closed_ = false;
  std::size_t pending_ = 0;
  std::optional<Error> fault_;
  std::deque<Decided> decided_;  ///< a request and, before it was carried out, what is answered
  bool is_fault_told_ = false;
  std::string stream_;
  std::string log_;
};

}  // namespace lnk::host
