// SPDX-License-Identifier: Apache-2.0
//
// Between a script's JSON and the values of the bench.
#pragma once

#include <boost/json/fwd.hpp>
#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "lnk/fake/recorded_action.hpp"
#include "lnk/fake/verb_bench.hpp"

namespace lnk::fake {

[[nodiscard]] boost::json::object to_object(const RecordedAction& action);
[[nodiscard]] boost::json::object to_object(const Declared& declared);

/// The same value in one form: a list of one text is the text, field names are in small letters, whole numbers are of
/// one kind.
[[nodiscard]] boost::json::value normal(const boost::json::value& value);

/// A text, or empty where the value is none.
[[nodiscard]] std::string text_of(const boost::json::value& value);

[[nodiscard]] Result<std::uint32_t> action_kind(std::string_view word);
[[nodiscard]] Result<lnk_status> status_of(std::string_view word);

}  // namespace lnk::fake
