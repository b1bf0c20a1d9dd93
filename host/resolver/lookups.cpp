// SPDX-License-Identifier: Apache-2.0
#include "resolver/lookups.hpp"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <nss.h>
#include <resolv.h>
#include <sys/socket.h>

#include <array>
#include <cstring>
#include <thread>

namespace lnk::host {
namespace {

/// getaddrinfo waits for the network on its thread; as many names as a busy build asks for at once.
constexpr std::size_t kThreadsMax = 8;
/// Names that wait for a thread; the wire asks for no more at once.
constexpr std::size_t kQueueMax = 512;
constexpr std::size_t kNameBytesMax = 253;
constexpr std::size_t kAddressesMax = 64;
constexpr std::size_t kIdBytes = sizeof(std::uint32_t);

enum Outcome : std::uint32_t { kFound = 0, kNoSuchName = 1, kFailed = 2 };

void append_number(std::string& packet, std::uint32_t number) {
  packet.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void send_reply(int socket, std::uint32_t id, std::uint32_t status, std::uint32_t count, const std::string& entries) {
  std::string packet;
  append_number(packet, id);
  append_number(packet, status);
  append_number(packet, count);
  packet += entries;
  static_cast<void>(::send(socket, packet.data(), packet.size(), MSG_NOSIGNAL));
}

void send_failed(int socket, std::uint32_t id) { send_reply(socket, id, kFailed, 0, {}); }

bool append_address(std::string& entries, const addrinfo& info) {
  std::array<char, 16> bytes{};
  if (info.ai_family == AF_INET) {
    std::memcpy(bytes.data(), &reinterpret_cast<const sockaddr_in*>(info.ai_addr)->sin_addr, 4);
  } else if (info.ai_family == AF_INET6) {
    std::memcpy(bytes.data(), &reinterpret_cast<const sockaddr_in6*>(info.ai_addr)->sin6_addr, bytes.size());
  } else {
    return false;
  }
  append_number(entries, info.ai_family == AF_INET ? 4 : 6);
  entries.append(bytes.data(), bytes.size());
  return true;
}

/// A name over the limit of addresses fails: the wire checks every address, and what isn't told isn't checked.
void answer(int socket, const LookupRequest& request, const addrinfo* found) {
  std::string entries;
  std::uint32_t count = 0;
  for (const addrinfo* each = found; each != nullptr; each = each->ai_next) {
    if (count == kAddressesMax) return send_failed(socket, request.id);
    if (append_address(entries, *each)) ++count;
  }
  send_reply(socket, request.id, count > 0 ? kFound : kNoSuchName, count, entries);
}

/// The name is asked as it is and as no other: with the search domains of resolv.conf a name that isn't there would be
/// asked again below each of them (resolver(5)). Read anew each time, as a laptop's networks change; and by us alone,
/// since what getaddrinfo reads again itself comes with the search (glibc's maybe_init in resolv/resolv_context.c).
void leave_search_out() {
  static_cast<void>(::res_init());
  _res.options &= ~static_cast<unsigned long>(RES_DEFNAMES | RES_DNSRCH);
  _res.options |= static_cast<unsigned long>(RES_NORELOAD);
}

}  // namespace

/// glibc then reads nsswitch.conf no more, loads no module for hosts, and leaves nscd alone (nss/nss_database.c,
/// __nss_database_custom in nscd's clients). "files" and "dns" are part of the C library from glibc 2.34 on.
bool use_files_and_dns() { return ::__nss_configure_lookup("hosts", "files dns") == 0; }

bool read_request(int socket, LookupRequest& request) {
  std::array<char, kIdBytes + kNameBytesMax + 1> packet;
  for (;;) {
    const ssize_t got = ::recv(socket, packet.data(), packet.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    const auto size = static_cast<std::size_t>(got);
    if (size <= kIdBytes || size > kIdBytes + kNameBytesMax) continue;  // not a request
    std::memcpy(&request.id, packet.data(), kIdBytes);
    request.name.assign(packet.data() + kIdBytes, size - kIdBytes);
    if (request.name.find('\0') == std::string::npos) return true;
    send_failed(socket, request.id);
  }
}

void Lookups::look_up(const LookupRequest& request) const {
  leave_search_out();
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(request.name.c_str(), nullptr, &hints, &found);
  if (error == 0) {
    answer(socket_, request, found);
    ::freeaddrinfo(found);
    return;
  }
  const bool is_absent = error == EAI_NONAME || error == EAI_NODATA;
  send_reply(socket_, request.id, is_absent ? kNoSuchName : kFailed, 0, {});
}

void Lookups::add(LookupRequest request) {
  const std::unique_lock lock(mutex_);
  if (queue_.size() >= kQueueMax) return send_failed(socket_, request.id);
  queue_.push_back(std::move(request));
  if (idle_ < queue_.size() && threads_ < kThreadsMax) {
    ++threads_;
    std::thread([this] { work(); }).detach();
  }
  waiting_.notify_one();
}

void Lookups::wait_answered() {
  std::unique_lock lock(mutex_);
  answered_.wait(lock, [this] { return queue_.empty() && idle_ == threads_; });
}

void Lookups::work() {
  for (;;) look_up(take());
}

LookupRequest Lookups::take() {
  std::unique_lock lock(mutex_);
  ++idle_;
  answered_.notify_one();
  waiting_.wait(lock, [this] { return !queue_.empty(); });
  --idle_;
  LookupRequest request = std::move(queue_.front());
  queue_.pop_front();
  return request;
}

}  // namespace lnk::host
