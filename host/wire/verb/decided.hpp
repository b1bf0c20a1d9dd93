// SPDX-License-Identifier: Apache-2.0
//
// What a verb decided on a call: its actions, copied from the module's memory and checked. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lnk/abi/verb.h"
#include "lnk/cpp/result.hpp"
#include "lnk/http/refusal.hpp"
#include "wire/verb/pieces.hpp"

namespace lnk::host {

struct Edit {
  std::string name;
  bool is_set = false;  ///< else every field of the name is removed
  Pieces value;
};

struct RelayPlan {
  std::string host;
  std::uint16_t port = 0;
  std::string method;
  Pieces target;
  std::vector<Edit> edits;
  bool has_own_body = false;  ///< FORWARD
  std::string body;
  bool sees_reply = false;  ///< the reply is the verb's, which answers by itself
  bool tls = true;          ///< else a port of this machine's loopback
};

struct AnswerField {
  std::string name;
  std::string value;
};

struct AnswerPlan {
  std::uint16_t status = 200;
  std::vector<AnswerField> fields;
  std::string body;
  bool streams = false;  ///< pieces follow
};

/// A request to the program inside, which has no secret in it.
struct InsidePlan {
  std::uint16_t port = 0;
  std::string method;
  std::string target;
  std::string host;
  std::string content_type;  ///< empty: none is told
  std::string body;
};

/// What a person is asked, in plain text: UTF-8, which the front escapes and cuts as it shows it.
struct QuestionPlan {
  std::string title;
  std::vector<std::string> lines;
};

/// A port of this machine's loopback to listen at, for what a page leads back to.
struct ListenPlan {
  std::uint16_t port = 0;
  std::uint32_t seconds = 0;
  std::string path;  ///< the one that is passed in
};

struct NeedBodyPlan {
  std::uint64_t bytes_max = 0;
};

/// errors of all: Invalid, Unsupported, Limit; the words are for the log.
/// `forwards`: the action is FORWARD, with a body of the module's own.
Result<RelayPlan> read_relay(const lnk_action& action, bool forwards);
Result<AnswerPlan> read_answer(const lnk_action& action);
Result<NeedBodyPlan> read_need_body(const lnk_action& action);
Result<std::uint64_t> read_wake(const lnk_action& action);
Result<InsidePlan> read_call_inside(const lnk_action& action);
Result<QuestionPlan> read_ask(const lnk_action& action);
Result<ListenPlan> read_listen(const lnk_action& action);
/// A tool's name.
Result<std::string> read_tool_name(const lnk_action& action);
/// A URL of printable ASCII.
Result<std::string> read_page(const lnk_action& action);
/// One line for a tool, borrowed, with no end of line in it.
Result<std::string_view> read_tool_line(const lnk_action& action);
/// A word of small letters, digits and dashes: nothing of a request or reply fits.
Result<std::string> read_log(const lnk_action& action);
/// A piece of a stream, borrowed.
Result<std::string_view> read_piece(const lnk_action& action);
/// Only a reason of the wire's table; the words on one line of ASCII.
Result<http::Refusal> read_deny(const lnk_action& action);

}  // namespace lnk::host
