// SPDX-License-Identifier: Apache-2.0
//
// verb-model: asks hosted models for a program that holds no key of theirs.
//
// Guarantees: a request goes out only on a path by which a model is asked, with the sandbox's placeholder; its body has one
// reading and holds what the tables name alone, so that the provider neither runs a tool, fetches, nor keeps anything for the
// program, but where the spec leaves that; the real key stands in it once, as a handle. Trusts: the host to put the key in,
// to speak to the declared upstream alone, and to look for an echo. Does not do: read replies.
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>

#include "config.hpp"
#include "decision.hpp"
#include "lnk/cpp/module.hpp"
#include "lnk/cpp/verb.hpp"

namespace lnk::verb_model {

class VerbModel {
 public:
  static constexpr std::string_view kId = "verb-model";
  static constexpr std::string_view kVersion = "0.1.0";
  static constexpr std::uint16_t kKind = LNK_KIND_VERB;
  using Interfaces = lnk::Interfaces<VerbInterface>;

  static Status check_config(std::string_view config_json) {
    LNK_CHECK(parse_config(config_json));
    return {};
  }

  static Result<std::unique_ptr<VerbModel>> create(Host, std::string_view config_json) {
    LNK_TRY(auto config, parse_config(config_json));
    LNK_TRY(auto tables, read_tables());
    for (const auto& asked : config.providers)
      if (tables.providers.find(asked.name) == nullptr) return fail(Code::Internal, "no table of " + asked.name);
    return std::unique_ptr<VerbModel>(new VerbModel(std::move(config), std::move(tables)));
  }

  /// One route a provider, in their order.
  Status declare(Declaration& declaration) {
    LNK_CHECK(declaration.body_max(kBodyBytesMax));
    for (const auto& asked : config_.providers) {
      const auto form = tables_.providers.find(asked.name)->refusal_body;
      LNK_CHECK(declaration.route(LNK_ROUTE_PREFIX, "model/" + asked.name + '/', 0, form));
      LNK_CHECK(declaration.upstream(asked.host, kTlsPort, true));
    }
    return {};
  }

  Status event(const Event& event, Actions& actions) {
    if (const auto* head = std::get_if<HeadEvent>(&event.what)) return begin(event.call, *head, actions);
    if (const auto* body = std::get_if<BodyEvent>(&event.what)) return finish(event.call, *body, actions);
    if (std::holds_alternative<GoneEvent>(event.what)) waiting_.erase(event.call);
    return {};
  }

 private:
  static constexpr std::uint16_t kTlsPort = 443;

  /// A call whose body is on its way.
  struct Waiting {
    Passage passage;
    const Asked* asked = nullptr;
  };

  VerbModel(Config config, Tables tables) noexcept : config_(std::move(config)), tables_(std::move(tables)) {}

  static Status deny(const Denial& denial, Actions& actions) { return actions.deny(denial.status, denial.reason, denial.words); }

  static Relay relay_of(const Passage& passage, const Asked& asked) {
    Relay relay;
    relay.host = asked.host;
    relay.port = kTlsPort;
    relay.method = passage.method;
    relay.target = Value(passage.target);
    relay.edits = passage.edits;
    return relay;
  }

  Status begin(lnk_id call, const HeadEvent& head, Actions& actions) {
    if (head.route >= config_.providers.size()) return fail(Code::Invalid, "a route that was not declared");
    const auto& asked = config_.providers[head.route];
    auto decision = decide(*tables_.providers.find(asked.name), asked, config_.policy, head);
    if (const auto* denial = std::get_if<Denial>(&decision)) return deny(*denial, actions);
    auto& passage = std::get<Passage>(decision);
    if (passage.endpoint->shape == kGoes) return actions.relay(relay_of(passage, asked));
    waiting_.insert_or_assign(call, Waiting{std::move(passage), &asked});
    return actions.need_body(kBodyBytesMax);
  }

  Status finish(lnk_id call, const BodyEvent& event, Actions& actions) {
    const auto found = waiting_.find(call);
    if (found == waiting_.end()) return fail(Code::Invalid, "a body that was not asked for");
    const auto waiting = std::move(found->second);
    waiting_.erase(found);
    auto decision = decide_body(tables_, config_.policy, waiting.passage, event.body);
    if (const auto* denial = std::get_if<Denial>(&decision)) return deny(*denial, actions);
    return actions.forward(relay_of(waiting.passage, *waiting.asked), std::get<std::string>(decision));
  }

  Config config_;
  Tables tables_;
  std::unordered_map<lnk_id, Waiting> waiting_;
};

}  // namespace lnk::verb_model

LNK_MODULE(lnk::verb_model::VerbModel)
