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

inline constexpr std::size_t kEditsMax = 128;                      ///< a head has at most 100 fields
inline constexpr std::size_t kOwnBodyBytesMax = 64 * 1024 * 1024;  ///< of FORWARD and ANSWER: twice what a verb reads
inline constexpr std::size_t kDenyWordsBytesMax = 512;

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
};

struct AnswerField {
  std::string name;
  std::string value;
};

struct AnswerPlan {
  std::uint16_t status = 200;
  std::vector<AnswerField> fields;
  std::string body;
};

struct NeedBodyPlan {
  std::uint64_t bytes_max = 0;
};

/// errors of all: Invalid, Unsupported, Limit; the words are for the log.
/// `forwards`: the action is FORWARD, with a body of the module's own.
Result<RelayPlan> read_relay(const lnk_action& action, bool forwards);
Result<AnswerPlan> read_answer(const lnk_action& action);
Result<NeedBodyPlan> read_need_body(const lnk_action& action);
/// Only a reason of the wire's table; the words on one line of ASCII.
Result<http::Refusal> read_deny(const lnk_action& action);

}  // namespace lnk::host
