// SPDX-License-Identifier: Apache-2.0
#include "event_store.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "limits.hpp"

namespace lnk::verb_mcp {
namespace {

bool read_number(std::string_view text, std::uint64_t& into) noexcept {
  if (text.empty() || (text.size() > 1 && text.front() == '0')) return false;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), into);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

}  // namespace

std::optional<EventId> EventId::read(std::string_view text) noexcept {
  const auto dash = text.find('-');
  EventId id;
  if (dash == std::string_view::npos || !read_number(text.substr(0, dash), id.stream) ||
      !read_number(text.substr(dash + 1), id.number))
    return std::nullopt;
  return id;
}

void EventStore::add(EventId id, std::string text) {
  bytes_ += text.size();
  kept_.push_back({id, std::move(text)});
  while (kept_.size() > kEventsKept || bytes_ > kEventBytesKept) {
    bytes_ -= kept_.front().text.size();
    kept_.pop_front();
  }
}

std::optional<std::vector<std::string_view>> EventStore::behind(EventId id, std::uint64_t next) const {
  std::vector<std::string_view> found;
  for (const Kept& event : kept_)
    if (event.id.stream == id.stream && event.id.number > id.number) found.push_back(event.text);
  if (id.number >= next || found.size() != next - 1 - id.number) return std::nullopt;
  return found;
}

bool EventStore::has_of(std::uint64_t stream) const noexcept {
  return std::any_of(kept_.begin(), kept_.end(), [stream](const Kept& event) { return event.id.stream == stream; });
}

std::string event_text(EventId id, std::string_view message) { return "id: " + id.text() + '\n' + event_text(message); }

std::string event_text(std::string_view message) { return std::string("event: message\ndata: ").append(message).append("\n\n"); }

std::string first_event_text(EventId id) {
  return "id: " + id.text() + "\nretry: " + std::to_string(kRetryMs) + "\ndata: \n\n";
}

}  // namespace lnk::verb_mcp
