// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <functional>

#include "lnk/abi/confiner.h"
#include "lnk/abi/doorway.h"
#include "lnk/abi/remount.h"
#include "lnk/cpp/barrier.hpp"
#include "lnk/cpp/view.hpp"
#include "loaded.hpp"

namespace lnk::modcheck {

namespace {

constexpr lnk_id kNoSuchId = 0x7FFF'FFFF'FFFFULL;

struct Wall {
  lnk_instance* instance;
  const lnk_confiner& confiner;
  const lnk_doorway* doorway;
  const lnk_remount* remount;
};

Outcome on_wall(const Subject& subject, const std::function<Outcome(const Wall&)>& body) {
  const auto module = load(subject);
  if (!module) return Outcome::failed(module.error().text);
  if (!is_kind(*module, host::ModuleKind::Os)) return Outcome::not_for_this_kind();
  const auto instance = host::Instance::create(*module, {subject.config_json, {}});
  if (!instance) return Outcome::failed(with_hint(instance.error()));
  const auto confiner = instance->require<lnk_confiner>(LNK_CONFINER_ID, LNK_CONFINER_MAJOR);
  if (!confiner) return Outcome::failed(confiner.error().text);
  return body({instance->get(), **confiner, instance->query<lnk_doorway>(LNK_DOORWAY_ID, LNK_DOORWAY_MAJOR),
               instance->query<lnk_remount>(LNK_REMOUNT_ID, LNK_REMOUNT_MAJOR)});
}

Outcome check_plan_refuses(const Subject& subject) {
  return on_wall(subject, [](const Wall& wall) {
    for (const std::string_view snapshot : {"", "{", "[]", "{}", "null", "{\"version\":4711}", "{\"version\":1}"}) {
      lnk_id plan = 0;
      ErrorSlot error;
      if (wall.confiner.plan(wall.instance, to_str(snapshot), to_str("{}"), &plan, error.get()) == LNK_OK)
        return Outcome::failed("it plans a wall from '" + std::string(snapshot) + "'");
      if (plan != 0) return Outcome::failed("a failed plan leaves an id");
    }
    return Outcome::passed();
  });
}

lnk_status drop_step(void*, const lnk_step*) noexcept { return LNK_OK; }
lnk_status drop_holding(void*, const lnk_holding*) noexcept { return LNK_OK; }

Outcome check_unknown_ids(const Subject& subject) {
  return on_wall(subject, [](const Wall& wall) {
    ErrorSlot error;
    auto steps = sized<lnk_step_sink>();
    steps.step = drop_step;
    if (wall.confiner.describe(wall.instance, kNoSuchId, &steps, error.get()) == LNK_OK)
      return Outcome::failed("it describes a plan that there is not");
    auto holdings = sized<lnk_holding_sink>();
    holdings.holding = drop_holding;
    if (wall.confiner.holdings(wall.instance, kNoSuchId, &holdings, error.get()) == LNK_OK)
      return Outcome::failed("it tells of the grants of a plan that there is not");
    const lnk_str argv = to_str("true");
    auto launch = sized<lnk_launch>();
    launch.argc = 1;
    launch.argv = &argv;
    launch.cwd = to_str("/");
    auto child = sized<lnk_child>();
    if (wall.confiner.launch(wall.instance, kNoSuchId, &launch, &child, error.get()) == LNK_OK)
      return Outcome::failed("it launches a plan that there is not");
    auto target = sized<lnk_target>();
    if (wall.confiner.stand(wall.instance, kNoSuchId, &target, error.get()) == LNK_OK)
      return Outcome::failed("a child that there is not stands");
    std::uint32_t outcome = 0;
    if (wall.confiner.go(wall.instance, kNoSuchId, &outcome, error.get()) == LNK_OK)
      return Outcome::failed("a child that there is not goes");
    wall.confiner.release_child(wall.instance, kNoSuchId);
    wall.confiner.release_plan(wall.instance, kNoSuchId);
    return Outcome::passed();
  });
}

Outcome check_doorway(const Subject& subject) {
  return on_wall(subject, [](const Wall& wall) {
    if (wall.doorway == nullptr) return Outcome::passed();
    ErrorSlot error;
    lnk_id doorway = 0;
    if (wall.doorway->open(wall.instance, kNoSuchId, &doorway, error.get()) == LNK_OK)
      return Outcome::failed("a doorway opens into a child that there is not");
    auto address = sized<lnk_inside_address>();
    address.kind = LNK_SOCKET_STREAM;
    address.ip_size = 4;
    address.port = 1;
    std::int32_t fd = -1;
    if (wall.doorway->listen_inside(wall.instance, kNoSuchId, &address, &fd, error.get()) == LNK_OK)
      return Outcome::failed("a doorway that there is not listens");
    if (wall.doorway->connect_inside(wall.instance, kNoSuchId, &address, &fd, error.get()) == LNK_OK)
      return Outcome::failed("a doorway that there is not connects");
    wall.doorway->close(wall.instance, kNoSuchId);
    return Outcome::passed();
  });
}

Outcome check_remount(const Subject& subject) {
  return on_wall(subject, [](const Wall& wall) {
    if (wall.remount == nullptr) return Outcome::passed();
    ErrorSlot error;
    auto replaced = sized<lnk_replaced>();
    replaced.path = to_str("/tmp");
    if (wall.remount->cover(wall.instance, kNoSuchId, &replaced, error.get()) == LNK_OK)
      return Outcome::failed("it covers a name of a child that there is not");
    return Outcome::passed();
  });
}

constexpr Check kChecks[] = {
    {"plan-refuses", "what is no snapshot makes no plan", check_plan_refuses},
    {"unknown-ids", "plans and children that there are not fail each call", check_unknown_ids},
    {"unknown-doorways", "doorways that there are not fail each call", check_doorway},
    {"unknown-remounts", "names of children that there are not are not covered", check_remount},
};

}  // namespace

std::span<const Check> os_checks() noexcept { return kChecks; }

}  // namespace lnk::modcheck
