// SPDX-License-Identifier: Apache-2.0
//
// A check of one module, run in a process of its own, so that a crash is a result.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lnk::modcheck {

/// What is checked, and with what.
struct Subject {
  std::filesystem::path file = {};
  std::string config_json = "{}";
  std::string script = {};  ///< JSON; empty: none
  std::uint64_t seed = 1;
  std::uint32_t sequences = 200;
};

enum class Verdict { Passed, Failed, Crashed, Stuck, NotForThisKind };

struct Outcome {
  Verdict verdict = Verdict::Passed;
  std::string words = {};

  [[nodiscard]] static Outcome passed() { return {}; }
  [[nodiscard]] static Outcome failed(std::string words) { return {Verdict::Failed, std::move(words)}; }
  [[nodiscard]] static Outcome not_for_this_kind() { return {Verdict::NotForThisKind, {}}; }
};

struct Check {
  std::string_view name;
  std::string_view rule;  ///< what holds where it passes
  Outcome (*run)(const Subject&);
};

[[nodiscard]] std::span<const Check> load_checks() noexcept;
[[nodiscard]] std::span<const Check> lifecycle_checks() noexcept;
[[nodiscard]] std::span<const Check> verb_checks() noexcept;
[[nodiscard]] std::span<const Check> os_checks() noexcept;
[[nodiscard]] std::span<const Check> sequence_checks() noexcept;
[[nodiscard]] std::span<const Check> script_checks() noexcept;

/// Forks, runs the check there and waits for what it says.
[[nodiscard]] Outcome run_apart(const Check& check, const Subject& subject);

}  // namespace lnk::modcheck
