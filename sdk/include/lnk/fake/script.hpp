// SPDX-License-Identifier: Apache-2.0
//
// Scripts of events and the actions expected, as JSON. A script, or a list of them:
//
//   {"name":"a GET is relayed", "config":{…},
//    "declares":{"routes":[{"kind":"prefix","path":"clock/"}],
//                "upstreams":[{"host":"time.test","port":443,"tls":true}],"body_max":0},
//    "steps":[
//     {"event":"head","call":1,"method":"GET","path":"now","query":"x=1","has_body":false,"fields":[["Accept","*/*"]],
//      "expect":[{"action":"relay","host":"time.test","target":["/v1/",{"handle":"secret:clock"},"/now"],
//                 "edits":[{"remove":"cookie"},{"set":"authorization","value":["Bearer
//                 ",{"handle":"secret:clock"}]}]}]},
//     {"event":"gone","call":1,"expect":[]},
//     {"event":"body","call":1,"body":"x","fails":"never began"}]}
//
// A config that is to be refused has "refused":"words" and no steps. `declares` may be left out. The actions of a step
// must be as many, in the same order; of each, the keys that are written are compared. `fails` asks for a failed event
// whose words hold that text. "answers":{"relay":"denied"} has the sink answer so from that step on (ok, invalid,
// unsupported, denied, gone, limit, timeout, upstream, internal, again). Actions that start something get the ids 1, 2,
// 3, … in order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lnk/abi/module.h"
#include "lnk/cpp/result.hpp"
#include "lnk/fake/recorded_action.hpp"

namespace lnk::fake {

struct ScriptResult {
  std::string name;
  std::vector<std::string> faults;  ///< none: it passed
};

/// errors: Invalid where the text is no script; what a module does wrong is a fault of its script.
[[nodiscard]] Result<std::vector<ScriptResult>> run_scripts(const lnk_module_api& api, std::string_view json);

/// An action as a script would expect it, on one line.
[[nodiscard]] std::string action_json(const RecordedAction& action);

}  // namespace lnk::fake
