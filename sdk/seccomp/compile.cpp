// SPDX-License-Identifier: Apache-2.0
#include <linux/audit.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lnk/seccomp/policy.hpp"

namespace lnk::seccomp {
namespace {

constexpr std::uint32_t kX32Bit = 0x40000000;  // asm/unistd.h: __X32_SYSCALL_BIT
constexpr std::uint32_t kJumpMax = 255;        // a conditional jump's offset is 8 bits
constexpr std::uint8_t kArgumentMax = 5;

constexpr std::uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS;
constexpr std::uint16_t kEqual = BPF_JMP | BPF_JEQ | BPF_K;
constexpr std::uint16_t kAtLeast = BPF_JMP | BPF_JGE | BPF_K;
constexpr std::uint16_t kJump = BPF_JMP | BPF_JA;
constexpr std::uint16_t kAnd = BPF_ALU | BPF_AND | BPF_K;
constexpr std::uint16_t kReturn = BPF_RET | BPF_K;

sock_filter statement(std::uint16_t code, std::uint32_t k) { return {code, 0, 0, k}; }
sock_filter branch(std::uint16_t code, std::uint32_t k, std::size_t yes, std::size_t no) {
  return {code, static_cast<std::uint8_t>(yes), static_cast<std::uint8_t>(no), k};
}

// seccomp_data holds each argument as 64 bits in the machine's byte order; both architectures here are little-endian.
std::uint32_t low_half(std::uint8_t index) {
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args)) + 8U * index;
}

struct HalfTest {
  std::uint32_t offset;
  std::uint32_t mask;
  std::uint32_t value;
};

std::vector<HalfTest> halves(const ArgumentTest& test) {
  std::vector<HalfTest> out{
      {low_half(test.index), static_cast<std::uint32_t>(test.mask), static_cast<std::uint32_t>(test.value)}};
  if (!test.low_only) {
    out.push_back({low_half(test.index) + 4, static_cast<std::uint32_t>(test.mask >> 32U),
                   static_cast<std::uint32_t>(test.value >> 32U)});
  }
  return out;
}

// Code that falls through where the test holds and jumps past `skip` more instructions where it doesn't. `tail` is what
// stands between this test's end and the next case.
Program test_code(const ArgumentTest& test, std::size_t tail) {
  const std::vector<HalfTest> parts = halves(test);
  Program code;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    code.push_back(statement(kLoad, parts[i].offset));
    if (parts[i].mask != 0xffffffffU) code.push_back(statement(kAnd, parts[i].mask));
    code.push_back(branch(kEqual, parts[i].value, 0, 0));
  }
  // The distances are known only now that the length is.
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code[at].code != kEqual) continue;
    const std::size_t to_end = code.size() - 1 - at;
    const bool is_last = to_end == 0;
    if (!test.differs) {
      code[at] = branch(kEqual, code[at].k, 0, to_end + tail);
    } else if (is_last) {
      code[at] = branch(kEqual, code[at].k, tail, 0);
    } else {
      code[at] = branch(kEqual, code[at].k, 0, to_end);  // one half differs: the test holds
    }
  }
  return code;
}

Program case_code(const Case& one) {
  Program code{statement(kReturn, one.action.value)};
  for (auto test = one.tests.rbegin(); test != one.tests.rend(); ++test) {
    Program part = test_code(*test, code.size());
    part.insert(part.end(), code.begin(), code.end());
    code = std::move(part);
  }
  return code;
}

Program rule_code(const Rule& rule) {
  Program code;
  for (const Case& one : rule.cases) {
    const Program part = case_code(one);
    code.insert(code.end(), part.begin(), part.end());
  }
  code.push_back(statement(kReturn, rule.otherwise.value));
  return code;
}

// Calls [first, next range's first) with one code.
struct Range {
  std::uint32_t first;
  Program code;
};

bool same(const Program& a, const Program& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const sock_filter& x, const sock_filter& y) {
    return x.code == y.code && x.jt == y.jt && x.jf == y.jf && x.k == y.k;
  });
}

