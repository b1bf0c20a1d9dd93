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

/// One look at all deadlines: how much later than its time one may come.
inline constexpr std::int64_t kSweepMs = 1'000;
/// A wire that could not start waits so long for its front to read why.
inline constexpr int kFrontReadsMs = 2'000;

// ---- sizes, in bytes ----
/// The loop's one buffer. Two sockets' worth of data at a time; larger gains nothing measured.
inline constexpr std::size_t kBufferBytes = 128 * 1024;
/// A ClientHello with its records' heads. One with a post-quantum key share has some 1,800.
inline constexpr std::size_t kHelloBytesMax = 64 * 1024;
/// The pipe by which bulk is spliced: what an ordinary user may ask for (/proc/sys/fs/pipe-max-size).
inline constexpr std::size_t kPipeBytes = 1024 * 1024;
/// Bulk shows by reads that fill: of at least so much, so many in a row, before a pump takes a pipe. An exchange of small
/// messages gains nothing by one.
inline constexpr std::size_t kLargeReadBytes = 16 * 1024;
inline constexpr std::uint32_t kLargeReadsToSplice = 8;
/// Reads of one pump in a row before the others have their turn.
inline constexpr int kReadsPerTurn = 16;
/// Bytes read and thrown away while a refused client's last bytes are waited for.
inline constexpr std::size_t kLingerBytes = 256 * 1024;
/// Of the bodies that verbs have read whole and not sent yet, of all calls: eight of the largest kind.
inline constexpr std::size_t kHeldBodiesBytesMax = 256 * std::size_t{1024} * 1024;

// ---- numbers ----
/// Records of one ClientHello; clients that split theirs make a few.
inline constexpr std::size_t kHelloRecordsMax = 32;
/// Addresses of one name that are looked at; one more and the answer is refused, since unlooked-at is unchecked.
inline constexpr std::size_t kAddressesMax = 64;
/// All records of a name, of SRV or TXT, that the resolver hands on.
inline constexpr std::size_t kDnsRecordsBytesMax = 8192;
/// Addresses of one name that are tried.
inline constexpr std::size_t kConnectsMax = 6;
/// Names asked for at once; a call over it fails as an upstream does.
inline constexpr std::size_t kLookupsMax = 512;
/// Descriptors kept free of connections, for the log, the pipes and what libraries open.
inline constexpr std::size_t kSpareFds = 64;
/// A wire that could carry fewer connections at a time is not started.
inline constexpr std::size_t kConnectionsMin = 8;
/// A connection has two sockets, and while it moves bulk one pipe a direction.
inline constexpr std::size_t kFdsPerConnection = 3;
/// Descriptors with a handle's value: as many secrets as their verb takes, and a key of each provider.
inline constexpr int kHandlesMax = 64 + 16;
/// Pipes kept for reuse.
inline constexpr std::size_t kSparePipes = 4;

// ---- endpoints and names inside ----
/// The names' addresses begin here and are counted up: 127.64.0.1 and on. 127.0.0.1, where the wire, its DNS and what the
/// program serves itself listen, is never one.
inline constexpr std::uint32_t kFirstEndpointAddress = 0x7f400001;
/// Names that are given an address inside in one run, and the sockets that listen there; a program that is let ask for any name
/// below a domain would fill the wire's descriptors.
inline constexpr std::size_t kEndpointNamesMax = 256;
inline constexpr std::size_t kEndpointListenersMax = 512;
/// Servers that mongodb+srv names led to in one run; the largest cluster has 50 members, and they move.
inline constexpr std::size_t kSrvTargetsMax = 256;
/// Questions asked outside at a time for those inside.
inline constexpr std::size_t kNamesAskedMax = 32;
/// Questions over UDP that are being answered; one more is dropped, as UDP drops, and asked again.
inline constexpr std::size_t kDatagramsAnsweredMax = 512;
/// Questions read in a row before the others have their turn.
inline constexpr int kQuestionsPerTurn = 16;
/// A refused name is counted once in this time: a C library's lookup asks up to four times, and waits 5 s between at most.
inline constexpr std::int64_t kOneLookupMs = 5'000;
inline constexpr std::size_t kRefusedNamesKept = 512;
/// A connection for names may idle this long between questions (RFC 7766 6.2.3: of the order of seconds).
inline constexpr std::int64_t kNamesIdleMs = 10'000;

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

