// SPDX-License-Identifier: Apache-2.0
#include "launch/broker.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <cerrno>
#include <utility>

#include "environment/environment.hpp"
#include "launch/pages.hpp"
#include "lnk/cpp/barrier.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

/// Pages that were agreed to and not opened yet: a verb opens one at once.
constexpr std::size_t kAgreedMax = 16;
/// Ports outside at a time: one a page, and few logins are under way at once.
constexpr std::size_t kListeningMax = 8;
constexpr std::uint16_t kFirstOrdinaryPort = 1024;

json::object answer_to(std::uint64_t id, lnk_status status) {
  const auto word = status_word(status);
  return json::object{{"id", id}, {"status", json::string_view(word.data(), word.size())}};
}

std::string packet_of(json::object answer) { return json::serialize(json::object{{"answer", std::move(answer)}}); }

template <class List, class Value>
bool holds(const List& list, const Value& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

void Broker::refuse(const BrokerRequest& request, lnk_status status) const {
  send_({packet_of(answer_to(request.id, status)), {}});
}

void Broker::done(const BrokerRequest& request, std::vector<UniqueFd> fds) const {
  send_({packet_of(answer_to(request.id, LNK_OK)), std::move(fds)});
}

/// What failed is not the wire's to know, but for what can't be had at this time.
void Broker::done_or_failed(const BrokerRequest& request, Result<UniqueFd> fd) const {
  if (fd) {
    std::vector<UniqueFd> fds;
    fds.push_back(std::move(*fd));
    return done(request, std::move(fds));
  }
  // connect(2) under a time: what takes no more connections is told so.
  const bool is_late = fd.error().os_errno == EINPROGRESS || fd.error().os_errno == EAGAIN;
  refuse(request, is_late ? LNK_E_TIMEOUT : fd.error().code == Code::Limit ? LNK_E_LIMIT : LNK_E_UPSTREAM);
}

/// The wire's own port is never one: a call there would come back to it.
bool Broker::may_connect(const BrokerRequest& request, const VerbRights& rights) const {
  if (request.port == kWirePort) return false;
  const auto brings_back = [&request](const auto& each) { return each.second.verb == request.verb && each.second.port == request.port; };
  return holds(rights.inside_ports, request.port) || std::any_of(listening_.begin(), listening_.end(), brings_back);
}

/// A page is opened once for a yes, and only where its whole URL was a line of what was asked.
void Broker::agree(std::string_view verb, const BrokerQuestion& question) {
  for (const auto& line : question.lines) {
    if (!is_page_url(line)) continue;
    if (agreed_.size() == kAgreedMax) agreed_.erase(agreed_.begin());
    agreed_.push_back({std::string(verb), line});
  }
}

void Broker::ask(const BrokerRequest& request, const UniqueFd& attached, bool opens_pages) {
  auto question = read_broker_question_from(attached.get());
  if (!question || !questions_.insert(request.id).second) return refuse(request, LNK_E_INVALID);
  const auto pages = opens_pages ? *question : BrokerQuestion();
  const auto answered = [this, request, pages](Outcome outcome) {
    questions_.erase(request.id);
    if (outcome == Outcome::Yes) agree(request.verb, pages);
    auto answer = answer_to(request.id, LNK_OK);
    const auto word = word_of(outcome);
    answer["answer"] = json::string_view(word.data(), word.size());
    send_({packet_of(std::move(answer)), {}});
  };
  const auto asked = services_.ask(request.id, request.verb, std::move(*question), answered);
  if (asked) return;
  questions_.erase(request.id);
  refuse(request, static_cast<lnk_status>(asked.error().code));
}

void Broker::start_tool(const BrokerRequest& request) {
  if (!tools_.insert(request.id).second) return refuse(request, LNK_E_INVALID);
  const auto ended = [this, id = request.id](int code) {
    tools_.erase(id);
    send_({json::serialize(json::object{{"tool-exit", json::object{{"code", code}, {"id", id}}}}), {}});
  };
  auto stream = services_.start_tool(request.id, request.text, ended);
  if (!stream) tools_.erase(request.id);
  done_or_failed(request, std::move(stream));
}

void Broker::open_page(const BrokerRequest& request) {
  const auto is_it = [&request](const Agreed& each) { return each.verb == request.verb && each.url == request.text; };
  const auto agreed = std::find_if(agreed_.begin(), agreed_.end(), is_it);
  if (agreed == agreed_.end()) return refuse(request, LNK_E_DENIED);
  agreed_.erase(agreed);
  services_.open_page(request.text, [this, request](const Status& opened) {
    if (opened) return done(request);
    refuse(request, LNK_E_UPSTREAM);
  });
}

void Broker::listen(const BrokerRequest& request) {
  const auto returns = [&request](const Agreed& each) { return each.verb == request.verb && leads_back_to(each.url, request.port); };
  if (request.port < kFirstOrdinaryPort || request.port == kWirePort || !std::any_of(agreed_.begin(), agreed_.end(), returns))
    return refuse(request, LNK_E_DENIED);
  if (listening_.size() == kListeningMax || listening_.contains(request.id)) return refuse(request, LNK_E_LIMIT);
  auto sockets = services_.listen_outside(request.id, request.port);
  if (!sockets) return refuse(request, LNK_E_UPSTREAM);
  listening_.emplace(request.id, request);
  done(request, std::move(*sockets));
}

void Broker::take(const BrokerRequest& request, const UniqueFd& attached) {
  const auto found = granted_.find(request.verb);
  if (found == granted_.end()) return refuse(request, LNK_E_DENIED);
  const auto& rights = found->second;
  switch (request.wish) {
    case BrokerWish::ConnectInside:
      if (!may_connect(request, rights)) return refuse(request, LNK_E_DENIED);
      return done_or_failed(request, services_.connect_inside(request.port));
    case BrokerWish::Question:
      if (!rights.asks) return refuse(request, LNK_E_DENIED);
      return ask(request, attached, rights.pages);
    case BrokerWish::Withdraw:
      if (questions_.erase(request.id) != 0) services_.withdraw(request.id);
      return;
    case BrokerWish::StartTool:
      if (!holds(rights.tools, request.text)) return refuse(request, LNK_E_DENIED);
      return start_tool(request);
    case BrokerWish::StopTool:
      if (tools_.contains(request.id)) services_.stop_tool(request.id);
      return;
    case BrokerWish::OpenPage:
      if (!rights.pages) return refuse(request, LNK_E_DENIED);
      return open_page(request);
    case BrokerWish::ListenOutside:
      if (!rights.pages) return refuse(request, LNK_E_DENIED);
      return listen(request);
    case BrokerWish::StopListening:
      if (listening_.erase(request.id) != 0) services_.stop_listening(request.id);
      return;
  }
}

}  // namespace lnk::host
