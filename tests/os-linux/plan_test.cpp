// SPDX-License-Identifier: Apache-2.0
#define BOOST_TEST_DYN_LINK
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>

#include "golden.hpp"
#include "machine.hpp"
#include "plan/paths.hpp"

namespace {

using namespace lnk::os_linux;
using lnk::test::debian;
using lnk::test::grant;
using lnk::test::snapshot_of;
using lnk::test::text_of;

void check_golden(const std::string& name, const Snapshot& snapshot, const Survey& survey) {
  auto plan = build_plan(snapshot, survey);
  BOOST_REQUIRE_MESSAGE(plan.has_value(), name);
  const std::string text = text_of(*plan);
  BOOST_TEST(text == lnk::test::expected(name, text));
}

lnk::Error refusal(const Snapshot& snapshot, const Survey& survey) {
  auto plan = build_plan(snapshot, survey);
  BOOST_REQUIRE(!plan.has_value());
  return plan.error();
}

bool has_step(const Plan& plan, Op op, const std::string& path) {
  return std::any_of(plan.steps.begin(), plan.steps.end(),
                     [&](const PlanStep& step) { return step.op == op && step.path == path; });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plan)

BOOST_AUTO_TEST_CASE(a_plan_reads_as_it_did) {
  check_golden("plan_empty.txt", snapshot_of({}), debian());
  auto project =
      snapshot_of({grant(Access::Write, "/home/u/app"), grant(Access::Read, "/home/u/app/vendor"),
                   grant(Access::Hide, "/home/u/app/secret"), grant(Access::Write, "/home/u/app/secret/mine"),
                   grant(Access::Read, "/home/u/lib", "/data/lib")});
  project.network = NetworkMode::Wire;
  project.read_only = {"/home/u/app/spec.toml", "/home/u/elsewhere"};
  check_golden("plan_project.txt", project, debian());
  auto direct = snapshot_of({grant(Access::Read, "/home/u")});
  direct.network = NetworkMode::Direct;
  check_golden("plan_direct.txt", direct, debian());
  auto old = debian();
  old.landlock = {};
  old.uid = 0;
  old.bubblewrap.disables_userns = false;
  check_golden("plan_root_without_landlock.txt", project, old);
}

BOOST_AUTO_TEST_CASE(what_is_held_is_never_left_out_and_neither_are_the_folders_above) {
  auto snapshot = snapshot_of({grant(Access::Write, "/home/u/app")});
  snapshot.held = {"/home/u/app/.git", "/home/u/app/scripts/hooks"};
  snapshot.read_only = {"/home/u/app/spec.toml"};
  const auto plan = build_plan(snapshot, debian());
  BOOST_REQUIRE(plan);
  for (const PlanStep& step : plan->steps) {
    if (step.op == Op::Protect) BOOST_TEST(step.optional == (step.path == "/home/u/app/spec.toml"));
    if (step.op == Op::BindWrite) BOOST_TEST(!step.optional);
  }
  BOOST_TEST(has_step(*plan, Op::Protect, "/home/u/app/.git"));
  BOOST_TEST(has_step(*plan, Op::BindWrite, "/home/u/app/scripts"));
  BOOST_TEST(has_step(*plan, Op::Protect, "/home/u/app/scripts/hooks"));
}

BOOST_AUTO_TEST_CASE(a_plan_is_the_same_whatever_the_order_of_grants) {
  std::vector<FileGrant> files = {grant(Access::Write, "/w/a"), grant(Access::Read, "/w/a/b"),
                                  grant(Access::Hide, "/w/a/b/c"), grant(Access::Read, "/w/a/b/c/d")};
  std::string first;
  do {
    auto plan = build_plan(snapshot_of(files), debian());
    BOOST_REQUIRE(plan.has_value());
    if (first.empty()) first = text_of(*plan);
    BOOST_TEST(text_of(*plan) == first);
  } while (
      std::next_permutation(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; }));
}

