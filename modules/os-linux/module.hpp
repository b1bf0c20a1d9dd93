// SPDX-License-Identifier: Apache-2.0
//
// The OS module for Linux: lnk.confiner/1, lnk.doorway/1, lnk.remount/1 and lnk.exec_namer/1 over the parts of this folder.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "launch/doorway.hpp"
#include "launch/launch.hpp"
#include "lnk/cpp/confiner.hpp"
#include "lnk/cpp/exec_namer.hpp"
#include "lnk/cpp/module.hpp"
#include "plan/plan.hpp"

namespace lnk::os_linux {

/// A net helper's socket, and the child whose network it serves.
struct OpenDoorway {
  UniqueFd socket;
  lnk_id child = 0;
};

class OsLinux {
 public:
  static constexpr std::string_view kId = "os-linux";
  static constexpr std::string_view kVersion = "0.1.0";
  static constexpr std::uint16_t kKind = LNK_KIND_OS;
  using Interfaces = lnk::Interfaces<ConfinerInterface, DoorwayInterface, RemountInterface, ExecNamerInterface>;

  static Status probe(CapabilityReport& report);
  static Status check_config(std::string_view config_json);
  static Result<std::unique_ptr<OsLinux>> create(Host host, std::string_view config_json);

  Result<std::string> survey();
  Result<lnk_id> plan(std::string_view snapshot_json, std::string_view survey_json);
  Result<std::vector<Step>> describe(lnk_id plan);
  Result<std::vector<Holding>> holdings(lnk_id plan);
  Result<Child> launch(lnk_id plan, const Launch& request);
  Result<Target> stand(lnk_id child);
  Result<Outcome> go(lnk_id child);
  void release_child(lnk_id child) noexcept;
  void release_plan(lnk_id plan) noexcept;
  Result<std::uint32_t> stopped(lnk_id child);
  Status resume(lnk_id child, bool in_front);

  Result<lnk_id> open_doorway(lnk_id child);
  Result<UniqueFd> listen_inside(lnk_id doorway, const InsideAddress& address);
  Result<UniqueFd> connect_inside(lnk_id doorway, const InsideAddress& address);
  void close_doorway(lnk_id doorway) noexcept;

  Status cover(lnk_id child, const Replaced& replaced);

  Result<Namer> start_naming(lnk_id child);
  Result<std::vector<ProgramReport>> reports(lnk_id namer);
  void stop_naming(lnk_id namer) noexcept;

 private:
  Result<UniqueFd> socket_inside(lnk_id doorway, SocketUse use, const InsideAddress& address);

  explicit OsLinux(Programs programs) : programs_(std::move(programs)) {}

  Programs programs_;
  lnk_id last_id_ = 0;  // never used twice, whatever it named
  std::unordered_map<lnk_id, Plan> plans_;
  std::unordered_map<lnk_id, RunningSandbox> children_;
  std::unordered_map<lnk_id, OpenDoorway> doorways_;
  std::unordered_map<lnk_id, lnk_id> namers_;  // to the child of each
};

}  // namespace lnk::os_linux
