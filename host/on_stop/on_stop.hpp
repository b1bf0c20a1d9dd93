// SPDX-License-Identifier: Apache-2.0
//
// The commands that `stop` runs: by them a sandbox is reached that has no wire to close.
//
// Kept in the settings as one file, written whole under a lock. A command is run outside of every sandbox, as the person; so
// its program must be root's or the person's to change alone, when it is registered and each time it is run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lnk/cpp/result.hpp"
#include "settings/settings.hpp"

namespace lnk::host {

/// A sandbox's name → its command, which begins with a program's absolute path.
using OnStop = std::map<std::string, std::vector<std::string>>;

[[nodiscard]] Result<OnStop> list_on_stop(const Settings& settings);
/// True: it replaces one of that name. errors: a program that can't be trusted, words that can't be kept
[[nodiscard]] Result<bool> add_on_stop(const Settings& settings, const std::string& name, std::vector<std::string> command);
/// False: there was none.
[[nodiscard]] Result<bool> remove_on_stop(const Settings& settings, const std::string& name);

struct OnStopEnd {
  std::string name;
  std::string words;  ///< how it ended: "ended with 0", "can't be started: …"
};

/// Runs all side by side and waits until they have ended, or kOnStopMs are over: what still runs then is killed. What they
/// print goes to standard error.
[[nodiscard]] std::vector<OnStopEnd> run_on_stop(const Settings& settings, const OnStop& commands);

}  // namespace lnk::host
