// SPDX-License-Identifier: Apache-2.0
//
// What a server's present tools/list says of its tools: by it a tool that was allowed is known again, and its hints are shown.
// Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config.hpp"
#include "header_params.hpp"
#include "message.hpp"

namespace lnk::verb_mcp {

struct ListedTool {
  std::string sha256;
  std::vector<DeclaredParam> params;  ///< that fields repeat
  std::vector<std::string> hints;     ///< "the server says: readOnlyHint true"
};

class ToolList {
 public:
  /// A list that is read page by page from its beginning.
  void begin() noexcept;
  /// One page's result. True: another is to be asked for, with `cursor`.
  [[nodiscard]] bool add_page(const Json& result);
  [[nodiscard]] const std::string& cursor() const noexcept { return cursor_; }
  /// The server can't list, or lists without end: what was read stands, and nothing of it is believed.
  void give_up() noexcept;
  /// What another list showed in passing, which the program inside saw too.
  void note(const Json& result);
  /// The server said that it changed.
  void forget() noexcept { is_fresh_ = false; }

  [[nodiscard]] bool is_fresh() const noexcept { return is_fresh_; }
  [[nodiscard]] const ListedTool* find(std::string_view name) const noexcept;

 private:
  bool add_tools(const Json& result);

  std::map<std::string, ListedTool, std::less<>> tools_;
  std::string cursor_;
  std::size_t pages_ = 0;
  bool is_fresh_ = false;
};

enum class Standing : std::uint8_t { Asked, Allowed, Changed };

/// Whether a call of that tool goes unasked. Changed: it was allowed, and is another now, or isn't listed any more.
[[nodiscard]] Standing standing_of(const Tool& tool, const ToolList& list, std::string_view name);

}  // namespace lnk::verb_mcp
