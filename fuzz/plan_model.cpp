// SPDX-License-Identifier: Apache-2.0
#include "plan_model.hpp"

namespace lnk::fuzz {
namespace {

using os_linux::Access;
using os_linux::Op;

bool is_below(const std::string& path, const std::string& folder) {
  if (folder == "/") return true;
  return path == folder || (path.size() > folder.size() && path.compare(0, folder.size(), folder) == 0 && path[folder.size()] == '/');
}

bool is_below_any(const std::string& path, const std::vector<std::string>& folders) {
  for (const auto& folder : folders)
    if (is_below(path, folder)) return true;
  return false;
}

/// The nearest place named so far.
struct Nearest {
  std::size_t size = 0;
  int rank = -1;  ///< at one place: the system, then what is read, written, hidden, closed
  Open open = Open::Nothing;

  void name(const std::string& path, const std::string& place, int at_one_place, Open opens) {
    if (!is_below(path, place)) return;
    const std::size_t length = place == "/" ? 0 : place.size();
    if (rank >= 0 && (length < size || (length == size && at_one_place < rank))) return;
    *this = {length, at_one_place, opens};
  }
};

bool is_mount(Op op) {
  switch (op) {
    case Op::BindRead:
    case Op::BindWrite:
    case Op::Empty:
    case Op::Processes:
    case Op::Devices:
    case Op::Mask:
    case Op::Protect:
    case Op::InnerStage:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool is_written_inside(const os_linux::Snapshot& snapshot, const std::string& name) {
  for (std::string place = name; !place.empty(); place.resize(place.rfind('/'))) {
    bool is_named = false;
    bool is_hidden = false;
    bool is_written = false;
    for (const auto& file : snapshot.files) {
      if (file.target != place) continue;
      is_named = true;
      is_hidden = is_hidden || file.access == Access::Hide;
      is_written = is_written || file.access == Access::Write;
    }
    if (is_named) return is_written && !is_hidden;
    for (const std::string own : {"/tmp", "/var/tmp", "/run", "/dev", "/proc"})
      if (place == own) return true;
    if (place == snapshot.home) return true;
  }
  return false;
}

Open meant(const os_linux::Snapshot& snapshot, const os_linux::Survey& survey, const std::string& place) {
  Nearest nearest;
  for (const auto& folder : survey.system_folders) nearest.name(place, folder, 0, Open::Read);
  for (const auto& entry : survey.closed) nearest.name(place, entry.path, 0, Open::Nothing);
  // What a sandbox has of its own: nothing of the machine is seen there.
  for (const std::string own : {"/proc", "/sys", "/dev", "/tmp", "/var/tmp", "/run"}) nearest.name(place, own, 0, Open::Nothing);
  if (snapshot.home != "/") nearest.name(place, snapshot.home, 0, Open::Nothing);
  for (const auto& file : snapshot.files) {
    if (file.access == Access::Read) nearest.name(place, file.target, 1, Open::Read);
    if (file.access == Access::Write) nearest.name(place, file.target, 2, Open::Write);
    if (file.access == Access::Hide) nearest.name(place, file.target, 3, Open::Nothing);
  }
  for (const auto& closed : snapshot.closed) nearest.name(place, closed, 4, Open::Nothing);
  if (nearest.open == Open::Write && is_below_any(place, snapshot.read_only)) return Open::Read;
  return nearest.open;
}

Seen seen(const os_linux::Plan& plan, const std::string& name) {
  // A later mount covers all that earlier ones put at its path or below, and is itself what a longer name goes through.
  const os_linux::PlanStep* top = nullptr;
  for (const auto& step : plan.steps)
    if (is_mount(step.op) && is_below(name, step.path)) top = &step;
  if (top == nullptr) return {};
  if (top->op != Op::BindRead && top->op != Op::BindWrite && top->op != Op::Protect) return {};
  const std::string rest = top->path == "/" ? name : name.substr(top->path.size());
  const std::string place = top->source == "/" ? rest : top->source + rest;
  return {top->op == Op::BindWrite ? Open::Write : Open::Read, place.empty() ? "/" : place};
}

}  // namespace lnk::fuzz
