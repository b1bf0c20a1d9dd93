// SPDX-License-Identifier: Apache-2.0
#include "wire/run_log.hpp"

#include "wire/limits.hpp"
#include "wire/switch_files.hpp"

namespace lnk::host {
namespace {

constexpr std::string_view kCalls = "calls";

void add_text(std::string& line, std::string_view key, std::string_view value) {
  line.append(",\"").append(key).append("\":\"");
  for (const char byte : value) {
    // What comes here was checked to be visible ASCII; whatever else would come is not worth a broken line.
    const bool is_plain = byte >= ' ' && byte < '\x7f' && byte != '"' && byte != '\\';
    line += is_plain ? byte : '?';
  }
  line += '"';
}

void add_number(std::string& line, std::string_view key, std::uint64_t value) {
  line.append(",\"").append(key).append("\":").append(std::to_string(value));
}

}  // namespace

void RunLog::begin_minute() {
  if (std::exchange(is_minute_begun_, true)) return;
  minute_.set(kMinuteMs);
}

bool RunLog::has_room() const noexcept { return lines_ < kLinesPerMinute && bytes_ < kRunLogBytesMax; }

RunLog::Count* RunLog::count_of(std::string_view event, const LogEntry& entry) {
  Target target{event, entry.verb, entry.host, entry.port, entry.reason};
  Counts& counts = event == kCalls ? calls_ : refusals_;
  if (const auto found = counts.find(target); found != counts.end()) return &found->second;
  if (counts.size() >= (bytes_ < kRunLogBytesMax ? kTargetsCounted : kTargetsCountedOverFull)) return nullptr;
  return &counts[std::move(target)];
}

void RunLog::add(Count* count, const LogEntry& entry) {
  Count& at = count != nullptr ? *count : left_out_;
  if (at.count++ == 0) at.first = utc_now_text();
  at.status = entry.status;
}

void RunLog::repeated(const LogEntry& entry) {
  begin_minute();
  Count* count = count_of(entry.event, entry);
  if (!has_room() || (count != nullptr && count->written >= kRepeatsWritten)) return add(count, entry);
  if (count != nullptr) ++count->written;
  write(entry);
}

bool RunLog::opened(const LogEntry& entry) {
  begin_minute();
  if (has_room()) {
    write(entry);
    return true;
  }
  add(count_of(kCalls, entry), entry);
  return false;
}

/// Its bytes alone: that it was made is counted already, perhaps in an earlier minute.
void RunLog::counted(const LogEntry& entry) {
  begin_minute();
  LogEntry target = entry;
  target.reason.clear();
  Count* count = count_of(kCalls, target);
  Count& at = count != nullptr ? *count : left_out_;
  at.in += entry.in.value_or(0);
  at.out += entry.out.value_or(0);
}

void RunLog::write_each(const Counts& counts) {
  for (const auto& [target, count] : counts) {
    if (count.count == 0 && count.in == 0 && count.out == 0) continue;
    LogEntry entry{std::get<0>(target),
                   0,
                   std::get<1>(target),
                   std::get<2>(target),
                   std::get<3>(target),
                   std::get<4>(target),
                   count.status,
                   {},
                   {},
                   {}};
    if (entry.event == kCalls) {
      entry.in = count.in;
      entry.out = count.out;
    }
    write(entry, count.count, count.first);
  }
}

void RunLog::write_counts() {
  is_minute_begun_ = false;
  write_each(refusals_);
  write_each(calls_);
  refusals_.clear();
  calls_.clear();
  if (left_out_.count > 0)
    write(LogEntry{"left-out", 0, {}, {}, 0, {}, 0, {}, {}, {}}, left_out_.count, left_out_.first);
  left_out_ = {};
  lines_ = 0;
}

void RunLog::write(const LogEntry& entry, std::uint64_t count, std::string_view first) {
  constexpr std::size_t kUsualLineBytes = 256;
  std::string line;
  line.reserve(kUsualLineBytes);
  line.append("{\"t\":\"").append(utc_now_text()).append("\"");
  add_text(line, "run", run_);
  if (entry.id != 0) add_number(line, "id", entry.id);
  add_text(line, "event", entry.event);
  if (!entry.verb.empty()) add_text(line, "verb", entry.verb);
  if (!entry.host.empty()) add_text(line, "host", entry.host);
  if (entry.port != 0) add_number(line, "port", entry.port);
  if (!entry.reason.empty()) add_text(line, "reason", entry.reason);
  if (entry.status != 0) add_number(line, "status", entry.status);
  if (count != 0) add_number(line, "count", count);
  if (!first.empty()) add_text(line, "first", first);
  if (entry.in) add_number(line, "in", *entry.in);
  if (entry.out) add_number(line, "out", *entry.out);
  if (entry.ms) add_number(line, "ms", static_cast<std::uint64_t>(*entry.ms));
  line.append("}\n");
  ++lines_;
  bytes_ += line.size();
  // One line says which run did it: what was in the file is kept under another name, and the oldest is gone.
  if (file_.append(line)) write(LogEntry{"turned-over", 0, {}, {}, 0, {}, 0, {}, {}, {}});
}

}  // namespace lnk::host
