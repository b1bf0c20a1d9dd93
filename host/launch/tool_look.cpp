// SPDX-License-Identifier: Apache-2.0
#include "launch/tool_look.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <utility>

#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"
#include "spec/shown.hpp"
#include "tools/store.hpp"
#include "tools/tools_listing.hpp"

namespace lnk::host {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kReadAtOnce = 65536;
/// What waits to be sent: answers to a server that asks and reads nothing.
constexpr std::size_t kUnsentBytesMax = 1024 * 1024;

/// One conversation, over a socket that is not waited for.
class Conversation {
 public:
  Conversation(UniqueFd stream, std::vector<std::string> roots)
      : stream_(std::move(stream)), listing_(std::move(roots)), unsent_(listing_.first()) {}

  [[nodiscard]] pollfd watched() const noexcept {
    return {stream_.get(), static_cast<short>(POLLIN | (unsent_.empty() ? 0 : POLLOUT)), 0};
  }
  [[nodiscard]] const ToolsListing& listing() const noexcept { return listing_; }
  [[nodiscard]] bool is_at_end() const noexcept { return is_at_end_; }

  Status go_on(short events) {
    if ((events & POLLOUT) != 0) LNK_CHECK(send());
    if ((events & (POLLIN | POLLHUP | POLLERR)) != 0) LNK_CHECK(receive());
    return {};
  }

 private:
  Status send() {
    const auto sent = posix::retry(
        [&] { return ::send(stream_.get(), unsent_.data(), unsent_.size(), MSG_NOSIGNAL | MSG_DONTWAIT); });
    if (sent > 0) unsent_.erase(0, static_cast<std::size_t>(sent));
    // One that reads no more may have answered, or ends: both are seen where it is read.
    if (sent < 0 && errno != EAGAIN) unsent_.clear();
    return {};
  }

  Status receive() {
    std::array<char, kReadAtOnce> bytes;
    const auto got = posix::retry([&] { return ::recv(stream_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT); });
    if (got < 0 && errno == EAGAIN) return {};
    if (got <= 0) is_at_end_ = true;
    if (got > 0) received_.append(bytes.data(), static_cast<std::size_t>(got));
    for (auto end = received_.find('\n'); end != std::string::npos; end = received_.find('\n')) {
      std::string_view line(received_.data(), end);
      if (line.ends_with('\r')) line.remove_suffix(1);
      LNK_TRY(const auto answer, listing_.take(line));
      if (unsent_.size() + answer.size() > kUnsentBytesMax) return fail(Code::Limit, "asks more than it reads answers");
      unsent_ += answer;
      received_.erase(0, end + 1);
    }
    if (received_.size() > kListingLineBytesMax)
      return fail(Code::Limit, "sent a line that is longer than " + std::to_string(kListingLineBytesMax) + " bytes");
    return {};
  }

  UniqueFd stream_;
  ToolsListing listing_;
  std::string unsent_;
  std::string received_;
  bool is_at_end_ = false;
};

std::string end_words(int code) {
  if (code == 127) return "can't be started: its program was not found, or ended with 127";
  return "ended with " + std::to_string(code) + " before it told its tools";
}

Status converse(ToolProcess& process, Conversation& conversation) {
  const auto until = Clock::now() + std::chrono::milliseconds(kToolLookMs);
  while (!conversation.listing().is_done()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0)
      return fail(Code::Timeout, "didn't tell its tools within " + std::to_string(kToolLookMs / 1000) + " s");
    std::array<pollfd, 2> watched = {conversation.watched(), pollfd{process.fd(), POLLIN, 0}};
    if (conversation.is_at_end()) watched[0].fd = -1;  // how it ends is told by its keeper
    if (posix::retry([&] { return ::poll(watched.data(), watched.size(), static_cast<int>(left)); }) < 0)
      return posix::os_fail(Code::Internal, "poll", {}, errno);
    LNK_CHECK(conversation.go_on(watched[0].revents));
    if (conversation.listing().is_done() || watched[1].revents == 0) continue;
    const auto code = process.look();
    // What it said before it ended is read first.
    if (code && conversation.is_at_end()) return fail(Code::Gone, end_words(*code));
    if (code) LNK_CHECK(conversation.go_on(POLLIN));
    if (code && !conversation.listing().is_done()) return fail(Code::Gone, end_words(*code));
  }
  return {};
}

}  // namespace

Result<std::map<std::string, std::string>> look_at_tool(const ToolStart& start) {
  LNK_TRY(auto process, ToolProcess::start(start));
  Conversation conversation(process.take_stream(), start.tool.roots);
  const auto told = converse(process, conversation);
  if (told) return conversation.listing().tools();
  auto error = told.error();
  error.text += "; what it said of itself is in " + host::quoted(tool_log_path(start.settings, start.tool.name));
  return fail(std::move(error));
}

}  // namespace lnk::host
