// SPDX-License-Identifier: Apache-2.0
//
// [verb.<id>]: a module's own tables, taken as they are. What may stand in one is for the schema that the module carries.
#pragma once

#include <vector>

#include "spec/reader.hpp"
#include "spec/spec.hpp"
#include "spec/toml_tree.hpp"

namespace lnk::host {

void read_verb_tables(Reader& reader, const TomlMember& verbs, std::vector<VerbTable>& out);

/// Those of one OS beside the common ones. A table is one verb's whole configuration, so that two of one id are refused.
void add_verb_tables(Reader& reader, std::vector<VerbTable>& to, const std::vector<VerbTable>& from);

}  // namespace lnk::host
