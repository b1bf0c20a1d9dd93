// SPDX-License-Identifier: Apache-2.0
//
// Every time and size of the wire, each with its reason. Those of a head's parts stand in lnk/http/limits.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lnk::host {

// ---- times, in milliseconds ----
/// A request's head, from its first byte (of a connection: from accept) to its blank line.
inline constexpr std::int64_t kHeadMs = 30'000;
/// A request's body may stall this long.
inline constexpr std::int64_t kBodyStallMs = 60'000;
/// Replies and tunnels have no limit in all, and may idle this long: models think for minutes.
inline constexpr std::int64_t kIdleMs = 30 * 60'000;
/// A kept connection without a request. Longer than the pools of common clients keep theirs (5 to 90 s), so that it is
/// the client that closes.
inline constexpr std::int64_t kKeepAliveMs = 5 * 60'000;
/// A tunnel's ClientHello, from the answer on: clients send it at once.
inline constexpr std::int64_t kHelloMs = 10'000;
/// The system's resolver gives up by itself after 5 s × 2 tries × 3 servers.
inline constexpr std::int64_t kLookupMs = 30'000;
/// How long the network's answer about NAT64 is taken to hold: a machine that moves has another one.
inline constexpr std::int64_t kNat64KnownMs = 10 * 60'000;
/// One address of a name; the next is tried then.
inline constexpr std::int64_t kConnectMs = 10'000;
/// After the last byte of a reply that closes: time for the client to read it before a reset could take it away.
inline constexpr std::int64_t kLingerMs = 2'000;
/// No connection is taken for this long where the machine has no descriptor or memory left.
inline constexpr std::int64_t kShortageMs = 1'000;

// ---- sizes, in bytes ----
/// The loop's one buffer. Two sockets' worth of data at a time; larger gains nothing measured.
inline constexpr std::size_t kBufferBytes = 128 * 1024;
/// A ClientHello with its records' heads. One with a post-quantum key share has some 1,800.
inline constexpr std::size_t kHelloBytesMax = 64 * 1024;
/// The pipe by which bulk is spliced: what an ordinary user may ask for (/proc/sys/fs/pipe-max-size).
inline constexpr std::size_t kPipeBytes = 1024 * 1024;
/// What a tunnel moves by reading and writing before it takes a pipe: small exchanges never need one.
inline constexpr std::size_t kSpliceAfterBytes = 256 * 1024;
/// Reads of one pump in a row before the others have their turn.
inline constexpr int kReadsPerTurn = 16;
/// Bytes read and thrown away while a refused client's last bytes are waited for.
inline constexpr std::size_t kLingerBytes = 256 * 1024;

// ---- numbers ----
/// Records of one ClientHello; clients that split theirs make a few.
inline constexpr std::size_t kHelloRecordsMax = 32;
/// Addresses of one name that are looked at; one more and the answer is refused, since unlooked-at is unchecked.
inline constexpr std::size_t kAddressesMax = 64;
/// Addresses of one name that are tried.
inline constexpr std::size_t kConnectsMax = 6;
/// Names asked for at once; a call over it fails as an upstream does.
inline constexpr std::size_t kLookupsMax = 512;
/// Descriptors kept free of connections, for the log, the pipes and what libraries open.
inline constexpr std::size_t kSpareFds = 64;
/// A connection has two sockets, and while it moves bulk one pipe a direction.
inline constexpr std::size_t kFdsPerConnection = 3;
/// Pipes kept for reuse.
inline constexpr std::size_t kSparePipes = 4;

// ---- log ----
inline constexpr std::size_t kLogBytesMax = 10 * 1024 * 1024;
inline constexpr int kLogsKept = 5;
/// A refusal of one kind and target, written each; a client that tries again is seen to do so.
inline constexpr std::uint64_t kRepeatsWritten = 10;
/// A busy build opens some hundred connections a minute, of two lines each.
inline constexpr std::size_t kLinesPerMinute = 3000;
/// One run's lines; behind it calls are counted alone, so that no run's lines fill more than one of the files that are kept.
inline constexpr std::size_t kRunLogBytesMax = kLogBytesMax;
/// Targets that are counted each in a minute; the others are counted together.
inline constexpr std::size_t kTargetsCounted = 256;
inline constexpr std::size_t kTargetsCountedOverFull = 16;

// ---- calls in a minute, pause and stop ----
inline constexpr std::int64_t kMinuteMs = 60'000;
/// A minute is counted in pieces of this: fixed memory for any number of calls, and a call is counted at most so much longer.
inline constexpr std::int64_t kMinutePieceMs = 100;
/// Patterns that no normal work makes, loose since a pause costs a busy program its work.
inline constexpr std::size_t kRefusalsToPause = 600;  ///< in a minute
inline constexpr std::size_t kTargetsToPause = 200;   ///< different ones that were refused in a minute
inline constexpr std::size_t kMetadataAsksToPause = 3;
/// While a connection is open the switches are looked at by each sweep of the deadlines, which come once a second: less than
/// the time between two of them, so that none is left out.
inline constexpr std::int64_t kSwitchLookMs = 500;
/// All that `stop` runs of what was registered, which runs side by side.
inline constexpr int kOnStopMs = 60'000;

// ---- start ----
inline constexpr std::size_t kConfigBytesMax = 64 * 1024 * 1024;  ///< 100,000 hosts are 8 MiB
inline constexpr std::size_t kControlPacketBytesMax = 4096;

}  // namespace lnk::host
