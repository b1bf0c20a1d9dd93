// SPDX-License-Identifier: Apache-2.0
//
// Tools as they run: real processes below a keeper.
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <fstream>
#include <optional>
#include <sstream>

#include "../host/temporary_folder.hpp"
#include "launch/running_tools.hpp"
#include "launch/tool_look.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/packet.hpp"
#include "tool_keeper/log.hpp"
#include "tools/store.hpp"

using namespace lnk::host;
using lnk::Code;
using lnk::UniqueFd;
using lnk::posix::open_pidfd;

namespace {

constexpr int kPatienceMs = 20'000;

struct Run {
  TemporaryFolder folder;
  Settings settings = *Settings::open(folder.path() / "settings");
  Parts parts;
  std::vector<GrantedTool> granted;
  std::map<std::uint64_t, int> ends;
  std::optional<RunningTools> tools;

  Run() {
    parts.tool_keeper = LNK_TOOL_KEEPER;
    tools.emplace(parts, settings, granted, [this](std::uint64_t id, int code) { ends.emplace(id, code); });
  }

  void keep(const std::string& name, std::vector<std::string> argv, std::map<std::string, std::string> env = {}) {
    ToolDefinition tool;
    tool.name = name;
    tool.argv = std::move(argv);
    tool.env = std::move(env);
    BOOST_REQUIRE(keep_tool(settings, tool));
    granted.push_back(granted_of(tool));
  }

  UniqueFd start(std::uint64_t id, const std::string& name) {
    auto stream = tools->start(id, name);
    if (!stream) BOOST_FAIL(stream.error().text);
    return std::move(*stream);
  }

  int end_of(std::uint64_t id) {
    while (!ends.contains(id)) {
      pollfd watched{tools->fd(), POLLIN, 0};
      BOOST_REQUIRE(::poll(&watched, 1, kPatienceMs) == 1);
      BOOST_REQUIRE(tools->look());
    }
    return ends.at(id);
  }

  std::string log(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder / ("settings/tools/" + name + ".log")).rdbuf();
    return text.str();
  }
};

std::string line_from(const UniqueFd& stream) {
  std::string line;
  char byte = 0;
  while (::read(stream.get(), &byte, 1) == 1 && byte != '\n') line += byte;
  return line;
}

std::string all_from(const UniqueFd& stream) {
  auto text = lnk::posix::read_all(stream.get(), 1 << 20);
  BOOST_REQUIRE(text);
  return *text;
}

/// Ended within the patience of a test.
bool has_ended(const UniqueFd& pidfd) {
  pollfd ended{pidfd.get(), POLLIN, 0};
  return ::poll(&ended, 1, kPatienceMs) == 1;
}

/// What of it is there still, for who reads that a test failed.
std::string left_of(pid_t pid) {
  if (::kill(pid, 0) != 0 && errno == ESRCH) return {};
  std::string line;
  std::getline(std::ifstream("/proc/" + std::to_string(pid) + "/stat"), line);
  return "is left: " + line;
}

/// Its own number, and that of a grandchild in a session of its own that no TERM ends and whose parent is gone.
const std::string kLeavesOne = "trap '' TERM; (setsid sh -c 'trap \"\" TERM; echo $$; exec sleep 1000' &); echo $$; ";

std::pair<pid_t, pid_t> two_numbers(const UniqueFd& stream) {
  const auto one = std::stoi(line_from(stream));
  return {one, std::stoi(line_from(stream))};
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_tool_is_given_what_is_its_own_and_nothing_else) {
  ::setenv("LEAKED", "1", 1);
  const UniqueFd leaked(::open("/dev/null", O_RDONLY));  // no close-on-exec
  Run run;
  run.keep("env", {"/usr/bin/env"}, {{"TOKEN", "x=y z"}, {"LANG", "de_DE.UTF-8"}});
  run.keep("pwd", {"/bin/pwd"});
  run.keep("fds", {"/bin/ls", "/proc/self/fd"});
  run.keep("stat", {"/bin/cat", "/proc/self/stat"});
  run.keep("cat", {"/bin/sh", "-c", "kill -PIPE $$; echo deaf"});
  const passwd* account = ::getpwuid(::geteuid());
  BOOST_REQUIRE(account != nullptr);
  const std::string home = account->pw_dir;
  const std::string name = account->pw_name;
  BOOST_TEST(all_from(run.start(1, "env")) ==
             "HOME=" + home + "\nLANG=de_DE.UTF-8\nLOGNAME=" + name +
                 "\nPATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\nSHELL=" + account->pw_shell +
                 "\nTOKEN=x=y z\nUSER=" + name + "\n");
  BOOST_TEST(run.end_of(1) == 0);
  BOOST_TEST(all_from(run.start(2, "pwd")) == home + "\n");
  BOOST_TEST(all_from(run.start(3, "fds")) == "0\n1\n2\n3\n");  // the last is the folder that it reads
  std::istringstream stat(all_from(run.start(4, "stat")));
  std::string pid, command, state, parent, group, session, terminal;
  stat >> pid >> command >> state >> parent >> group >> session >> terminal;
  BOOST_TEST((group == pid && session == pid && terminal == "0"));
  // No signal is held from it or ignored.
  BOOST_TEST(all_from(run.start(5, "cat")).empty());
  BOOST_TEST(run.end_of(5) == 128 + SIGPIPE);
  ::unsetenv("LEAKED");
}

