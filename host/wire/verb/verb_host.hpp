// SPDX-License-Identifier: Apache-2.0
//
// The wire's side of verbs: loads them, mounts their routes, gives them events and carries out their actions.
//
// Fails closed: a verb that can't be loaded, or whose route another claims, is left out and named, and the rest goes
// on; an action that is not granted, or not in this version, refuses its call.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "lnk/cpp/result.hpp"
#include "wire/broker_client.hpp"
#include "wire/config.hpp"
#include "wire/dialer.hpp"
#include "wire/loop.hpp"
#include "wire/verb_calls.hpp"

namespace lnk::host {

struct VerbHostOptions {
  /// Opened only where a verb needs it. Empty: tls.so beside the running program.
  std::string tls_file = {};
  /// Takes a line for a person: a verb left out, a fault of one. None: the standard error.
  std::function<void(std::string_view line)> warn = {};
  /// Whether the wire is paused or stopped.
  std::function<bool()> is_wire_closed = {};
  /// A verb asked more than a person can answer: the wire pauses.
  std::function<void()> too_many_questions = {};
};

class VerbHost final : public VerbCalls {
 public:
  /// Loads the configuration's verbs, reads the values of their handles and the trust store: before the wire confines
  /// itself.
  /// errors: a verb that can't be loaded, a value or the trust store that can't be read.
  /// owns: nothing of `loop`, `dialer` and `broker`, which outlive it.
  static Result<std::unique_ptr<VerbHost>> load(const WireConfig& config, Loop& loop, Dialer& dialer,
                                                BrokerClient& broker, VerbHostOptions options = {});
  ~VerbHost() override;

  Task<void> serve(Exchange& exchange) override;
  Task<void> serve_mount(Exchange& exchange, std::string_view mount) override;
  [[nodiscard]] std::string_view refusal_form(std::string_view path) const noexcept override;

  struct Impl;

 private:
  explicit VerbHost(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lnk::host
