// SPDX-License-Identifier: Apache-2.0
//
// An action as a test sees it: read whole, checked as a host would, and owned.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/abi/verb.h"
#include "lnk/cpp/result.hpp"

namespace lnk::fake {

struct RecordedPiece {
  std::uint32_t kind = LNK_PIECE_TEXT;
  std::string text = {};
};
/// Texts that follow each other are one.
using RecordedValue = std::vector<RecordedPiece>;

struct RecordedEdit {
  std::uint32_t kind = LNK_EDIT_REMOVE;
  std::string name = {};
  RecordedValue value = {};
};

struct RecordedField {
  std::string name = {};
  std::string value = {};
};

/// Every kind in one: what a kind has not is empty.
struct RecordedAction {
  std::uint32_t kind = 0;
  lnk_id call = 0;
  lnk_id subject = 0;
  lnk_id made = 0;            ///< the id it was given
  lnk_status taken = LNK_OK;  ///< what the sink answered

  std::uint32_t status = 0;   ///< answer, deny
  std::uint32_t port = 0;     ///< relay, forward, listen_once, call_inside
  bool tls = false;           ///< relay, forward
  bool see_reply = false;     ///< relay, forward
  bool streams = false;       ///< answer
  std::uint64_t amount = 0;   ///< need_body: bytes; listen_once: seconds; wake: milliseconds
  std::string host = {};      ///< relay, forward, call_inside
  std::string method = {};    ///< relay, forward, call_inside
  RecordedValue target = {};  ///< relay, forward, call_inside
  std::vector<RecordedEdit> edits = {};
  std::vector<RecordedField> fields = {};  ///< answer
  std::string body = {};                   ///< forward, answer, stream, tool_send, call_inside
  std::string reason = {};                 ///< deny
  std::string text =
      {};  ///< deny: words; ask: title; listen_once: path; tool_start, open_page, log; call_inside: content type
  std::vector<std::string> lines = {};  ///< ask
};

/// "relay", "need_body", …; "unknown" for what is not in SDK 1.0.
[[nodiscard]] std::string_view action_word(std::uint32_t kind) noexcept;

/// errors: Unsupported (no such kind), Invalid (a part is missing, short, or of a form that the header does not name).
[[nodiscard]] Result<RecordedAction> read_action(const lnk_action* action);

}  // namespace lnk::fake