BOOST_AUTO_TEST_CASE(what_no_machine_may_grant_is_denied) {
  for (const char* path : {"/proc", "/proc/1", "/sys", "/sys/fs/cgroup", "/dev", "/dev/sda", "/run"}) {
    BOOST_TEST((refusal(snapshot_of({grant(Access::Read, path)}), debian()).code == lnk::Code::Denied), path);
  }
  BOOST_TEST((refusal(snapshot_of({grant(Access::Write, "/")}), debian()).code == lnk::Code::Denied));
  BOOST_TEST((refusal(snapshot_of({grant(Access::Write, "/usr")}), debian()).code == lnk::Code::Denied),
             "holds bubblewrap");
  // Their twins.
  for (const char* path : {"/process", "/system", "/run/mine", "/"})
    BOOST_TEST(build_plan(snapshot_of({grant(Access::Read, path)}), debian()).has_value(), path);
  BOOST_TEST(build_plan(snapshot_of({grant(Access::Write, "/usr/local")}), debian()).has_value());
}

BOOST_AUTO_TEST_CASE(paths_that_are_not_clean_are_invalid) {
  for (const char* path : {"", "a", "/a/", "/a//b", "/a/./b", "/a/../b", "//"}) {
    auto named = grant(Access::Read, "/x");
    named.target = path;
    BOOST_TEST((refusal(snapshot_of({named}), debian()).code == lnk::Code::Invalid), path);
    auto snapshot = snapshot_of({});
    snapshot.closed = {path};
    BOOST_TEST((refusal(snapshot, debian()).code == lnk::Code::Invalid), path);
  }
}

BOOST_AUTO_TEST_CASE(direct_needs_landlock_to_hold_abstract_sockets) {
  auto snapshot = snapshot_of({});
  snapshot.network = NetworkMode::Direct;
  auto machine = debian();
  machine.landlock = {5, 0xffff, 0};
  BOOST_TEST((refusal(snapshot, machine).code == lnk::Code::Unsupported));
  machine.landlock = {6, 0xffff, 3};
  BOOST_TEST(build_plan(snapshot, machine).has_value());
}

BOOST_AUTO_TEST_CASE(what_landlock_lacks_is_told) {
  struct Row {
    Landlock landlock;
    std::string lost;
  };
  const Row rows[] = {
      {{9, 0x1ffff, 3}, ""},
      {{7, 0xffff, 3}, "path sockets of the machine (level 9)"},
      {{5, 0xffff, 0}, "signals and abstract sockets (level 6), path sockets of the machine (level 9)"},
      {{2, 0x3fff, 0},
       "cutting files short (level 3), control of devices (level 5), signals and abstract sockets (level 6), path "
       "sockets of the machine (level 9)"},
      {{0, 0, 0}, ""},
  };
  for (const Row& row : rows) {
    BOOST_TEST(left_out_by(row.landlock) == row.lost);
    auto machine = debian();
    machine.landlock = row.landlock;
    auto plan = build_plan(snapshot_of({grant(Access::Read, "/data")}), machine);
    BOOST_REQUIRE(plan.has_value());
    std::string told;
    for (const HeldGrant& holding : plan->holdings)
      if (holding.state == HeldState::Weaker) told += holding.words;
    const std::string wanted = row.landlock.level == 0 ? "by mounts alone" : row.lost;
    BOOST_TEST((told.find(wanted) != std::string::npos), told);
    BOOST_TEST(told.empty() == (row.landlock.level == 9), told);
  }
}

BOOST_AUTO_TEST_CASE(a_machine_without_bubblewrap_or_filters_is_unsupported) {
  auto machine = debian();
  machine.bubblewrap.problem = "bubblewrap isn't installed";
  BOOST_TEST((refusal(snapshot_of({}), machine).code == lnk::Code::Unsupported));
  machine = debian();
  machine.has_seccomp = false;
  BOOST_TEST((refusal(snapshot_of({}), machine).code == lnk::Code::Unsupported));
}

