// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <functional>
#include <set>

#include "lnk/cpp/view.hpp"
#include "loaded.hpp"

namespace lnk::modcheck {

namespace {

using fake::Head;
using fake::Sent;
using fake::VerbBench;

constexpr double kCallMsMax = 50;  // a call that takes longer holds every other call of the wire

/// Runs `body` on a fresh bench where the module is a verb.
Outcome on_bench(const Subject& subject, const std::function<Outcome(VerbBench&)>& body) {
  const auto module = load(subject);
  if (!module) return Outcome::failed(module.error().text);
  if (!is_kind(*module, host::ModuleKind::Verb)) return Outcome::not_for_this_kind();
  auto bench = VerbBench::start(module->api(), subject.config_json);
  if (!bench) return Outcome::failed(with_hint(bench.error()));
  return body(*bench);
}

/// A failed event, or one that was taken and came to nothing.
bool is_refused(const Sent& sent) { return sent.status != LNK_OK; }

Outcome check_declares(const Subject& subject) {
  return on_bench(subject, [](VerbBench& bench) {
    std::set<std::string> paths;
    for (const auto& route : bench.declared().routes) {
      if (!paths.insert(route.path).second) return Outcome::failed("it declares the route '" + route.path + "' twice");
    }
    return paths.empty() ? Outcome::failed("it declares no route, so that nothing ever reaches it") : Outcome::passed();
  });
}

Outcome check_unknown_event(const Subject& subject) {
  return on_bench(subject, [](VerbBench& bench) {
    (void)bench.head(1, {});
    for (const std::uint32_t kind : {0U, 17U, 4711U, 0xFFFFFFFFU}) {
      for (const lnk_id call : {lnk_id{0}, lnk_id{1}, lnk_id{99}}) {
        const Sent sent = bench.send(kind, call);
        if (!is_refused(sent)) return Outcome::failed("the unknown event " + std::to_string(kind) + " went well");
      }
    }
    return Outcome::passed();
  });
}

Outcome check_short_event(const Subject& subject) {
  return on_bench(subject, [](VerbBench& bench) {
    auto data = sized<lnk_event_head>();
    for (std::uint32_t size = 0; size < sizeof(lnk_event); size += 4) {
      lnk_event event = bench.make_event(LNK_EVENT_HEAD, 1, 0, &data);
      event.size = size;
      if (!is_refused(bench.send_raw(&event)))
        return Outcome::failed("an event of " + std::to_string(size) + " bytes went well");
    }
    return Outcome::passed();
  });
}

/// Every kind that has data of its own.
constexpr std::uint32_t kKindsWithData[] = {
    LNK_EVENT_HEAD,      LNK_EVENT_BODY,      LNK_EVENT_REPLY_HEAD,   LNK_EVENT_REPLY_CHUNK, LNK_EVENT_REPLY_END,
    LNK_EVENT_ANSWERED,  LNK_EVENT_TOOL_LINE, LNK_EVENT_TOOL_STARTED, LNK_EVENT_TOOL_EXIT,   LNK_EVENT_PAGE_OPENED,
    LNK_EVENT_LISTENING, LNK_EVENT_CALLBACK,  LNK_EVENT_INSIDE_REPLY};

Outcome check_short_data(const Subject& subject) {
  return on_bench(subject, [](VerbBench& bench) {
    const std::uint32_t brief[] = {4, 0};  // a struct that ends behind its own size
    lnk_id call = 1;
    for (const std::uint32_t kind : kKindsWithData) {
      if (kind != LNK_EVENT_HEAD) (void)bench.head(++call, {});
      if (!is_refused(bench.send(kind, call, 1, brief)))
        return Outcome::failed("event " + std::to_string(kind) + " with cut data went well");
      if (!is_refused(bench.send(kind, call, 1, nullptr)))
        return Outcome::failed("event " + std::to_string(kind) + " without data went well");
    }
    return Outcome::passed();
  });
}

Outcome check_wrong_ids(const Subject& subject) {
  return on_bench(subject, [](VerbBench& bench) {
    if (!is_refused(bench.body(7, "x"))) return Outcome::failed("a body of a call that never began went well");
    if (!is_refused(bench.gone(7))) return Outcome::failed("the end of a call that never began went well");
    if (!is_refused(bench.head(0, {}))) return Outcome::failed("a head without a call went well");
    (void)bench.head(7, {});
    if (!is_refused(bench.head(7, {}))) return Outcome::failed("a second head of one call went well");
    if (bench.gone(7).status != LNK_OK) return Outcome::failed("the end of a call was refused");
    if (!is_refused(bench.body(7, "x"))) return Outcome::failed("a body of a call that is gone went well");
    return Outcome::passed();
  });
}

Outcome check_route_beyond(const Subject& subject) {
  return on_bench(subject, [](VerbBench& bench) {
    Head head;
    head.route = static_cast<std::uint32_t>(bench.declared().routes.size());
    const Sent sent = bench.head(1, head);
    const bool is_denied =
        !sent.actions.empty() && std::all_of(sent.actions.begin(), sent.actions.end(), [](const auto& action) {
          return action.kind == LNK_ACTION_DENY || action.kind == LNK_ACTION_LOG;
        });
    if (is_refused(sent) || is_denied) return Outcome::passed();
    return Outcome::failed("a head of a route that was not declared went well");
  });
}

Outcome check_gone(const Subject& subject) {
  return on_bench(subject, [](VerbBench& bench) {
    lnk_id call = 0;
    for (std::uint32_t route = 0; route < bench.declared().routes.size(); ++route) {
      for (const std::string_view method : {"GET", "POST", "DELETE", "BREW"}) {
        Head head;
        head.route = route;
        head.method = method;
        head.has_body = method == "POST";
        (void)bench.head(++call, head);
        const Sent gone = bench.gone(call);
        if (gone.status != LNK_OK) return Outcome::failed("the end of a call was refused: " + gone.words);
        if (!gone.actions.empty()) return Outcome::failed("it acts for a call that has ended");
      }
    }
    if (!bench.misbehaviours().empty()) return Outcome::failed(bench.misbehaviours().front());
    return Outcome::passed();
  });
}

struct Spent {
  double wall_ms;
  double cpu_ms;
  long waits;
};

double ms_of(clockid_t clock) {
  timespec time{};
  (void)::clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

long waits_of_thread() {
  rusage usage{};
  (void)::getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nvcsw;
}

/// A call is too long where it worked or waited for so long itself; a busy machine that ran others meanwhile is no
/// fault.
bool is_too_long(const Spent& spent) {
  return spent.wall_ms > kCallMsMax && (spent.cpu_ms > kCallMsMax || spent.waits > 0);
}

Outcome check_blocking(const Subject& subject) {
  return on_bench(subject, [](VerbBench& bench) {
    lnk_id call = 0;
    for (std::uint32_t route = 0; route < bench.declared().routes.size(); ++route) {
      const double wall = ms_of(CLOCK_MONOTONIC);
      const double cpu = ms_of(CLOCK_THREAD_CPUTIME_ID);
      const long waits = waits_of_thread();
      Head head;
      head.route = route;
      (void)bench.head(++call, head);
      const Spent spent{ms_of(CLOCK_MONOTONIC) - wall, ms_of(CLOCK_THREAD_CPUTIME_ID) - cpu, waits_of_thread() - waits};
      (void)bench.gone(call);
      if (is_too_long(spent))
        return Outcome::failed("a head took " + std::to_string(static_cast<long>(spent.wall_ms)) + " ms (" +
                               std::to_string(spent.waits) + " waits); at most 50 ms, and none, are right");
    }
    return Outcome::passed();
  });
}

Outcome check_refused_action(const Subject& subject) {
  return on_bench(subject, [](VerbBench& bench) {
    for (std::uint32_t kind = LNK_ACTION_RELAY; kind <= LNK_ACTION_LOG; ++kind) bench.answer_with(kind, LNK_E_DENIED);
    lnk_id call = 0;
    for (std::uint32_t route = 0; route < bench.declared().routes.size(); ++route) {
      Head head;
      head.route = route;
      const Sent sent = bench.head(++call, head);
      (void)bench.gone(call);
      if (sent.status == LNK_OK && !sent.actions.empty())
        return Outcome::failed("its action was refused, and it says that all went well");
    }
    return Outcome::passed();
  });
}

constexpr Check kChecks[] = {
    {"declares", "a verb declares at least one route, and none twice", check_declares},
    {"unknown-event", "an event of an unknown kind fails", check_unknown_event},
    {"short-event", "an event shorter than that of SDK 1.0 fails", check_short_event},
    {"short-data", "data that is missing or shorter than that of SDK 1.0 fails its event", check_short_data},
    {"wrong-ids", "an event of a call that never began, began already or has gone fails", check_wrong_ids},
    {"route-beyond", "a head of a route that was not declared fails or is denied", check_route_beyond},
    {"gone", "a call can end at any time, and nothing is done for it then", check_gone},
    {"refused-action", "an action that the host refuses fails its event", check_refused_action},
    {"blocking", "a call never waits", check_blocking},
};

}  // namespace

std::span<const Check> verb_checks() noexcept { return kChecks; }

}  // namespace lnk::modcheck
