// SPDX-License-Identifier: Apache-2.0
//
// A tool that runs outside, as one verb sees it: the lines that it says and the lines that it is sent. The front started it and
// tells its end; a verb is told of that behind the last line.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "wire/broker_client.hpp"
#include "wire/byte_stream.hpp"
#include "wire/loop.hpp"
#include "wire/task.hpp"
#include "wire/verb/loaded_verb.hpp"

namespace lnk::host {

class ToolStream : public std::enable_shared_from_this<ToolStream> {
 public:
  struct Parts {
    Loop& loop;
    BrokerClient& broker;
    LoadedVerb& verb;
    std::function<void(const Result<void>&)> told;  ///< what the module did wrong in an event of no call
  };
  /// `id`: the verb's.
  ToolStream(const Parts& parts, lnk_id id);
  ToolStream(const ToolStream&) = delete;
  ToolStream& operator=(const ToolStream&) = delete;

  /// From its start to its end, of which the verb is told. `call`: who started it; 0: no call.
  static Task<void> run(std::shared_ptr<ToolStream> tool, lnk_id call, std::string name);
  /// True: more waits than the mark. errors: Gone, Limit
  Result<bool> send(std::string_view line);
  /// What waits is not written any more, and its input ends.
  void stop();
  void pause(bool is_paused);
  /// Its call went before it had started: nobody knows of it, and it is stopped once it has.
  void orphan(lnk_id call) noexcept;

 private:
  static Task<void> write(std::shared_ptr<ToolStream> tool);
  Task<void> read();
  Task<bool> tell_lines(std::string_view bytes);
  void fault(std::string_view words);

  Parts parts_;
  lnk_id id_;
  std::uint64_t broker_id_;
  lnk_id starter_ = 0;
  std::unique_ptr<ByteStream> stream_;
  std::string unsent_;
  std::string line_;  ///< begun
  Bell wants_;        ///< the writer's
  Bell goes_on_;      ///< the reader's
  Signal ended_;
  std::optional<int> code_;
  bool is_full_ = false;
  bool is_paused_ = false;
  bool is_stopped_ = false;
  bool is_orphan_ = false;
  bool is_over_ = false;
};

}  // namespace lnk::host
