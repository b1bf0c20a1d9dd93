// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/reader.hpp"
#include "spec/spec.hpp"
#include "spec/toml_tree.hpp"

namespace lnk::host {

/// A document's tables as they stand, before those of an OS are added to the others.
struct SpecTables {
  Spec common;
  Spec linux_only;
  Spec macos_only;
};

/// Reads every table and key of the document; what is unknown or of another form is refused.
[[nodiscard]] SpecTables read_tables(Reader& reader, const TomlNode& root);

/// The common tables with those of one OS added. A key of one value that both set is refused.
[[nodiscard]] Spec add_tables(Reader& reader, const Spec& common, const Spec& os);

}  // namespace lnk::host
