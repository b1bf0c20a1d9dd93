// SPDX-License-Identifier: Apache-2.0
//
// What a server offers: the few messages by which its tools are learnt, over standard input and output, a line each
// (Model Context Protocol, revisions 2025-03-26 to 2026-07-28). Pure: lines in, lines out.
//
// `initialize` is asked first, which every server of the older revisions expects before anything else; one that knows
// the newest alone answers with an error, and is then asked by that.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::jsonfilter {
class Value;
}

namespace lnk::host {

/// A page of tools with their schemas; large servers' have some 100 KiB.
inline constexpr std::size_t kListingLineBytesMax = 4 * 1024 * 1024;
/// Beside pages a server logs and asks; one that sends more than this never comes to an end.
inline constexpr std::size_t kListingLinesMax = 10'000;
inline constexpr std::size_t kListingPagesMax = 100;
inline constexpr std::size_t kListedToolsMax = 4096;

class ToolsListing {
 public:
  /// `roots`: folders that a server is told of when it asks; none: it is told that there are none to ask for.
  explicit ToolsListing(std::vector<std::string> roots) : roots_(std::move(roots)) {}

  /// The lines to begin with.
  [[nodiscard]] std::string first();
  /// One line of the server's, without its end; the lines to send for it. What is no message of the protocol is passed
  /// over. errors: Unsupported, Invalid, Limit, in words to follow the server's name
  [[nodiscard]] Result<std::string> take(std::string_view line);
  [[nodiscard]] bool is_done() const noexcept { return step_ == Step::Done; }
  /// A tool's name → the hash of its definition.
  [[nodiscard]] const std::map<std::string, std::string>& tools() const noexcept { return tools_; }

 private:
  enum class Step { Initialize, Tools, Done };

  [[nodiscard]] std::string ask_tools(std::string_view cursor);
  [[nodiscard]] std::string answer_to(const jsonfilter::Value& request) const;
  [[nodiscard]] Result<std::string> take_initialized(const jsonfilter::Value& message);
  [[nodiscard]] Result<std::string> take_tools(const jsonfilter::Value& message);
  [[nodiscard]] Status add(const jsonfilter::Value& tool);

  std::vector<std::string> roots_;
  Step step_ = Step::Initialize;
  bool is_newest_ = false;   ///< of the revision without sessions
  std::string first_error_;  ///< what it said to initialize
  std::size_t id_ = 1;       ///< of the request that waits
  std::size_t pages_ = 0;
  std::size_t lines_ = 0;
  std::map<std::string, std::string> tools_;
};

/// A folder as the protocol names one: file:///home/u/a%20b. Every byte that isn't plain is escaped (RFC 8089, RFC
/// 3986 2.3).
[[nodiscard]] std::string file_uri(std::string_view path);

}  // namespace lnk::host
