// SPDX-License-Identifier: Apache-2.0
//
// The last events of a session's streams, for a client whose connection broke. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lnk::verb_mcp {

/// Where an event stands: "<stream>-<number>".
struct EventId {
  std::uint64_t stream = 0;
  std::uint64_t number = 0;

  [[nodiscard]] static std::optional<EventId> read(std::string_view text) noexcept;
  [[nodiscard]] std::string text() const { return std::to_string(stream) + '-' + std::to_string(number); }
};

class EventStore {
 public:
  /// The oldest go where there are too many. One that is too large alone isn't kept.
  void add(EventId id, std::string text);
  /// The events of that stream alone that follow, in order. Nothing: some of them are no longer kept. `next`: the number that the
  /// stream's next event will have.
  [[nodiscard]] std::optional<std::vector<std::string_view>> behind(EventId id, std::uint64_t next) const;
  [[nodiscard]] bool has_of(std::uint64_t stream) const noexcept;

 private:
  struct Kept {
    EventId id;
    std::string text;
  };
  std::deque<Kept> kept_;
  std::size_t bytes_ = 0;
};

/// One event of server-sent events. source: html.spec.whatwg.org/multipage/server-sent-events.html
[[nodiscard]] std::string event_text(EventId id, std::string_view message);
/// For a stream that isn't resumed.
[[nodiscard]] std::string event_text(std::string_view message);
/// Says no more than where the stream stands, and when to come back: from 2025-11-25 on; clients of older revisions take it for a
/// broken message.
[[nodiscard]] std::string first_event_text(EventId id);

inline constexpr std::string_view kKeepAlive = ":\n\n";

}  // namespace lnk::verb_mcp
