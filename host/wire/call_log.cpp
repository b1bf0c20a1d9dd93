// SPDX-License-Identifier: Apache-2.0
#include "wire/call_log.hpp"

#include <utility>

#include "wire/loop.hpp"

namespace lnk::host {

LogEntry CallLog::entry(std::string_view event) const {
  LogEntry entry{event, id_, target_.verb, target_.host, target_.port, reason_, status, {}, {}, {}};
  if (event != "close") return entry;
  entry.in = in;
  entry.out = out;
  entry.ms = Loop::now_ms() - opened_ms_;
  return entry;
}

void CallLog::opened() {
  if (is_open_ || is_done_) return;
  is_open_ = true;
  opened_ms_ = Loop::now_ms();
  is_written_ = log_.opened(entry("open"));
}

void CallLog::refused(const http::Refusal& refusal) {
  if (is_done_) return;
  status = refusal.status;
  refused_unsaid(refusal);
}

void CallLog::refused_unsaid(const http::Refusal& refusal) {
  if (is_done_) return;
  reason_ = refusal.reason;
  refusal_kind_ = kind_of(refusal);
  if (is_open_) return;
  is_done_ = true;
  log_.repeated(entry("refused"));
}

void CallLog::closed() {
  if (!is_open_ || is_done_) return;
  is_done_ = true;
  if (is_written_) return log_.closed(entry("close"));
  log_.counted(entry("close"));
}

void CallLog::asked() {
  if (std::exchange(is_done_, true)) return;
  target_.verb.clear();
  log_.repeated(entry("dns"));
}

CallLog::~CallLog() { closed(); }

}  // namespace lnk::host
