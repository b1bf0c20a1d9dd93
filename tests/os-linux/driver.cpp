// SPDX-License-Identifier: Apache-2.0
//
// A front of the smallest kind: loads os-linux.so and carries one snapshot out, through the boundary alone.
//
//   os-linux-driver MODULE COMMAND …
//     probe                                         each capability, one a line
//     survey                                        the survey
//     plan SNAPSHOT SURVEY                          the steps and holdings of a plan; both are files
//     run SNAPSHOT SURVEY CWD [--listen PORT] [--connect PORT] [--stop-at launch|stand|go] [--watch listed|all] -- CMD…
//
// run ends as the target ended, or with 125 where nothing ran. With --listen, one connection made inside is answered by
// "from outside\n"; with --connect, the same words are sent to what listens inside, once it does. With --stop-at it
// waits there until its input ends, so that a test may kill it at that moment. With --watch each report of a program is a line
// on the standard error: "program allowed|refused PATH by PARENT".
#include <dlfcn.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/abi/confiner.h"
#include "lnk/abi/doorway.h"
#include "lnk/abi/exec_namer.h"
#include "lnk/abi/module.h"
#include "lnk/cpp/barrier.hpp"
#include "lnk/cpp/view.hpp"

namespace {

using lnk::ErrorSlot;

constexpr int kNotStarted = 125;

[[noreturn]] void leave(const ErrorSlot& error, lnk_status status, const char* call) {
  std::fprintf(stderr, "driver: %s: status %d, step %u, errno %d: %.*s\n", call, status, error.raw().step,
               error.raw().os_errno, static_cast<int>(error.text().size()), error.text().data());
  std::exit(kNotStarted);
}

std::string read_text(const char* file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const lnk_module_api& load(const char* file) {
  void* library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "driver: %s\n", ::dlerror());
    std::exit(2);
  }
  return *static_cast<const lnk_module_api*>(::dlsym(library, "lnk_module_v1"));
}

struct Front {
  explicit Front(const lnk_module_api& api) {
    if (const lnk_status made = api.create(nullptr, nullptr, lnk::to_str("{}"), &instance, error.get()); made != LNK_OK)
      leave(error, made, "create");
    confiner = reinterpret_cast<const lnk_confiner*>(api.query(instance, lnk::to_str(LNK_CONFINER_ID), 1));
    doorway = reinterpret_cast<const lnk_doorway*>(api.query(instance, lnk::to_str(LNK_DOORWAY_ID), 1));
    namer = reinterpret_cast<const lnk_exec_namer*>(api.query(instance, lnk::to_str(LNK_EXEC_NAMER_ID), 1));
  }

  void need(lnk_status status, const char* call) const {
    if (status != LNK_OK) leave(error, status, call);
  }

  lnk_id plan(const char* snapshot, const char* survey) {
    lnk_id made = 0;
    const std::string snapshot_json = read_text(snapshot);
    const std::string survey_json = read_text(survey);
    need(confiner->plan(instance, lnk::to_str(snapshot_json), lnk::to_str(survey_json), &made, error.get()), "plan");
    return made;
  }

  ErrorSlot error;
  lnk_instance* instance = nullptr;
  const lnk_confiner* confiner = nullptr;
  const lnk_doorway* doorway = nullptr;
  const lnk_exec_namer* namer = nullptr;
};

void print(lnk_str text) { std::fwrite(text.data, 1, text.size, stdout); }

int probe(const lnk_module_api& api) {
  lnk_capability_sink sink{sizeof sink, 0, nullptr, [](void*, const lnk_capability* one) noexcept -> lnk_status {
                             print(one->name);
                             std::printf(" state=%u level=%u errno=%d ", one->state, one->level, one->os_errno);
                             print(one->evidence);
                             std::printf(" | ");
                             print(one->mend);
                             std::printf("\n");
                             return LNK_OK;
                           }};
  ErrorSlot error;
  if (const lnk_status status = api.probe(&sink, error.get()); status != LNK_OK) leave(error, status, "probe");
  return 0;
}

int survey(Front& front) {
  lnk_text_sink sink{sizeof sink, 0, nullptr, [](void*, lnk_str piece) noexcept -> lnk_status {
                       print(piece);
                       return LNK_OK;
                     }};
  front.need(front.confiner->survey(front.instance, &sink, front.error.get()), "survey");
  std::printf("\n");
  return 0;
}

