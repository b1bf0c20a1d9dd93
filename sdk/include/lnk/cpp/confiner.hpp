// SPDX-License-Identifier: Apache-2.0
//
// lnk.confiner/1, lnk.doorway/1 and lnk.remount/1 in C++: a thin layer. A confiner's class has
//
//     lnk::Result<std::string> survey();
//     lnk::Result<lnk_id> plan(std::string_view snapshot_json, std::string_view survey_json);
//     lnk::Result<std::vector<lnk::Step>> describe(lnk_id plan);
//     lnk::Result<std::vector<lnk::Holding>> holdings(lnk_id plan);
//     lnk::Result<lnk::Child> launch(lnk_id plan, const lnk::Launch& launch);
//     lnk::Result<lnk::Target> stand(lnk_id child);
//     lnk::Result<lnk::Outcome> go(lnk_id child);
//     void release_child(lnk_id child) noexcept;
//     void release_plan(lnk_id plan) noexcept;
//     lnk::Result<std::uint32_t> stopped(lnk_id child);
//     lnk::Status resume(lnk_id child, bool in_front);
//
// and a doorway's
//
//     lnk::Result<lnk_id> open_doorway(lnk_id child);
//     lnk::Result<lnk::UniqueFd> listen_inside(lnk_id doorway, const lnk::InsideAddress& address);
//     lnk::Result<lnk::UniqueFd> connect_inside(lnk_id doorway, const lnk::InsideAddress& address);
//     void close_doorway(lnk_id doorway) noexcept;
//
// and one that can hold a replaced name again
//
//     lnk::Status cover(lnk_id child, const lnk::Replaced& replaced);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lnk/abi/confiner.h"
#include "lnk/abi/doorway.h"
#include "lnk/abi/remount.h"
#include "lnk/cpp/module.hpp"
#include "lnk/posix/unique_fd.hpp"

namespace lnk {

/// Numbered from 1 by its place in the list.
struct Step {
  std::string kind = {};
  std::string words = {};
};

enum class HoldingState : std::uint32_t { Held = LNK_HELD, HeldWeaker = LNK_HELD_WEAKER, NotHeld = LNK_NOT_HELD };

struct Holding {
  HoldingState state = HoldingState::NotHeld;
  std::string grant = {};
  std::string words = {};
};

/// As lnk_launch; borrowed until `launch` returns.
struct Launch {
  std::span<const lnk_str> argv;
  std::span<const lnk_str> env;
  std::array<int, 3> stdio{-1, -1, -1};
  std::string_view cwd = {};
  std::uint32_t terminal = 0;  ///< LNK_TERMINAL_…
  std::uint32_t watch = 0;     ///< LNK_WATCH_…
};

struct Child {
  std::int32_t pid = -1;
  lnk_id id = 0;
};

struct Target {
  std::int32_t pid = -1;
  UniqueFd pidfd = {};
  UniqueFd terminal = {};  ///< the other end of the sandbox's own; open where the launch asked for one
  int events = -1;         ///< the confiner's own; see lnk_target
};

struct Outcome {
  std::uint32_t state = LNK_TARGET_NOT_STARTED;  ///< LNK_TARGET_…
  int os_errno = 0;
  std::string words = {};
};

struct InsideAddress {
  std::uint32_t kind = LNK_SOCKET_STREAM;
  std::array<std::uint8_t, 16> ip{};
  std::uint32_t ip_size = 4;
  std::uint16_t port = 0;
};

/// As lnk_replaced.
struct Replaced {
  std::string_view path = {};
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

struct ConfinerInterface {
  static constexpr std::string_view kId = LNK_CONFINER_ID;
  static constexpr std::uint32_t kMajor = LNK_CONFINER_MAJOR;
  struct State {};

  template <class T>
  static lnk_status survey(lnk_instance* instance, const lnk_text_sink* sink, lnk_error* error) noexcept {
    return barrier(error, [&]() -> Status {
      if (instance == nullptr || sink == nullptr || !LNK_HAS(sink, write)) return short_call("survey");
      LNK_TRY(const std::string text, detail::object_of<T>(instance).survey());
      if (sink->write(sink->context, to_str(text)) != LNK_OK) return fail(Code::Internal, "the host took no survey");
      return {};
    });
  }

  template <class T>
  static lnk_status plan(lnk_instance* instance, lnk_str snapshot_json, lnk_str survey_json, lnk_id* out,
                         lnk_error* error) noexcept {
    return barrier(error, [&]() -> Status {
      if (instance == nullptr || out == nullptr) return short_call("plan");
      *out = 0;
      LNK_TRY(*out, detail::object_of<T>(instance).plan(view(snapshot_json), view(survey_json)));
      return {};
    });
  }

