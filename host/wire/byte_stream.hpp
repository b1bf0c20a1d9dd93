// SPDX-License-Identifier: Apache-2.0
//
// One connection's bytes, plain or under TLS. Work is tried first and waited for only when it would block, so that a
// connection which waits holds no buffer: it borrows the loop's when there is something to read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "wire/loop.hpp"
#include "wire/task.hpp"

namespace lnk::host {

struct Io {
  enum class Kind : std::uint8_t {
    Moved,       ///< `size` bytes, at least one
    WouldBlock,  ///< wait, then try again
    Ended,       ///< reading: the other side has shut its writing down
    Failed,      ///< `os_errno` says why; nothing more will move
  } kind = Kind::Failed;
  std::size_t size = 0;
  int os_errno = 0;
};

class ByteStream : public Cancellable {
 public:
  [[nodiscard]] virtual Io try_read(std::span<std::byte> into) noexcept = 0;
  /// `more`: other bytes follow at once, so a packet need not go out yet.
  [[nodiscard]] virtual Io try_write(std::span<const std::byte> bytes, bool more = false) noexcept = 0;
  /// One waiter a direction. Ready may be early: the caller tries, and waits again.
  virtual Task<Wake> wait_readable() = 0;
  virtual Task<Wake> wait_writable() = 0;
  /// The other side reads an end; reading goes on. Under TLS: close_notify is sent first.
  virtual Task<Status> shutdown_write() = 0;
  virtual void close() noexcept = 0;
  /// By which it is spared when all are cut; none under TLS.
  [[nodiscard]] virtual const Cuttable* cuttable() const noexcept { return nullptr; }
  /// Where bytes may be moved past this object (splice), and be waited for at once; none under TLS.
  [[nodiscard]] virtual Watch* plain_watch() noexcept { return nullptr; }
};

/// A plain socket. The descriptor is set non-blocking, and TCP_NODELAY where it is TCP.
[[nodiscard]] std::unique_ptr<ByteStream> make_plain_stream(Loop& loop, UniqueFd fd);

/// Waits for at least one byte. The value 0 is the end.
/// errors: Timeout where the wait was cancelled, Upstream where the connection failed.
Task<Result<std::size_t>> read_some(ByteStream& from, std::span<std::byte> into);

/// All of `bytes`, which may lie in the loop's buffer: what can't be written at once is copied before it waits.
/// errors: as read_some
Task<Status> write_all(ByteStream& to, std::span<const std::byte> bytes);

/// Three parts, in order, as few packets as can be.
/// errors: as read_some
Task<Status> write_all_parts(ByteStream& to, std::span<const std::byte> first, std::span<const std::byte> second,
                             std::span<const std::byte> third);

}  // namespace lnk::host
