// SPDX-License-Identifier: Apache-2.0
#include "cli/program_words.hpp"

#include "programs/interpreters.hpp"
#include "spec/shown.hpp"

namespace lnk::host {

std::vector<std::string> programs_in_words(const std::optional<std::vector<GrantedProgram>>& commands) {
  if (!commands) return {"runs     any program that it can read"};
  std::vector<std::string> lines = {"runs     only the program that is started" +
                                    std::string(commands->empty() ? ": [commands] lists none" : ", and these:")};
  for (const auto& program : *commands) {
    if (program.is_folder) {
      lines.push_back("runs     all programs in " + host::quoted_whole(program.target) + " and below");
      continue;
    }
    std::string line = "runs     " + host::quoted_whole(program.written);
    if (program.written != program.target) line += ", which is " + host::quoted_whole(program.target);
    if (is_interpreter(program.target) || is_interpreter(program.path))
      line += ", an interpreter: it runs any code that it is handed";
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace lnk::host
