// SPDX-License-Identifier: Apache-2.0
//
// What every connection of the wire works with. Made once by main, in order; outlives every connection.
#pragma once

#include <cstdint>

#include "wire/call_log.hpp"
#include "wire/config.hpp"
#include "wire/dialer.hpp"
#include "wire/gate.hpp"
#include "wire/host_list.hpp"
#include "wire/loop.hpp"
#include "wire/pipe_pool.hpp"
#include "wire/verb_calls.hpp"

namespace lnk::host {

class NameService;

struct WireParts {
  Loop& loop;
  const WireConfig& config;
  const HostList& hosts;
  Dialer& dialer;
  RunLog& log;
  Gate& gate;
  VerbCalls* verbs = nullptr;  ///< none: no verb is used
  NameService* names = nullptr;  ///< none: there are no endpoints
  PipePool pipes = {};
  std::uint64_t last_call_id = 0;
};

}  // namespace lnk::host
