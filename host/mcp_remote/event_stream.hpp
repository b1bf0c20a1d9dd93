// SPDX-License-Identifier: Apache-2.0
//
// Server-sent events, read as they come. Pure: how the bytes are cut changes nothing.
// source: WHATWG HTML 9.2.6 (https://html.spec.whatwg.org/multipage/server-sent-events.html)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lnk::host::remote {

struct Event {
  std::string kind;  ///< empty: "message"
  std::string data;
};

class EventStream {
 public:
  /// `bytes_max`: of one event's data, and of a line.
  explicit EventStream(std::size_t bytes_max) noexcept : bytes_max_(bytes_max) {}

  enum class Step : std::uint8_t {
    NeedMore,  ///< all of the input is taken
    Event,     ///< `event()` is whole; more may be in the input
    TooLong,   ///< nothing more is read
  };
  /// Takes bytes off the front of `input`.
  [[nodiscard]] Step next(std::string_view& input);
  [[nodiscard]] Event take_event() { return std::move(event_); }

  /// Of the last event that was whole; what a GET that goes on names.
  [[nodiscard]] const std::string& last_id() const noexcept { return last_id_; }
  /// The time that the server named last.
  [[nodiscard]] std::optional<std::int64_t> retry_ms() const noexcept { return retry_ms_; }
  /// Bytes kept of what isn't whole.
  [[nodiscard]] std::size_t held() const noexcept { return line_.size() + data_.size() + kind_.size(); }
  /// For the bytes of another connection: what isn't whole is dropped, the id and the time stay.
  void begin_again();

 private:
  [[nodiscard]] bool take_line();
  void take_field(std::string_view name, std::string_view value);
  void take_retry(std::string_view value);
  [[nodiscard]] bool end_event();

  std::size_t bytes_max_;
  std::string line_;
  std::string data_;
  std::string kind_;
  std::string id_;  ///< the id's buffer, kept from event to event
  std::string last_id_;
  std::optional<std::int64_t> retry_ms_;
  Event event_;
  bool has_data_ = false;
  bool after_cr_ = false;
  bool is_first_line_ = true;
  bool is_too_long_ = false;
};

}  // namespace lnk::host::remote
