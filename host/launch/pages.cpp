// SPDX-License-Identifier: Apache-2.0
#include "launch/pages.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <utility>
#include <variant>

#include "asking/screen.hpp"
#include "lnk/http/page_url.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/os_error.hpp"
#include "wire/limits.hpp"

namespace lnk::host {
namespace {

/// Never by the PATH, which names what the person runs by name and not what this program may.
#ifdef __APPLE__
constexpr std::array<std::string_view, 1> kPrograms = {"/usr/bin/open"};
#else
constexpr std::array<std::string_view, 2> kPrograms = {"/usr/bin/xdg-open", "/usr/local/bin/xdg-open"};
#endif

/// xdg-open is a script, and asks which desktop's way of opening to take.
constexpr const char* kPath = "PATH=/usr/local/bin:/usr/bin:/bin";
constexpr std::array<const char*, 3> kPassed = {"LANG", "USER", "XDG_CURRENT_DESKTOP"};

/// One that hands the page over takes a second or two; what runs longer is the browser itself.
constexpr std::int64_t kOpenSeconds = 10;
/// Programs that were started and run on; more are refused.
constexpr std::size_t kOpeningsMax = 64;
constexpr int kBacklog = 16;
/// The wire lets it go by then; a little more, so that it is the one that does.
constexpr std::chrono::seconds kListenedAtMost{kListenSecondsMax + 5};

bool can_show() {
#ifdef __APPLE__
  return true;
#else
  return has_screen();
#endif
}

bool is_readable(int fd) noexcept {
  pollfd entry{fd, POLLIN, 0};
  return ::poll(&entry, 1, 0) == 1;
}

Result<UniqueFd> listen_socket(const sockaddr* address, socklen_t size) {
  UniqueFd fd(::socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.is_open()) return posix::os_fail(Code::Unsupported, "socket", "", errno);
  const int on = 1;
  if (address->sa_family == AF_INET6)
    static_cast<void>(::setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on));
#ifdef __linux__
  // Lets no port be shared: one that another listens at is refused all the same (socket(7)). It is for the login
  // before, whose closed connections would hold the port for a minute.
  static_cast<void>(::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on));
#endif
  if (::bind(fd.get(), address, size) != 0 || ::listen(fd.get(), kBacklog) != 0)
    return posix::os_fail(Code::Denied, "listen", "", errno);
  return fd;
}

}  // namespace

bool is_page_url(std::string_view line) {
  const auto parsed = http::parse_page_url(line);
  const auto* page = std::get_if<http::PageUrl>(&parsed);
  return page != nullptr && page->url == line;
}

bool leads_back_to(std::string_view url, std::uint16_t port) {
  const auto parsed = http::parse_page_url(url);
  const auto* page = std::get_if<http::PageUrl>(&parsed);
  const auto back = page == nullptr ? std::nullopt : http::loopback_redirect(*page);
  return back && back->authority.port == port;
}

Result<std::vector<UniqueFd>> listen_at_loopback(std::uint16_t port) {
  sockaddr_in ipv4{};
  ipv4.sin_family = AF_INET;
  ipv4.sin_port = htons(port);
  ipv4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sockaddr_in6 ipv6{};
  ipv6.sin6_family = AF_INET6;
  ipv6.sin6_port = htons(port);
  ipv6.sin6_addr = IN6ADDR_LOOPBACK_INIT;
  std::vector<UniqueFd> sockets;
  LNK_TRY(auto first, listen_socket(reinterpret_cast<const sockaddr*>(&ipv4), sizeof ipv4));
  sockets.push_back(std::move(first));
  auto second = listen_socket(reinterpret_cast<const sockaddr*>(&ipv6), sizeof ipv6);
  if (second) sockets.push_back(std::move(*second));
  const bool has_none =
      !second && (second.error().os_errno == EAFNOSUPPORT || second.error().os_errno == EADDRNOTAVAIL);
  if (!second && !has_none)
    return fail(second.error());  // a browser that tries ::1 first would find another program there
  return sockets;
}

OutsideSockets::~OutsideSockets() {
  while (!held_.empty()) close(held_.begin()->first);
}

Result<std::vector<UniqueFd>> OutsideSockets::open(std::uint64_t id, std::uint16_t port, Time now) {
  LNK_TRY(auto sockets, listen_at_loopback(port));
  Held held{{}, now + kListenedAtMost};
  for (const auto& socket : sockets) {
    held.sockets.emplace_back(::fcntl(socket.get(), F_DUPFD_CLOEXEC, 0));
    if (!held.sockets.back().is_open()) return posix::os_fail(Code::Limit, "hold a port", "", errno);
  }
  held_.insert_or_assign(id, std::move(held));
  return sockets;
}

