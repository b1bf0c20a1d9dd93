// SPDX-License-Identifier: Apache-2.0
//
// The resolver: asks for names for the wire, which may open no file and no socket of the system's own.
// Packets on descriptor 3. Request: u32 id, u32 type (0 addresses, else SRV or TXT), the name. Reply: u32 id, u32 status
// (0 found, 1 no such name, 2 failed), u32 count, count × {u32 family (4, 6), 16 bytes}, or of records
// count × {u32 size, data}; an SRV's data ends in its target as text. Ends at the socket's end of file. It holds no key and no
// capability, and is confined: what it reads comes from name servers.
//
// Two processes. The first reads nothing from the network; it forks the one that looks up, and another when that one
// says that a file of resolving was replaced (a laptop that changes its network): the new one is confined to the files
// as they are now and takes what is asked from then on, the old one ends when it has answered what it took.
//
// Called with the word "system" it is one process that asks whatever nsswitch.conf names, for the front and not for a wire.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string_view>

#include "lnk/posix/io.hpp"
#include "lnk/posix/unique_fd.hpp"
#include "resolver/confine.hpp"
#include "resolver/lookups.hpp"
#include "resolver/sources.hpp"

namespace lnk::host {
namespace {

constexpr int kSocketFd = 3;
/// That answer at a time: an old one waits for its name server half a minute at most.
constexpr int kProcessesMax = 4;

void say(const char* words) { std::fprintf(stderr, "lnk-sandbox: the resolver %s\n", words); }

/// True: something is asked, or the end has come.
bool wait_asked() {
  pollfd asked{kSocketFd, POLLIN, 0};
  return posix::retry([&] { return ::poll(&asked, 1, -1); }) == 1;
}

/// The process that looks up. `successor` is written to when another is to go on.
int look_up_names(int successor) {
  Sources sources = Sources::open();
  if (!confine(sources)) {
    say("could not confine itself");
    return 1;
  }
  sources.close();
  auto* lookups = new Lookups(kSocketFd);  // its threads run to the process's end
  while (wait_asked()) {
    if (sources.have_moved()) {
      if (::write(successor, "n", 1) != 1) return 1;
      lookups->wait_answered();
      return 0;
    }
    LookupRequest request;
    if (!read_request(kSocketFd, request)) return 0;
    lookups->add(std::move(request));
  }
  return 1;
}

/// The parent's number is looked at behind the prctl: it may have gone before.
bool die_with(pid_t parent) { return ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == parent; }

/// The end of a pipe that says when the process behind it wants a successor, and that it is gone.
UniqueFd start_one() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  UniqueFd orders(ends[0]);
  const UniqueFd successor(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) {
    orders.reset();
    ::_exit(die_with(parent) ? look_up_names(successor.get()) : 1);
  }
  return pid > 0 ? std::move(orders) : UniqueFd();
}

/// Until the one that takes what is asked is gone, whatever ended it; an older one that still answers goes with us.
int keep_one() {
  int live = 0;
  int status = 0;
  for (;;) {
    const UniqueFd orders = start_one();
    if (!orders.is_open()) return 1;
    ++live;
    while (live > 0 && ::waitpid(-1, &status, live < kProcessesMax ? WNOHANG : 0) > 0) --live;
    char order = 0;
    if (posix::retry([&] { return ::read(orders.get(), &order, 1); }) != 1) break;
  }
  const pid_t ended = posix::retry([&] { return ::waitpid(-1, &status, 0); });
  return ended > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/// For a .local name that a person is asked about: its addresses as the machine's own services know them. Their libraries are
/// loaded, and ask daemons on sockets, so this one isn't confined; it holds nothing, and ends with its one asker.
int ask_system() {
  auto* lookups = new Lookups(kSocketFd);
  LookupRequest request;
  while (read_request(kSocketFd, request)) lookups->add(std::move(request));
  return 0;
}

int run(bool asks_system) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int number : {SIGINT, SIGQUIT, SIGHUP, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE, SIGUSR1, SIGUSR2})
    ::signal(number, SIG_IGN);
  if (!give_up_privileges() || (!asks_system && !use_files_and_dns())) {
    say("could not confine itself");
    return 1;
  }
  return asks_system ? ask_system() : keep_one();
}

}  // namespace
}  // namespace lnk::host

int main(int argc, char** argv) { ::_exit(lnk::host::run(argc == 2 && std::string_view(argv[1]) == "system")); }
