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
#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

/// One file that may be shared by several wires of one name: each line is one append, and whoever finds it full turns
/// it over under a lock.
class LogFile {
 public:
  /// errors: names the file that can't be opened or made
  static Result<LogFile> open(const std::string& folder, std::string_view name);
  LogFile(LogFile&&) noexcept = default;

  void append(std::string_view line);

 private:
  LogFile(UniqueFd folder, std::string name) : folder_(std::move(folder)), name_(std::move(name)) {}
  Status reopen();
  void turn_over();

  UniqueFd folder_;
  UniqueFd file_;
  std::string name_;
  bool line_is_torn_ = false;  ///< a full disk cut the last line
};

struct CallTarget {
  std::string verb;  ///< "connect", "http", or a verb's id
  std::string host;
  std::uint16_t port = 0;
};

/// One call's lines: `open` and `close`, or `refused` alone.
class CallLog {
 public:
  CallLog(LogFile& file, std::string_view run, std::uint64_t id) noexcept : file_(file), run_(run), id_(id) {}
  CallLog(const CallLog&) = delete;
  CallLog& operator=(const CallLog&) = delete;
  /// A call that was opened and not closed is closed here, so that lines are paired whatever happened.
  ~CallLog();

  void set_target(CallTarget target) { target_ = std::move(target); }
  void opened();
  /// A refusal before the call was opened is one line; behind that it stands in the closing line.
  void refused(const http::Refusal& refusal);
  void closed();

  std::uint64_t in = 0;   ///< bytes from outside to the program
  std::uint64_t out = 0;  ///< bytes from the program to the outside
  std::uint16_t status = 0;

 private:
  void write(std::string_view event);

  LogFile& file_;
  std::string_view run_;
  std::uint64_t id_;
  CallTarget target_;
  std::string_view reason_;
  std::int64_t opened_ms_ = 0;
  bool is_open_ = false;
  bool is_done_ = false;
};

}  // namespace lnk::host
