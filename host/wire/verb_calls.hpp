// SPDX-License-Identifier: Apache-2.0
//
// What the wire's core asks of the verbs: carry out one request below /_link/. wire/verb has it done by modules.
#pragma once

#include <string_view>

#include "wire/exchange.hpp"
#include "wire/task.hpp"

namespace lnk::host {

class VerbCalls {
 public:
  VerbCalls() = default;
  VerbCalls(const VerbCalls&) = delete;
  VerbCalls& operator=(const VerbCalls&) = delete;
  virtual ~VerbCalls() = default;

  /// `exchange.head` is in origin-form, below "/_link/", with the wire's own Host; it has no body on GET or HEAD, no
  /// bytes over 0x7f in a field, asks no upgrade, and its method is not CONNECT or TRACE. Answers it, or leaves it
  /// unanswered and the connection closes.
  virtual Task<void> serve(Exchange& exchange) = 0;
  /// The same of a port inside that leads to one mount below the sandbox's secret, "local/11434/": the whole of the path
  /// stands below that. `mount` outlives the call.
  virtual Task<void> serve_mount(Exchange& exchange, std::string_view mount) = 0;

  /// The form of what is refused below the route of that path (refusal_form.hpp); empty: none, or no such route.
  [[nodiscard]] virtual std::string_view refusal_form(std::string_view path) const noexcept = 0;
};

}  // namespace lnk::host