BOOST_AUTO_TEST_CASE(a_resolver_file_is_there_with_the_machines_network_alone) {
  auto snapshot = snapshot_of({});
  const std::string file = debian().resolver_file;
  for (const auto mode : {NetworkMode::None, NetworkMode::Wire, NetworkMode::Direct}) {
    snapshot.network = mode;
    auto plan = build_plan(snapshot, debian());
    BOOST_REQUIRE(plan.has_value());
    BOOST_TEST(has_step(*plan, Op::BindRead, file) == (mode == NetworkMode::Direct));
  }
  auto machine = debian();
  for (const char* of_the_system : {"/etc/resolv.conf", "/etc/resolvconf/run/resolv.conf", "/usr/lib/systemd/resolv.conf"}) {
    machine.resolver_file = of_the_system;
    auto plan = build_plan(snapshot, machine);
    BOOST_REQUIRE(plan.has_value());
    BOOST_TEST(!has_step(*plan, Op::BindRead, of_the_system));
  }
}

BOOST_AUTO_TEST_CASE(names_are_asked_of_the_wire_alone_where_there_are_endpoints) {
  auto snapshot = snapshot_of({grant(Access::Read, "/etc/resolv.conf"), grant(Access::Read, debian().resolver_file)});
  snapshot.network = NetworkMode::Wire;
  for (const std::string& file : {debian().resolver_file, std::string("/etc/resolv.conf")}) {
    auto machine = debian();
    machine.resolver_file = file;
    snapshot.has_names = false;
    auto plan = build_plan(snapshot, machine);
    BOOST_REQUIRE(plan.has_value());
    BOOST_TEST(!has_step(*plan, Op::NameServer, file));
    snapshot.has_names = true;
    plan = build_plan(snapshot, machine);
    BOOST_REQUIRE(plan.has_value());
    BOOST_TEST(has_step(*plan, Op::NameServer, file));
    BOOST_TEST(!has_step(*plan, Op::BindRead, file));
  }
}

BOOST_AUTO_TEST_CASE(a_grant_by_a_link_is_mounted_at_its_target_and_linked) {
  auto plan = build_plan(snapshot_of({grant(Access::Read, "/home/u/l", "/data/d")}), debian());
  BOOST_REQUIRE(plan.has_value());
  BOOST_TEST(has_step(*plan, Op::BindRead, "/data/d"));
  BOOST_TEST(has_step(*plan, Op::Link, "/home/u/l"));
  // A folder that holds the link brings it along.
  plan =
      build_plan(snapshot_of({grant(Access::Read, "/home/u"), grant(Access::Read, "/home/u/l", "/data/d")}), debian());
  BOOST_REQUIRE(plan.has_value());
  BOOST_TEST(!has_step(*plan, Op::Link, "/home/u/l"));
  // What is named below a link is reached through it.
  plan = build_plan(
      snapshot_of({grant(Access::Read, "/home/u/l", "/data/d"), grant(Access::Write, "/home/u/l/w", "/data/d/w")}),
      debian());
  BOOST_REQUIRE(plan.has_value());
  BOOST_TEST(has_step(*plan, Op::BindWrite, "/data/d/w"));
  BOOST_TEST(!has_step(*plan, Op::Link, "/home/u/l/w"));
}

BOOST_AUTO_TEST_CASE(folders_come_before_what_they_hold_whatever_bytes_their_names_have) {
  BOOST_TEST(comes_before("/a", "/a/b"));
  BOOST_TEST(comes_before("/a/b", "/a-b"));
  BOOST_TEST(comes_before("/a/\xff", "/a "));
  BOOST_TEST(!comes_before("/a", "/a"));
  BOOST_TEST(is_within("/a/b", "/a"));
  BOOST_TEST(!is_within("/ab", "/a"));
  BOOST_TEST(is_within("/a", "/"));
}

BOOST_AUTO_TEST_SUITE_END()

// The meaning of grants, told again from the specification alone: the nearest named path decides; hidden and closed
// places show nothing but what is named inside; nothing is written that is kept read only.
namespace {

enum class Seen { Nothing, Read, Write };

struct Meaning {
  const Snapshot& snapshot;

