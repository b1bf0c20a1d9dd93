// SPDX-License-Identifier: Apache-2.0
#include "process_state.hpp"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace lnk::modcheck {

namespace {

namespace fs = std::filesystem;

std::vector<std::string> open_descriptors() {
  std::vector<std::string> out;
  std::error_code error;
  const fs::path dir = "/proc/self/fd";
  std::vector<fs::path> links;
  for (const auto& entry : fs::directory_iterator(dir, error)) links.push_back(entry.path());
  for (const fs::path& link : links) {
    // The listing's own descriptor is gone by now.
    const fs::path target = fs::read_symlink(link, error);
    if (!error) out.push_back(link.filename().string() + " -> " + target.string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::size_t count_threads() {
  std::error_code error;
  const fs::directory_iterator tasks("/proc/self/task", error);
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

std::vector<std::string> signal_handlers() {
  std::vector<std::string> out;
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    if (::sigaction(signal, nullptr, &action) != 0) continue;
    const bool is_default = (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
    if (!is_default) out.push_back(std::to_string(signal));
  }
  return out;
}

std::vector<std::string> environment_entries() {
  std::vector<std::string> out;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) out.emplace_back(*entry);
  std::sort(out.begin(), out.end());
  return out;
}

std::string added(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  std::vector<std::string> more;
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(more));
  std::string out;
  for (const std::string& one : more) out += (out.empty() ? "" : ", ") + one;
  return out;
}

}  // namespace

ProcessState ProcessState::of_this_process() {
  const mode_t mask = ::umask(0);
  (void)::umask(mask);
  std::error_code error;
  return {open_descriptors(), count_threads(),      fs::current_path(error).string(), mask,
          signal_handlers(),  environment_entries()};
}

std::string ProcessState::change_to(const ProcessState& after) const {
  if (descriptors != after.descriptors) return "descriptors are left open: " + added(descriptors, after.descriptors);
  if (threads != after.threads) return "threads are left running";
  if (folder != after.folder) return "the current folder is " + after.folder;
  if (file_mask != after.file_mask) return "the file mask is changed";
  if (handlers != after.handlers) return "signals are handled: " + added(handlers, after.handlers);
  if (environment != after.environment) return "the environment is changed";
  return {};
}

}  // namespace lnk::modcheck
