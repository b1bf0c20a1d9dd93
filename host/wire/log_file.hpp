// SPDX-License-Identifier: Apache-2.0
//
// The file of a wire's log: turned over at its size, some kept.
#pragma once

#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

/// One file that may be shared by several wires of one name: each line is one append, and whoever finds it full turns
/// it over under a lock.
class LogFile {
 public:
  /// errors: names the file that can't be opened or made
  static Result<LogFile> open(const std::string& folder, std::string_view name);
  LogFile(LogFile&&) noexcept = default;

  /// True: the file was turned over by this call.
  bool append(std::string_view line);

 private:
  LogFile(UniqueFd folder, std::string name) : folder_(std::move(folder)), name_(std::move(name)) {}
  Status reopen();
  bool turn_over();

  UniqueFd folder_;
  UniqueFd file_;
  std::string name_;
  bool line_is_torn_ = false;  ///< a full disk cut the last line
};

}  // namespace lnk::host
