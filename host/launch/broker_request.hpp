// SPDX-License-Identifier: Apache-2.0
//
// A request of the wire to its front, read and checked: one packet of JSON on the control socket, of one known form each.
//   {"ask":{"id":7,"verb":"verb-x","what":"connect-inside","port":8080}}
//   {"ask":{"id":8,"verb":"verb-x","what":"question"}}         and a memory file with {"title":"…","lines":["…"]}
//   {"ask":{"id":8,"verb":"verb-x","what":"withdraw"}}         the question of that id; has no answer
//   {"ask":{"id":9,"verb":"verb-x","what":"start-tool","tool":"files"}}
//   {"ask":{"id":9,"verb":"verb-x","what":"stop-tool"}}        the tool of that id; has no answer
//   {"ask":{"id":10,"verb":"verb-x","what":"open-page","url":"https://…"}}
//   {"ask":{"id":11,"verb":"verb-x","what":"listen-outside","port":1455}}
//   {"ask":{"id":11,"verb":"verb-x","what":"stop-listening"}}  the port of that id; has no answer
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::host {

enum class BrokerWish : std::uint8_t { ConnectInside, Question, Withdraw, StartTool, StopTool, OpenPage, ListenOutside, StopListening };

struct BrokerRequest {
  std::uint64_t id = 0;  ///< the wire's own, from 1
  std::string verb;
  BrokerWish wish = BrokerWish::ConnectInside;
  std::uint16_t port = 0;  ///< of ConnectInside and ListenOutside
  std::string text = {};   ///< StartTool: the tool's name; OpenPage: the URL, printable ASCII
};

/// Pure. errors: Invalid
[[nodiscard]] Result<BrokerRequest> read_broker_request(std::string_view packet);

struct BrokerQuestion {
  std::string title;
  std::vector<std::string> lines;  ///< UTF-8
};

/// Pure. errors: Invalid
[[nodiscard]] Result<BrokerQuestion> read_broker_question(std::string_view text);

/// What stands in a memory file that was handed over: nobody who holds it can change it, or make its reader wait.
/// errors: Invalid, Limit
[[nodiscard]] Result<BrokerQuestion> read_broker_question_from(int fd);

}  // namespace lnk::host
