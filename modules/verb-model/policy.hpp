// SPDX-License-Identifier: Apache-2.0
//
// What a sandbox may ask of its models, and the names of models held to it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "denial.hpp"

namespace lnk::verb_model {

struct Policy {
  bool server_tools = false;         ///< the provider's own tools are left in requests
  bool any_host = false;             ///< the sandbox reaches the web itself: a provider may fetch for it
  std::vector<std::string> models = {};  ///< names, or beginnings with a * behind; empty: every one
};

/// Why a request may not name this model; nothing where it may. `where` says in words where it is named.
[[nodiscard]] std::optional<Denial> refuse_model(const Policy& policy, std::string_view name, std::string_view where);

/// Whether a beta's name is one of those that make a provider do nothing but answer.
[[nodiscard]] bool is_plain_beta(std::string_view name) noexcept;

}  // namespace lnk::verb_model
