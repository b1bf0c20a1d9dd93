// SPDX-License-Identifier: Apache-2.0
#include "launch/program_watch.hpp"

#include "spec/shown.hpp"

namespace lnk::host {

std::string RefusedPrograms::words_of(const std::string& path) {
  if (is_full_ || named_.contains(path)) return {};
  if (named_.size() == kRefusedNamesMax) {
    is_full_ = true;
    return "further programs are refused too, and not named: " + std::to_string(kRefusedNamesMax) + " were";
  }
  named_.insert(path);
  // The rule is one on the file that was there.
  if (listed_.contains(path))
    return "refused to run " + shown(path) + ": it was replaced since the run began, and [commands] allow (" + commands_at_ +
           ") holds the file that was there; start the run again";
  return "refused to run " + shown(path) + ": not in [commands] allow (" + commands_at_ + ")";
}

Result<ProgramWatch> ProgramWatch::start(Wall& wall, ProgramWatchOptions options) {
  const bool is_wanted = options.every != nullptr || !options.commands_at.empty();
  ProgramWatch watch(std::move(options));
  if (!is_wanted) return watch;
  const auto readable = wall.name_programs();
  if (readable) {
    watch.readable_ = *readable;
    return watch;
  }
  if (watch.every_)
    return fail(Error(readable.error()).within("the programs that are started can't be watched"));
  // The list holds without a name said.
  if (readable.error().code != Code::Unsupported) return fail(readable.error());
  watch.notice_("programs that the list refuses aren't named here: " + readable.error().text);
  return watch;
}

Watch ProgramWatch::watch(Wall& wall) {
  return {readable_, true, [this, &wall]() -> Status {
            take(wall);
            return {};
          }};
}

bool ProgramWatch::take(Wall& wall) {
  if (readable_ < 0) return false;
  std::vector<SeenProgram> programs;
  const auto taken = wall.take_programs(programs);
  for (const auto& program : programs) {
    if (every_) every_(program);
    if (every_ || program.is_allowed) continue;
    if (const auto words = refused_.words_of(program.path); !words.empty()) notice_(words);
  }
  if (!taken && ended_.empty()) {
    ended_ = taken.error().text;
    notice_(ended_);
  }
  return taken && !programs.empty();
}

void ProgramWatch::finish(Wall& wall) {
  while (take(wall)) {
  }
}

}  // namespace lnk::host
