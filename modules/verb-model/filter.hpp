// SPDX-License-Identifier: Apache-2.0
//
// A request's body held to its shape: what isn't in it is taken out, what may not be asked refuses the request.
//
// Guarantees, where the provider's tools are not left: every object that goes out, but for what a shape calls `any`, is one of
// a shape's, with its members alone; every tool is of a type that the program runs; a URL for the provider to fetch is data:.
#pragma once

#include <optional>

#include "choice.hpp"
#include "denial.hpp"
#include "lnk/jsonfilter/document.hpp"
#include "policy.hpp"
#include "shapes.hpp"

namespace lnk::verb_model {

struct Filter {
  const Shapes& shapes;
  const Policy& policy;
  int shape = kGoes;
  Choice choice = Choice::None;
};

/// The document is changed in place.
[[nodiscard]] std::optional<Denial> filter(const Filter& how, jsonfilter::Document& document);

}  // namespace lnk::verb_model
