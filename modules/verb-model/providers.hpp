// SPDX-License-Identifier: Apache-2.0
//
// The providers' table: which paths are inference, what a body is held to there, and where the key goes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "choice.hpp"
#include "lnk/cpp/result.hpp"
#include "shapes.hpp"

namespace lnk::verb_model {

/// Where a key stands. Anthropic: by the version of its interface that is asked for.
enum class KeyField : std::uint8_t { Bearer, XApiKey, ApiKey, XGoogApiKey, Query, Anthropic };

struct Endpoint {
  std::string method;
  std::string path;  ///< with {model} and {name}
  int shape = kGoes; ///< kGoes: it has no body
  Choice choice = Choice::None;
  std::vector<std::string> query = {};  ///< parameters that pass
  std::optional<KeyField> key = {};     ///< where it is another than the provider's
  bool searches = false;                ///< by nature, whatever its model
};

struct Provider {
  std::string name;
  KeyField key = KeyField::Bearer;          ///< the one that is set
  std::vector<KeyField> given = {};         ///< those in which a client may send one
  std::string_view refusal_body = {};       ///< of a route: verb.h
  std::vector<Endpoint> endpoints = {};
};

class Providers {
 public:
  /// errors: Invalid, a mistake in the table.
  static Result<Providers> read(std::string_view table, const Shapes& shapes);
  /// Null where there is none.
  [[nodiscard]] const Provider* find(std::string_view name) const noexcept;
  [[nodiscard]] const std::vector<Provider>& all() const noexcept { return providers_; }

 private:
  std::vector<Provider> providers_;
};

/// A path that is one of a provider's, and the model that it names, decoded.
struct Hit {
  const Endpoint* endpoint = nullptr;
  std::optional<std::string> model = {};
};

/// The endpoint of that path, held to it as it was sent: no part is decoded but one that is a model's name, once, and what it
/// comes to holds no '%', no part that leads elsewhere and no blank. `any_method` is set where the path is there for another.
[[nodiscard]] std::optional<Hit> find_endpoint(const Provider& provider, std::string_view method, std::string_view path, bool& any_method);

}  // namespace lnk::verb_model
