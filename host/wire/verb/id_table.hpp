// SPDX-License-Identifier: Apache-2.0
//
// Ids that cross to a module: never a pointer, never reused. A stale one finds nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "lnk/abi/base.h"

namespace lnk::host {

/// Maps ids to objects that live elsewhere. An id is a slot and the number of times that slot was used.
template <class T>
class IdTable {
 public:
  [[nodiscard]] lnk_id insert(T* object) {
    if (free_.empty()) {
      slots_.push_back({nullptr, 0});
      free_.push_back(static_cast<std::uint32_t>(slots_.size() - 1));
    }
    const std::uint32_t at = free_.back();
    free_.pop_back();
    slots_[at].object = object;
    ++slots_[at].generation;
    return (static_cast<lnk_id>(slots_[at].generation) << 32) | at;
  }

  [[nodiscard]] T* find(lnk_id id) const noexcept {
    const auto at = static_cast<std::uint32_t>(id);
    if (at >= slots_.size() || slots_[at].generation != id >> 32) return nullptr;
    return slots_[at].object;
  }

  template <class Do>
  void for_each(Do each) const {
    for (const Slot& slot : slots_)
      if (slot.object != nullptr) each(*slot.object);
  }

  void erase(lnk_id id) {
    if (find(id) == nullptr) return;
    const auto at = static_cast<std::uint32_t>(id);
    slots_[at].object = nullptr;
    // A slot whose generations are used up is never used again.
    if (slots_[at].generation != UINT32_MAX) free_.push_back(at);
  }

 private:
  struct Slot {
    T* object;
    std::uint32_t generation;  ///< from 1 for a slot in use, so that 0 is no id
  };
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace lnk::host
