// SPDX-License-Identifier: Apache-2.0
//
// The wire as its front sees it: a process of its own with a control socket. It ends at the socket's end of file, so it
// outlives its front by nothing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "environment/environment.hpp"
#include "launch/broker.hpp"
#include "launch/inside_listeners.hpp"
#include "launch/parts.hpp"
#include "lnk/cpp/result.hpp"
#include "lnk/posix/child_process.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "snapshot/snapshot.hpp"

namespace lnk::host {

/// One host that a verb may speak to, with TLS, and the handles that may be put into what it sends there; or "localhost", a
/// port of this machine, without.
struct VerbUpstream {
  std::string host;
  std::uint16_t port = 443;
  std::vector<std::string> handles;
  bool tls = true;
};

/// A verb for the wire to load, and what the snapshot grants it: the wire holds what it declares against this.
struct VerbUse {
  ModuleUse module;
  std::string config_json;
  std::vector<VerbUpstream> upstreams;
  VerbRights rights = {};  ///< what its front does for it
};

struct WireConfig {
  std::string run;  ///< names the run in the log
  std::filesystem::path settings;
  std::vector<VerbUse> verbs;
  std::map<std::string, UniqueFd> handles;  ///< "secret:telegram" → the file that keeps its value
};

/// A socket inside that the wire wants, for an endpoint's name.
struct EndpointAsk {
  std::uint32_t address = 0;  ///< IPv4, as a number
  std::uint16_t port = 0;
};

/// What the wire says while the program runs. It comes from a process that parses what others send, so nothing of it is shown, and what it asks
/// is held against the grants. All empty: the wire's end, or what isn't known.
struct WireNews {
  std::string gate;  ///< one word of wire/switch_files, or of Gate's own
  std::optional<EndpointAsk> endpoint = {};
  std::optional<BrokerRequest> request = {};
  UniqueFd attached = {};  ///< what came with the request
};

class WireProcess {
 public:
  WireProcess() = default;
  WireProcess(WireProcess&&) noexcept = default;
  WireProcess& operator=(WireProcess&&) noexcept = default;
  /// The wire is told that it ends, and has a moment to write what its log has counted, before it is killed; so has the resolver.
  ~WireProcess();

  [[nodiscard]] static Result<WireProcess> start(const Parts& parts, const Grants& grants, const Identity& identity,
                                                 const WireConfig& config);

  /// Hands over a socket that listens inside.
  [[nodiscard]] Status give_listener(const UniqueFd& socket, const InsideListener& listener);
  /// The answer to an ask; without a socket: there is none.
  [[nodiscard]] Status answer_endpoint(const EndpointAsk& ask, const UniqueFd& socket);
  /// Waits until the wire has loaded, confined itself and takes calls.
  [[nodiscard]] Status wait_ready();
  /// Starts the process that asks the system's resolver, once the wire has asked for a name: many a run never does.
  [[nodiscard]] Status start_resolver(const Parts& parts);
  /// Readable once the wire has asked for the first name.
  [[nodiscard]] int first_lookup() const noexcept { return resolver_end_.get(); }
  /// Readable when the wire has something to say.
  [[nodiscard]] int news() const noexcept { return control_.get(); }
  [[nodiscard]] Result<WireNews> take_news();
  /// Readable when the wire or its resolver has words for the person; they have no descriptor of a terminal's, on which one that
  /// was taken over could draw.
  [[nodiscard]] int words() const noexcept { return words_.get(); }
  /// The lines that have come whole, without their ends and this program's name; as they were said, to be escaped.
  [[nodiscard]] std::vector<std::string> take_words();
  /// A wire that takes none is not waited for.
  void give_answer(const BrokerAnswer& answer);
  /// Readable once the wire has ended.
  [[nodiscard]] int pidfd() const noexcept { return process_.pidfd(); }

 private:
  posix::ChildProcess process_;
  posix::ChildProcess resolver_;
  UniqueFd control_;
  UniqueFd resolver_end_;
  UniqueFd words_;
  UniqueFd words_end_;  ///< the resolver's, until that is started
  std::string word_;    ///< a line that has begun
  std::size_t lines_told_ = 0;
};

}  // namespace lnk::host
