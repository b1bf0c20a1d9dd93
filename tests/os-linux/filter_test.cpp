// SPDX-License-Identifier: Apache-2.0
#define BOOST_TEST_DYN_LINK
#include <linux/audit.h>
#include <sys/socket.h>

#include <array>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <map>
#include <set>
#include <string>

#include "filter/compiled.hpp"
#include "filter/list_filter.hpp"
#include "filter/target_filter.hpp"
#include "golden.hpp"

namespace {

using namespace lnk::os_linux;
using lnk::seccomp::Architecture;
using lnk::seccomp::Program;

constexpr std::uint32_t kAllow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t refused(int error) { return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error); }

Program compiled(Architecture architecture) {
  auto program = lnk::seccomp::compile(target_policy(architecture));
  BOOST_REQUIRE(program.has_value());
  return std::move(program).value();
}

seccomp_data call_of(Architecture architecture, std::uint32_t number,
                     std::initializer_list<std::uint64_t> arguments = {}) {
  seccomp_data call{};
  call.nr = static_cast<int>(number);
  call.arch = lnk::seccomp::audit_architecture(architecture);
  std::size_t at = 0;
  for (const std::uint64_t argument : arguments) call.args[at++] = argument;
  return call;
}

std::uint32_t answer(const Program& program, const seccomp_data& call) {
  auto result = lnk::seccomp::evaluate(program, call);
  BOOST_REQUIRE(result.has_value());
  return *result;
}

std::uint32_t number_of(Architecture architecture, std::string_view name) {
  for (const NamedCall& call : calls_of(architecture))
    if (call.name == name) return call.number;
  BOOST_FAIL("no call " << name);
  return 0;
}

std::set<std::string> words_of(std::string_view names) {
  std::set<std::string> words;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(' '), names.size());
    words.emplace(names.substr(0, end));
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return words;
}