void add_range(std::vector<Range>& ranges, std::uint32_t first, Program code) {
  if (!ranges.empty() && ranges.back().first == first) ranges.pop_back();
  if (!ranges.empty() && same(ranges.back().code, code)) return;
  ranges.push_back({first, std::move(code)});
}

std::vector<Range> ranges_of(const Policy& policy, std::vector<const Rule*> const& sorted) {
  const Program fallback{statement(kReturn, policy.otherwise.value)};
  std::vector<Range> ranges;
  add_range(ranges, 0, fallback);
  for (const Rule* rule : sorted) {
    add_range(ranges, rule->number, rule_code(*rule));
    add_range(ranges, rule->number + 1, fallback);
  }
  if (policy.architecture == Architecture::X86_64) {
    add_range(ranges, kX32Bit, Program{statement(kReturn, policy.foreign.value)});
  }
  return ranges;
}

// The number stands in the accumulator on the way down; a leaf may load over it.
Program tree(std::span<const Range> ranges) {
  if (ranges.size() == 1) return ranges.front().code;
  const std::size_t middle = ranges.size() / 2;
  const Program below = tree(ranges.first(middle));
  const Program above = tree(ranges.subspan(middle));
  Program code;
  if (below.size() <= kJumpMax) {
    code.push_back(branch(kAtLeast, ranges[middle].first, below.size(), 0));
  } else {
    code.push_back(branch(kAtLeast, ranges[middle].first, 0, 1));
    code.push_back(statement(kJump, static_cast<std::uint32_t>(below.size())));
  }
  code.insert(code.end(), below.begin(), below.end());
  code.insert(code.end(), above.begin(), above.end());
  return code;
}

Status check_test(const Rule& rule, const ArgumentTest& test) {
  const std::string where = "system call " + std::to_string(rule.number);
  if (test.index > kArgumentMax) return fail(Code::Invalid, where + ": an argument's index is 0 to 5");
  if ((test.value & ~test.mask) != 0) return fail(Code::Invalid, where + ": a value outside its mask");
  if (test.low_only && ((test.mask | test.value) >> 32U) != 0) {
    return fail(Code::Invalid, where + ": a test of the low half names high bits");
  }
  return {};
}

Status check(const Rule& rule) {
  if (rule.number >= kX32Bit - 1) return fail(Code::Invalid, "system call number out of range");
  // Every jump of a case must fit its 8 bits: 6 tests are at most 36 instructions.
  constexpr std::size_t kTestsMax = 6;
  for (const Case& one : rule.cases) {
    if (one.tests.size() > kTestsMax) return fail(Code::Limit, "more than 6 tests in one case");
    for (const ArgumentTest& test : one.tests) LNK_CHECK(check_test(rule, test));
  }
  return {};
}

}  // namespace

std::uint32_t audit_architecture(Architecture architecture) noexcept {
  return architecture == Architecture::X86_64 ? AUDIT_ARCH_X86_64 : AUDIT_ARCH_AARCH64;
}

Result<Program> compile(const Policy& policy) {
  std::vector<const Rule*> sorted;
  sorted.reserve(policy.rules.size());
  for (const Rule& rule : policy.rules) {
    LNK_CHECK(check(rule));
    sorted.push_back(&rule);
  }
  std::sort(sorted.begin(), sorted.end(), [](const Rule* a, const Rule* b) { return a->number < b->number; });
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end(),
                                        [](const Rule* a, const Rule* b) { return a->number == b->number; });
  if (twice != sorted.end()) {
    return fail(Code::Invalid, "system call " + std::to_string((*twice)->number) + " is named twice");
  }
  Program program{statement(kLoad, offsetof(seccomp_data, arch)),
                  branch(kEqual, audit_architecture(policy.architecture), 1, 0),
                  statement(kReturn, policy.foreign.value), statement(kLoad, offsetof(seccomp_data, nr))};
  const Program decisions = tree(ranges_of(policy, sorted));
  program.insert(program.end(), decisions.begin(), decisions.end());
  if (program.size() > BPF_MAXINSNS) return fail(Code::Limit, "a filter longer than the kernel takes");
  return program;
}

}  // namespace lnk::seccomp
