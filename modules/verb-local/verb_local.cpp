// SPDX-License-Identifier: Apache-2.0
//
// verb-local: a runtime of models on this machine, for inference alone.
//
// Guarantees: a request goes out only where method and path are of the runtimes' table, with the fields of a pass-list;
// a body goes out only as it was written anew from what is known of it, with no URL for the runtime to fetch, no tool
// for it to run, and no model that it would fetch or run elsewhere. Trusts: the host to connect to this machine's
// loopback alone; the runtime to do no more than it is asked. Does not do: replies, which pass as they come.
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>

#include "body_filter.hpp"
#include "config.hpp"
#include "decision.hpp"
#include "lnk/cpp/module.hpp"
#include "lnk/cpp/verb.hpp"

namespace lnk::verb_local {

class VerbLocal {
 public:
  static constexpr std::string_view kId = "verb-local";
  static constexpr std::string_view kVersion = "0.1.0";
  static constexpr std::uint16_t kKind = LNK_KIND_VERB;
  using Interfaces = lnk::Interfaces<VerbInterface>;

  static Status check_config(std::string_view config_json) {
    LNK_CHECK(parse_config(config_json));
    return {};
  }

  static Result<std::unique_ptr<VerbLocal>> create(Host, std::string_view config_json) {
    LNK_TRY(auto config, parse_config(config_json));
    return std::unique_ptr<VerbLocal>(new VerbLocal(std::move(config)));
  }

  /// One route a port, in their order.
  Status declare(Declaration& declaration) {
    for (const auto port : config_.ports) {
      LNK_CHECK(declaration.route(LNK_ROUTE_PREFIX, "local/" + std::to_string(port) + '/', LNK_ROUTE_UNDER_SECRET));
      LNK_CHECK(declaration.upstream(kThisMachine, port, false));
    }
    return declaration.body_max(kBodyBytesMax);
  }

  Status event(const Event& event, Actions& actions) {
    if (const auto* head = std::get_if<HeadEvent>(&event.what)) return take_head(event.call, *head, actions);
    if (const auto* body = std::get_if<BodyEvent>(&event.what)) return take_body(event.call, *body, actions);
    if (std::holds_alternative<GoneEvent>(event.what)) waiting_.erase(event.call);
    return {};
  }

 private:
  /// A call whose body was asked for.
  struct Waiting {
    std::uint16_t port = 0;
    Passage passage;
  };

  static constexpr std::string_view kThisMachine = "localhost";
  static constexpr std::uint64_t kBodyBytesMax = std::uint64_t{32} * 1024 * 1024;

  explicit VerbLocal(Config config) noexcept : config_(std::move(config)) {}

  static Relay relay_of(std::uint16_t port, std::string_view method, const Passage& passage) {
    Relay relay;
    relay.host = kThisMachine;
    relay.port = port;
    relay.tls = false;
    relay.method = method;
    relay.target = Value(passage.target);
    relay.edits = passage.edits;
    return relay;
  }

  Status take_head(lnk_id call, const HeadEvent& head, Actions& actions) {
    if (head.route >= config_.ports.size()) return fail(Code::Invalid, "a route that was not declared");
    const auto port = config_.ports[head.route];
    auto decision = decide(head);
    if (const auto* denial = std::get_if<Denial>(&decision))
      return actions.deny(denial->status, denial->reason, denial->words);
    auto& passage = std::get<Passage>(decision);
    if (!passage.has_body) return actions.relay(relay_of(port, head.method, passage));
    waiting_.insert_or_assign(call, Waiting{port, std::move(passage)});
    return actions.need_body(kBodyBytesMax);
  }

  Status take_body(lnk_id call, const BodyEvent& body, Actions& actions) {
    const auto waiting = waiting_.find(call);
    if (waiting == waiting_.end()) return fail(Code::Invalid, "a body that was not asked for");
    const auto filtered = filter_body(waiting->second.passage.coding, body.body, config_.models);
    if (const auto* denial = std::get_if<Denial>(&filtered))
      return actions.deny(denial->status, denial->reason, denial->words);
    return actions.forward(relay_of(waiting->second.port, "POST", waiting->second.passage),
                           std::get<std::string>(filtered));
  }

  Config config_;
  std::unordered_map<lnk_id, Waiting> waiting_;
};

}  // namespace lnk::verb_local

LNK_MODULE(lnk::verb_local::VerbLocal)