int show_plan(Front& front, char** files) {
  const lnk_id plan = front.plan(files[0], files[1]);
  lnk_step_sink steps{sizeof steps, 0, nullptr, [](void*, const lnk_step* step) noexcept -> lnk_status {
                        std::printf("%u ", step->number);
                        print(step->kind);
                        std::printf(" ");
                        print(step->words);
                        std::printf("\n");
                        return LNK_OK;
                      }};
  front.need(front.confiner->describe(front.instance, plan, &steps, front.error.get()), "describe");
  lnk_holding_sink holdings{sizeof holdings, 0, nullptr, [](void*, const lnk_holding* one) noexcept -> lnk_status {
                              std::printf("holding %u ", one->state);
                              print(one->grant);
                              std::printf(" ");
                              print(one->words);
                              std::printf("\n");
                              return LNK_OK;
                            }};
  front.need(front.confiner->holdings(front.instance, plan, &holdings, front.error.get()), "holdings");
  return 0;
}

struct RunOptions {
  std::string cwd;
  std::string stop_at;
  std::string watch;
  unsigned port = 0;
  unsigned connect_port = 0;
  std::vector<lnk_str> argv;
};

RunOptions parse_run(int argc, char** argv) {
  RunOptions options;
  options.cwd = argv[0];
  int at = 1;
  for (; at < argc && std::strcmp(argv[at], "--") != 0; at += 2) {
    if (std::strcmp(argv[at], "--listen") == 0) options.port = static_cast<unsigned>(std::atoi(argv[at + 1]));
    if (std::strcmp(argv[at], "--connect") == 0) options.connect_port = static_cast<unsigned>(std::atoi(argv[at + 1]));
    if (std::strcmp(argv[at], "--stop-at") == 0) options.stop_at = argv[at + 1];
    if (std::strcmp(argv[at], "--watch") == 0) options.watch = argv[at + 1];
  }
  for (++at; at < argc; ++at) options.argv.push_back(lnk::to_str(argv[at]));
  return options;
}

void stop_here(const RunOptions& options, std::string_view moment) {
  if (options.stop_at != moment) return;
  std::fprintf(stderr, "driver: at %s\n", options.stop_at.c_str());
  char byte = 0;
  while (::read(0, &byte, 1) > 0) continue;
}

lnk_inside_address loopback(unsigned port) {
  auto address = lnk::sized<lnk_inside_address>();
  address.kind = LNK_SOCKET_STREAM;
  address.ip[0] = 127;
  address.ip[3] = 1;
  address.ip_size = 4;
  address.port = port;
  return address;
}

int listen_inside(Front& front, lnk_id child, unsigned port) {
  lnk_id door = 0;
  front.need(front.doorway->open(front.instance, child, &door, front.error.get()), "open");
  const auto address = loopback(port);
  std::int32_t fd = -1;
  front.need(front.doorway->listen_inside(front.instance, door, &address, &fd, front.error.get()), "listen_inside");
  return fd;
}

constexpr std::string_view kWords = "from outside\n";

// Until something listens inside, or nothing runs there any more.
void connect_inside(Front& front, const lnk_child& child, unsigned port) {
  lnk_id door = 0;
  front.need(front.doorway->open(front.instance, child.id, &door, front.error.get()), "open");
  const int ended = static_cast<int>(::syscall(434 /* pidfd_open */, child.pid, 0));
  const auto address = loopback(port);
  std::int32_t fd = -1;
  while (front.doorway->connect_inside(front.instance, door, &address, &fd, front.error.get()) != LNK_OK) {
    pollfd one{ended, POLLIN, 0};
    if (::poll(&one, 1, 5) != 0) return;
  }
  if (::write(fd, kWords.data(), kWords.size()) < 0) std::perror("driver: write");
  ::close(fd);
  front.doorway->close(front.instance, door);
}

