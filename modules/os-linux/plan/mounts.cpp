// SPDX-License-Identifier: Apache-2.0
#include "plan/mounts.hpp"

#include <algorithm>

#include "lnk/posix/os_error.hpp"
#include "plan/paths.hpp"

namespace lnk::os_linux {
namespace {

// What a path lies in once the mounts before it are made.
enum class Ground { Own, ReadBind, WriteBind, Masked, Link };

struct Surface {
  std::string path;
  Ground ground;
  std::size_t step;  // where it was emitted
};

class Orderer {
 public:
  Status add(const Place& place) {
    leave_surfaces(place.step.path);
    if (top().ground == Ground::Link && place.step.op != Op::Link && place.step.path != top().path) {
      return fail(Code::Invalid,
                  posix::escaped(place.step.path) + ": lies below a link, " + posix::escaped(top().path));
    }
    if (is_needed(place)) emit(place.step);
    return {};
  }

  std::vector<PlanStep> finish() && {
    for (const std::string& path : masked_) steps_.push_back({Op::Seal, path});
    return std::move(steps_);
  }

 private:
  const Surface& top() const { return surfaces_.back(); }

  void leave_surfaces(const std::string& path) {
    while (surfaces_.size() > 1 && !is_within(path, top().path)) surfaces_.pop_back();
  }

  bool is_needed(const Place& place) const {
    const Ground ground = top().ground;
    switch (place.step.op) {
      case Op::BindRead:
        return ground != Ground::ReadBind;
      case Op::BindWrite:
        return ground != Ground::WriteBind;
      case Op::Mask:
        return place.always || ground == Ground::ReadBind || ground == Ground::WriteBind;
      case Op::Protect:
        return ground == Ground::WriteBind;
      // A bind brings the machine's own link along, and what lies below a link is reached through it.
      case Op::Link:
      case Op::Folder:
        return ground == Ground::Own || ground == Ground::Masked;
      default:
        return true;
    }
  }

  /// A mount can't be renamed, but a folder above it could be, with the mount in it, and another be made in its place: what
  /// was held would be open at its own name in the next run. So each folder between a writable bind and a mount in it becomes
  /// a mount too (rename(2): EBUSY).
  void hold_folders_above(const PlanStep& step) {
    if (top().ground != Ground::WriteBind) return;
    for (std::size_t end = step.path.find('/', top().path.size() + 1); end != std::string::npos;
         end = step.path.find('/', end + 1)) {
      const std::string folder = step.path.substr(0, end);
      steps_.push_back({Op::BindWrite, folder, folder, 0, FileKind::Folder, step.optional});
      stand_on(folder, Ground::WriteBind);
    }
  }

  void emit(const PlanStep& step) {
    hold_folders_above(step);
    // A closed folder that something inside is named of must be passed through, though not listed.
    if (top().ground == Ground::Masked) steps_[top().step].mode = 0111;
    steps_.push_back(step);
    switch (step.op) {
      case Op::BindRead:
      case Op::Protect:
        return stand_on(step.path, Ground::ReadBind);
      case Op::BindWrite:
        return stand_on(step.path, Ground::WriteBind);
      case Op::Link:
        return stand_on(step.path, Ground::Link);
      case Op::Mask:
        if (step.kind != FileKind::File) masked_.push_back(step.path);
        return stand_on(step.path, Ground::Masked);
      case Op::Folder:
        return;
      default:
        return stand_on(step.path, Ground::Own);
    }
  }

  void stand_on(const std::string& path, Ground ground) { surfaces_.push_back({path, ground, steps_.size() - 1}); }

  std::vector<PlanStep> steps_;
  std::vector<Surface> surfaces_{{"/", Ground::Own, 0}};
  std::vector<std::string> masked_;
};

bool is_empty(Op op) { return op == Op::Empty || op == Op::Folder; }

bool sorts_before(const Place& a, const Place& b) {
  if (a.step.path != b.step.path) return comes_before(a.step.path, b.step.path);
  // What protects comes after what it protects.
  const bool a_protects = a.step.op == Op::Protect;
  const bool b_protects = b.step.op == Op::Protect;
  if (a_protects != b_protects) return b_protects;
  // A name that leads elsewhere takes no cover and no mount of the machine away; it may stand for what is empty, a home.
  const bool a_is_link = a.step.op == Op::Link;
  if (a_is_link != (b.step.op == Op::Link)) return is_empty(a_is_link ? b.step.op : a.step.op) == a_is_link;
  return a.rank > b.rank;
}

}  // namespace

Result<std::vector<PlanStep>> order_mounts(std::vector<Place> places) {
  std::stable_sort(places.begin(), places.end(), sorts_before);
  Orderer orderer;
  const std::string* decided = nullptr;
  for (const Place& place : places) {
    const bool is_decided = decided != nullptr && *decided == place.step.path;
    if (is_decided && place.step.op != Op::Protect) continue;
    decided = &place.step.path;
    LNK_CHECK(orderer.add(place));
  }
  return std::move(orderer).finish();
}

}  // namespace lnk::os_linux
