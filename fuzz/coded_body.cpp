// SPDX-License-Identifier: Apache-2.0
//
// Bodies in a coding, the first byte saying which: what is decoded keeps to the limits and is decoded alike again, and with
// one byte behind it no more.
#include <string>

#include "entry.hpp"
#include "lnk/jsonfilter/coded_body.hpp"

namespace lnk::fuzz {

void check(std::string_view input) {
  if (input.empty()) return;
  const auto coding = (input.front() & 1) != 0 ? jsonfilter::Coding::Gzip : jsonfilter::Coding::Zstd;
  const auto coded = input.substr(1);
  const jsonfilter::DecodeLimits limits{256 * 1024, 50, 4 * 1024};
  const auto text = jsonfilter::decode(coding, coded, limits);
  if (!text) {
    LNK_HOLDS(!text.error().text.empty());
    return;
  }
  LNK_HOLDS(text->size() <= limits.bytes_max);
  LNK_HOLDS(text->size() <= limits.ratio_free_bytes || text->size() <= coded.size() * limits.ratio_max);
  const auto again = jsonfilter::decode(coding, coded, limits);
  LNK_HOLDS(again.has_value() && *again == *text);
  LNK_HOLDS(!jsonfilter::decode(coding, std::string(coded) + '\0', limits).has_value());
  LNK_HOLDS(!jsonfilter::decode(coding, std::string(coded) + std::string(coded), limits).has_value());
}

}  // namespace lnk::fuzz
