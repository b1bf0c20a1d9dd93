// SPDX-License-Identifier: Apache-2.0
//
// A seccomp filter as a value: a list of system calls with what becomes of each, compiled to the kernel's BPF.
//
//   Policy policy;
//   policy.otherwise = refuse_with(ENOSYS);
//   policy.rules.push_back(Rule{__NR_read, {}, allow()});
//   policy.rules.push_back(Rule{__NR_socket, {Case{{low_equals(0, AF_UNIX)}, allow()}}, refuse_with(EAFNOSUPPORT)});
//   LNK_TRY(Program program, compile(policy));
//
// Guarantees: a call made by another architecture's entry, x32's included, gets `foreign`, whatever its number; a
// number that no rule names gets `otherwise`. Pure: nothing is installed here. source:
// Documentation/userspace-api/seccomp_filter.rst, seccomp(2)
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "lnk/cpp/result.hpp"

namespace lnk::seccomp {

enum class Architecture : std::uint8_t { X86_64 = 1, Aarch64 = 2 };

/// The architecture this was compiled for.
#if defined(__x86_64__)
inline constexpr Architecture kNative = Architecture::X86_64;
#elif defined(__aarch64__)
inline constexpr Architecture kNative = Architecture::Aarch64;
#else
#error "this architecture has no system call table here"
#endif

/// What becomes of a call: the value a filter returns.
struct Action {
  std::uint32_t value = SECCOMP_RET_KILL_PROCESS;
  friend bool operator==(const Action&, const Action&) = default;
};

[[nodiscard]] constexpr Action allow() { return {SECCOMP_RET_ALLOW}; }
[[nodiscard]] constexpr Action kill_process() { return {SECCOMP_RET_KILL_PROCESS}; }
[[nodiscard]] constexpr Action notify() { return {SECCOMP_RET_USER_NOTIF}; }
/// The call is not made and fails with `error` (1–4095; the kernel cuts higher ones).
[[nodiscard]] constexpr Action refuse_with(int error) {
  return {SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(error) & SECCOMP_RET_DATA)};
}

/// (argument & mask) == value, or != where `differs`. `low_only` looks at the low 32 bits alone: what the kernel reads
/// of an argument that it declares as int or unsigned int, so that no high bit hides a refused value.
struct ArgumentTest {
  std::uint8_t index = 0;  ///< 0–5
  bool low_only = false;
  bool differs = false;
  std::uint64_t mask = ~std::uint64_t{0};
  std::uint64_t value = 0;
  friend bool operator==(const ArgumentTest&, const ArgumentTest&) = default;
};

[[nodiscard]] constexpr ArgumentTest low_equals(std::uint8_t index, std::uint32_t value) {
  return {index, true, false, 0xffffffffU, value};
}
/// Any of `bits` is set among the low 32.
[[nodiscard]] constexpr ArgumentTest low_has_any(std::uint8_t index, std::uint32_t bits) {
  return {index, true, true, bits, 0};
}
[[nodiscard]] constexpr ArgumentTest low_has_none(std::uint8_t index, std::uint32_t bits) {
  return {index, true, false, bits, 0};
}

/// Applies where every test holds.
struct Case {
  std::vector<ArgumentTest> tests;
  Action action;
  friend bool operator==(const Case&, const Case&) = default;
};

/// One system call: the first case that applies decides, else `otherwise`.
struct Rule {
  std::uint32_t number = 0;
  std::vector<Case> cases;
  Action otherwise = refuse_with(38 /* ENOSYS */);
  friend bool operator==(const Rule&, const Rule&) = default;
};

struct Policy {
  Architecture architecture = kNative;
  Action otherwise = refuse_with(38 /* ENOSYS */);  ///< a number that no rule names
  Action foreign = refuse_with(38 /* ENOSYS */);    ///< another architecture, x32 included
  std::vector<Rule> rules;                          ///< in any order; a number once
};

using Program = std::vector<sock_filter>;

/// The filter for `policy`: a balanced tree over ranges of numbers, so that a call costs the logarithm of the table.
/// errors: Invalid for a number named twice, a test that no value passes, an index over 5; Limit over BPF_MAXINSNS
[[nodiscard]] Result<Program> compile(const Policy& policy);

/// What the kernel would return for a call: an own reading of the BPF that seccomp allows, for tests.
/// errors: Invalid for a program the kernel would refuse or that runs off its end
[[nodiscard]] Result<std::uint32_t> evaluate(std::span<const sock_filter> program, const seccomp_data& call);

/// One instruction a line, for golden files.
[[nodiscard]] std::string dump(std::span<const sock_filter> program);

/// The words of an action: "allow", "errno 38", "kill", "notify".
[[nodiscard]] std::string describe(Action action);

/// AUDIT_ARCH_… of an architecture, as seccomp_data holds it.
[[nodiscard]] std::uint32_t audit_architecture(Architecture architecture) noexcept;

}  // namespace lnk::seccomp
