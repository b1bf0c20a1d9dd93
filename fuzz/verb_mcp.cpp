// SPDX-License-Identifier: Apache-2.0
//
// What a program inside, a server outside and a person say to the mcp verb, one step a line (tests/verb-mcp/mcp_model.hpp). What goes to
// a server is one line of strict JSON with a method of the table; of those that are asked no more go than there were yeses; no roots of
// the program's go at all; no call is answered twice.
#include "entry.hpp"
#include "mcp_model.hpp"

namespace lnk::fuzz {

void check(std::string_view input) {
  test::McpModel model(test::kAsks);
  const auto& faults = model.run(input);
  for (const auto& fault : faults) std::fprintf(stderr, "%s\n", fault.c_str());
  LNK_HOLDS(faults.empty());
}

}  // namespace lnk::fuzz
