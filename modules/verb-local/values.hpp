// SPDX-License-Identifier: Apache-2.0
//
// The kinds of values that a request's members may have. A check keeps a value, changes it in place, or refuses the
// request: then it is false, and the filter holds why. Where a value stands is told in words.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "denial.hpp"
#include "lnk/jsonfilter/document.hpp"

namespace lnk::verb_local {

using jsonfilter::Item;
using jsonfilter::Value;

/// A member or an element, and what it stands in; null: the body itself.
struct Place {
  const Place* above = nullptr;
  std::string_view key = {};  ///< empty: an element
  std::size_t index = 0;
};

struct Filter {
  explicit Filter(const std::vector<std::string>& spec_models) noexcept : models(spec_models) {}

  const std::vector<std::string>& models;
  std::optional<Denial> denial = {};  ///< the first
};

using Check = bool (*)(Filter& filter, Value& value, const Place& place);

struct Member {
  std::string_view name;
  Check check;
};

// ---- refusals: always false ----
bool refuse_form(Filter& filter, const Place& place);  ///< nothing is known of such a value there
bool refuse_url(Filter& filter, const Place& place);
bool refuse_tool(Filter& filter, const Place& place);

// ---- kinds ----
/// As it is, whatever it is: what the program alone reads.
bool keep(Filter& filter, Value& value, const Place& place);
/// A text, number or truth, or a list of them, or of lists of them.
bool simple(Filter& filter, Value& value, const Place& place);
/// An object or list whose leaves are simple, with no URL and no name in it of what would have a runtime reach out.
bool settings(Filter& filter, Value& value, const Place& place);
/// A JSON Schema, a format or a list of functions: as it is, but for a reference out of it.
bool schema(Filter& filter, Value& value, const Place& place);
/// A model's name.
bool model(Filter& filter, Value& value, const Place& place);
/// What a runtime would fetch: data: alone.
bool data_url(Filter& filter, Value& value, const Place& place);
/// A data: URL, or an object with one under `url`.
bool media(Filter& filter, Value& value, const Place& place);
/// Bytes in base64 or a data: URL, or a list of them.
bool inline_data(Filter& filter, Value& value, const Place& place);
/// data: URLs, or a list of them: where a runtime would take any other text for a file's name.
bool data_urls(Filter& filter, Value& value, const Place& place);

/// An object, of which the members of `known` are kept as they are checked. `known` is in order of the names. Others
/// go, unless their name is one of what would have a runtime reach out.
bool members(Filter& filter, Value& value, const Place& place, std::span<const Member> known);

}  // namespace lnk::verb_local
