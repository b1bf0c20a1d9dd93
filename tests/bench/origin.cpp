// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "wire_load.hpp"

namespace bench {
namespace {

constexpr std::size_t kPiece = 256 * 1024;

class Connection {
 public:
  explicit Connection(int fd) : fd_(fd) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { ::close(fd_); }

  /// False: it has ended.
  bool go_on() {
    static std::vector<char> piece(kPiece);
    while (send_rest()) {
      const ssize_t got = ::recv(fd_, piece.data(), piece.size(), 0);
      if (got == 0) return false;
      if (got < 0) return errno == EAGAIN;
      take({piece.data(), static_cast<std::size_t>(got)});
      if (closes_ && body_left_ == 0 && send_rest()) {
        ::shutdown(fd_, SHUT_WR);
        closes_ = false;
      }
    }
    return errno == EAGAIN;
  }

 private:
  void take(std::string_view bytes) {
    const std::size_t of_body = std::min<std::size_t>(body_left_, bytes.size());
    body_left_ -= of_body;
    if (of_body > 0 && body_left_ == 0) answer_ += kOk;
    head_ += bytes.substr(of_body);
    for (std::size_t end = 0; (end = head_.find("\r\n\r\n")) != std::string::npos;) {
      reply_to(head_.substr(0, end));
      head_.erase(0, end + 4);
      const std::size_t begun = std::min<std::size_t>(body_left_, head_.size());
      body_left_ -= begun;
      head_.erase(0, begun);
    }
  }

  /// Names of fields are compared in lower case: haproxy writes them so.
  void reply_to(std::string head) {
    std::transform(head.begin(), head.end(), head.begin(), [](unsigned char byte) { return static_cast<char>(std::tolower(byte)); });
    closes_ = head.find("\r\nconnection: close") != std::string_view::npos;
    constexpr std::string_view kLength = "\r\ncontent-length: ";
    if (const auto at = head.find(kLength); at != std::string_view::npos) {
      body_left_ = std::strtoull(head.data() + at + kLength.size(), nullptr, 10);
      if (head.find("\r\nexpect: 100") != std::string_view::npos) answer_ += "HTTP/1.1 100 Continue\r\n\r\n";
      return;
    }
    constexpr std::string_view kBytes = "/bytes/";
    const auto at = head.find(kBytes);
    if (at == std::string::npos) {
      answer_ += closes_ ? kOkClosing : kOk;
      return;
    }
    zeros_left_ = std::strtoull(head.c_str() + at + kBytes.size(), nullptr, 10);
    answer_ += "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(zeros_left_) + "\r\n\r\n";
  }

  /// False with EAGAIN: the rest is to wait; with anything else: it has ended.
  bool send_rest() {
    static const std::vector<char> zeros(kPiece);
    while (!answer_.empty() || zeros_left_ > 0) {
      const bool is_head = !answer_.empty();
      const char* from = is_head ? answer_.data() : zeros.data();
      const std::size_t size = is_head ? answer_.size() : std::min<std::size_t>(zeros_left_, kPiece);
      const ssize_t sent = ::send(fd_, from, size, MSG_NOSIGNAL);
      if (sent < 0) return false;
      if (is_head) answer_.erase(0, static_cast<std::size_t>(sent));
      if (!is_head) zeros_left_ -= static_cast<std::uint64_t>(sent);
    }
    return true;
  }

  int fd_;
  std::string head_;
  std::string answer_;
  std::uint64_t zeros_left_ = 0;
  std::uint64_t body_left_ = 0;
  bool closes_ = false;
};

int listen_on(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 || ::listen(fd, 4096) != 0)
    give_up("port " + std::to_string(port) + ": " + std::strerror(errno));
  return fd;
}

}  // namespace

void serve(std::uint16_t port) {
  const int listener = listen_on(port);
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  std::unordered_map<int, Connection> connections;
  epoll_event wanted{};
  wanted.events = EPOLLIN;
  wanted.data.fd = listener;
  ::epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &wanted);
  std::array<epoll_event, 256> events;
  for (;;) {
    const int count = ::epoll_wait(epoll, events.data(), static_cast<int>(events.size()), -1);
    for (int i = 0; i < count; ++i) {
      const int fd = events[static_cast<std::size_t>(i)].data.fd;
      if (fd != listener) {
        const auto found = connections.find(fd);
        if (found != connections.end() && !found->second.go_on()) connections.erase(found);
        continue;
      }
      for (int made = 0; (made = ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) {
        const int on = 1;
        ::setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        connections.try_emplace(made, made);
        wanted.events = EPOLLIN | EPOLLOUT | EPOLLET;
        wanted.data.fd = made;
        ::epoll_ctl(epoll, EPOLL_CTL_ADD, made, &wanted);
      }
    }
  }
}

}  // namespace bench
