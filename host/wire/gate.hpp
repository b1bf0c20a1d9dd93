// SPDX-License-Identifier: Apache-2.0
//
// Whether calls are let through at all: one question for each call, before anything else of it is looked at. Limits,
// pause and the kill switch stand here; this version has none of them, and lets all through.
#pragma once

#include <optional>

#include "lnk/http/authority.hpp"
#include "lnk/http/refusal.hpp"

namespace lnk::host {

class Gate {
 public:
  /// None: go on.
  [[nodiscard]] std::optional<http::Refusal> admit() { return std::nullopt; }
  void note_refusal(const http::Authority&, const http::Refusal&) {}
};

}  // namespace lnk::host
