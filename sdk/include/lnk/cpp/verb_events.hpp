// SPDX-License-Identifier: Apache-2.0
//
// The events of lnk.verb/1 as values. Every view in one is borrowed until `event` returns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>

#include "lnk/abi/verb.h"
#include "lnk/cpp/ascii.hpp"
#include "lnk/cpp/result.hpp"
#include "lnk/cpp/view.hpp"

namespace lnk {

struct Field {
  std::string_view name = {};
  std::string_view value = {};
};

/// The fields of a head, as sent and in their order.
class Fields {
 public:
  Fields() noexcept = default;
  explicit Fields(std::span<const lnk_field> raw) noexcept : raw_(raw) {}

  [[nodiscard]] std::size_t size() const noexcept { return raw_.size(); }
  [[nodiscard]] Field operator[](std::size_t at) const noexcept { return {view(raw_[at].name), view(raw_[at].value)}; }
  /// The value of the first field of that name, in any case of its letters.
  [[nodiscard]] std::optional<std::string_view> first(std::string_view name) const noexcept {
    const auto found =
        std::find_if(raw_.begin(), raw_.end(), [name](const lnk_field& field) { return is_named(field, name); });
    if (found == raw_.end()) return std::nullopt;
    return view(found->value);
  }
  [[nodiscard]] std::size_t count(std::string_view name) const noexcept {
    return static_cast<std::size_t>(
        std::count_if(raw_.begin(), raw_.end(), [name](const lnk_field& field) { return is_named(field, name); }));
  }

 private:
  static bool is_named(const lnk_field& field, std::string_view name) noexcept { return same_folded(view(field.name), name); }

