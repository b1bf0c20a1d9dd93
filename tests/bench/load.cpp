// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>
#include <vector>

#include "lnk/posix/unique_fd.hpp"
#include "lnk/secret/base64.hpp"
#include "wire_load.hpp"

namespace bench {
namespace {

using lnk::UniqueFd;

UniqueFd connected_to(const std::string& place) {
  const auto colon = place.rfind(':');
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(place.c_str() + colon + 1)));
  if (::inet_pton(AF_INET, place.substr(0, colon).c_str(), &address.sin_addr) != 1) give_up(place + " is no address");
  UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    give_up(place + ": " + std::strerror(errno));
  return fd;
}

bool is_sent(const UniqueFd& fd, std::string_view bytes) {
  return ::send(fd.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size());
}

/// Reads until `end` is at the end of what was read. False: the connection was closed before the first byte.
bool is_answered(const UniqueFd& fd, std::string_view end) {
  std::array<char, 4096> bytes;
  std::size_t size = 0;
  while (size < end.size() || std::string_view(bytes.data(), size).substr(size - end.size()) != end) {
    const ssize_t got = ::recv(fd.get(), bytes.data() + size, bytes.size() - size, 0);
    if (got <= 0 && size == 0) return false;
    if (got <= 0) give_up("the reply ended early: " + std::string(bytes.data(), size));
    size += static_cast<std::size_t>(got);
  }
  if (std::string_view(bytes.data(), size).find(" 200 ") == std::string_view::npos)
    give_up("refused: " + std::string(bytes.data(), size));
  return true;
}

void exchange(const UniqueFd& fd, std::string_view ask, std::string_view end) {
  if (!is_sent(fd, ask) || !is_answered(fd, end)) give_up(std::string("no answer: ") + std::strerror(errno));
}

std::string credential_of(const Way& way) {
  const auto at = way.proxy.rfind('@');
  if (at == std::string::npos) return {};
  const auto encoded = lnk::secret::base64_encode(std::string_view(way.proxy).substr(0, at));
  return "Proxy-Authorization: Basic " + std::string(encoded.reveal()) + "\r\n";
}

UniqueFd connected_to_proxy(const Way& way) { return connected_to(way.proxy.substr(way.proxy.rfind('@') + 1)); }

UniqueFd tunnel_of(const Way& way) {
  if (way.proxy.empty()) return connected_to(way.target);
  UniqueFd fd = connected_to_proxy(way);
  exchange(fd, "CONNECT " + way.target + " HTTP/1.1\r\nHost: " + way.target + "\r\n" + credential_of(way) + "\r\n", "\r\n\r\n");
  return fd;
}

void expect_end(const UniqueFd& fd) {
  char byte = 0;
  if (::recv(fd.get(), &byte, 1, 0) != 0) give_up("bytes behind the reply");
}

/// One client a thread, each at it until the time is over; all together, a second.
template <class Client>
double rate_of(int clients, int seconds, Client client) {
  std::atomic<bool> may_end{false};
  std::atomic<long> done{0};
  std::vector<std::jthread> threads;
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < clients; ++i)
    threads.emplace_back([&] {
      auto once = client();
      for (; !may_end; ++done) once();
    });
  std::this_thread::sleep_for(std::chrono::seconds(seconds));
  const long all = done;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  may_end = true;
  return static_cast<double>(all) / took.count();
}

}  // namespace

double setups_a_second(const Way& way, int clients, int seconds) {
  const std::string ask = "GET / HTTP/1.1\r\nHost: " + way.target + "\r\nConnection: close\r\n\r\n";
  return rate_of(clients, seconds, [&] {
    return [&] {
      const UniqueFd fd = tunnel_of(way);
      exchange(fd, ask, "\r\n\r\nok");
      expect_end(fd);
    };
  });
}

double requests_a_second(const Way& way, int clients, int seconds) {
  const std::string where = way.proxy.empty() ? "/" : "http://" + way.target + "/";
  const std::string ask = "GET " + where + " HTTP/1.1\r\nHost: " + way.target + "\r\n" + credential_of(way) + "\r\n";
  const auto connect = [&] { return way.proxy.empty() ? connected_to(way.target) : connected_to_proxy(way); };
  return rate_of(clients, seconds, [&] {
    return [&, fd = connect()]() mutable {
      // tinyproxy closes behind each reply.
      while (!is_sent(fd, ask) || !is_answered(fd, "ok")) fd = connect();
    };
  });
}

void hold_idle(const Way& way, int count) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  std::vector<UniqueFd> tunnels;
  for (int i = 0; i < count; ++i) tunnels.push_back(tunnel_of(way));
  std::printf("open %d\n", count);
  std::fflush(stdout);
  while (std::getchar() != EOF) {
  }
}

}  // namespace bench
