// SPDX-License-Identifier: Apache-2.0
//
// What the mcp verb takes and keeps at most, each with its reason.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lnk::verb_mcp {

inline constexpr std::size_t kToolsMax = 64;              ///< routes; as many tools as a spec may use
inline constexpr std::size_t kAllowedMax = 1024;          ///< names of one tool's `allow`; the largest servers list a few hundred
inline constexpr std::size_t kNameBytesMax = 256;         ///< of a server's tool; MCP says 128
inline constexpr std::size_t kRootsMax = 64;              ///< folders of one tool
inline constexpr std::size_t kPathBytesMax = 4096;        ///< as the kernel's PATH_MAX

inline constexpr std::uint64_t kBodyBytesMax = 4 * 1024 * 1024;  ///< one message; a picture as an argument fits
inline constexpr std::size_t kIdBytesMax = 256;           ///< of a message's id; clients count or send a UUID
inline constexpr std::size_t kSessionsMax = 16;           ///< a route's; each is a process outside
inline constexpr std::size_t kServersMax = 16;  ///< of all routes, those that are ending too: what the host runs for a verb
inline constexpr std::size_t kWaitingMax = 64;            ///< requests of one session that wait for their answer, each way
inline constexpr std::size_t kHeldBytesMax = 64 * 1024 * 1024;       ///< of all requests that wait to be sent, with their questions
inline constexpr std::size_t kToolQueueBytesMax = 16 * 1024 * 1024;  ///< what a server that doesn't read makes wait
inline constexpr std::size_t kEventsKept = 256;           ///< of a session, to be resumed from
inline constexpr std::size_t kEventBytesKept = 1024 * 1024;
inline constexpr std::size_t kReplyMarkBytes = 4 * 1024 * 1024;  ///< waiting for a client that reads slowly: its server isn't read
inline constexpr std::size_t kReplyLowBytes = 1024 * 1024;       ///< and below this it is again
inline constexpr std::size_t kPieceBytes = 64 * 1024;     ///< of a reply, under the host's mark
inline constexpr std::size_t kListPagesMax = 64;          ///< of tools/list, when the verb reads it
inline constexpr std::size_t kListedToolsMax = 4096;
inline constexpr std::size_t kQuestionsMax = 60;         ///< open at once, of all sessions; the host takes 64, those that are ending too
inline constexpr std::size_t kQuestionLinesMax = 48;      ///< values on a line each; what has more is shown as it stands, in one
inline constexpr std::size_t kQuestionBytesMax = kBodyBytesMax - 16 * 1024;  ///< the host asks no more; never cut here
inline constexpr int kRootRoundsMax = 8;                  ///< times that one request is sent again with the roots it asks for

inline constexpr std::uint64_t kCallQuietMs = 10 * 60 * 1000;  ///< a request of which nothing is heard, not even progress
inline constexpr std::uint64_t kHandshakeMs = 60 * 1000;  ///< a server that is fetched by npx first takes that long
inline constexpr std::uint64_t kListFreshMs = 60 * 1000;  ///< a list of a server that tells of changes; a word of it may get lost on its way
inline constexpr std::uint64_t kIdleMs = 30 * 60 * 1000;  ///< a session without a request or an open stream
inline constexpr std::uint64_t kSpareMs = 60 * 1000;      ///< idle for so long, it gives way to a new one where there are too many
inline constexpr std::uint64_t kTickMs = 15 * 1000;  ///< how often the limits above are looked at, and a quiet stream is kept alive
inline constexpr std::uint64_t kRetryMs = 1000;           ///< after which a client whose stream broke comes back

}  // namespace lnk::verb_mcp
