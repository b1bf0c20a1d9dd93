// SPDX-License-Identifier: Apache-2.0
//
// Reads a filter as the kernel does (seccomp_check_filter, classic BPF), so that a test can ask every call of the
// table.
#include <cstdio>
#include <cstring>

#include "lnk/seccomp/policy.hpp"

namespace lnk::seccomp {
namespace {

constexpr std::uint16_t kLoad = BPF_LD | BPF_W | BPF_ABS;

Result<std::uint32_t> load(const seccomp_data& call, std::uint32_t offset) {
  if (offset % 4 != 0 || offset > sizeof(seccomp_data) - 4)
    return fail(Code::Invalid, "a load outside the call's data");
  std::uint32_t word = 0;
  std::memcpy(&word, reinterpret_cast<const char*>(&call) + offset, sizeof word);
  return word;
}

Result<bool> holds(const sock_filter& one, std::uint32_t accumulator) {
  switch (BPF_OP(one.code)) {
    case BPF_JEQ:
      return accumulator == one.k;
    case BPF_JGE:
      return accumulator >= one.k;
    case BPF_JGT:
      return accumulator > one.k;
    case BPF_JSET:
      return (accumulator & one.k) != 0;
    default:
      return fail(Code::Invalid, "an unknown jump");
  }
}

}  // namespace

Result<std::uint32_t> evaluate(std::span<const sock_filter> program, const seccomp_data& call) {
  std::uint32_t accumulator = 0;
  // Jumps only go forward, so the program's length bounds the loop.
  for (std::size_t at = 0; at < program.size(); ++at) {
    const sock_filter& one = program[at];
    if (one.code == kLoad) {
      LNK_TRY(accumulator, load(call, one.k));
    } else if (one.code == (BPF_RET | BPF_K)) {
      return one.k;
    } else if (one.code == (BPF_ALU | BPF_AND | BPF_K)) {
      accumulator &= one.k;
    } else if (one.code == (BPF_JMP | BPF_JA)) {
      at += one.k;
    } else if (BPF_CLASS(one.code) == BPF_JMP && BPF_SRC(one.code) == BPF_K) {
      LNK_TRY(const bool yes, holds(one, accumulator));
      at += yes ? one.jt : one.jf;
    } else {
      return fail(Code::Invalid, "an instruction this filter language has not");
    }
  }
  return fail(Code::Invalid, "the filter ran off its end");
}

std::string describe(Action action) {
  const std::uint32_t data = action.value & SECCOMP_RET_DATA;
  switch (action.value & SECCOMP_RET_ACTION_FULL) {
    case SECCOMP_RET_ALLOW:
      return "allow";
    case SECCOMP_RET_ERRNO:
      return "errno " + std::to_string(data);
    case SECCOMP_RET_KILL_PROCESS:
      return "kill";
    case SECCOMP_RET_USER_NOTIF:
      return "notify";
    default:
      return "action " + std::to_string(action.value);
  }
}

namespace {

std::string line(std::size_t at, const sock_filter& one) {
  char text[96];
  const auto target = [at](std::uint32_t offset) { return at + 1 + offset; };
  if (one.code == kLoad) {
    std::snprintf(text, sizeof text, "%4zu: load [%u]\n", at, one.k);
  } else if (one.code == (BPF_RET | BPF_K)) {
    std::snprintf(text, sizeof text, "%4zu: return %s\n", at, describe(Action{one.k}).c_str());
  } else if (one.code == (BPF_ALU | BPF_AND | BPF_K)) {
    std::snprintf(text, sizeof text, "%4zu: and %#x\n", at, one.k);
  } else if (one.code == (BPF_JMP | BPF_JA)) {
    std::snprintf(text, sizeof text, "%4zu: go %zu\n", at, target(one.k));
  } else {
    const char* test = BPF_OP(one.code) == BPF_JEQ   ? "=="
                       : BPF_OP(one.code) == BPF_JGE ? ">="
                       : BPF_OP(one.code) == BPF_JGT ? ">"
                                                     : "&";
    std::snprintf(text, sizeof text, "%4zu: if %s %#x go %zu else %zu\n", at, test, one.k, target(one.jt),
                  target(one.jf));
  }
  return text;
}

}  // namespace

std::string dump(std::span<const sock_filter> program) {
  std::string text;
  for (std::size_t at = 0; at < program.size(); ++at) text += line(at, program[at]);
  return text;
}

}  // namespace lnk::seccomp
