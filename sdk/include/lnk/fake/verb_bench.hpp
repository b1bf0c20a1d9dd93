// SPDX-License-Identifier: Apache-2.0
//
// A verb alone on a bench: a host that logs into a list, a sink that records actions, a clock and random bytes that the
// test sets. It holds a verb to verb.h as the host does, and notes what breaks it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lnk/abi/module.h"
#include "lnk/abi/verb.h"
#include "lnk/cpp/result.hpp"
#include "lnk/fake/recorded_action.hpp"

namespace lnk::fake {

struct DeclaredRoute {
  std::uint32_t kind = 0;
  std::uint32_t flags = 0;
  std::string path = {};
  std::string refusal_body = {};
};
struct DeclaredUpstream {
  std::string host = {};
  std::uint16_t port = 0;
  bool tls = false;
};
struct Declared {
  std::vector<DeclaredRoute> routes = {};
  std::vector<DeclaredUpstream> upstreams = {};
  std::uint64_t body_max = 0;
};

struct Head {
  std::uint32_t route = 0;
  std::string_view method = "GET";
  std::string_view path = {};
  std::string_view query = {};
  bool has_query = false;
  bool has_body = false;
  std::vector<std::pair<std::string_view, std::string_view>> fields = {};
};

/// What one event came to.
struct Sent {
  lnk_status status = LNK_OK;
  std::string words = {};  ///< of a failure
  std::vector<RecordedAction> actions = {};
};

class VerbBench {
 public:
  /// check_config, create, query, declare. `api` may be of a static module or of a loaded one.
  [[nodiscard]] static Result<VerbBench> start(const lnk_module_api& api, std::string_view config_json);

  VerbBench(VerbBench&&) noexcept;
  VerbBench& operator=(VerbBench&&) = delete;
  ~VerbBench();

  [[nodiscard]] const Declared& declared() const noexcept;

  Sent send(std::uint32_t kind, lnk_id call, lnk_id subject = 0, const void* data = nullptr);
  /// As it stands, for events that no host would send.
  Sent send_raw(const lnk_event* event);
  Sent head(lnk_id call, const Head& head);
  Sent body(lnk_id call, std::string_view body);
  Sent gone(lnk_id call);

  /// A sound event with its clock and random bytes, to be filled or broken further.
  [[nodiscard]] lnk_event make_event(std::uint32_t kind, lnk_id call, lnk_id subject, const void* data);

  /// From now on, actions of a kind are answered so.
  void answer_with(std::uint32_t action_kind, lnk_status status);
  void set_time(std::uint64_t now_ms, std::uint64_t unix_ms) noexcept;

  [[nodiscard]] const std::vector<std::string>& log_lines() const noexcept;
  /// What the verb did that verb.h forbids, in words.
  [[nodiscard]] const std::vector<std::string>& misbehaviours() const noexcept;

 private:
  struct State;
  explicit VerbBench(std::unique_ptr<State> state) noexcept;

  std::unique_ptr<State> state_;
};

}  // namespace lnk::fake
