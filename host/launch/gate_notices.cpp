// SPDX-License-Identifier: Apache-2.0
#include "launch/gate_notices.hpp"

#include "wire/switch_files.hpp"

namespace lnk::host {
namespace {

bool is_pattern(std::string_view word) { return word == kByRefusals || word == kByTargets || word == kByMetadata || word == kByQuestions; }

std::string line_of(std::string_view word, const std::string& name) {
  const std::string whose = "the wire of " + name;
  if (word == kResumed) return whose + " is open again";
  if (word == kUnwritten)
    return whose + ": the pause could not be kept in the settings, so it holds for this run alone until it can; is the disk full?";
  const bool is_stopped = word == kByStop || word == kByStopOfAll || word == kByFault;
  return whose + " is " + (is_stopped ? "stopped" : "paused") + ": " + words_of_closing(word) +
         "; the program goes on with no way out. Look at it with: lnk-sandbox log " + name +
         ", and open it with: " + mend_of_closing(word, name);
}

}  // namespace

void GateNotices::tell(std::string_view word, const std::string& name, const std::function<void(std::string_view)>& notice) {
  if (word.empty()) return;
  const std::string line = line_of(word, name);
  notice(line);
  if (is_pattern(word)) desktop_.show(line);
}

}  // namespace lnk::host