BOOST_AUTO_TEST_CASE(lines_go_both_ways_and_its_end_is_told) {
  Run run;
  run.keep("cat", {"/bin/sh", "-c", "cat; exit 7"});
  auto stream = run.start(1, "cat");
  BOOST_REQUIRE(lnk::posix::write_all(stream.get(), "hello\n"));
  BOOST_TEST(line_from(stream) == "hello");
  stream.reset();
  BOOST_TEST(run.end_of(1) == 7);
  // Its number is free again.
  BOOST_TEST(run.start(1, "cat").is_open());
}

BOOST_AUTO_TEST_CASE(one_that_cant_be_executed_has_an_end_and_words_in_its_log) {
  Run run;
  const auto script = run.folder.file("script", "#!/nowhere/sh\n");
  const auto text = run.folder.file("text", "no program");
  ::chmod(script.c_str(), 0755);
  run.keep("script", {script});
  run.keep("text", {text});
  run.keep("missing", {run.folder / "missing"});
  BOOST_TEST(all_from(run.start(1, "script")).empty());
  BOOST_TEST(run.end_of(1) == 127);
  static_cast<void>(run.start(2, "text"));
  BOOST_TEST(run.end_of(2) == 126);
  BOOST_TEST(run.log("script").find("can't be started") != std::string::npos);
  BOOST_TEST(!run.tools->start(3, "missing"));
  ::chmod(script.c_str(), 0777);
  BOOST_TEST((run.tools->start(4, "script").error().code == Code::Denied));
}

BOOST_AUTO_TEST_CASE(nothing_else_than_what_is_granted_is_started) {
  Run run;
  run.keep("cat", {"/bin/cat"});
  BOOST_TEST((run.tools->start(1, "other").error().code == Code::Denied));
  std::vector<UniqueFd> streams;
  for (std::uint64_t id = 1; id <= kToolsAtOnceMax; ++id) streams.push_back(run.start(id, "cat"));
  BOOST_TEST((run.tools->start(kToolsAtOnceMax + 1, "cat").error().code == Code::Limit));
  BOOST_TEST((run.tools->start(1, "cat").error().code == Code::Invalid));
  streams.front().reset();
  BOOST_TEST(run.end_of(1) == 0);
  BOOST_TEST(run.tools->start(1, "cat").has_value());
  ToolDefinition changed;
  changed.name = "cat";
  changed.argv = {"/bin/cat", "-"};
  BOOST_REQUIRE(keep_tool(run.settings, changed));
  run.tools->stop(2);
  streams[1].reset();
  static_cast<void>(run.end_of(2));
  BOOST_TEST(run.tools->start(2, "cat").error().text.starts_with("snapshot-stale"));
}

BOOST_AUTO_TEST_CASE(stop_is_told_first_and_kills_last) {
  Run run;
  run.keep("good", {"/bin/cat"});
  run.keep("slow", {"/bin/sh", "-c", "trap 'exit 3' TERM; echo up; while :; do sleep 0.1; done"});
  run.keep("deaf", {"/bin/sh", "-c", kLeavesOne + "exec sleep 1000"});
  auto good = run.start(1, "good");
  const auto slow = run.start(2, "slow");
  const auto deaf = run.start(3, "deaf");
  BOOST_TEST(line_from(slow) == "up");
  const auto [one, other] = two_numbers(deaf);
  const auto from = std::chrono::steady_clock::now();
  for (const std::uint64_t id : {1U, 2U, 3U}) run.tools->stop(id);
  good.reset();
  const auto took = [from] {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - from).count();
  };
  BOOST_TEST(took() < 1000);  // nothing was waited for
  BOOST_TEST(run.end_of(1) == 0);
  BOOST_TEST(took() < 1900);
  BOOST_TEST(run.end_of(2) == 3);
  BOOST_TEST(took() >= 2000);
  BOOST_TEST(run.end_of(3) == 128 + SIGKILL);
  BOOST_TEST(took() >= 4000);
  BOOST_TEST(left_of(one) == "");
  BOOST_TEST(left_of(other) == "");
  run.tools->stop(3);  // it has ended
}

BOOST_AUTO_TEST_CASE(what_a_server_leaves_behind_ends_with_it) {
  Run run;
  run.keep("leaves", {"/bin/sh", "-c", kLeavesOne + "read end; exit 0"});
  auto stream = run.start(1, "leaves");
  const auto [one, other] = two_numbers(stream);
  stream.reset();
  BOOST_TEST(run.end_of(1) == 0);
  BOOST_TEST(left_of(one) == "");
  BOOST_TEST(left_of(other) == "");
}