  std::span<const lnk_field> raw_;
};

struct HeadEvent {
  std::uint32_t route = 0;  ///< the index of the route it came by, in the order declared
  std::string_view method = {};
  std::string_view path = {};  ///< below the route's path, as sent
  std::optional<std::string_view> query = {};
  bool has_body = false;
  Fields fields = {};
};
struct BodyEvent {
  std::string_view body = {};
};
struct ReplyHeadEvent {
  std::uint32_t status = 0;
  Fields fields = {};
};
struct ReplyChunkEvent {
  std::string_view bytes = {};
};
struct ReplyEndEvent {
  lnk_status status = LNK_OK;
};
enum class Answer : std::uint32_t { Yes = LNK_ANSWER_YES, No = LNK_ANSWER_NO, TimedOut = LNK_ANSWER_TIMED_OUT };
struct AnsweredEvent {
  Answer answer = Answer::No;
};
struct ToolStartedEvent {
  lnk_status status = LNK_OK;
};
struct ToolLineEvent {
  std::string_view line = {};
};
struct ToolExitEvent {
  std::int32_t code = 0;
};
struct PageOpenedEvent {
  lnk_status status = LNK_OK;
};
struct ListeningEvent {
  lnk_status status = LNK_OK;
  std::uint32_t port = 0;
};
struct CallbackEvent {
  std::string_view method = {};
  std::string_view target = {};
  std::string_view host = {};
  std::string_view content_type = {};
  std::string_view body = {};
};
struct InsideReplyEvent {
  lnk_status status = LNK_OK;
  std::uint32_t http_status = 0;
  std::string_view location = {};
};
struct DrainedEvent {};
struct TimerEvent {};
struct GoneEvent {};

struct Event {
  lnk_id call = 0;     ///< 0: of no call
  lnk_id subject = 0;  ///< the question, tool, timer, port or call inside; 0: none
  std::uint64_t now_ms = 0;
  std::uint64_t unix_ms = 0;
  std::span<const std::uint8_t, 32> random;
  std::variant<HeadEvent, BodyEvent, ReplyHeadEvent, ReplyChunkEvent, ReplyEndEvent, AnsweredEvent, ToolStartedEvent,
               ToolLineEvent, ToolExitEvent, PageOpenedEvent, ListeningEvent, CallbackEvent, InsideReplyEvent,
               DrainedEvent, TimerEvent, GoneEvent>
      what;
};

namespace detail {

using EventWhat = decltype(Event::what);

[[nodiscard]] inline Result<Fields> read_fields(const lnk_field* fields, std::size_t count) {
  if (fields == nullptr && count != 0) return fail(Code::Invalid, "fields are counted but not there");
  return Fields(std::span(fields, count));
}

/// The kind's own struct, or null where the host gave a shorter one than this header knows.
template <class T>
[[nodiscard]] const T* event_data(const lnk_event& event) noexcept {
  const auto* data = static_cast<const T*>(event.data);
  return data == nullptr || data->size < sizeof(T) ? nullptr : data;
}

[[nodiscard]] inline Failure short_event() { return fail(Code::Invalid, "an event's data is shorter than 1.0"); }

[[nodiscard]] inline Result<EventWhat> read_head(const lnk_event& event) {
  const auto* data = event_data<lnk_event_head>(event);
  if (data == nullptr) return short_event();
  LNK_TRY(const Fields fields, read_fields(data->fields, data->field_count));
  HeadEvent head{data->route, view(data->method), view(data->path), std::nullopt, data->has_body != 0, fields};
  if (data->has_query != 0) head.query = view(data->query);
  return EventWhat(head);
}

[[nodiscard]] inline Result<EventWhat> read_reply_head(const lnk_event& event) {
  const auto* data = event_data<lnk_event_reply_head>(event);
  if (data == nullptr) return short_event();
  LNK_TRY(const Fields fields, read_fields(data->fields, data->field_count));
  return EventWhat(ReplyHeadEvent{data->status, fields});
}

[[nodiscard]] inline Result<EventWhat> read_answered(const lnk_event& event) {
  const auto* data = event_data<lnk_event_answered>(event);
  if (data == nullptr) return short_event();
  if (data->answer < LNK_ANSWER_YES || data->answer > LNK_ANSWER_TIMED_OUT)
    return fail(Code::Invalid, "an answer that is not known");
  return EventWhat(AnsweredEvent{static_cast<Answer>(data->answer)});
}

/// Reads a kind of one struct by a function of it.
template <class T, class Make>
[[nodiscard]] Result<EventWhat> read_plain(const lnk_event& event, Make make) {
  const auto* data = event_data<T>(event);
  if (data == nullptr) return short_event();
  return EventWhat(make(*data));
}

[[nodiscard]] inline Result<EventWhat> read_later(const lnk_event& event) {
  switch (event.kind) {
    case LNK_EVENT_TOOL_STARTED:
      return read_plain<lnk_event_done>(event, [](const auto& e) { return ToolStartedEvent{e.status}; });
    case LNK_EVENT_TOOL_LINE:
      return read_plain<lnk_event_tool_line>(event, [](const auto& e) { return ToolLineEvent{view(e.line)}; });
    case LNK_EVENT_TOOL_EXIT:
      return read_plain<lnk_event_tool_exit>(event, [](const auto& e) { return ToolExitEvent{e.code}; });
    case LNK_EVENT_PAGE_OPENED:
      return read_plain<lnk_event_done>(event, [](const auto& e) { return PageOpenedEvent{e.status}; });
    case LNK_EVENT_LISTENING:
      return read_plain<lnk_event_done>(event, [](const auto& e) { return ListeningEvent{e.status, e.port}; });
    case LNK_EVENT_CALLBACK:
      return read_plain<lnk_event_callback>(event, [](const auto& e) {
        return CallbackEvent{view(e.method), view(e.target), view(e.host), view(e.content_type), view(e.body)};
      });
    case LNK_EVENT_INSIDE_REPLY:
      return read_plain<lnk_event_inside_reply>(event, [](const auto& e) {
        return InsideReplyEvent{e.status, e.http_status, view(e.location)};
      });
    case LNK_EVENT_DRAINED:
      return EventWhat(DrainedEvent{});
    case LNK_EVENT_TIMER:
      return EventWhat(TimerEvent{});
    case LNK_EVENT_GONE:
      return EventWhat(GoneEvent{});
    default:
      return fail(Code::Unsupported, "an event of the unknown kind " + std::to_string(event.kind));
  }
}

[[nodiscard]] inline Result<EventWhat> read_what(const lnk_event& event) {
  switch (event.kind) {
    case LNK_EVENT_HEAD:
      return read_head(event);
    case LNK_EVENT_BODY:
      return read_plain<lnk_event_body>(event, [](const auto& e) { return BodyEvent{view(e.body)}; });
    case LNK_EVENT_REPLY_HEAD:
      return read_reply_head(event);
    case LNK_EVENT_REPLY_CHUNK:
      return read_plain<lnk_event_reply_chunk>(event, [](const auto& e) { return ReplyChunkEvent{view(e.bytes)}; });
    case LNK_EVENT_REPLY_END:
      return read_plain<lnk_event_reply_end>(event, [](const auto& e) { return ReplyEndEvent{e.status}; });
    case LNK_EVENT_ANSWERED:
      return read_answered(event);
    default:
      return read_later(event);
  }
}

[[nodiscard]] inline Result<Event> read_event(const lnk_event* raw) {
  if (raw == nullptr || raw->size < sizeof(lnk_event)) return fail(Code::Invalid, "an event is shorter than 1.0");
  LNK_TRY(EventWhat what, read_what(*raw));
  return Event{raw->call, raw->subject, raw->now_ms, raw->unix_ms, std::span<const std::uint8_t, 32>(raw->random),
               what};
}

}  // namespace detail
}  // namespace lnk
