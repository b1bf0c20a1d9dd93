// SPDX-License-Identifier: Apache-2.0
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <random>

#include "lnk/seccomp/policy.hpp"

namespace {

using namespace lnk::seccomp;

// What a policy says of a call, read from the policy itself.
Action meaning(const Policy& policy, const seccomp_data& call) {
  const auto number = static_cast<std::uint32_t>(call.nr);
  if (call.arch != audit_architecture(policy.architecture)) return policy.foreign;
  if (policy.architecture == Architecture::X86_64 && number >= 0x40000000) return policy.foreign;
  for (const Rule& rule : policy.rules) {
    if (rule.number != number) continue;
    for (const Case& one : rule.cases) {
      bool holds = true;
      for (const ArgumentTest& test : one.tests) {
        const std::uint64_t mask = test.low_only ? test.mask & 0xffffffffU : test.mask;
        holds = holds && ((call.args[test.index] & mask) == test.value) != test.differs;
      }
      if (holds) return one.action;
    }
    return rule.otherwise;
  }
  return policy.otherwise;
}

class Chance {
 public:
  explicit Chance(unsigned seed) : random_(seed) {}
  std::uint64_t below(std::uint64_t bound) {
    return std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(random_);
  }
  // Few bits, so that tests hold often, in either half.
  std::uint64_t word() { return (below(4) | below(4) << 32U) << below(3); }
  Action action() {
    const Action all[] = {allow(), refuse_with(1), refuse_with(38), kill_process()};
    return all[below(4)];
  }
  ArgumentTest test() {
    ArgumentTest test{static_cast<std::uint8_t>(below(6)), below(2) == 0, below(2) == 0, word(), 0};
    if (test.low_only) test.mask &= 0xffffffffU;
    test.value = word() & test.mask;
    return test;
  }

 private:
  std::mt19937_64 random_;
};

Policy random_policy(Chance& chance) {
  Policy policy;
  policy.otherwise = chance.action();
  policy.foreign = kill_process();
  for (std::uint32_t number = 0; number < 60; ++number) {
    if (chance.below(3) == 0) continue;
    Rule rule{number, {}, chance.action()};
    for (auto cases = chance.below(5); cases > 0 && chance.below(2) == 0; --cases) {
      Case one{{}, chance.action()};
      for (auto tests = chance.below(4); tests > 0; --tests) one.tests.push_back(chance.test());
      rule.cases.push_back(one);
    }
    policy.rules.push_back(rule);
  }
  return policy;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(seccomp)

BOOST_AUTO_TEST_CASE(a_compiled_policy_answers_as_the_policy_says) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    Chance chance(seed);
    const Policy policy = random_policy(chance);
    auto program = compile(policy);
    BOOST_REQUIRE_MESSAGE(program.has_value(), seed);
    for (unsigned asked = 0; asked < 600; ++asked) {
      seccomp_data call{};
      call.nr = static_cast<int>(chance.below(64) | (chance.below(20) == 0 ? 0x40000000U : 0U));
      call.arch = audit_architecture(chance.below(20) == 0 ? Architecture::Aarch64 : Architecture::X86_64);
      for (auto& argument : call.args) argument = chance.word();
      auto got = evaluate(*program, call);
      BOOST_REQUIRE(got.has_value());
      if (*got != meaning(policy, call).value) BOOST_FAIL("seed " << seed << " call " << call.nr);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_policy_that_contradicts_itself_is_invalid) {
  Policy policy;
  policy.rules = {{1, {}, allow()}, {1, {}, refuse_with(1)}};
  BOOST_TEST(!compile(policy).has_value());
  policy.rules = {{1, {{{ArgumentTest{6, false, false, 1, 1}}, allow()}}, allow()}};
  BOOST_TEST(!compile(policy).has_value());
  policy.rules = {{1, {{{ArgumentTest{0, false, false, 1, 2}}, allow()}}, allow()}};
  BOOST_TEST(!compile(policy).has_value());
  policy.rules = {{1, {{{ArgumentTest{0, true, false, std::uint64_t{1} << 40U, 0}}, allow()}}, allow()}};
  BOOST_TEST(!compile(policy).has_value());
  policy.rules = {{0x40000000, {}, allow()}};
  BOOST_TEST(!compile(policy).has_value());
  policy.rules = {{1, {}, allow()}};
  BOOST_TEST(compile(policy).has_value());
}

BOOST_AUTO_TEST_CASE(a_program_that_is_none_is_invalid) {
  const seccomp_data call{};
  const sock_filter off_the_end[] = {{BPF_LD | BPF_W | BPF_ABS, 0, 0, 0}};
  BOOST_TEST(!evaluate(off_the_end, call).has_value());
  const sock_filter outside[] = {{BPF_LD | BPF_W | BPF_ABS, 0, 0, 64}, {BPF_RET | BPF_K, 0, 0, 0}};
  BOOST_TEST(!evaluate(outside, call).has_value());
  const sock_filter unknown[] = {{BPF_ST, 0, 0, 0}};
  BOOST_TEST(!evaluate(unknown, call).has_value());
  BOOST_TEST(!evaluate({}, call).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
