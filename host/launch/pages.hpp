// SPDX-License-Identifier: Apache-2.0
//
// Pages in the person's browser, and the ports by which a login comes back from there. What may be opened was decided
// before.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "lnk/posix/child_process.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk::host {

/// Whether a line of a question is a page's URL as it is opened: read and written anew it stays the same. Pure.
[[nodiscard]] bool is_page_url(std::string_view line);

/// Whether a page sends the browser back to that port of this machine. Pure.
[[nodiscard]] bool leads_back_to(std::string_view url, std::uint16_t port);

/// Sockets that listen at 127.0.0.1 and, where the machine has IPv6, at ::1.
/// errors: Denied where another program listens at either
[[nodiscard]] Result<std::vector<UniqueFd>> listen_at_loopback(std::uint16_t port);

/// Sockets that listen outside, which others hold as well. Once closed here they take no connection, whoever holds them;
/// with this value, too. The time is the front's own: the wire that listens may be taken over.
class OutsideSockets {
 public:
  using Time = std::chrono::steady_clock::time_point;

  OutsideSockets() = default;
  OutsideSockets(const OutsideSockets&) = delete;
  OutsideSockets& operator=(const OutsideSockets&) = delete;
  ~OutsideSockets();

  /// `id`: none that is open. errors: as listen_at_loopback; Limit
  [[nodiscard]] Result<std::vector<UniqueFd>> open(std::uint64_t id, std::uint16_t port, Time now);
  void close(std::uint64_t id);
  void close_over(Time now);
  [[nodiscard]] std::optional<Time> next_end() const;

 private:
  struct Held {
    std::vector<UniqueFd> sockets;
    Time end;
  };
  std::map<std::uint64_t, Held> held_;
};

class Pages {
 public:
  using Done = std::function<void(Status)>;

  [[nodiscard]] static Result<Pages> make();
  Pages(Pages&&) noexcept = default;
  Pages& operator=(Pages&&) = delete;
  /// A browser that was started goes on.
  ~Pages();

  /// By the machine's xdg-open. `done` is told how it ended, or that it still runs after a while, for then it has
  /// become the browser. Where there is no screen or no such program it is told at once.
  void open(std::string_view url, Done done);
  /// Readable when something ended.
  [[nodiscard]] int fd() const noexcept { return epoll_.get(); }
  void take_ended();

 private:
  struct Opening {
    std::uint64_t id;
    posix::ChildProcess process;
    UniqueFd timer;
    Done done;  ///< none: it was told
  };
  explicit Pages(UniqueFd epoll) noexcept : epoll_(std::move(epoll)) {}
  Status start(std::string_view url, Done& done);
  Status watch(int fd, std::uint64_t id) const;
  void look(Opening& opening);

  UniqueFd epoll_;
  std::list<Opening> openings_;
  std::uint64_t last_id_ = 0;
};

}  // namespace lnk::host
