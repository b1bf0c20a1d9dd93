// SPDX-License-Identifier: Apache-2.0
//
// tool-keeper FOLDER PROGRAM WORD…: the front starts it with the tool's own environment, and packet.hpp's descriptors.
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <exception>

#include "tool_keeper/keeper.hpp"
#include "tool_keeper/packet.hpp"

namespace {

constexpr int kFailed = 125;

int run(int argc, char** argv) {
  if (argc < 3) return kFailed;
  // Beside what the tool is given itself, it is given nothing.
  for (const int fd : {lnk::host::kKeeperControlFd, lnk::host::kKeeperToolFd, lnk::host::kKeeperLogFd})
    if (::fcntl(fd, F_SETFD, FD_CLOEXEC) != 0) return kFailed;
  lnk::host::KeptTool tool;
  tool.control = lnk::UniqueFd(lnk::host::kKeeperControlFd);
  tool.stream = lnk::UniqueFd(lnk::host::kKeeperToolFd);
  tool.log = lnk::UniqueFd(lnk::host::kKeeperLogFd);
  tool.folder = argv[1];
  tool.argv = argv + 2;
  tool.env = ::environ;
  return lnk::host::keep(std::move(tool)) ? 0 : kFailed;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception&) {
    return kFailed;
  }
}
