// SPDX-License-Identifier: Apache-2.0
//
// What a tool's keeper and its front say to each other: packets of this one form, over a socket whose end is each
// other's end.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace lnk::host {

enum class KeeperWord : std::uint32_t {
  Stop = 1,  ///< from the front: whoever has the other end of its standard input has closed it, and the tool is to end
  Started,   ///< the program was executed
  NotStarted,  ///< `value`: the error number
  Ended,       ///< `value`: its exit code, 128+n for signal n; nothing that it started is left, or can be ended
};

struct KeeperPacket {
  KeeperWord word = KeeperWord::Stop;
  std::int32_t value = 0;
};

[[nodiscard]] inline std::string bytes_of(const KeeperPacket& packet) {
  return {reinterpret_cast<const char*>(&packet), sizeof packet};
}
/// False where it isn't of the form.
[[nodiscard]] inline bool read_packet(std::string_view bytes, KeeperPacket& packet) noexcept {
  if (bytes.size() != sizeof packet) return false;
  std::memcpy(&packet, bytes.data(), sizeof packet);
  return packet.word >= KeeperWord::Stop && packet.word <= KeeperWord::Ended;
}

/// The descriptors that a keeper is started with, beside the three streams, which lead nowhere.
inline constexpr int kKeeperControlFd = 3;
inline constexpr int kKeeperToolFd = 4;  ///< the tool's standard input and output
inline constexpr int kKeeperLogFd = 5;

/// From the end of its standard input until a tool is told to end, and from that until it is killed. Node's servers
/// save what they hold in milliseconds; a person waits for the end of a run.
inline constexpr int kToolInputEndMs = 2000;
inline constexpr int kToolTermMs = 2000;
/// The run is over: it is told to end at once, and has this long.
inline constexpr int kToolRunEndMs = 1000;
/// Then what it started is killed, level by level; what isn't gone by then is not ours to kill (a program that changed
/// its user).
inline constexpr int kToolKillMs = 5000;

}  // namespace lnk::host