void OutsideSockets::close(std::uint64_t id) {
  const auto found = held_.find(id);
  if (found == held_.end()) return;
  // What waits to be taken is reset with it; the wire's filter has no listen() to begin again.
  for (const auto& socket : found->second.sockets) ::shutdown(socket.get(), SHUT_RDWR);
  held_.erase(found);
}

void OutsideSockets::close_over(Time now) {
  for (auto held = held_.begin(); held != held_.end();) {
    const auto id = held->first;
    const bool is_over = now >= held->second.end;
    ++held;
    if (is_over) close(id);
  }
}

std::optional<OutsideSockets::Time> OutsideSockets::next_end() const {
  std::optional<Time> next;
  for (const auto& [id, held] : held_) next = std::min(next.value_or(held.end), held.end);
  return next;
}

Result<Pages> Pages::make() {
  UniqueFd epoll(::epoll_create1(EPOLL_CLOEXEC));
  if (!epoll.is_open()) return posix::os_fail(Code::Internal, "epoll_create1", "", errno);
  return Pages(std::move(epoll));
}

Pages::~Pages() {
  for (auto& opening : openings_) opening.process.release();
}

Status Pages::watch(int fd, std::uint64_t id) const {
  epoll_event event{};
  event.events = EPOLLIN | EPOLLONESHOT;
  event.data.u64 = id;
  if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) != 0)
    return posix::os_fail(Code::Internal, "epoll_ctl", "", errno);
  return {};
}

Status Pages::start(std::string_view url, Done& done) {
  if (!can_show()) return fail(Code::Unsupported, "there is no screen");
  if (openings_.size() == kOpeningsMax) return fail(Code::Limit, "more than 64 pages are being opened");
  const std::string program = trusted_program(kPrograms);
  if (program.empty()) return fail(Code::Gone, "there is no xdg-open that is root's or your own");
  LNK_TRY(const auto nothing, posix::open_file("/dev/null", O_RDWR));
  posix::SpawnOptions options;
  options.program = program;
  // It begins with http, so it is no option.
  options.argv = {program.substr(program.rfind('/') + 1), std::string(url)};
  options.env = screen_environment();
  options.env.emplace_back(kPath);
  for (const char* name : kPassed)
    if (const char* value = std::getenv(name); value != nullptr) options.env.push_back(std::string(name) + "=" + value);
  options.fds = {{nothing.get(), 0}, {nothing.get(), 1}, {nothing.get(), 2}};
  options.new_session = true;
  UniqueFd timer(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
  itimerspec after{};
  after.it_value.tv_sec = kOpenSeconds;
  if (!timer.is_open() || ::timerfd_settime(timer.get(), 0, &after, nullptr) != 0)
    return posix::os_fail(Code::Internal, "timerfd", "", errno);
  LNK_TRY(auto process, posix::spawn(options));
  const std::uint64_t id = ++last_id_;
  LNK_CHECK(watch(process.pidfd(), id));
  LNK_CHECK(watch(timer.get(), id));
  openings_.push_back({id, std::move(process), std::move(timer), std::move(done)});
  return {};
}

void Pages::open(std::string_view url, Done done) {
  const auto started = start(url, done);
  if (!started) done(fail(started.error()));
}

/// A program that ended is told by its code; one whose time is over runs on, and is the browser.
void Pages::look(Opening& opening) {
  const bool has_ended = is_readable(opening.process.pidfd());
  if (!has_ended && !is_readable(opening.timer.get())) return;
  Status status;
  if (has_ended) {
    const auto end = opening.process.wait();
    if (!end || end->code != 0) status = fail(Code::Upstream, "no page could be opened");
  }
  opening.timer.reset();
  if (const auto done = std::exchange(opening.done, nullptr)) done(status);
}

void Pages::take_ended() {
  std::array<epoll_event, 16> events{};
  const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), 0);
  for (int at = 0; at < count; ++at) {
    const auto id = events[static_cast<std::size_t>(at)].data.u64;
    const auto found =
        std::find_if(openings_.begin(), openings_.end(), [id](const Opening& each) { return each.id == id; });
    if (found == openings_.end()) continue;
    look(*found);
    if (!found->process.is_running()) openings_.erase(found);
  }
}

}  // namespace lnk::host
