// SPDX-License-Identifier: Apache-2.0
//
// What the wire may have its front do. The wire parses what programs and servers send, and is taken for an attacker here: each
// request is held against what the snapshot grants its verb, and what a person has to agree to against what was answered. It
// never makes the front do more.
//
// An answer is {"answer":{"id":7,"status":"ok"}}, of a question with "answer" "yes", "no" or "timed out" beside it, and with the
// descriptors that were asked for; a status is "ok" or a word of status_word. A tool's end is told by {"tool-exit":{"id":9,"code":0}}.
// What isn't granted is "denied"; what isn't of a known form has no answer.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "asking/question.hpp"
#include "launch/broker_request.hpp"
#include "lnk/abi/base.h"
#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

/// What a verb may have done, of the snapshot.
struct VerbRights {
  std::vector<std::uint16_t> inside_ports = {};
  std::vector<std::string> tools = {};
  bool asks = false;   ///< a person, before each
  bool pages = false;  ///< may open what a person agreed to
};

struct BrokerAnswer {
  std::string packet;
  std::vector<UniqueFd> fds;
};

/// What is done of it, by whoever can. Nothing here is held against a grant again.
class BrokerServices {
 public:
  BrokerServices() = default;
  BrokerServices(const BrokerServices&) = delete;
  BrokerServices& operator=(const BrokerServices&) = delete;
  virtual ~BrokerServices() = default;

  /// Connects to 127.0.0.1:port inside; it may not wait long for what is inside.
  virtual Result<UniqueFd> connect_inside(std::uint16_t port) = 0;
  /// `answered` is called once, later, unless the question is withdrawn. errors: Limit: too many are asked; the wire pauses then
  virtual Status ask(std::uint64_t id, std::string_view verb, BrokerQuestion question, std::function<void(Outcome)> answered) = 0;
  virtual void withdraw(std::uint64_t id) = 0;
  /// The wire's end of a stream that is the tool's input and output. `ended` is called once, later.
  virtual Result<UniqueFd> start_tool(std::uint64_t id, std::string_view name, std::function<void(int code)> ended) = 0;
  virtual void stop_tool(std::uint64_t id) = 0;
  /// `done` is called once, now or later.
  virtual void open_page(std::string_view url, std::function<void(Status)> done) = 0;
  /// Sockets that listen at that port of this machine's loopback, one a family.
  virtual Result<std::vector<UniqueFd>> listen_outside(std::uint64_t id, std::uint16_t port) = 0;
  /// Whoever else holds those sockets.
  virtual void stop_listening(std::uint64_t id) = 0;
};

class Broker {
 public:
  /// Of each verb, by its id.
  using Rights = std::map<std::string, VerbRights, std::less<>>;
  using Send = std::function<void(const BrokerAnswer&)>;

  Broker(Rights granted, BrokerServices& services, Send send)
      : granted_(std::move(granted)), services_(services), send_(std::move(send)) {}
  Broker(const Broker&) = delete;
  Broker& operator=(const Broker&) = delete;

  /// `attached`: the descriptor that came with it.
  void take(const BrokerRequest& request, const UniqueFd& attached);

 private:
  struct Agreed {
    std::string verb;
    std::string url;
  };
  void refuse(const BrokerRequest& request, lnk_status status) const;
  void done(const BrokerRequest& request, std::vector<UniqueFd> fds = {}) const;
  void done_or_failed(const BrokerRequest& request, Result<UniqueFd> fd) const;
  [[nodiscard]] bool may_connect(const BrokerRequest& request, const VerbRights& rights) const;
  void ask(const BrokerRequest& request, const UniqueFd& attached, bool opens_pages);
  void agree(std::string_view verb, const BrokerQuestion& question);
  void start_tool(const BrokerRequest& request);
  void open_page(const BrokerRequest& request);
  void listen(const BrokerRequest& request);

  Rights granted_;
  BrokerServices& services_;
  Send send_;
  std::set<std::uint64_t> questions_;                ///< that wait
  std::set<std::uint64_t> tools_;                    ///< that run
  std::vector<Agreed> agreed_;                       ///< pages that a person agreed to, each good for one opening; the oldest go
  std::map<std::uint64_t, BrokerRequest> listening_;  ///< ports outside, which the same verb may call inside
};

}  // namespace lnk::host
