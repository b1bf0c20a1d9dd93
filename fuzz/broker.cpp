// SPDX-License-Identifier: Apache-2.0
//
// What a wire asks of its front: whatever the packet, the front does at most what is granted, and a request that is read names all
// that is done. An answer is one packet with the request's id.
#include "launch/broker.hpp"

#include <string>

#include "entry.hpp"
#include "environment/environment.hpp"

namespace lnk::fuzz {
namespace {

/// Counts what it is made to do.
struct Services final : host::BrokerServices {
  int calls = 0;

  Failure counted() {
    ++calls;
    return fail(Code::Upstream, "nobody listens");
  }
  Result<UniqueFd> connect_inside(std::uint16_t port) override {
    LNK_HOLDS(port != 0 && port != host::kWirePort);
    return counted();
  }
  Status ask(std::uint64_t, std::string_view, host::BrokerQuestion question, std::function<void(host::Outcome)>) override {
    LNK_HOLDS(!question.title.empty());
    return counted();
  }
  void withdraw(std::uint64_t) override { ++calls; }
  Result<UniqueFd> start_tool(std::uint64_t, std::string_view name, std::function<void(int)>) override {
    LNK_HOLDS(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos);
    return counted();
  }
  void stop_tool(std::uint64_t) override { ++calls; }
  void open_page(std::string_view, std::function<void(Status)>) override { ++calls; }
  Result<std::vector<UniqueFd>> listen_outside(std::uint64_t, std::uint16_t) override { return counted(); }
  void stop_listening(std::uint64_t) override { ++calls; }
};

}  // namespace

void check(std::string_view input) {
  if (const auto question = host::read_broker_question(input)) LNK_HOLDS(!question->title.empty());
  const auto request = host::read_broker_request(input);
  if (!request) {
    LNK_HOLDS(!request.error().text.empty());
    return;
  }
  LNK_HOLDS(request->id >= 1 && !request->verb.empty() && request->verb.size() <= 64);
  LNK_HOLDS(request->verb.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos);
  const bool has_port = request->wish == host::BrokerWish::ConnectInside || request->wish == host::BrokerWish::ListenOutside;
  LNK_HOLDS((request->port != 0) == has_port);
  const bool is_page = request->wish == host::BrokerWish::OpenPage;
  LNK_HOLDS(!is_page || request->text.starts_with("http"));
  LNK_HOLDS(request->text.find_first_of(std::string("\0\n\r \x1b", 5)) == std::string::npos);
  const std::string id = "\"id\":" + std::to_string(request->id);
  const bool is_answered = request->wish != host::BrokerWish::Withdraw && request->wish != host::BrokerWish::StopTool &&
                           request->wish != host::BrokerWish::StopListening;
  // Nothing granted, another verb's grants, another port, another tool: nothing is done. A page was agreed to by nobody.
  const auto other = static_cast<std::uint16_t>(request->port == 1 ? 2 : 1);
  const host::VerbRights all{{request->port}, {request->text}, true, true};
  for (const auto& granted : {host::Broker::Rights{}, host::Broker::Rights{{request->verb, {{other}, {request->text + "x"}, false, true}}},
                              host::Broker::Rights{{request->verb + "x", all}}, host::Broker::Rights{{request->verb, all}}}) {
    Services services;
    std::string answer;
    host::Broker broker(granted, services, [&answer](const host::BrokerAnswer& made) {
      LNK_HOLDS(answer.empty() && made.fds.empty());
      answer = made.packet;
    });
    broker.take(*request, UniqueFd());
    const bool may = granted.contains(request->verb) && granted.begin()->second.asks;
    const bool does = (request->wish == host::BrokerWish::ConnectInside && request->port != host::kWirePort) || request->wish == host::BrokerWish::StartTool;
    LNK_HOLDS(services.calls == (may && does ? 1 : 0));
    LNK_HOLDS(answer.empty() ? !is_answered : answer.find(id) != std::string::npos && answer.find("\"ok\"") == std::string::npos);
  }
}

}  // namespace lnk::fuzz
