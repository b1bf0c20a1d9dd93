// SPDX-License-Identifier: Apache-2.0
//
// What this version reads and checks but can't enforce yet. A line goes from here when its part is built.
#include <string>
#include <string_view>

#include "spec/contradictions.hpp"

namespace lnk::host {
namespace {

void refuse(Reader& reader, Position at, std::string_view what) {
  reader.refuse(at, std::string(what) + " is not in this version of lnk-sandbox, and nothing is ignored; leave it out");
}

template <class List>
void refuse_list(Reader& reader, const List& list, std::string_view what) {
  if (!list.empty()) refuse(reader, list.front().at, what);
}

}  // namespace

void refuse_later_tables(Reader& reader, const Spec& spec) {
  refuse_list(reader, spec.tools, "[tools] use");
}

}  // namespace lnk::host