  Seen operator()(const std::string& path) const {
    std::size_t nearest = 0;
    Seen seen = Seen::Nothing;
    for (const FileGrant& file : snapshot.files) {
      if (!is_within(path, file.target) || file.target.size() < nearest) continue;
      nearest = file.target.size();
      seen = file.access == Access::Hide ? Seen::Nothing : file.access == Access::Read ? Seen::Read : Seen::Write;
    }
    for (const std::string& closed : snapshot.closed) {
      if (is_within(path, closed) && closed.size() >= nearest) return Seen::Nothing;
    }
    const auto covers = [&](const std::string& kept) { return is_within(path, kept); };
    const bool is_kept = std::any_of(snapshot.read_only.begin(), snapshot.read_only.end(), covers) ||
                         std::any_of(snapshot.held.begin(), snapshot.held.end(), covers);
    return seen == Seen::Write && is_kept ? Seen::Read : seen;
  }
};

// What a list of mounts shows: a mount covers all that was mounted below it before.
Seen seen_by_mounts(const Plan& plan, const std::string& path) {
  std::string at;
  Seen seen = Seen::Nothing;
  for (const PlanStep& step : plan.steps) {
    const bool covers = step.op == Op::BindRead || step.op == Op::BindWrite || step.op == Op::Empty ||
                        step.op == Op::Mask || step.op == Op::Protect;
    if (!covers || !is_within(path, step.path) ||
        (!at.empty() && !is_within(step.path, at) && !is_within(at, step.path)))
      continue;
    at = step.path;
    if (step.op == Op::BindWrite) {
      seen = Seen::Write;
    } else {
      seen = step.op == Op::BindRead || step.op == Op::Protect ? Seen::Read : Seen::Nothing;
    }
  }
  return seen;
}

class Chance {
 public:
  explicit Chance(unsigned seed) : random_(seed) {}
  unsigned below(unsigned bound) { return std::uniform_int_distribution<unsigned>(0, bound - 1)(random_); }
  std::string path() {
    std::string out = "/w";
    for (unsigned depth = below(5); depth > 0; --depth) out += std::string("/") + "abc"[below(3)];
    return out;
  }

 private:
  std::mt19937 random_;
};

Snapshot random_snapshot(Chance& chance) {
  Snapshot snapshot = snapshot_of({});
  snapshot.closed.clear();
  std::vector<std::string> named;
  const auto fresh = [&](std::string path) {
    const bool is_new = std::find(named.begin(), named.end(), path) == named.end();
    if (is_new) named.push_back(path);
    return is_new;
  };
  for (unsigned count = chance.below(7); count > 0; --count) {
    const std::string path = chance.path();
    if (fresh(path)) snapshot.files.push_back(grant(static_cast<Access>(chance.below(3)), path));
  }
  for (unsigned count = chance.below(3); count > 0; --count) {
    const std::string path = chance.path();
    if (fresh(path)) snapshot.closed.push_back(path);
  }
  for (unsigned count = chance.below(3); count > 0; --count) snapshot.read_only.push_back(chance.path());
  for (unsigned count = chance.below(3); count > 0; --count) snapshot.held.push_back(chance.path());
  return snapshot;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(nesting)

BOOST_AUTO_TEST_CASE(mounts_show_what_the_grants_mean) {
  constexpr unsigned kRounds = 20'000;
  for (unsigned seed = 0; seed < kRounds; ++seed) {
    Chance chance(seed);
    const Snapshot snapshot = random_snapshot(chance);
    auto plan = build_plan(snapshot, debian());
    BOOST_REQUIRE_MESSAGE(plan.has_value(), seed);
    const Meaning meaning{snapshot};
    for (unsigned asked = 0; asked < 12; ++asked) {
      const std::string path = chance.path();
      if (seen_by_mounts(*plan, path) != meaning(path))
        BOOST_FAIL("seed " << seed << ", " << path << "\n" << text_of(*plan));
    }
  }
}

BOOST_AUTO_TEST_CASE(no_mount_covers_one_made_before_it) {
  for (unsigned seed = 0; seed < 5'000; ++seed) {
    Chance chance(seed);
    auto plan = build_plan(random_snapshot(chance), debian());
    BOOST_REQUIRE(plan.has_value());
    std::vector<std::string> before;
    for (const PlanStep& step : plan->steps) {
      if (step.op == Op::Seal || step.path.empty()) continue;
      for (const std::string& earlier : before) {
        const bool covers = is_within(earlier, step.path) && (step.op != Op::Protect || earlier != step.path);
        if (covers) BOOST_FAIL("seed " << seed << ": " << step.path << " covers " << earlier);
      }
      before.push_back(step.path);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
