// SPDX-License-Identifier: Apache-2.0
#include "body_filter.hpp"

#include <utility>

#include "body_shapes.hpp"
#include "lnk/jsonfilter/document.hpp"
#include "values.hpp"

namespace lnk::verb_local {
namespace {

Denial unread(const Error& error) {
  if (error.code == Code::Limit) return {413, "too-large", "the body is too large to be read: " + error.text};
  return {400, "bad-body", "the body can't be read in one way alone: " + error.text};
}

}  // namespace

std::variant<Denial, std::string> filter_body(jsonfilter::Coding coding, std::string_view body,
                                              const std::vector<std::string>& models) {
  std::string decoded;
  if (coding != jsonfilter::Coding::Identity) {
    auto made = jsonfilter::decode(coding, body);
    if (!made) return unread(made.error());
    decoded = std::move(made).value();
    body = decoded;
  }
  auto document = jsonfilter::parse(body);
  if (!document) return unread(document.error());
  if (!document->root().is_object()) return Denial{400, "bad-body", "the body is no JSON object"};
  Filter filter(models);
  if (!check_request(filter, document->root())) return *std::move(filter.denial);
  return jsonfilter::write(document->root());
}

}  // namespace lnk::verb_local
