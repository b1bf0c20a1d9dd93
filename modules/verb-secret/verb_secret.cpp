// SPDX-License-Identifier: Apache-2.0
//
// verb-secret: puts a secret into requests to the one host that its rule names, so that the program that asks never
// holds it.
//
// Guarantees: a request goes out only where method, path and placeholder are the rule's; the secret stands in it once,
// as a handle; the placeholder and every other credential of the program stay behind. Trusts: the host to put the
// secret in, to speak to the declared upstream alone, and to look for an echo. Does not do: follow or rewrite
// redirects; read bodies where the rule holds none of their fields.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "config.hpp"
#include "decision.hpp"
#include "lnk/cpp/module.hpp"
#include "lnk/cpp/verb.hpp"

namespace lnk::verb_secret {

class VerbSecret {
 public:
  static constexpr std::string_view kId = "verb-secret";
  static constexpr std::string_view kVersion = "0.1.0";
  static constexpr std::uint16_t kKind = LNK_KIND_VERB;
  using Interfaces = lnk::Interfaces<VerbInterface>;

  static Status check_config(std::string_view config_json) {
    LNK_CHECK(parse_config(config_json));
    return {};
  }

  static Result<std::unique_ptr<VerbSecret>> create(Host, std::string_view config_json) {
    LNK_TRY(auto secrets, parse_config(config_json));
    return std::unique_ptr<VerbSecret>(new VerbSecret(std::move(secrets)));
  }

  /// One route a secret, in their order, then the one for roots that lost the name.
  Status declare(Declaration& declaration) {
    for (const auto& secret : secrets_) {
      LNK_CHECK(declaration.route(LNK_ROUTE_PREFIX, "secret/" + secret.name + '/'));
      LNK_CHECK(declaration.upstream(secret.rule.host, kTlsPort, true));
    }
    const auto reads = [](const Secret& secret) { return !secret.rule.held.empty(); };
    if (std::any_of(secrets_.begin(), secrets_.end(), reads)) LNK_CHECK(declaration.body_max(kPartsBodyBytesMax));
    return declaration.route(LNK_ROUTE_PREFIX, "secret/");
  }

  Status event(const Event& event, Actions& actions) {
    if (const auto* head = std::get_if<HeadEvent>(&event.what)) return take_head(event.call, *head, actions);
    if (const auto* body = std::get_if<BodyEvent>(&event.what)) return take_body(event.call, *body, actions);
    waiting_.erase(event.call);  // GONE; nothing else was asked for
    return {};
  }

 private:
  /// A request whose body is still to come.
  struct Waiting {
    const Secret* secret;
    std::string method;
    Passage passage;
  };

  static Status deny(const Denial& denial, Actions& actions) { return actions.deny(denial.status, denial.reason, denial.words); }

  static Relay relay_of(std::string_view method, const Passage& passage) {
    Relay relay;
    relay.host = passage.host;
    relay.port = kTlsPort;
    relay.method = method;
    relay.target = passage.target;
    relay.edits = passage.edits;
    return relay;
  }

  Status take_head(lnk_id call, const HeadEvent& head, Actions& actions) {
    const Secret* secret = head.route < secrets_.size() ? &secrets_[head.route] : find_unnamed(secrets_, head);
    if (secret == nullptr) return deny(no_such_verb(), actions);
    auto decision = decide(*secret, head);
    if (const auto* denial = std::get_if<Denial>(&decision)) return deny(*denial, actions);
    auto& passage = std::get<Passage>(decision);
    if (!passage.body) return actions.relay(relay_of(head.method, passage));
    const auto bytes_max = passage.body->bytes_max();
    waiting_.insert_or_assign(call, Waiting{secret, std::string(head.method), std::move(passage)});
    return actions.need_body(bytes_max);
  }

  Status take_body(lnk_id call, const BodyEvent& event, Actions& actions) {
    const auto found = waiting_.extract(call);
    if (found.empty()) return fail(Code::Invalid, "a body that was not asked for");
    const auto& [secret, method, passage] = found.mapped();
    if (const auto denial = decide_body(*secret, *passage.body, event.body)) return deny(*denial, actions);
    return actions.forward(relay_of(method, passage), event.body);
  }

  static constexpr std::uint16_t kTlsPort = 443;

  explicit VerbSecret(std::vector<Secret> secrets) noexcept : secrets_(std::move(secrets)) {}

  std::vector<Secret> secrets_;
  std::map<lnk_id, Waiting> waiting_;
};

}  // namespace lnk::verb_secret

LNK_MODULE(lnk::verb_secret::VerbSecret)
