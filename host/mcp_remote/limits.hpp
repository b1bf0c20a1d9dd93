// SPDX-License-Identifier: Apache-2.0
//
// Every time and size of mcp-remote, each with its reason. Those of a reply's head stand in lnk/http/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lnk::host::remote {

// ---- times, in milliseconds ----
/// A connection, the handshake of TLS with it: all addresses of a name together.
inline constexpr std::int64_t kConnectingMs = 30'000;
/// A reply may idle this long: tools work for minutes.
inline constexpr std::int64_t kReplyIdleMs = 30 * 60'000;
/// What has no reply is taken, or refused, at once.
inline constexpr std::int64_t kTakenMs = 60'000;
/// Between two tries to go on with a stream where the server names no time; and the shortest and longest that it can name.
inline constexpr std::int64_t kRetryMs = 1'000;
inline constexpr std::int64_t kRetryMsMax = 60'000;
/// Requests that are open when standard input ends: a client that goes waits two seconds before it ends us.
inline constexpr std::int64_t kLeaveMs = 1'000;
/// The session's end is told for politeness; a server that doesn't answer ends it by itself.
inline constexpr std::int64_t kDeleteMs = 2'000;

// ---- sizes, in bytes ----
/// One message, either way. A picture in base64 has some megabytes.
inline constexpr std::size_t kMessageBytesMax = 16 * 1024 * std::size_t{1024};
/// All messages that are on their way or not whole yet: as many as sixteen of the largest.
inline constexpr std::size_t kHeldBytesMax = 256 * 1024 * std::size_t{1024};
/// What a server says of an error, to be looked through for a JSON-RPC error.
inline constexpr std::size_t kErrorBytesMax = 64 * 1024;
/// A session's or an event's id goes into a field of a head, which servers take up to 8 KiB.
inline constexpr std::size_t kIdBytesMax = 4096;
inline constexpr std::size_t kUrlBytesMax = 4096;
/// A header's value, in the tool's file. Tokens of some services have 4 KiB.
inline constexpr std::size_t kHeaderBytesMax = 8 * 1024;

// ---- numbers ----
inline constexpr std::size_t kRequestsMax = 64;
/// Notifications and answers that wait for those before them.
inline constexpr std::size_t kWaitingMax = 256;
/// Messages of one batch (2025-03-26 alone has them).
inline constexpr std::size_t kBatchMax = 64;
/// Tries in a row to go on with a stream that bring nothing.
inline constexpr int kResumesMax = 5;
inline constexpr std::size_t kHeadersMax = 16;
/// What tools' schemas want repeated in heads: of a head's 100 fields most are left to others.
inline constexpr std::size_t kMirrorsMax = 32;
inline constexpr std::size_t kMirrorDepthMax = 8;
inline constexpr std::size_t kMirroredToolsMax = 1024;
inline constexpr std::size_t kMirrorNameBytesMax = 128;
/// Levels of a message's JSON: far more than any tool's schema has.
inline constexpr std::size_t kJsonDepthMax = 256;

}  // namespace lnk::host::remote
