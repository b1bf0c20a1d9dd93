// SPDX-License-Identifier: Apache-2.0
#include "wire/byte_stream.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <vector>

namespace lnk::host {
namespace {

Io to_io(ssize_t moved, bool is_read) noexcept {
  if (moved > 0) return {Io::Kind::Moved, static_cast<std::size_t>(moved), 0};
  if (moved == 0) return {is_read ? Io::Kind::Ended : Io::Kind::WouldBlock, 0, 0};
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) return {Io::Kind::WouldBlock, 0, 0};
  return {Io::Kind::Failed, 0, errno};
}

class PlainStream final : public ByteStream, private Cuttable {
 public:
  PlainStream(Loop& loop, UniqueFd fd) : Cuttable(loop), watch_(loop, std::move(fd)) {
    const int on = 1;
    // Fails on a socket that isn't TCP, where there is nothing to set.
    static_cast<void>(::setsockopt(watch_.fd(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
  }

  Io try_read(std::span<std::byte> into) noexcept override {
    const Io io = to_io(::recv(watch_.fd(), into.data(), into.size(), 0), true);
    if (io.kind == Io::Kind::Moved) watch_.note_read();
    return io;
  }
  Io try_write(std::span<const std::byte> bytes, bool more) noexcept override {
    return to_io(::send(watch_.fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL | (more ? MSG_MORE : 0)), false);
  }
  Task<Wake> wait_readable() override { co_return co_await watch_.readable(); }
  Task<Wake> wait_writable() override { co_return co_await watch_.writable(); }
  Task<Status> shutdown_write() override {
    if (::shutdown(watch_.fd(), SHUT_WR) == 0) co_return Status{};
    co_return fail(Code::Upstream, "shutdown", errno);
  }
  void close() noexcept override { watch_.close(); }
  void cancel() noexcept override { watch_.cancel(); }
  [[nodiscard]] Watch* plain_watch() noexcept override { return &watch_; }
  [[nodiscard]] const Cuttable* cuttable() const noexcept override { return this; }

 private:
  /// Cancelling alone would leave what never has to wait. What was written is still sent.
  void cut() noexcept override {
    static_cast<void>(::shutdown(watch_.fd(), SHUT_RDWR));
    watch_.cancel();
  }

  Watch watch_;
};

Failure cancelled() { return fail(Code::Timeout, "the wait was ended"); }
Failure broken(const Io& io) { return fail(Code::Upstream, "the connection failed", io.os_errno); }

}  // namespace

std::unique_ptr<ByteStream> make_plain_stream(Loop& loop, UniqueFd fd) {
  return std::make_unique<PlainStream>(loop, std::move(fd));
}

Task<Result<std::size_t>> read_some(ByteStream& from, std::span<std::byte> into) {
  for (;;) {
    const Io io = from.try_read(into);
    if (io.kind == Io::Kind::Moved) co_return io.size;
    if (io.kind == Io::Kind::Ended) co_return std::size_t{0};
    if (io.kind == Io::Kind::Failed) co_return broken(io);
    if (co_await from.wait_readable() == Wake::Cancelled) co_return cancelled();
  }
}

Task<Status> write_all(ByteStream& to, std::span<const std::byte> bytes) {
  std::vector<std::byte> rest;  // what the loop's buffer held, once this has to wait
  while (!bytes.empty()) {
    const Io io = to.try_write(bytes, false);
    if (io.kind == Io::Kind::Moved) {
      bytes = bytes.subspan(io.size);
      continue;
    }
    if (io.kind != Io::Kind::WouldBlock) co_return broken(io);
    if (rest.empty()) {
      rest.assign(bytes.begin(), bytes.end());
      bytes = rest;
    }
    if (co_await to.wait_writable() == Wake::Cancelled) co_return cancelled();
  }
  co_return Status{};
}

Task<Status> write_all_parts(ByteStream& to, std::span<const std::byte> first, std::span<const std::byte> second,
                             std::span<const std::byte> third) {
  const std::array<std::span<const std::byte>, 3> parts = {first, second, third};
  for (std::size_t index = 0; index < parts.size(); ++index) {
    if (parts[index].empty()) continue;
    const Io io = to.try_write(parts[index], index + 1 < parts.size() && !parts[index + 1].empty());
    if (io.kind == Io::Kind::Moved && io.size == parts[index].size()) continue;
    if (io.kind == Io::Kind::Failed) co_return broken(io);
    std::vector<std::byte> rest;
    for (std::size_t left = index; left < parts.size(); ++left) {
      const auto part = left == index ? parts[left].subspan(io.size) : parts[left];
      rest.insert(rest.end(), part.begin(), part.end());
    }
    co_return co_await write_all(to, rest);
  }
  co_return Status{};
}

}  // namespace lnk::host
