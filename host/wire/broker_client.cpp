// SPDX-License-Identifier: Apache-2.0
#include "wire/broker_client.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <optional>
#include <utility>

#include "lnk/cpp/barrier.hpp"
#include "lnk/posix/memory_file.hpp"
#include "lnk/posix/packet.hpp"
#include "wire/limits.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

json::string_view text(std::string_view from) noexcept { return {from.data(), from.size()}; }

/// LNK_E_INTERNAL for a word that is none.
lnk_status status_of(std::string_view word) noexcept {
  for (lnk_status status = LNK_OK; status >= LNK_E_AGAIN; --status)
    if (status_word(status) == word) return status;
  return LNK_E_INTERNAL;
}

std::string packet_of(std::uint64_t id, std::string_view verb, std::string_view what, std::string_view key = {}, json::value value = nullptr) {
  json::object ask = {{"id", id}, {"verb", text(verb)}, {"what", text(what)}};
  if (!key.empty()) ask[text(key)] = std::move(value);
  return json::serialize(json::object{{"ask", std::move(ask)}});
}

Failure answered(lnk_status status) { return fail(code_of(status), "the front's answer: " + std::string(status_word(status))); }

/// The one table in a packet under that name.
const json::object* table_under(const json::value& value, std::string_view key) {
  const auto* object = value.if_object();
  const auto* under = object == nullptr ? nullptr : object->if_contains(text(key));
  return under == nullptr ? nullptr : under->if_object();
}

std::optional<std::int64_t> number_of(const json::object& table, std::string_view key) {
  const auto* value = table.if_contains(text(key));
  const auto* number = value == nullptr ? nullptr : value->if_int64();
  return number == nullptr ? std::nullopt : std::optional(*number);
}

std::string word_of(const json::object& table, std::string_view key) {
  const auto* value = table.if_contains(text(key));
  const auto* word = value == nullptr ? nullptr : value->if_string();
  return word == nullptr ? std::string() : std::string(*word);
}

}  // namespace

/// A request that waits; it lives in the frame of who asked.
struct BrokerClient::Pending final : Cancellable {
  explicit Pending(Loop& loop) : done(loop) {}
  void cancel() noexcept override {
    brought.status = LNK_E_TIMEOUT;
    done.raise();
  }
  Brought brought;
  Signal done;
};

Task<BrokerClient::Brought> BrokerClient::request(Wanted wanted, UniqueFd attached) {
  const int fds[] = {attached.get()};
  const Status sent = posix::send_packet(control_, wanted.packet, {fds, attached.is_open() ? 1U : 0U});
  if (!sent) co_return Brought{static_cast<lnk_status>(sent.error().code), std::string(), {}};
  Pending pending(loop_);
  pending_.emplace(wanted.id, &pending);
  Deadline deadline(loop_, &pending);
  deadline.set(wanted.patience_ms);
  co_await pending.done;
  pending_.erase(wanted.id);
  for (const auto& fd : pending.brought.fds)
    if (!set_non_blocking(fd.get())) pending.brought.status = LNK_E_INTERNAL;
  co_return std::move(pending.brought);
}

Task<Result<UniqueFd>> BrokerClient::request_one(Wanted wanted) {
  auto brought = co_await request(std::move(wanted), UniqueFd());
  if (brought.status != LNK_OK) co_return answered(brought.status);
  if (brought.fds.size() != 1) co_return answered(LNK_E_INTERNAL);
  co_return std::move(brought.fds.front());
}

void BrokerClient::say(std::uint64_t id, std::string_view verb, std::string_view what) {
  static_cast<void>(posix::send_packet(control_, packet_of(id, verb, what)));  // a front that is gone has ended all of it
}

Task<Result<UniqueFd>> BrokerClient::connect_inside(std::string_view verb, std::uint16_t port) {
  const auto id = next_id();
  return request_one({id, packet_of(id, verb, "connect-inside", "port", std::uint64_t{port}), kBrokerMs});
}

