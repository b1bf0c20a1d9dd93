// SPDX-License-Identifier: Apache-2.0
//
// Strict JSON: what is taken is read by Boost.JSON too, and what is written is read by it as the same value, with the same
// keys in the same order and the same text of each number; writing again changes nothing.
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <string>

#include "entry.hpp"
#include "lnk/jsonfilter/document.hpp"

namespace lnk::fuzz {
namespace {

namespace json = boost::json;
using jsonfilter::Kind;
using jsonfilter::Value;

void check_same(const Value& ours, const Value& again) {
  LNK_HOLDS(ours.kind() == again.kind() && ours.text() == again.text() && ours.items().size() == again.items().size());
  for (std::size_t at = 0; at < ours.items().size(); ++at) {
    LNK_HOLDS(ours.items()[at].key == again.items()[at].key);
    check_same(ours.items()[at].value, again.items()[at].value);
  }
}

void check_same(const Value& ours, const json::value& theirs) {
  switch (ours.kind()) {
    case Kind::Null: LNK_HOLDS(theirs.is_null()); return;
    case Kind::False: LNK_HOLDS(theirs.is_bool() && !theirs.as_bool()); return;
    case Kind::True: LNK_HOLDS(theirs.is_bool() && theirs.as_bool()); return;
    case Kind::Number: LNK_HOLDS(theirs.is_number()); return;
    case Kind::String: LNK_HOLDS(theirs.is_string() && std::string_view(theirs.as_string().data(), theirs.as_string().size()) == ours.text()); return;
    case Kind::Array: {
      LNK_HOLDS(theirs.is_array() && theirs.as_array().size() == ours.items().size());
      std::size_t at = 0;
      for (const auto& item : ours.items()) check_same(item.value, theirs.as_array()[at++]);
      return;
    }
    case Kind::Object:
      LNK_HOLDS(theirs.is_object() && theirs.as_object().size() == ours.items().size());
      for (const auto& item : ours.items()) {
        const auto* other = theirs.as_object().if_contains({item.key.data(), item.key.size()});
        LNK_HOLDS(other != nullptr);
        check_same(item.value, *other);
      }
      return;
  }
}

json::value read_by_boost(std::string_view text) {
  json::parse_options options;
  options.max_depth = 100;
  json::error_code error;
  auto value = json::parse({text.data(), text.size()}, error, {}, options);
  LNK_HOLDS(!error);
  return value;
}

}  // namespace

void check(std::string_view input) {
  const auto document = jsonfilter::parse(input, {64, 100'000, 1024 * 1024});
  if (!document) {
    LNK_HOLDS(!document.error().text.empty());
    return;
  }
  check_same(document->root(), read_by_boost(input));
  const auto written = jsonfilter::write(document->root());
  check_same(document->root(), read_by_boost(written));
  const auto again = jsonfilter::parse(written, {64, 100'000, 8 * 1024 * 1024});
  LNK_HOLDS(again.has_value());
  check_same(document->root(), again->root());
  LNK_HOLDS(jsonfilter::write(again->root()) == written);
}

}  // namespace lnk::fuzz
