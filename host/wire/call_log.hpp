// SPDX-License-Identifier: Apache-2.0
//
// The wire's log: <settings>/wire/<name>.jsonl. Never a path, query, header, body, key or secret: the functions here
// take none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "lnk/http/refusal.hpp"
#include "wire/refusals.hpp"
#include "wire/run_log.hpp"

namespace lnk::host {

struct CallTarget {
  std::string verb;  ///< "connect", "http", "tcp", "dns", or a verb's id
  std::string host;
  std::uint16_t port = 0;
};

/// One call's lines: `open` and `close`, or `refused` or `dns` alone.
class CallLog {
 public:
  CallLog(RunLog& log, std::uint64_t id) noexcept : log_(log), id_(id) {}
  CallLog(const CallLog&) = delete;
  CallLog& operator=(const CallLog&) = delete;
  /// A call that was opened and not closed is closed here, so that lines are paired whatever happened.
  ~CallLog();

  void set_target(CallTarget target) { target_ = std::move(target); }
  void opened();
  /// A refusal before the call was opened is one line; behind that it stands in the closing line.
  void refused(const http::Refusal& refusal);
  /// The same where there is no form in which it could be answered: the line has no status.
  void refused_unsaid(const http::Refusal& refusal);
  /// A reply whose head has gone out already was ended, by the outside unless it is said: its status stays what was sent.
  void cut(std::string_view reason = "upstream") { reason_ = reason; }
  [[nodiscard]] bool is_open() const noexcept { return is_open_ && !is_done_; }
  [[nodiscard]] const CallTarget& target() const noexcept { return target_; }
  /// How it was refused, as the gate counts it; none: it was not.
  [[nodiscard]] RefusalKind refusal_kind() const noexcept { return refusal_kind_; }
  void closed();
  /// A name that was asked for, and answered: one line, `dns`.
  void asked();

  std::uint64_t in = 0;   ///< bytes from outside to the program
  std::uint64_t out = 0;  ///< bytes from the program to the outside
  std::uint16_t status = 0;

 private:
  [[nodiscard]] LogEntry entry(std::string_view event) const;

  RunLog& log_;
  std::uint64_t id_;
  CallTarget target_;
  std::string reason_;
  RefusalKind refusal_kind_ = RefusalKind::NotCounted;
  std::int64_t opened_ms_ = 0;
  bool is_open_ = false;
  bool is_written_ = false;
  bool is_done_ = false;
};

}  // namespace lnk::host