  template <class T>
  static lnk_status describe(lnk_instance* instance, lnk_id plan, const lnk_step_sink* sink,
                             lnk_error* error) noexcept {
    return barrier(error, [&]() -> Status {
      if (instance == nullptr || sink == nullptr || !LNK_HAS(sink, step)) return short_call("describe");
      LNK_TRY(const std::vector<Step> steps, detail::object_of<T>(instance).describe(plan));
      auto raw = sized<lnk_step>();
      for (const Step& step : steps) {
        ++raw.number;
        raw.kind = to_str(step.kind);
        raw.words = to_str(step.words);
        if (sink->step(sink->context, &raw) != LNK_OK) return fail(Code::Internal, "the host took no step");
      }
      return {};
    });
  }

  template <class T>
  static lnk_status holdings(lnk_instance* instance, lnk_id plan, const lnk_holding_sink* sink,
                             lnk_error* error) noexcept {
    return barrier(error, [&]() -> Status {
      if (instance == nullptr || sink == nullptr || !LNK_HAS(sink, holding)) return short_call("holdings");
      LNK_TRY(const std::vector<Holding> holdings, detail::object_of<T>(instance).holdings(plan));
      for (const Holding& holding : holdings) {
        auto raw = sized<lnk_holding>();
        raw.state = static_cast<std::uint32_t>(holding.state);
        raw.grant = to_str(holding.grant);
        raw.words = to_str(holding.words);
        if (sink->holding(sink->context, &raw) != LNK_OK) return fail(Code::Internal, "the host took no holding");
      }
      return {};
    });
  }

  template <class T>
  static lnk_status launch(lnk_instance* instance, lnk_id plan, const lnk_launch* raw, lnk_child* out,
                           lnk_error* error) noexcept {
    return barrier(error, [&]() -> Status {
      // A host of 1.0's first headers has no terminal to ask for.
      const bool is_whole = instance != nullptr && raw != nullptr && raw->size >= offsetof(lnk_launch, terminal) &&
                            out != nullptr && out->size >= sizeof(lnk_child);
      if (!is_whole) return short_call("launch");
      if ((raw->argv == nullptr || raw->argc == 0) || (raw->env == nullptr && raw->envc != 0))
        return short_call("launch");
      Launch launch{{raw->argv, raw->argc}, {raw->env, raw->envc}, std::to_array(raw->stdio), view(raw->cwd), 0, 0};
      if (raw->size >= sizeof(lnk_launch)) launch.terminal = raw->terminal, launch.watch = raw->watch;
      LNK_TRY(const Child child, detail::object_of<T>(instance).launch(plan, launch));
      out->pid = child.pid;
      out->id = child.id;
      return {};
    });
  }

  template <class T>
  static lnk_status stand(lnk_instance* instance, lnk_id child, lnk_target* out, lnk_error* error) noexcept {
    return barrier(error, [&]() -> Status {
      if (instance == nullptr || out == nullptr || out->size < offsetof(lnk_target, terminal))
        return short_call("stand");
      LNK_TRY(Target target, detail::object_of<T>(instance).stand(child));
      out->pid = target.pid;
      out->pidfd = target.pidfd.release();
      if (out->size < sizeof(lnk_target)) return {};
      out->terminal = target.terminal.release();
      out->events = target.events;
      return {};
    });
  }

  template <class T>
  static lnk_status go(lnk_instance* instance, lnk_id child, std::uint32_t* out, lnk_error* error) noexcept {
    return barrier(error, [&]() -> Status {
      if (instance == nullptr || out == nullptr) return short_call("go");
      *out = LNK_TARGET_NOT_STARTED;
      LNK_TRY(const Outcome outcome, detail::object_of<T>(instance).go(child));
      *out = outcome.state;
      // The call went well, and tells by the record why the target did not run.
      write_error(error, LNK_OK, outcome.words, outcome.os_errno);
      return {};
    });
  }

  template <class T>
  static void release_child(lnk_instance* instance, lnk_id child) noexcept {
    if (instance != nullptr) detail::object_of<T>(instance).release_child(child);
  }
  template <class T>
  static void release_plan(lnk_instance* instance, lnk_id plan) noexcept {
    if (instance != nullptr) detail::object_of<T>(instance).release_plan(plan);
  }

  template <class T>
  static lnk_status stopped(lnk_instance* instance, lnk_id child, std::uint32_t* out, lnk_error* error) noexcept {
    return barrier(error, [&]() -> Status {
      if (instance == nullptr || out == nullptr) return short_call("stopped");
      *out = 0;
      LNK_TRY(*out, detail::object_of<T>(instance).stopped(child));
      return {};
    });
  }

  template <class T>
  static lnk_status resume(lnk_instance* instance, lnk_id child, std::uint32_t in_front, lnk_error* error) noexcept {
    return barrier(error, [&]() -> Status {
      if (instance == nullptr) return short_call("resume");
      return detail::object_of<T>(instance).resume(child, in_front != 0);
    });
  }

