// SPDX-License-Identifier: Apache-2.0
#include "asked.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "lnk/abi/module.h"
#include "lnk/fake/verb_bench.hpp"
#include "lnk/provider/provider.hpp"

extern "C" const lnk_module_api lnk_module_v1_verb_model;

namespace lnk::verb_model::test {
namespace {

/// Of a provider with a host for each region or resource, one of them.
std::string host_of(std::string_view name) {
  const auto* provider = provider::find(name);
  BOOST_REQUIRE(provider != nullptr);
  auto host = provider::host_of(*provider, provider->part == provider::HostPart::None ? "" : "rig");
  BOOST_REQUIRE(host);
  return *host;
}

std::string config(std::string_view provider, const Policy& policy) {
  const auto word = [](bool is) { return std::string(is ? "true" : "false"); };
  return R"({"providers":[{"name":")" + std::string(provider) + R"(","host":")" + host_of(provider) + R"(","placeholder":")" +
         std::string(kPlaceholder) + R"("}],"server_tools":)" + word(policy.server_tools) + R"(,"models":[)" + policy.models +
         R"(],"any_host":)" + word(policy.any_host) + "}";
}

fake::Sent send(fake::VerbBench& bench, const Ask& ask) {
  fake::Head head;
  head.method = ask.method;
  head.path = ask.path;
  head.query = ask.query;
  head.has_query = !ask.query.empty();
  head.has_body = ask.method == "POST";
  const std::string bearer = "Bearer " + std::string(kPlaceholder);
  if (!ask.bare) {
    if (head.has_body) head.fields.emplace_back("Content-Type", "application/json");
    for (const auto* name : {"x-api-key", "api-key", "x-goog-api-key"}) head.fields.emplace_back(name, kPlaceholder);
    head.fields.emplace_back("Authorization", bearer);
  }
  head.fields.insert(head.fields.end(), ask.fields.begin(), ask.fields.end());
  auto sent = bench.head(1, head);
  if (!sent.actions.empty() && sent.actions.front().kind == LNK_ACTION_NEED_BODY) sent = bench.body(1, ask.body);
  return sent;
}

fake::RecordedAction action_of(const Ask& ask, const Policy& policy) {
  auto bench = fake::VerbBench::start(lnk_module_v1_verb_model, config(ask.provider, policy));
  BOOST_REQUIRE_MESSAGE(bench, (bench ? "" : bench.error().text));
  auto sent = send(*bench, ask);
  BOOST_REQUIRE_MESSAGE(sent.status == LNK_OK, sent.words);
  BOOST_REQUIRE(sent.actions.size() == 1U);
  return sent.actions.front();
}

std::string text_of(const std::vector<fake::RecordedPiece>& pieces) {
  std::string text;
  for (const auto& piece : pieces) text += piece.kind == LNK_PIECE_HANDLE ? '{' + piece.text + '}' : piece.text;
  return text;
}

std::string denied(const fake::RecordedAction& action) {
  return "deny " + std::to_string(action.status) + ' ' + action.reason + ": " + action.text;
}

}  // namespace

std::string asked(const Ask& ask, const Policy& policy) {
  const auto action = action_of(ask, policy);
  if (action.kind == LNK_ACTION_DENY) return denied(action);
  if (action.kind == LNK_ACTION_RELAY) return "relay " + text_of(action.target);
  BOOST_REQUIRE(action.kind == LNK_ACTION_FORWARD);
  return action.body;
}

std::string head_of(const Ask& ask, const Policy& policy) {
  const auto action = action_of(ask, policy);
  if (action.kind == LNK_ACTION_DENY) return denied(action);
  std::string text = action.method + ' ' + action.host + text_of(action.target) + '\n';
  for (const auto& edit : action.edits)
    text += (edit.kind == LNK_EDIT_SET ? "set " + edit.name + ": " + text_of(edit.value) : "remove " + edit.name) + '\n';
  return text;
}

std::string anthropic(std::string_view members) {
  return R"({"model":"claude-x","messages":[])" + std::string(members.empty() ? "" : ",") + std::string(members) + '}';
}
std::string chat(std::string_view members) {
  return R"({"model":"gpt-x","messages":[])" + std::string(members.empty() ? "" : ",") + std::string(members) + '}';
}
std::string responses(std::string_view members) {
  return R"({"model":"gpt-x","input":[])" + std::string(members.empty() ? "" : ",") + std::string(members) + '}';
}

}  // namespace lnk::verb_model::test
