// SPDX-License-Identifier: Apache-2.0
#include "wire/broker_client.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string>
#include <utility>

#include "lnk/cpp/barrier.hpp"
#include "lnk/posix/packet.hpp"
#include "wire/limits.hpp"

namespace lnk::host {
namespace {

namespace json = boost::json;

/// LNK_E_INTERNAL for a word that is none.
lnk_status status_of(std::string_view word) noexcept {
  for (lnk_status status = LNK_OK; status >= LNK_E_AGAIN; --status)
    if (status_word(status) == word) return status;
  return LNK_E_INTERNAL;
}

}  // namespace

/// A request that waits; it lives in the frame of who asked.
struct BrokerClient::Pending final : Cancellable {
  explicit Pending(Loop& loop) : done(loop) {}
  void cancel() noexcept override {
    status = LNK_E_TIMEOUT;
    done.raise();
  }
  lnk_status status = LNK_E_INTERNAL;
  UniqueFd fd;
  Signal done;
};

Task<Result<UniqueFd>> BrokerClient::connect_inside(std::string_view verb, std::uint16_t port) {
  const std::uint64_t id = ++last_id_;
  const json::object ask = {
      {"id", id}, {"verb", json::string_view(verb.data(), verb.size())}, {"what", "connect-inside"}, {"port", std::uint64_t{port}}};
  const Status sent = posix::send_packet(control_, json::serialize(json::object{{"ask", ask}}));
  if (!sent) co_return fail(sent.error());
  Pending pending(loop_);
  pending_.emplace(id, &pending);
  Deadline deadline(loop_, &pending);
  deadline.set(kBrokerMs);
  co_await pending.done;
  pending_.erase(id);
  if (pending.status == LNK_OK && pending.fd.is_open() && set_non_blocking(pending.fd.get())) co_return std::move(pending.fd);
  const lnk_status status = pending.status == LNK_OK ? lnk_status{LNK_E_INTERNAL} : pending.status;
  co_return fail(code_of(status), "the front's answer: " + std::string(status_word(status)));
}

bool BrokerClient::take(std::string_view packet, UniqueFd& fd) {
  boost::system::error_code error;
  const json::value value = json::parse(json::string_view(packet.data(), packet.size()), error);
  const auto* object = error ? nullptr : value.if_object();
  const auto* answer = object == nullptr ? nullptr : object->if_contains("answer");
  const auto* table = answer == nullptr ? nullptr : answer->if_object();
  const auto* id = table == nullptr ? nullptr : table->if_contains("id");
  const auto* status = table == nullptr ? nullptr : table->if_contains("status");
  if (id == nullptr || status == nullptr || !id->is_int64() || !status->is_string()) return false;
  const auto found = pending_.find(static_cast<std::uint64_t>(id->get_int64()));
  UniqueFd given = std::move(fd);
  if (found == pending_.end() || found->second->done.is_raised()) return true;  // its time was over
  found->second->status = status_of(status->get_string());
  found->second->fd = std::move(given);
  found->second->done.raise();
  return true;
}

}  // namespace lnk::host
