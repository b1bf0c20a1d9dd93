// SPDX-License-Identifier: Apache-2.0
//
// What of a message passes, written anew: members of a table alone, ids and tokens of ours in the place of each side's own, and no
// word of the program's on which folders are its roots. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "message.hpp"
#include "methods.hpp"

namespace lnk::verb_mcp {

inline constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kLogLevelKey = "io.modelcontextprotocol/logLevel";
inline constexpr std::string_view kSubscriptionKey = "io.modelcontextprotocol/subscriptionId";

/// Leaves in params what the method's table has, and takes `roots` out of the program's capabilities and answers; where the tool
/// has roots, the capability is declared. `message`'s document keeps what is added.
void keep_allowed(Message& message, const Method& method, bool has_roots);

/// Leaves in the program's answer to that method of a server what such an answer has.
void keep_answer(Message& response, std::string_view method);

/// Takes the program's progress token out of params, and puts ours, the request's number, in its place.
std::optional<Id> swap_progress_token(Message& message, std::string_view own_number);

/// Puts `id` in the place of the member, where params has it.
void set_member(Message& message, std::string_view key, const Id& id);
/// The subscription's id, wherever a message of the server says it (in params or the result).
void set_subscription(Message& message, const Id& id);
[[nodiscard]] std::optional<Id> subscription_of(const Message& message);

/// {"roots":[{"uri":"file:///home/ann/notes","name":"notes"}]}
[[nodiscard]] std::string roots_json(const std::vector<std::string>& folders);

/// Of a result that asks for input: the same request's params with the roots it asks for, where it asks for nothing else. What it
/// asks besides, the program inside answers, and then it is asked for roots alone. Nothing: it doesn't ask for roots.
struct RootsWanted {
  bool is_all = false;      ///< nothing but roots
  std::string params;       ///< is_all: for the next try
};
[[nodiscard]] std::optional<RootsWanted> take_roots_wanted(Message& reply, std::string_view params_json,
                                                           const std::vector<std::string>& folders);

/// The versions that the server offers, less those that the verb doesn't speak.
void keep_known_versions(Message& reply);

}  // namespace lnk::verb_mcp