// ---- verbs ----
/// A stream's bytes that wait for the program: above this a verb is told to wait (LNK_E_AGAIN), and the outside isn't read.
inline constexpr std::size_t kStreamMarkBytes = 256 * 1024;
/// DRAINED comes once no more than this waits, so that the next pieces are there before the program has read all.
inline constexpr std::size_t kStreamLowBytes = 64 * 1024;
/// A verb that goes on all the same is refused: one event's worth beyond the mark is what any needs.
inline constexpr std::size_t kStreamBytesMax = 4 * 1024 * 1024;
/// Timers of one verb that wait.
inline constexpr std::size_t kTimersMax = 256;
/// A shorter wait is made this long, so that no verb spins; deadlines are looked at once a second in any case.
inline constexpr std::int64_t kTimerMsMin = 100;
inline constexpr std::int64_t kTimerMsMax = 24 * 60 * 60'000;
/// Calls inside of one verb that are open.
inline constexpr std::size_t kInsideCallsMax = 8;
/// The front's answer to what it is asked for; one that is stopped with its job answers later, to nobody.
inline constexpr std::int64_t kBrokerMs = 10'000;
/// A person's two minutes, which the front counts, and some seconds for it to say so.
inline constexpr std::int64_t kQuestionMs = 130'000;
/// A tool's first process is there at once, but for a disk that is slow.
inline constexpr std::int64_t kToolStartMs = 30'000;
/// The program that opens a page hands it to a browser that runs, or starts one.
inline constexpr std::int64_t kPageOpenMs = 30'000;
/// A program inside that is called has this long for its reply's head.
inline constexpr std::int64_t kInsideReplyMs = 30'000;
/// What a callback carries: a form of some fields.
inline constexpr std::size_t kInsideBodyBytesMax = 1024 * 1024;
/// Questions of one verb that wait for a person.
inline constexpr std::size_t kQuestionsMax = 64;
/// Tools of one verb that run: one a session.
inline constexpr std::size_t kToolsMax = 16;
/// A line of a tool: a file that it hands over whole, encoded, is one. A tool that says a longer one is stopped.
inline constexpr std::size_t kToolLineBytesMax = 16 * std::size_t{1024} * 1024;
/// Lines to a tool that wait for it to read: above this a verb is told to wait (LNK_E_AGAIN).
inline constexpr std::size_t kToolMarkBytes = 256 * 1024;
/// A verb that goes on all the same is refused: one line beyond the mark is what any needs.
inline constexpr std::size_t kToolSendBytesMax = 2 * kToolLineBytesMax;
/// Ports outside that one verb listens at, and how long at most.
inline constexpr std::size_t kPortsOutsideMax = 8;
inline constexpr std::uint32_t kListenSecondsMax = 5 * 60;
/// Connections to one at a time; a browser opens two or three, some ahead of need.
inline constexpr std::size_t kOutsideClientsMax = 16;
/// A request there from accept to its last byte, and what the program inside says to it.
inline constexpr std::int64_t kOutsideRequestMs = 60'000;
/// A form's body: a code, a state and a token or two.
inline constexpr std::size_t kOutsideBodyBytesMax = 64 * std::size_t{1024};
/// A question's parts, as the front takes them.
inline constexpr std::size_t kQuestionTitleBytesMax = 256;
inline constexpr std::size_t kQuestionLinesMax = 64;
inline constexpr std::size_t kQuestionBytesMax = 4 * std::size_t{1024} * 1024;
/// LOG: a word for the closing line, which can't hold what a request said.
inline constexpr std::size_t kLogReasonBytesMax = 40;
/// What the largest verb of the product asks for; a verb that wants more is not loaded.
inline constexpr std::uint64_t kVerbBodyBytesMax = 32 * 1024 * 1024;
inline constexpr std::size_t kOwnBodyBytesMax = 64 * 1024 * 1024;  ///< of FORWARD and ANSWER: twice what a verb reads
inline constexpr std::size_t kUpstreamsMax = 256;                  ///< of one verb
inline constexpr std::size_t kRoutesMax = 256;                     ///< of one verb
inline constexpr std::size_t kRouteBytesMax = 256;
inline constexpr std::size_t kEditsMax = 128;  ///< a head has at most 100 fields
inline constexpr std::size_t kPiecesMax = 64;  ///< of one value; one secret takes three
inline constexpr std::size_t kHandleNameBytesMax = 128;
inline constexpr std::size_t kDenyWordsBytesMax = 512;
inline constexpr std::size_t kRefusalFormBytesMax = 1024;  ///< a provider's error has some 100 beside its words
/// Words of a module that a person is shown.
inline constexpr std::size_t kWarningBytesMax = 600;
/// In base64 a part of a secret this long is no chance find: 2^-48 at each place.
inline constexpr std::size_t kEncodedBytesMin = 8;
/// What an echo watch holds back: some sixteen bytes a character of the longest value, as much as writers that escape one
/// another's escapes make of it.
inline constexpr std::size_t kHeldBytesMax = 65536;

// ---- start ----
inline constexpr std::size_t kConfigBytesMax = 64 * 1024 * 1024;  ///< 100,000 hosts are 8 MiB
inline constexpr std::size_t kControlPacketBytesMax = 4096;

}  // namespace lnk::host
