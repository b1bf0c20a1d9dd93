// SPDX-License-Identifier: Apache-2.0
#include "decision.hpp"

#include <utility>

#include "fields.hpp"
#include "filter.hpp"
#include "lnk/jsonfilter/document.hpp"
#include "tables/tables.hpp"

namespace lnk::verb_model {

Result<Tables> read_tables() {
  LNK_TRY(auto shapes, Shapes::read({tables::kAnthropic, tables::kOpenAiChat, tables::kOpenAiResponses, tables::kGemini,
                                     tables::kBedrock, tables::kOthers}));
  LNK_TRY(auto providers, Providers::read(tables::kProviders, shapes));
  return Tables{std::move(shapes), std::move(providers)};
}

std::variant<Denial, Passage> decide(const Provider& provider, const Asked& asked, const Policy& policy, const HeadEvent& head) {
  bool any_method = false;
  const auto hit = find_endpoint(provider, head.method, head.path, any_method);
  if (!hit && any_method) return Denial{405, "bad-request", "this path of " + provider.name + " isn't asked by this method"};
  if (!hit)
    return Denial{403, "not-inference",
                  "this path of " + provider.name +
                      " is not one by which a model is asked (files, agents, batches and accounts are not reached); "
                      "trying again won't help"};
  if (!has_placeholder(provider, asked.placeholder, head))
    return Denial{401, "wrong-placeholder",
                  provider.name + " takes the key of this sandbox that its environment names, and no other"};
  const auto& endpoint = *hit->endpoint;
  if (endpoint.searches && !policy.any_host)
    return Denial{403, "model-searches",
                  provider.name + " searches the web whatever is asked here, past this sandbox's hosts; trying again won't "
                                  "help. hosts = [\"*\"] under [network] in the sandbox's spec would allow it."};
  if (hit->model)
    if (auto denial = refuse_model(policy, *hit->model, "the path")) return std::move(*denial);
  auto query = kept_query(endpoint, head);
  if (auto* denial = std::get_if<Denial>(&query)) return std::move(*denial);
  auto edits = edits_of(provider, endpoint, policy, asked.placeholder, head);
  Passage passage{'/' + std::string(head.path), std::move(edits), std::string(head.method), &endpoint};
  if (const auto& kept = std::get<std::string>(query); !kept.empty()) passage.target += '?' + kept;
  if (endpoint.shape == kGoes) return passage;
  const auto coding = coding_of_body(head);
  if (const auto* denial = std::get_if<Denial>(&coding)) return *denial;
  passage.coding = std::get<jsonfilter::Coding>(coding);
  return passage;
}

std::variant<Denial, std::string> decide_body(const Tables& tables, const Policy& policy, const Passage& passage,
                                              std::string_view body) {
  std::string decoded;
  if (passage.coding != jsonfilter::Coding::Identity) {
    auto plain = jsonfilter::decode(passage.coding, body, {kBodyBytesMax});
    if (!plain) {
      const bool is_large = plain.error().code == Code::Limit;
      return Denial{is_large ? 413U : 400U, is_large ? "too-large" : "bad-body", "the body " + plain.error().text};
    }
    decoded = std::move(*plain);
    body = decoded;
  }
  auto document = jsonfilter::parse(body);
  if (!document) return Denial{400, "bad-body", "the body " + document.error().text};
  const auto& endpoint = *passage.endpoint;
  if (auto denial = filter({tables.shapes, policy, endpoint.shape, endpoint.choice}, *document)) return std::move(*denial);
  return jsonfilter::write(document->root(), body.size());
}

}  // namespace lnk::verb_model
