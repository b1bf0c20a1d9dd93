// SPDX-License-Identifier: Apache-2.0
#include "resolver/sources.hpp"

#include <fcntl.h>
#include <sys/stat.h>

namespace lnk::host {
namespace {

/// source: resolv.conf(5), hosts(5), host.conf(5), gai.conf(5). Not nsswitch.conf: see use_files_and_dns.
constexpr std::array kNames = {"/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/gai.conf"};

}  // namespace

Sources Sources::open() {
  static_assert(kNames.size() == kCount);
  Sources sources;
  for (std::size_t index = 0; index < kCount; ++index) {
    UniqueFd file(::open(kNames.at(index), O_PATH | O_CLOEXEC));
    struct stat about {};
    // A folder would open all below it.
    if (!file.is_open() || ::fstat(file.get(), &about) != 0 || S_ISDIR(about.st_mode)) continue;
    sources.identities_.at(index) = {about.st_dev, about.st_ino};
    sources.files_.at(index) = std::move(file);
  }
  return sources;
}

bool Sources::have_moved() const noexcept {
  for (std::size_t index = 0; index < kCount; ++index) {
    struct stat about {};
    Identity now;
    if (::stat(kNames.at(index), &about) == 0 && !S_ISDIR(about.st_mode)) now = {about.st_dev, about.st_ino};
    if (now != identities_.at(index)) return true;
  }
  return false;
}

std::vector<int> Sources::fds() const {
  std::vector<int> fds;
  for (const UniqueFd& file : files_)
    if (file.is_open()) fds.push_back(file.get());
  return fds;
}

void Sources::close() noexcept {
  for (UniqueFd& file : files_) file.reset();
}

}  // namespace lnk::host
