// SPDX-License-Identifier: Apache-2.0
#include "resolver/lookups.hpp"

#include <arpa/nameser.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <nss.h>
#include <resolv.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <array>
#include <cstring>
#include <optional>
#include <thread>
#include <vector>

#include "dns/message.hpp"

namespace lnk::host {
namespace {

/// getaddrinfo waits for the network on its thread; as many names as a busy build asks for at once.
constexpr std::size_t kThreadsMax = 8;
/// Names that wait for a thread; the wire asks for no more at once.
constexpr std::size_t kQueueMax = 512;
constexpr std::size_t kNameBytesMax = 253;
constexpr std::size_t kAddressesMax = 64;
constexpr std::size_t kHeadBytes = 2 * sizeof(std::uint32_t);
/// Members of a cluster; more of them is no answer to such a question, and neither is one of more bytes.
constexpr std::size_t kRecordsMax = 64;
constexpr std::size_t kRecordBytesMax = 8192;

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

std::vector<std::string> datas_of(const std::vector<dns::Srv>& records) {
  std::vector<std::string> datas;
  for (const auto& [priority, weight, port, target] : records) {
    std::string& data = datas.emplace_back();
    for (const std::uint16_t number : {priority, weight, port}) {
      data += static_cast<char>(number >> 8U);
      data += static_cast<char>(number & 0xffU);
    }
    data += target;
  }
  return datas;
}

std::optional<std::vector<std::string>> datas_of_answer(std::uint32_t type, std::string_view packet) {
  if (type == dns::kTypeTxt) return dns::read_txt_records(packet);
  const auto records = dns::read_srv_records(packet);
  if (!records) return std::nullopt;
  return datas_of(*records);
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

/// What of resolv.conf tells that it was written, replaced or taken away since.
struct FileState {
  dev_t device = 0;
  ino_t inode = 0;
  off_t size = 0;
  std::int64_t changed_ns = 0;
  std::int64_t written_ns = 0;
  bool operator==(const FileState&) const = default;
};

FileState state_of(const char* path) {
  struct stat about {};
  if (::stat(path, &about) != 0) return {};
  constexpr std::int64_t kSecondNs = 1'000'000'000;
  return {about.st_dev, about.st_ino, about.st_size, about.st_ctim.tv_sec * kSecondNs + about.st_ctim.tv_nsec,
          about.st_mtim.tv_sec * kSecondNs + about.st_mtim.tv_nsec};
}

/// The name is asked as it is and as no other: with the search domains of resolv.conf a name that isn't there would be
/// asked again below each of them (resolver(5)). Read anew where it has changed, as a laptop's networks do; and by us alone,
/// since what getaddrinfo reads again itself comes with the search (glibc's maybe_init in resolv/resolv_context.c).
void leave_search_out() {
  thread_local std::optional<FileState> read;  // as _res is, a thread's own
  const FileState now = state_of(_PATH_RESCONF);  // before it is read: what is written meanwhile is seen the next time
  if (read == now) return;
  static_cast<void>(::res_init());
  _res.options &= ~static_cast<unsigned long>(RES_DEFNAMES | RES_DNSRCH);
  _res.options |= static_cast<unsigned long>(RES_NORELOAD);
  read = now;
}

}  // namespace

/// glibc then reads nsswitch.conf no more, loads no module for hosts, and leaves nscd alone (nss/nss_database.c,
/// __nss_database_custom in nscd's clients). "files" and "dns" are part of the C library from glibc 2.34 on.
bool use_files_and_dns() { return ::__nss_configure_lookup("hosts", "files dns") == 0; }

bool read_request(int socket, LookupRequest& request) {
  std::array<char, kHeadBytes + kNameBytesMax + 1> packet;
  for (;;) {
    const ssize_t got = ::recv(socket, packet.data(), packet.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    const auto size = static_cast<std::size_t>(got);
    if (size <= kHeadBytes || size > kHeadBytes + kNameBytesMax) continue;  // not a request
    std::memcpy(&request.id, packet.data(), sizeof request.id);
    std::memcpy(&request.type, packet.data() + sizeof request.id, sizeof request.type);
    request.name.assign(packet.data() + kHeadBytes, size - kHeadBytes);
    if (request.name.find('\0') == std::string::npos) return true;
    send_failed(socket, request.id);
  }
}

void Lookups::look_up(const LookupRequest& request) const {
  leave_search_out();
  if (request.type == 0 || request.type == dns::kTypeAaaa) return look_up_addresses(request);
  if (request.type == dns::kTypeSrv || request.type == dns::kTypeTxt) return look_up_records(request);
  send_failed(socket_, request.id);
}

void Lookups::look_up_records(const LookupRequest& request) const {
  std::vector<unsigned char> answer(dns::kTcpBytesMax);
  const int size = ::res_query(request.name.c_str(), ns_c_in, static_cast<int>(request.type), answer.data(),
                               static_cast<int>(answer.size()));
  if (size < 0) {
    const bool is_absent = h_errno == HOST_NOT_FOUND || h_errno == NO_DATA;
    return send_reply(socket_, request.id, is_absent ? kNoSuchName : kFailed, 0, {});
  }
  if (static_cast<std::size_t>(size) > answer.size()) return send_failed(socket_, request.id);
  const std::string_view packet(reinterpret_cast<const char*>(answer.data()), static_cast<std::size_t>(size));
  const auto datas = datas_of_answer(request.type, packet);
  if (!datas || datas->size() > kRecordsMax) return send_failed(socket_, request.id);
  std::string entries;
  for (const std::string& data : *datas) {
    append_number(entries, static_cast<std::uint32_t>(data.size()));
    entries += data;
  }
  if (entries.size() > kRecordBytesMax) return send_failed(socket_, request.id);
  send_reply(socket_, request.id, datas->empty() ? kNoSuchName : kFound, static_cast<std::uint32_t>(datas->size()), entries);
}

void Lookups::look_up_addresses(const LookupRequest& request) const {
  addrinfo hints{};
  const bool is_ipv6_alone = request.type == dns::kTypeAaaa;
  hints.ai_family = is_ipv6_alone ? AF_INET6 : AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = is_ipv6_alone ? 0 : AI_ADDRCONFIG;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(request.name.c_str(), nullptr, &hints, &found);
  if (error == 0) {
    answer(socket_, request, found);
    ::freeaddrinfo(found);
    return;
  }
  const bool is_absent = error == EAI_NONAME || error == EAI_NODATA || error == EAI_ADDRFAMILY;
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