// Answers one connection, unless the child ends before one comes.
void answer_one(int listener, int pid) {
  const int child = static_cast<int>(::syscall(434 /* pidfd_open */, pid, 0));
  pollfd watched[2] = {{listener, POLLIN, 0}, {child, POLLIN, 0}};
  if (::poll(watched, 2, -1) <= 0 || (watched[0].revents & POLLIN) == 0) return;
  const int connection = ::accept(listener, nullptr, nullptr);
  if (::write(connection, kWords.data(), kWords.size()) < 0) std::perror("driver: write");
  ::close(connection);
}

lnk_status show_report(void*, const lnk_program_report* report) noexcept {
  std::fprintf(stderr, "program %s %.*s by %.*s\n", report->allowed != 0 ? "allowed" : "refused", static_cast<int>(report->path.size),
               report->path.data, static_cast<int>(report->parent.size), report->parent.data);
  return LNK_OK;
}

struct Naming {
  lnk_id id = 0;
  std::int32_t readable = -1;
};

Naming start_naming(Front& front, lnk_id child) {
  Naming naming;
  front.need(front.namer->start(front.instance, child, &naming.readable, &naming.id, front.error.get()), "namer");
  return naming;
}

// Until the child has ended, and then what is left.
void show_reports(Front& front, const Naming& naming, int pid) {
  const int child = static_cast<int>(::syscall(434 /* pidfd_open */, pid, 0));
  const lnk_program_sink sink{sizeof sink, 0, nullptr, show_report};
  for (bool has_ended = false; !has_ended;) {
    pollfd watched[2] = {{naming.readable, POLLIN, 0}, {child, POLLIN, 0}};
    if (::poll(watched, 2, -1) < 0) continue;
    has_ended = watched[1].revents != 0;
    if (front.namer->reports(front.instance, naming.id, &sink, front.error.get()) != LNK_OK)
      std::fprintf(stderr, "driver: naming ended: %s\n", std::string(front.error.text()).c_str());
  }
  front.namer->stop(front.instance, naming.id);
}

int exit_code_of(int pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int run(Front& front, int argc, char** argv) {
  const lnk_id plan = front.plan(argv[0], argv[1]);
  const RunOptions options = parse_run(argc - 2, argv + 2);
  std::vector<lnk_str> env;
  for (char** entry = environ; *entry != nullptr; ++entry) env.push_back(lnk::to_str(*entry));
  lnk_launch request{sizeof request,
                     static_cast<std::uint32_t>(options.argv.size()),
                     options.argv.data(),
                     env.data(),
                     static_cast<std::uint32_t>(env.size()),
                     {0, 1, 2},
                     lnk::to_str(options.cwd),
                     0,
                     options.watch == "all" ? std::uint32_t{LNK_WATCH_EVERY_PROGRAM} : 0U};
  auto child = lnk::sized<lnk_child>();
  front.need(front.confiner->launch(front.instance, plan, &request, &child, front.error.get()), "launch");
  stop_here(options, "launch");
  const int listener = options.port == 0 ? -1 : listen_inside(front, child.id, options.port);
  auto target = lnk::sized<lnk_target>();
  front.need(front.confiner->stand(front.instance, child.id, &target, front.error.get()), "stand");
  if (::getpgid(target.pid) != target.pid) std::fprintf(stderr, "driver: the target leads no group\n");
  stop_here(options, "stand");
  const Naming naming = options.watch.empty() ? Naming{} : start_naming(front, child.id);
  std::uint32_t outcome = 0;
  front.need(front.confiner->go(front.instance, child.id, &outcome, front.error.get()), "go");
  if (outcome != LNK_TARGET_RUNS)
    std::fprintf(stderr, "driver: outcome %u: %s\n", outcome, std::string(front.error.text()).c_str());
  stop_here(options, "go");
  if (listener >= 0) answer_one(listener, child.pid);
  if (options.connect_port != 0) connect_inside(front, child, options.connect_port);
  if (naming.readable >= 0) show_reports(front, naming, child.pid);
  const int code = exit_code_of(child.pid);
  front.confiner->release_child(front.instance, child.id);
  front.confiner->release_plan(front.instance, plan);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const lnk_module_api& api = load(argv[1]);
  const std::string_view command = argv[2];
  if (command == "probe") return probe(api);
  Front front(api);
  if (command == "survey") return survey(front);
  if (command == "plan" && argc == 5) return show_plan(front, argv + 3);
  if (command == "run" && argc >= 8) return run(front, argc - 3, argv + 3);
  return 2;
}
