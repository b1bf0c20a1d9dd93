// SPDX-License-Identifier: Apache-2.0
#include "mcp_remote/event_stream.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "mcp_remote/limits.hpp"

namespace lnk::host::remote {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char byte) { return byte >= '0' && byte <= '9'; });
}

}  // namespace

EventStream::Step EventStream::next(std::string_view& input) {
  while (!input.empty() && !is_too_long_) {
    if (std::exchange(after_cr_, false) && input.front() == '\n') {
      input.remove_prefix(1);
      continue;
    }
    const std::size_t end = std::min(input.find_first_of("\r\n"), input.size());
    if (line_.size() + end > bytes_max_) {
      is_too_long_ = true;
      break;
    }
    line_.append(input.substr(0, end));
    input.remove_prefix(end);
    if (input.empty()) break;
    after_cr_ = input.front() == '\r';
    input.remove_prefix(1);
    if (take_line()) return Step::Event;
  }
  return is_too_long_ ? Step::TooLong : Step::NeedMore;
}

void EventStream::begin_again() {
  line_.clear();
  data_.clear();
  kind_.clear();
  id_ = last_id_;
  has_data_ = after_cr_ = false;
  is_first_line_ = true;
}

/// True: an event is whole.
bool EventStream::take_line() {
  std::string whole;
  whole.swap(line_);
  std::string_view line = whole;
  if (std::exchange(is_first_line_, false) && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  if (line.empty()) return end_event();
  const std::size_t colon = std::min(line.find(':'), line.size());
  auto value = line.substr(std::min(colon + 1, line.size()));
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (colon != 0) take_field(line.substr(0, colon), value);  // a line that begins with a colon is a comment
  return false;
}

void EventStream::take_field(std::string_view name, std::string_view value) {
  if (name == "event") kind_ = value;
  // One that is too long to be sent back is kept as that, so that no older one is taken for it.
  if (name == "id" && value.find('\0') == std::string_view::npos) id_ = value.substr(0, kIdBytesMax + 1);
  if (name == "retry") take_retry(value);
  if (name != "data") return;
  if (std::exchange(has_data_, true)) data_ += '\n';
  if (data_.size() + value.size() > bytes_max_) {
    is_too_long_ = true;
    return;
  }
  data_ += value;
}

/// Digits alone; more than can be counted is the longest.
void EventStream::take_retry(std::string_view value) {
  if (!is_digits(value)) return;
  std::int64_t ms = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), ms);
  retry_ms_ = error == std::errc() ? std::min(ms, kRetryMsMax) : kRetryMsMax;
}

bool EventStream::end_event() {
  last_id_ = id_;
  const bool is_event = std::exchange(has_data_, false);
  Event ended{std::exchange(kind_, {}), std::exchange(data_, {})};
  if (is_event) event_ = std::move(ended);
  return is_event;
}

}  // namespace lnk::host::remote