BOOST_AUTO_TEST_CASE(all_ends_with_the_run) {
  Run run;
  run.keep("deaf", {"/bin/sh", "-c", kLeavesOne + "exec sleep 1000"});
  run.keep("cat", {"/bin/cat"});
  const auto stream = run.start(1, "deaf");
  const auto cat = run.start(2, "cat");
  const auto [one, other] = two_numbers(stream);
  run.tools.reset();
  BOOST_TEST(left_of(one) == "");
  BOOST_TEST(left_of(other) == "");
  BOOST_TEST(run.ends.empty());
}

BOOST_AUTO_TEST_CASE(all_ends_with_a_front_that_is_killed) {
  Run run;
  run.keep("deaf", {"/bin/sh", "-c", kLeavesOne + "exec sleep 1000"});
  auto told = lnk::posix::make_pipe();
  BOOST_REQUIRE(told);
  const pid_t front = ::fork();
  BOOST_REQUIRE(front >= 0);
  if (front == 0) {
    const auto stream = run.tools->start(1, "deaf");
    const auto [one, other] = two_numbers(*stream);
    const std::string words = std::to_string(one) + " " + std::to_string(other) + "\n";
    static_cast<void>(lnk::posix::write_all(told->write.get(), words));
    for (;;) ::pause();
  }
  told->write.reset();
  std::istringstream numbers(line_from(told->read));
  pid_t one = 0, other = 0;
  numbers >> one >> other;
  const auto first = open_pidfd(one);
  const auto second = open_pidfd(other);
  BOOST_REQUIRE((first && second));
  BOOST_REQUIRE(::kill(front, SIGKILL) == 0);
  BOOST_REQUIRE(::waitpid(front, nullptr, 0) == front);
  BOOST_TEST((has_ended(*first) && has_ended(*second)));
}

BOOST_AUTO_TEST_CASE(a_front_that_was_gone_before_its_tool_had_started_leaves_none) {
  const Run run;
  auto control = lnk::posix::make_packet_pair();
  const UniqueFd nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const UniqueFd log(::open((run.folder / "log").c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
  auto said = lnk::posix::make_pipe();
  BOOST_REQUIRE((control && said));
  control->first.reset();
  lnk::posix::SpawnOptions options;
  options.program = LNK_TOOL_KEEPER;
  options.argv = {"keeper", "/", "/bin/sh", "-c", kLeavesOne + "exec sleep 1000"};
  options.env = {"PATH=/usr/bin:/bin"};
  options.fds = {{nothing.get(), 0},         {nothing.get(), 1},     {nothing.get(), 2},
                 {control->second.get(), 3}, {said->write.get(), 4}, {log.get(), 5}};
  auto keeper = lnk::posix::spawn(options);
  BOOST_REQUIRE(keeper);
  said->write.reset();
  const auto ended = keeper->wait_for(kPatienceMs);
  BOOST_TEST((ended && ended->code == 0));
  for (std::string line = line_from(said->read); !line.empty(); line = line_from(said->read))
    BOOST_TEST(left_of(std::stoi(line)) == "");
}

BOOST_AUTO_TEST_CASE(what_it_says_on_its_standard_error_is_kept_within_a_size) {
  Run run;
  run.keep("loud",
           {"/bin/sh", "-c", "head -c 3000000 /dev/zero | tr '\\0' x | fold -w 99 >&2; echo the last words >&2"});
  BOOST_TEST(all_from(run.start(1, "loud")).empty());
  BOOST_TEST(run.end_of(1) == 0);
  const auto text = run.log("loud");
  BOOST_TEST(text.size() <= kToolLogBytesMax + kToolLogCut.size());
  BOOST_TEST(text.size() > kToolLogBytesMax / 4);
  BOOST_TEST(text.ends_with("the last words\n"));
}

BOOST_AUTO_TEST_CASE(a_server_is_looked_at_and_ended) {
  Run run;
  ToolDefinition tool;
  tool.name = "server";
  const auto look = [&](const std::string& script) {
    tool.argv = {"/bin/sh", "-c", script};
    return look_at_tool({run.parts, run.settings, tool, tool.argv});
  };
  const std::string answers =
      R"(read l; echo 'noise'; echo '{"jsonrpc":"2.0","id":1,"result":{}}'; read l; read l; echo '{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"}]}}'; )";
  const auto told = look(answers + "cat");
  if (!told) BOOST_FAIL(told.error().text);
  BOOST_TEST((told->size() == 1 && told->contains("a")));
  // One that says all and leaves at once.
  BOOST_TEST(look(answers).has_value());
  const auto ended = look("echo woe >&2; exit 9");
  BOOST_TEST((!ended && ended.error().text.find("ended with 9") != std::string::npos &&
              ended.error().text.find("server.log") != std::string::npos));
  BOOST_TEST(run.log("server").find("woe") != std::string::npos);
  const auto other = look(
      "for id in 1 2; do read l; echo '{\"jsonrpc\":\"2.0\",\"id\":'$id',\"error\":{\"code\":1,\"message\":\"no "
      "server\"}}'; done; cat");
  BOOST_TEST((!other && other.error().text.find("no server") != std::string::npos));
}
