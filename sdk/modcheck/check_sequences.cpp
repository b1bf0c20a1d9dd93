// SPDX-License-Identifier: Apache-2.0
#include "call_model.hpp"
#include "loaded.hpp"

namespace lnk::modcheck {

namespace {

constexpr std::size_t kStepsMax = 64;  // events of one sequence

std::string run_sequence(const host::Module& module, const Subject& subject, std::uint64_t seed) {
  auto bench = fake::VerbBench::start(module.api(), subject.config_json);
  if (!bench) return with_hint(bench.error());
  Random random(seed);
  // Now and then the host is full, or says no.
  if (random.one_in(4)) bench->answer_with(LNK_ACTION_STREAM, LNK_E_AGAIN);
  if (random.one_in(8)) bench->answer_with(static_cast<std::uint32_t>(1 + random.below(LNK_ACTION_LOG)), LNK_E_LIMIT);
  CallModel model(*bench, random);
  for (std::size_t left = 1 + random.below(kStepsMax); left > 0; --left) {
    if (std::string fault = model.step(); !fault.empty()) return fault;
  }
  return model.finish();
}

Outcome check_sequences(const Subject& subject) {
  const auto module = load(subject);
  if (!module) return Outcome::failed(module.error().text);
  if (!is_kind(*module, host::ModuleKind::Verb)) return Outcome::not_for_this_kind();
  for (std::uint32_t number = 0; number < subject.sequences; ++number) {
    const std::uint64_t seed = subject.seed + number;
    if (std::string fault = run_sequence(*module, subject, seed); !fault.empty())
      return Outcome::failed(fault + " (again by --seed " + std::to_string(seed) + " --sequences 1)");
  }
  return Outcome::passed();
}

constexpr Check kChecks[] = {
    {"sequences", "events in any order that the host may send never break it", check_sequences}};

}  // namespace

std::span<const Check> sequence_checks() noexcept { return kChecks; }

}  // namespace lnk::modcheck
