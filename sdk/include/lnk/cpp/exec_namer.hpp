// SPDX-License-Identifier: Apache-2.0
//
// lnk.exec_namer/1 in C++. A namer's class has
//
//     lnk::Result<lnk::Namer> start_naming(lnk_id child);
//     lnk::Result<std::vector<lnk::ProgramReport>> reports(lnk_id namer);
//     void stop_naming(lnk_id namer) noexcept;
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lnk/abi/exec_namer.h"
#include "lnk/cpp/module.hpp"

namespace lnk {

struct Namer {
  lnk_id id = 0;
  int readable = -1;  ///< the module's own
};

/// As lnk_program_report.
struct ProgramReport {
  std::string path = {};
  std::string parent = {};
  std::int32_t pid = 0;
  bool is_allowed = false;
};

struct ExecNamerInterface {
  static constexpr std::string_view kId = LNK_EXEC_NAMER_ID;
  static constexpr std::uint32_t kMajor = LNK_EXEC_NAMER_MAJOR;
  struct State {};

  template <class T>
  static lnk_status start(lnk_instance* instance, lnk_id child, std::int32_t* readable, lnk_id* namer,
                          lnk_error* error) noexcept {
    return barrier(error, [&]() -> Status {
      if (instance == nullptr || readable == nullptr || namer == nullptr)
        return fail(Code::Invalid, "start: an argument is missing");
      *readable = -1;
      *namer = 0;
      LNK_TRY(const Namer started, detail::object_of<T>(instance).start_naming(child));
      *readable = started.readable;
      *namer = started.id;
      return {};
    });
  }

  template <class T>
  static lnk_status reports(lnk_instance* instance, lnk_id namer, const lnk_program_sink* sink,
                            lnk_error* error) noexcept {
    return barrier(error, [&]() -> Status {
      if (instance == nullptr || sink == nullptr || !LNK_HAS(sink, program))
        return fail(Code::Invalid, "reports: an argument is missing");
      LNK_TRY(const std::vector<ProgramReport> reports, detail::object_of<T>(instance).reports(namer));
      for (const ProgramReport& report : reports) {
        auto raw = sized<lnk_program_report>();
        raw.allowed = report.is_allowed ? 1 : 0;
        raw.path = to_str(report.path);
        raw.parent = to_str(report.parent);
        raw.pid = report.pid;
        if (sink->program(sink->context, &raw) != LNK_OK) return fail(Code::Internal, "the host took no report");
      }
      return {};
    });
  }

  template <class T>
  static void stop(lnk_instance* instance, lnk_id namer) noexcept {
    if (instance != nullptr) detail::object_of<T>(instance).stop_naming(namer);
  }

  template <class T>
  [[nodiscard]] static const lnk_iface* table() noexcept {
    static constexpr lnk_exec_namer kTable{
        {sizeof(lnk_exec_namer), LNK_EXEC_NAMER_MAJOR, 0}, &start<T>, &reports<T>, &stop<T>};
    return &kTable.head;
  }
};

}  // namespace lnk