// Every name of the lists once, with what a call of it with zeros gets.
std::map<std::string, std::uint32_t> listed() {
  std::map<std::string, std::uint32_t> all;
  const auto add = [&](const std::string& name, std::uint32_t value) {
    BOOST_TEST(all.emplace(name, value).second, name << " stands twice");
  };
  for (const PassedCalls& group : passed_calls())
    for (const std::string& name : words_of(group.names)) add(name, kAllow);
  for (const RefusedCall& call : refused_calls()) add(std::string(call.name), refused(call.error));
  // With zeros as arguments: no flags, no family.
  const std::map<std::string, std::uint32_t> partly = {{"clone", kAllow},
                                                       {"unshare", kAllow},
                                                       {"personality", kAllow},
                                                       {"ioctl", kAllow},
                                                       {"socket", refused(EAFNOSUPPORT)},
                                                       {"socketpair", refused(EAFNOSUPPORT)}};
  for (const PartlyRefusedCall& call : partly_refused_calls())
    add(std::string(call.name), partly.at(std::string(call.name)));
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(target_filter)

BOOST_AUTO_TEST_CASE(every_call_of_the_table_stands_in_one_list) {
  const auto all = listed();
  std::set<std::string> known;
  for (const auto architecture : {Architecture::X86_64, Architecture::Aarch64})
    for (const NamedCall& call : calls_of(architecture)) known.emplace(call.name);
  for (const std::string& name : known) BOOST_TEST(all.contains(name), name << " is in no list");
  for (const auto& [name, value] : all) BOOST_TEST(known.contains(name), name << " is no call");
  for (const RefusedCall& call : refused_calls()) BOOST_TEST(!call.reason.empty(), call.name);
}

BOOST_AUTO_TEST_CASE(every_number_gets_what_the_lists_say) {
  const auto all = listed();
  constexpr std::uint32_t kPast = 1200;
  for (const auto architecture : {Architecture::X86_64, Architecture::Aarch64}) {
    const Program program = compiled(architecture);
    std::map<std::uint32_t, std::uint32_t> wanted;
    for (const NamedCall& call : calls_of(architecture)) wanted[call.number] = all.at(std::string(call.name));
    for (std::uint32_t number = 0; number < kPast; ++number) {
      const auto at = wanted.find(number);
      const std::uint32_t want = at == wanted.end() ? refused(ENOSYS) : at->second;
      BOOST_TEST(answer(program, call_of(architecture, number)) == want, number);
    }
    BOOST_TEST(answer(program, call_of(architecture, 0xffffffff)) == refused(ENOSYS));
  }
}

BOOST_AUTO_TEST_CASE(x32_and_foreign_architectures_get_nothing) {
  const Program program = compiled(Architecture::X86_64);
  for (const NamedCall& call : calls_of(Architecture::X86_64)) {
    BOOST_TEST(answer(program, call_of(Architecture::X86_64, call.number | 0x40000000)) == refused(ENOSYS), call.name);
    for (const std::uint32_t foreign : {std::uint32_t{AUDIT_ARCH_I386}, std::uint32_t{AUDIT_ARCH_AARCH64}, 0U}) {
      seccomp_data data = call_of(Architecture::X86_64, call.number);
      data.arch = foreign;
      BOOST_TEST(answer(program, data) == refused(ENOSYS), call.name);
    }
  }
}

BOOST_AUTO_TEST_CASE(arguments_are_judged_by_their_low_half) {
  struct Row {
    const char* name;
    std::initializer_list<std::uint64_t> arguments;
    std::uint32_t want;
  };
  constexpr std::uint64_t kHigh = std::uint64_t{1} << 32U;
  const Row rows[] = {
      {"ioctl", {0, 0x5412}, refused(EPERM)},
      {"ioctl", {0, 0x5412 | kHigh}, refused(EPERM)},
      {"ioctl", {0, 0x541C | (kHigh << 7U)}, refused(EPERM)},
      {"ioctl", {0, 0x5423}, refused(EPERM)},
      {"ioctl", {0, 0x5413}, kAllow},
      {"ioctl", {0x5412, 0}, kAllow},
      {"clone", {0x10000000}, refused(EPERM)},
      {"clone", {0x00020000 | 17}, refused(EPERM)},
      {"clone", {0x40000000 | kHigh}, refused(EPERM)},
      {"clone", {0x3d0f00}, kAllow},
      {"clone", {0x01200011}, kAllow},
      {"unshare", {0x80}, refused(EPERM)},
      {"unshare", {0x10000000}, refused(EPERM)},
      {"unshare", {0x100000}, refused(EPERM)},  // no flag of today's kernels
      {"unshare", {0x400 | kHigh}, kAllow},
      {"unshare", {0x400}, kAllow},
      {"socket", {AF_UNIX, SOCK_STREAM, 0}, kAllow},
      {"socket", {AF_INET, SOCK_STREAM, 6}, kAllow},
      {"socket", {AF_INET6, SOCK_DGRAM, 0}, kAllow},
      {"socket", {AF_INET | kHigh, SOCK_STREAM, 0}, kAllow},
      {"socket", {AF_INET, SOCK_STREAM, 132}, refused(EPROTONOSUPPORT)},
      {"socket", {AF_INET, SOCK_DGRAM | 0x80800 | kHigh, 17}, kAllow},
      {"socket", {AF_INET, SOCK_RAW, 1}, refused(EPERM)},
      {"socket", {AF_INET6, SOCK_RAW | 0x80800, 58}, refused(EPERM)},
      {"socket", {AF_INET, SOCK_DCCP, 0}, refused(ESOCKTNOSUPPORT)},
      {"socket", {AF_INET6, SOCK_SEQPACKET | kHigh, 0}, refused(ESOCKTNOSUPPORT)},
      {"socket", {AF_INET, SOCK_PACKET, 3}, refused(ESOCKTNOSUPPORT)},
      {"socket", {AF_INET, SOCK_PACKET | 0x80000, 0}, refused(ESOCKTNOSUPPORT)},
      {"socket", {AF_NETLINK, SOCK_RAW, 0}, kAllow},
      {"socket", {AF_NETLINK, SOCK_RAW, 9}, refused(EAFNOSUPPORT)},
      {"socket", {AF_PACKET, SOCK_RAW, 0}, refused(EAFNOSUPPORT)},
      {"socket", {40 /* vsock */, SOCK_STREAM, 0}, refused(EAFNOSUPPORT)},
      {"socket", {38 /* alg */, SOCK_SEQPACKET, 0}, refused(EAFNOSUPPORT)},
      {"socketpair", {AF_UNIX, SOCK_STREAM, 0}, kAllow},
      {"socketpair", {AF_INET, SOCK_STREAM, 0}, refused(EAFNOSUPPORT)},
      {"personality", {0}, kAllow},
      {"personality", {0xffffffff}, kAllow},
      {"personality", {0x0040000}, refused(EPERM)},
      {"personality", {0x0000008}, kAllow},
  };
  for (const auto architecture : {Architecture::X86_64, Architecture::Aarch64}) {
    const Program program = compiled(architecture);
    for (const Row& row : rows) {
      const seccomp_data call = call_of(architecture, number_of(architecture, row.name), row.arguments);
      BOOST_TEST(answer(program, call) == row.want, row.name << " " << call.args[0] << " " << call.args[1]);
    }
  }
}

// What the profile that container runtimes share refuses to a container without capabilities, less what no kernel has.
// source: github.com/moby/profiles, seccomp/default.json, as of 2026
BOOST_AUTO_TEST_CASE(what_container_runtimes_refuse_is_refused) {
  constexpr std::string_view kTheirs =
      "acct add_key bpf chroot clock_settime clone3 create_module delete_module fanotify_init finit_module "
      "fsconfig fsmount fsopen fspick get_kernel_syms get_mempolicy init_module io_uring_enter io_uring_register "
      "io_uring_setup ioperm iopl kcmp kexec_file_load kexec_load keyctl lookup_dcookie lsm_get_self_attr "
      "lsm_list_modules lsm_set_self_attr mbind migrate_pages mount mount_setattr move_mount move_pages nfsservctl "
      "open_by_handle_at open_tree open_tree_attr perf_event_open pidfd_getfd pivot_root process_madvise "
      "query_module quotactl quotactl_fd reboot request_key set_mempolicy set_mempolicy_home_node setdomainname "
      "sethostname setns settimeofday swapoff swapon sysfs syslog umount2 uselib userfaultfd ustat vhangup _sysctl";
  std::set<std::string> ours;
  for (const RefusedCall& call : refused_calls()) ours.emplace(call.name);
  for (const std::string& name : words_of(kTheirs)) BOOST_TEST(ours.contains(name), name);
}

BOOST_AUTO_TEST_CASE(the_filters_read_as_they_did) {
  for (const auto& [architecture, name] :
       {std::pair{Architecture::X86_64, "filter_x86_64.txt"}, std::pair{Architecture::Aarch64, "filter_aarch64.txt"}}) {
    const std::string text = lnk::seccomp::dump(compiled(architecture));
    BOOST_TEST((text == lnk::test::expected(name, text)), name);
  }
}

BOOST_AUTO_TEST_CASE(the_filter_that_is_installed_is_the_one_listed) {
  const auto installed = compiled_filter();
  const Program listed_one = compiled(lnk::seccomp::kNative);
  BOOST_TEST(lnk::seccomp::dump(installed) == lnk::seccomp::dump(listed_one));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(list_filters)

Program compiled(const ListFilter& filter, Architecture architecture) {
  auto program = lnk::seccomp::compile(list_policy(filter, architecture));
  BOOST_REQUIRE(program.has_value());
  return std::move(program).value();
}

BOOST_AUTO_TEST_CASE(they_answer_for_programs_and_memory_files_and_for_nothing_else) {
  constexpr std::uint32_t kNotify = SECCOMP_RET_USER_NOTIF;
  constexpr std::uint64_t kHigh = std::uint64_t{1} << 32U;
  struct Row {
    const char* name;
    std::initializer_list<std::uint64_t> arguments;
    std::array<std::uint32_t, 4> want;  // in the order of kListFilters
  };
  const std::uint32_t none = refused(ENOSYS);
  const std::uint32_t huge = refused(EINVAL);
  const std::uint32_t no_list = refused(EOPNOTSUPP);  // an access control list, which would open a sealed file
  const Row rows[] = {
      {"execve", {1, 2, 3}, {kNotify, kNotify, kAllow, kNotify}},
      {"execveat", {3, 1, 2, 3, 0}, {kNotify, kNotify, kAllow, kNotify}},
      {"execveat", {3, 1, 2, 3, 0x100}, {kNotify, kNotify, kAllow, kNotify}},
      {"execveat", {3, 1, 2, 3, 0x1000}, {none, none, none, kNotify}},
      {"execveat", {3, 1, 2, 3, 0x1100 | kHigh}, {none, none, none, kNotify}},
      {"memfd_create", {1, 0}, {kNotify, none, none, kAllow}},
      {"memfd_create", {1, 1}, {kNotify, none, none, kAllow}},
      {"memfd_create", {1, 0x10}, {kNotify, none, none, kAllow}},
      {"memfd_create", {1, 8}, {kAllow, none, none, kAllow}},
      {"memfd_create", {1, 0xb | kHigh}, {kAllow, none, none, kAllow}},
      {"memfd_create", {1, 4}, {huge, none, none, kAllow}},
      {"memfd_create", {1, 4 | 8}, {huge, none, none, kAllow}},
      {"memfd_create", {1, 4 | 8 | kHigh}, {huge, none, none, kAllow}},
      {"memfd_create", {1, kHigh << 3U}, {kNotify, none, none, kAllow}},
      {"setxattr", {1, 2, 3, 4, 0}, {no_list, no_list, no_list, kAllow}},
      {"lsetxattr", {1, 2, 3, 4, 0}, {no_list, no_list, no_list, kAllow}},
      {"fsetxattr", {3, 2, 3, 4, 0}, {no_list, no_list, no_list, kAllow}},
      {"setxattrat", {3, 1, 0x1000, 3, 16}, {no_list, no_list, no_list, kAllow}},
  };
  for (const auto architecture : {Architecture::X86_64, Architecture::Aarch64}) {
    for (std::size_t i = 0; i < kListFilters.size(); ++i) {
      const Program program = compiled(kListFilters[i], architecture);
      for (const Row& row : rows) {
        const seccomp_data call = call_of(architecture, number_of(architecture, row.name), row.arguments);
        BOOST_TEST(answer(program, call) == row.want[i], kListFilters[i].name << " " << row.name << " " << call.args[1] << " " << call.args[4]);
      }
      for (const NamedCall& call : calls_of(architecture)) {
        if (call.name == "execve" || call.name == "execveat" || call.name == "memfd_create" || call.name.ends_with("setxattr") ||
            call.name == "setxattrat")
          continue;
        BOOST_TEST(answer(program, call_of(architecture, call.number, {4, 12, 0x1000, 0, 0x1000})) == kAllow, call.name);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(they_read_as_they_did_and_are_what_is_installed) {
  std::string text;
  for (const ListFilter& filter : kListFilters) {
    for (const auto& [architecture, name] : {std::pair{Architecture::X86_64, "x86_64"}, std::pair{Architecture::Aarch64, "aarch64"}})
      text += std::string(filter.name) + " " + name + "\n" + lnk::seccomp::dump(compiled(filter, architecture));
    BOOST_TEST(lnk::seccomp::dump(compiled_filter(filter)) == lnk::seccomp::dump(compiled(filter, lnk::seccomp::kNative)), filter.name);
  }
  BOOST_TEST((text == lnk::test::expected("filter_lists.txt", text)));
}

BOOST_AUTO_TEST_SUITE_END()
