// SPDX-License-Identifier: Apache-2.0
//
// verb-secret: puts a secret into requests to the one host that its rule names, so that the program that asks never
// holds it.
//
// Guarantees: a request goes out only where method, path and placeholder are the rule's; the secret stands in it once,
// as a handle; the placeholder and every other credential of the program stay behind. Trusts: the host to put the
// secret in, to speak to the declared upstream alone, and to look for an echo. Does not do: follow or rewrite
// redirects; read bodies.
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
    return declaration.route(LNK_ROUTE_PREFIX, "secret/");
  }

  Status event(const Event& event, Actions& actions) {
    const auto* head = std::get_if<HeadEvent>(&event.what);
    if (head == nullptr) return {};  // GONE; nothing else was asked for
    const auto decision =
        head->route < secrets_.size() ? decide(secrets_[head->route], *head) : decide_unnamed(secrets_, *head);
    if (const auto* denial = std::get_if<Denial>(&decision))
      return actions.deny(denial->status, denial->reason, denial->words);
    const auto& passage = std::get<Passage>(decision);
    Relay relay;
    relay.host = passage.host;
    relay.port = kTlsPort;
    relay.method = head->method;
    relay.target = passage.target;
    relay.edits = passage.edits;
    return actions.relay(relay);
  }

 private:
  static constexpr std::uint16_t kTlsPort = 443;

  explicit VerbSecret(std::vector<Secret> secrets) noexcept : secrets_(std::move(secrets)) {}

  std::vector<Secret> secrets_;
};

}  // namespace lnk::verb_secret

LNK_MODULE(lnk::verb_secret::VerbSecret)