  template <class T>
  [[nodiscard]] static const lnk_iface* table() noexcept {
    static constexpr lnk_confiner kTable{{sizeof(lnk_confiner), LNK_CONFINER_MAJOR, 0},
                                         &survey<T>,
                                         &plan<T>,
                                         &describe<T>,
                                         &holdings<T>,
                                         &launch<T>,
                                         &stand<T>,
                                         &go<T>,
                                         &release_child<T>,
                                         &release_plan<T>,
                                         &stopped<T>,
                                         &resume<T>};
    return &kTable.head;
  }

 private:
  static Failure short_call(std::string_view call) {
    return fail(Code::Invalid, std::string(call) + ": an argument is missing or shorter than 1.0");
  }
};

struct DoorwayInterface {
  static constexpr std::string_view kId = LNK_DOORWAY_ID;
  static constexpr std::uint32_t kMajor = LNK_DOORWAY_MAJOR;
  struct State {};

  template <class T>
  static lnk_status open(lnk_instance* instance, lnk_id child, lnk_id* out, lnk_error* error) noexcept {
    return barrier(error, [&]() -> Status {
      if (instance == nullptr || out == nullptr) return fail(Code::Invalid, "open: an argument is missing");
      *out = 0;
      LNK_TRY(*out, detail::object_of<T>(instance).open_doorway(child));
      return {};
    });
  }

  template <class T>
  static lnk_status listen_inside(lnk_instance* instance, lnk_id doorway, const lnk_inside_address* address,
                                  std::int32_t* out, lnk_error* error) noexcept {
    return socket_call(instance, address, out, error, [&](const InsideAddress& at) {
      return detail::object_of<T>(instance).listen_inside(doorway, at);
    });
  }

  template <class T>
  static lnk_status connect_inside(lnk_instance* instance, lnk_id doorway, const lnk_inside_address* address,
                                   std::int32_t* out, lnk_error* error) noexcept {
    return socket_call(instance, address, out, error, [&](const InsideAddress& at) {
      return detail::object_of<T>(instance).connect_inside(doorway, at);
    });
  }

  template <class T>
  static void close(lnk_instance* instance, lnk_id doorway) noexcept {
    if (instance != nullptr) detail::object_of<T>(instance).close_doorway(doorway);
  }

  template <class T>
  [[nodiscard]] static const lnk_iface* table() noexcept {
    static constexpr lnk_doorway kTable{
        {sizeof(lnk_doorway), LNK_DOORWAY_MAJOR, 0}, &open<T>, &listen_inside<T>, &connect_inside<T>, &close<T>};
    return &kTable.head;
  }

 private:
  static Result<InsideAddress> read_address(const lnk_inside_address* raw) {
    if (raw == nullptr || raw->size < sizeof(lnk_inside_address)) return fail(Code::Invalid, "no whole address");
    const bool is_sound = (raw->kind == LNK_SOCKET_STREAM || raw->kind == LNK_SOCKET_DATAGRAM) &&
                          (raw->ip_size == 4 || raw->ip_size == 16) && raw->port >= 1 && raw->port <= 65535;
    if (!is_sound) return fail(Code::Invalid, "an address of no known form");
    return InsideAddress{raw->kind, std::to_array(raw->ip), raw->ip_size, static_cast<std::uint16_t>(raw->port)};
  }

  template <class Call>
  static lnk_status socket_call(lnk_instance* instance, const lnk_inside_address* raw, std::int32_t* out,
                                lnk_error* error, Call call) noexcept {
    return barrier(error, [&]() -> Status {
      if (instance == nullptr || out == nullptr) return fail(Code::Invalid, "an argument is missing");
      *out = -1;
      LNK_TRY(const InsideAddress address, read_address(raw));
      LNK_TRY(UniqueFd socket, call(address));
      *out = socket.release();
      return {};
    });
  }
};

struct RemountInterface {
  static constexpr std::string_view kId = LNK_REMOUNT_ID;
  static constexpr std::uint32_t kMajor = LNK_REMOUNT_MAJOR;
  struct State {};

  template <class T>
  static lnk_status cover(lnk_instance* instance, lnk_id child, const lnk_replaced* raw, lnk_error* error) noexcept {
    return barrier(error, [&]() -> Status {
      if (instance == nullptr || raw == nullptr || raw->size < sizeof(lnk_replaced))
        return fail(Code::Invalid, "cover: an argument is missing or shorter than 1.0");
      return detail::object_of<T>(instance).cover(child, Replaced{view(raw->path), raw->device, raw->inode});
    });
  }

  template <class T>
  [[nodiscard]] static const lnk_iface* table() noexcept {
    static constexpr lnk_remount kTable{{sizeof(lnk_remount), LNK_REMOUNT_MAJOR, 0}, &cover<T>};
    return &kTable.head;
  }
};

}  // namespace lnk
