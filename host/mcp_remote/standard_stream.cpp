// SPDX-License-Identifier: Apache-2.0
#include "mcp_remote/standard_stream.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "lnk/posix/io.hpp"
#include "mcp_remote/limits.hpp"

namespace lnk::host::remote {
namespace {

/// The flag that keeps a call from waiting is of the open description, which the client's other programs may share: a new one of
/// the same pipe has its own. Another user's pipe can't be opened again, and is taken as it is.
UniqueFd reopen(int number, bool for_writing) {
  const std::string path = "/proc/self/fd/" + std::to_string(number);
  UniqueFd fd(::open(path.c_str(), (for_writing ? O_WRONLY : O_RDONLY) | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (fd.is_open()) return fd;
  fd.reset(::fcntl(number, F_DUPFD_CLOEXEC, 0));
  if (fd.is_open() && !set_non_blocking(fd.get())) fd.reset();
  return fd;
}

bool would_block(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

}  // namespace

Result<StandardStream> StandardStream::open(int number, bool for_writing) {
  const std::string which = for_writing ? "standard output" : "standard input";
  struct stat entry {};
  if (::fstat(number, &entry) != 0) return fail(Code::Invalid, which + " is closed; an MCP client gives it a pipe", errno);
  const bool is_waited = S_ISFIFO(entry.st_mode) || ::isatty(number) == 1;
  const Kind kind = S_ISSOCK(entry.st_mode) ? Kind::Socket : is_waited ? Kind::Waits : Kind::NeverBlocks;
  UniqueFd fd = kind == Kind::Waits ? reopen(number, for_writing) : UniqueFd(::fcntl(number, F_DUPFD_CLOEXEC, 0));
  if (!fd.is_open()) return fail(Code::Denied, which + " can't be opened", errno);
  return StandardStream(std::move(fd), kind);
}

WaitedFd::WaitedFd(Loop& loop, StandardStream stream) : kind_(stream.kind()), loop_(loop) {
  if (kind_ == StandardStream::Kind::NeverBlocks) {
    plain_ = stream.take();
  } else {
    watch_.emplace(loop, stream.take());
  }
}

void WaitedFd::cancel() noexcept {
  is_cancelled_ = true;
  if (watch_) watch_->cancel();
}

std::optional<LineReader::Line> LineReader::take_line() {
  const std::size_t end = kept_.find('\n', looked_at_);
  const std::size_t size = end == std::string::npos ? kept_.size() : end;
  if (size > kMessageBytesMax) skips_ = true;
  if (end == std::string::npos) {
    if (skips_) kept_.clear();
    looked_at_ = kept_.size();
    return std::nullopt;
  }
  Line line{skips_ ? Line::Kind::TooLong : Line::Kind::Whole, skips_ ? std::string() : kept_.substr(0, end)};
  if (line.text.ends_with('\r')) line.text.pop_back();
  kept_.erase(0, end + 1);
  if (kept_.empty()) std::string().swap(kept_);
  looked_at_ = 0;
  skips_ = false;
  return line;
}

Task<bool> LineReader::read_more() {
  while (!is_cancelled_) {
    const auto buffer = loop_.buffer();
    const bool is_socket = kind_ == StandardStream::Kind::Socket;
    const ssize_t got = posix::retry([&] {
      return is_socket ? ::recv(fd(), buffer.data(), buffer.size(), MSG_DONTWAIT) : ::read(fd(), buffer.data(), buffer.size());
    });
    if (got > 0) {
      kept_.append(reinterpret_cast<const char*>(buffer.data()), static_cast<std::size_t>(got));
      if (watch_) watch_->note_read();
      co_return true;
    }
    const bool waits = got < 0 && would_block(errno) && watch_.has_value();
    if (!waits) co_return false;
    if (co_await watch_->readable() == Wake::Cancelled) co_return false;
  }
  co_return false;
}

Task<LineReader::Line> LineReader::next() {
  for (;;) {
    auto line = take_line();
    if (line) co_return std::move(*line);
    const bool has_more = co_await read_more();
    if (!has_more) co_return Line{};
  }
}

Task<bool> LineWriter::write(std::string line) {
  line += '\n';
  if (is_busy_) {
    Signal turn(loop_);
    waiting_.push_back(&turn);
    co_await turn;
  }
  is_busy_ = true;
  const bool is_written = co_await write_all(std::move(line));
  is_busy_ = !waiting_.empty();
  if (is_busy_) {
    Signal* next = waiting_.front();
    waiting_.pop_front();
    next->raise();
  }
  co_return is_written;
}

Task<bool> LineWriter::write_all(std::string bytes) {
  std::size_t done = 0;
  while (done < bytes.size() && !is_broken_) {
    const char* from = bytes.data() + done;
    const std::size_t size = bytes.size() - done;
    const bool is_socket = kind_ == StandardStream::Kind::Socket;
    const ssize_t sent =
        posix::retry([&] { return is_socket ? ::send(fd(), from, size, MSG_DONTWAIT | MSG_NOSIGNAL) : ::write(fd(), from, size); });
    if (sent >= 0) {
      done += static_cast<std::size_t>(sent);
      continue;
    }
    const bool waits = would_block(errno) && watch_.has_value();
    if (!waits) is_broken_ = true;
    if (!waits) break;
    if (co_await watch_->writable() == Wake::Cancelled) is_broken_ = true;
  }
  co_return !is_broken_;
}

}  // namespace lnk::host::remote
