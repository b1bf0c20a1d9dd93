// SPDX-License-Identifier: Apache-2.0
#include "tool_list.hpp"

#include <array>
#include <utility>

#include "limits.hpp"
#include "lnk/mcp/definition.hpp"

namespace lnk::verb_mcp {
namespace {

constexpr std::size_t kCursorBytesMax = 64 * 1024;
constexpr std::size_t kHintBytesMax = 512;
/// source: ToolAnnotations in MCP's schema. The server sets them itself, so they are shown and believed in nothing.
constexpr auto kHints =
    std::to_array<std::string_view>({"title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"});

std::vector<std::string> hints_of(const Json& tool) {
  std::vector<std::string> hints;
  const Json* annotations = tool.find("annotations");
  for (const std::string_view name : kHints) {
    const Json* hint = annotations == nullptr ? nullptr : annotations->find(name);
    if (hint == nullptr || !hint->is_scalar() || hint->text().size() > kHintBytesMax) continue;
    hints.push_back("the server says: " + std::string(name) + ' ' + jsonfilter::write(*hint));
  }
  return hints;
}

}  // namespace

void ToolList::begin() noexcept {
  tools_.clear();
  cursor_.clear();
  pages_ = 0;
  is_fresh_ = false;
}

/// False where it has too many, or one name twice: which of two is called can't be known.
bool ToolList::add_tools(const Json& result) {
  const Json* list = result.find("tools");
  if (list == nullptr || !list->is_array()) return false;
  for (const auto& item : list->items()) {
    const Json* name = item.value.find("name");
    if (name == nullptr || !name->is_string() || tools_.size() == kListedToolsMax) return false;
    if (name->text().size() > kNameBytesMax) continue;  // no call has such a name
    const auto [place, is_new] =
        tools_.try_emplace(std::string(name->text()),
                           ListedTool{mcp::definition_sha256(item.value), declared_params(item.value), hints_of(item.value)});
    if (!is_new) return false;
  }
  return true;
}

bool ToolList::add_page(const Json& result) {
  ++pages_;
  if (!add_tools(result)) {
    give_up();
    return false;
  }
  const Json* next = result.find("nextCursor");
  if (next == nullptr || next->is_null()) {
    is_fresh_ = true;
    return false;
  }
  if (!next->is_string() || next->text().size() > kCursorBytesMax || pages_ == kListPagesMax) {
    give_up();
    return false;
  }
  cursor_ = next->text();
  return true;
}

void ToolList::give_up() noexcept {
  tools_.clear();
  is_fresh_ = true;
}

void ToolList::note(const Json& result) {
  const Json* list = result.find("tools");
  if (list == nullptr || !is_fresh_) return;
  for (const auto& item : list->items()) {
    const Json* name = item.value.find("name");
    const auto known = name == nullptr ? tools_.end() : tools_.find(name->text());
    // One that it didn't list before, or lists otherwise: the whole list is read again before the next call.
    if (known == tools_.end() || known->second.sha256 != mcp::definition_sha256(item.value)) return forget();
  }
}

const ListedTool* ToolList::find(std::string_view name) const noexcept {
  const auto found = tools_.find(name);
  return found == tools_.end() ? nullptr : &found->second;
}

Standing standing_of(const Tool& tool, const ToolList& list, std::string_view name) {
  const auto allowed = tool.allowed.find(name);
  if (allowed == tool.allowed.end()) return Standing::Asked;
  const ListedTool* listed = list.find(name);
  return listed != nullptr && listed->sha256 == allowed->second ? Standing::Allowed : Standing::Changed;
}

}  // namespace lnk::verb_mcp
