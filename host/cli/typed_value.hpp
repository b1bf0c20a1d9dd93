// SPDX-License-Identifier: Apache-2.0
//
// A secret's or a key's value as a person gives it: from standard input, or a terminal without echo. Never from an argument,
// which every process of the machine may read.
#pragma once

#include <string_view>

#include "lnk/cpp/result.hpp"
#include "lnk/secret/secret_bytes.hpp"

namespace lnk::host {

/// `what` is asked for at a terminal. The end of a typed line, or of a file, is no part of the value.
[[nodiscard]] Result<secret::SecretBytes> read_typed_value(std::string_view what);

}  // namespace lnk::host
