// SPDX-License-Identifier: Apache-2.0
//
// Included once by each target, after its `check`.
#pragma once

#include "property.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lnk::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
