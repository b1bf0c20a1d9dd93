// SPDX-License-Identifier: Apache-2.0
//
// One instance of a module, destroyed exactly once, and the host that it sees.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "lnk/abi/module.h"
#include "lnk/cpp/result.hpp"
#include "modules/module.hpp"

namespace lnk::host {

/// Takes a module's log lines, escaped and bounded. Called on any thread.
using ModuleLog = std::function<void(std::uint32_t level, std::string_view module_id, std::string_view line)>;

struct InstanceOptions {
  std::string_view config_json = "{}";  ///< canonical JSON: the module's part of the snapshot
  ModuleLog log = {};                   ///< none: lines are dropped
};

class Instance {
 public:
  /// check_config, then create. The thread that calls is the instance's loop thread.
  /// errors: the module's own, named by step; Internal where it says that it went well and made nothing.
  [[nodiscard]] static Result<Instance> create(const Module& module, const InstanceOptions& options = {});

  Instance(Instance&& other) noexcept;
  Instance& operator=(Instance&& other) noexcept;
  ~Instance();

  [[nodiscard]] lnk_instance* get() const noexcept { return instance_; }

  /// The module's table for an interface, at least as long as `T`; null: it has none.
  template <class T>
  [[nodiscard]] const T* query(std::string_view id, std::uint32_t major) const {
    const auto table = find_table(id, major, sizeof(T));
    return table ? reinterpret_cast<const T*>(table.value()) : nullptr;
  }
  /// As query, where the interface must be there: the error says what was found. errors: Unsupported, Invalid.
  template <class T>
  [[nodiscard]] Result<const T*> require(std::string_view id, std::uint32_t major) const {
    LNK_TRY(const lnk_iface* table, find_table(id, major, sizeof(T)));
    return reinterpret_cast<const T*>(table);
  }

 private:
  struct HostSide;

  Instance(const lnk_module_api* api, std::unique_ptr<HostSide> host, lnk_instance* instance) noexcept;
  void reset() noexcept;
  [[nodiscard]] Result<const lnk_iface*> find_table(std::string_view id, std::uint32_t major,
                                                    std::size_t size_min) const;

  const lnk_module_api* api_ = nullptr;
  std::unique_ptr<HostSide> host_;  ///< outlives the instance
  lnk_instance* instance_ = nullptr;
};

}  // namespace lnk::host
