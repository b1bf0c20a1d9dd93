// SPDX-License-Identifier: Apache-2.0
#include "tool_keeper/log.hpp"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "lnk/posix/io.hpp"

namespace lnk::host {
namespace {

constexpr std::size_t kKept = kToolLogBytesMax / 2;

}  // namespace

/// The last lines of it are written again from its start.
void ToolLog::make_room() noexcept {
  struct stat about {};
  if (::fstat(file_.get(), &about) != 0) return;
  std::string kept(kKept, '\0');
  const auto from = std::max<off_t>(0, about.st_size - static_cast<off_t>(kKept));
  const auto got = posix::retry([&] { return ::pread(file_.get(), kept.data(), kept.size(), from); });
  if (::ftruncate(file_.get(), 0) != 0 || got <= 0) return;
  kept.resize(static_cast<std::size_t>(got));
  const auto line = kept.find('\n');
  const auto begin = line == std::string::npos ? 0 : line + 1;
  static_cast<void>(posix::write_all(file_.get(), std::string(kToolLogCut) + kept.substr(begin)));
}

void ToolLog::append(std::string_view bytes) noexcept {
  // Not waited for: a keeper that is held up sees its front's end no more. Who holds it makes room, and this is left
  // out.
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) return;
  struct stat about {};
  if (::fstat(file_.get(), &about) == 0) {
    if (static_cast<std::size_t>(about.st_size) + bytes.size() > kToolLogBytesMax) make_room();
    static_cast<void>(posix::write_all(file_.get(), bytes));
  }
  static_cast<void>(::flock(file_.get(), LOCK_UN));
}

}  // namespace lnk::host