Task<Result<PersonsAnswer>> BrokerClient::ask(std::uint64_t id, std::string_view verb, std::string_view title,
                                              const std::vector<std::string>& lines) {
  json::array shown;
  for (const auto& line : lines) shown.emplace_back(line);
  // By a memory file, since what a tool is called with may be long.
  auto question = posix::make_sealed_file("question", json::serialize(json::object{{"lines", std::move(shown)}, {"title", text(title)}}));
  if (!question) co_return fail(question.error());
  // A name of its own: g++ 12 destroys a braced temporary twice that is an argument of what is awaited.
  Wanted wanted{id, packet_of(id, verb, "question"), kQuestionMs};
  const auto brought = co_await request(std::move(wanted), std::move(*question));
  if (brought.status == LNK_E_TIMEOUT) co_return PersonsAnswer::TimedOut;
  if (brought.status != LNK_OK) co_return answered(brought.status);
  if (brought.answer == "yes") co_return PersonsAnswer::Yes;
  co_return brought.answer == "timed out" ? PersonsAnswer::TimedOut : PersonsAnswer::No;
}

void BrokerClient::withdraw(std::uint64_t id, std::string_view verb) {
  const auto found = pending_.find(id);
  if (found == pending_.end() || found->second->done.is_raised()) return;
  found->second->cancel();
  say(id, verb, "withdraw");
}

Task<Result<UniqueFd>> BrokerClient::start_tool(std::uint64_t id, std::string_view verb, std::string_view name) {
  return request_one({id, packet_of(id, verb, "start-tool", "tool", text(name)), kToolStartMs});
}

void BrokerClient::stop_tool(std::uint64_t id, std::string_view verb) { say(id, verb, "stop-tool"); }

Task<Status> BrokerClient::open_page(std::string_view verb, std::string_view url) {
  const auto id = next_id();
  Wanted wanted{id, packet_of(id, verb, "open-page", "url", text(url)), kPageOpenMs};
  const auto brought = co_await request(std::move(wanted), UniqueFd());
  if (brought.status != LNK_OK) co_return answered(brought.status);
  co_return Status();
}

Task<Result<std::vector<UniqueFd>>> BrokerClient::listen_outside(std::uint64_t id, std::string_view verb, std::uint16_t port) {
  Wanted wanted{id, packet_of(id, verb, "listen-outside", "port", std::uint64_t{port}), kBrokerMs};
  auto brought = co_await request(std::move(wanted), UniqueFd());
  if (brought.status != LNK_OK) co_return answered(brought.status);
  if (brought.fds.empty()) co_return answered(LNK_E_INTERNAL);
  co_return std::move(brought.fds);
}

void BrokerClient::stop_listening(std::uint64_t id, std::string_view verb) { say(id, verb, "stop-listening"); }

bool BrokerClient::take_exit(std::string_view packet) {
  boost::system::error_code error;
  const json::value value = json::parse(text(packet), error);
  const auto* exit = error ? nullptr : table_under(value, "tool-exit");
  const auto id = exit == nullptr ? std::nullopt : number_of(*exit, "id");
  const auto code = exit == nullptr ? std::nullopt : number_of(*exit, "code");
  if (!id || !code) return false;
  const auto found = tools_.find(static_cast<std::uint64_t>(*id));
  if (found == tools_.end()) return true;
  const auto told = std::move(found->second);
  tools_.erase(found);
  told(static_cast<int>(*code));
  return true;
}

bool BrokerClient::take(std::string_view packet, std::vector<UniqueFd>& fds) {
  boost::system::error_code error;
  const json::value value = json::parse(text(packet), error);
  const auto* table = error ? nullptr : table_under(value, "answer");
  if (table == nullptr) return take_exit(packet);
  const auto id = number_of(*table, "id");
  const auto status = word_of(*table, "status");
  if (!id || status.empty()) return false;
  const auto found = pending_.find(static_cast<std::uint64_t>(*id));
  auto given = std::move(fds);
  fds.clear();
  if (found == pending_.end() || found->second->done.is_raised()) return true;  // its time was over
  found->second->brought = {status_of(status), word_of(*table, "answer"), std::move(given)};
  found->second->done.raise();
  return true;
}

}  // namespace lnk::host
