// SPDX-License-Identifier: Apache-2.0
#include "module.hpp"

#include "launch/remount.hpp"
#include "probe.hpp"

namespace lnk::os_linux {
namespace {

constexpr std::size_t kPlansMax = 1024;  // a front makes one; a test or a long-lived host may forget to release

Failure gone(std::string_view what) { return fail(Code::Gone, "no such " + std::string(what)); }

template <class Map>
auto* find(Map& map, lnk_id id) {
  const auto at = map.find(id);
  return at == map.end() ? nullptr : &at->second;
}

HoldingState state_of(HeldState state) {
  if (state == HeldState::Held) return HoldingState::Held;
  return state == HeldState::Weaker ? HoldingState::HeldWeaker : HoldingState::NotHeld;
}

}  // namespace

Status OsLinux::probe(CapabilityReport& report) {
  LNK_TRY(const Programs programs, find_programs());
  return report_capabilities(report, programs.inner_stage);
}

Status OsLinux::check_config(std::string_view config_json) {
  if (config_json == "{}") return {};
  return fail(Code::Invalid, "os-linux takes no configuration: {}");
}

Result<std::unique_ptr<OsLinux>> OsLinux::create(Host /*host*/, std::string_view config_json) {
  LNK_CHECK(check_config(config_json));
  LNK_TRY(Programs programs, find_programs());
  return std::unique_ptr<OsLinux>(new OsLinux(std::move(programs)));
}

Result<std::string> OsLinux::survey() { return survey_json(look_at_machine(programs_.inner_stage)); }

Result<lnk_id> OsLinux::plan(std::string_view snapshot_json, std::string_view survey_json) {
  if (plans_.size() >= kPlansMax) return fail(Code::Limit, "1024 plans are held; release some");
  LNK_TRY(const Snapshot snapshot, parse_snapshot(snapshot_json));
  LNK_TRY(const Survey survey, parse_survey(survey_json));
  LNK_TRY(Plan plan, build_plan(snapshot, survey));
  plans_.emplace(++last_id_, std::move(plan));
  return last_id_;
}

Result<std::vector<Step>> OsLinux::describe(lnk_id plan) {
  const Plan* found = find(plans_, plan);
  if (found == nullptr) return gone("plan");
  std::vector<Step> steps;
  steps.reserve(found->steps.size());
  for (const PlanStep& step : found->steps) steps.push_back({step_kind(step), step_words(*found, step)});
  return steps;
}

Result<std::vector<Holding>> OsLinux::holdings(lnk_id plan) {
  const Plan* found = find(plans_, plan);
  if (found == nullptr) return gone("plan");
  std::vector<Holding> out;
  for (const HeldGrant& held : found->holdings) out.push_back({state_of(held.state), held.grant, held.words});
  return out;
}

Result<Child> OsLinux::launch(lnk_id plan, const Launch& request) {
  const Plan* found = find(plans_, plan);
  if (found == nullptr) return gone("plan");
  LNK_TRY(RunningSandbox sandbox, os_linux::launch(*found, request, programs_));
  const Child child{sandbox.pid, ++last_id_};
  children_.emplace(child.id, std::move(sandbox));
  return child;
}

Result<Target> OsLinux::stand(lnk_id child) {
  RunningSandbox* found = find(children_, child);
  if (found == nullptr) return gone("child");
  return wait_until_it_stands(*found);
}

Result<Outcome> OsLinux::go(lnk_id child) {
  RunningSandbox* found = find(children_, child);
  if (found == nullptr) return gone("child");
  return let_go(*found);
}

void OsLinux::release_child(lnk_id child) noexcept { children_.erase(child); }
void OsLinux::release_plan(lnk_id plan) noexcept { plans_.erase(plan); }

Result<std::uint32_t> OsLinux::stopped(lnk_id child) {
  RunningSandbox* found = find(children_, child);
  if (found == nullptr) return gone("child");
  return what_stopped_it(*found);
}

Status OsLinux::resume(lnk_id child, bool in_front) {
  RunningSandbox* found = find(children_, child);
  if (found == nullptr) return gone("child");
  return let_go_on(*found, in_front);
}

Result<lnk_id> OsLinux::open_doorway(lnk_id child) {
  RunningSandbox* found = find(children_, child);
  if (found == nullptr) return gone("child");
  if (!found->has_own_network)
    return fail(Code::Unsupported, "this sandbox has the machine's network, so there is no inside");
  UniqueFd socket = std::move(found->doorway);
  if (!socket.is_open()) {
    LNK_TRY(socket, ask_for_doorway(found->keeper));
  }
  doorways_.emplace(++last_id_, OpenDoorway{std::move(socket), child});
  return last_id_;
}

Result<UniqueFd> OsLinux::socket_inside(lnk_id doorway, SocketUse use, const InsideAddress& address) {
  const OpenDoorway* found = find(doorways_, doorway);
  if (found == nullptr) return gone("doorway");
  auto made = make_socket_inside(found->socket, use, address);
  if (made || made.error().code != Code::Gone) return made;
  // The sandbox ended, most often since it could not be built: that is what the person must read.
  const RunningSandbox* sandbox = find(children_, found->child);
  if (sandbox == nullptr) return made;
  return fail(why_it_ended(*sandbox, std::move(made).error()));
}

Result<UniqueFd> OsLinux::listen_inside(lnk_id doorway, const InsideAddress& address) {
  return socket_inside(doorway, SocketUse::Listen, address);
}

Result<UniqueFd> OsLinux::connect_inside(lnk_id doorway, const InsideAddress& address) {
  return socket_inside(doorway, SocketUse::Connect, address);
}

void OsLinux::close_doorway(lnk_id doorway) noexcept { doorways_.erase(doorway); }

Status OsLinux::cover(lnk_id child, const Replaced& replaced) {
  RunningSandbox* found = find(children_, child);
  if (found == nullptr) return gone("child");
  return hold_again(found->keeper, replaced);
}

Result<Namer> OsLinux::start_naming(lnk_id child) {
  RunningSandbox* found = find(children_, child);
  if (found == nullptr) return gone("child");
  if (!found->watcher) return fail(Code::Unsupported, "nobody watches the programs of this sandbox");
  namers_.emplace(++last_id_, child);
  return Namer{last_id_, found->watcher->readable()};
}

Result<std::vector<ProgramReport>> OsLinux::reports(lnk_id namer) {
  const lnk_id* child = find(namers_, namer);
  RunningSandbox* found = child == nullptr ? nullptr : find(children_, *child);
  if (found == nullptr || !found->watcher) return gone("namer");
  return found->watcher->reports();
}

void OsLinux::stop_naming(lnk_id namer) noexcept { namers_.erase(namer); }

}  // namespace lnk::os_linux

LNK_MODULE(lnk::os_linux::OsLinux)
