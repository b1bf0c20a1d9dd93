// SPDX-License-Identifier: Apache-2.0
#include "decision.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "lnk/cpp/ascii.hpp"
#include "lnk/route/path_shape.hpp"
#include "runtimes.hpp"

namespace lnk::verb_local {
namespace {

using jsonfilter::Coding;

/// All that a runtime needs of a client. What says who asks stays behind: credentials, cookies, Origin and Referer, the
/// tracing and routing fields by which some runtimes are steered.
constexpr auto kPassedFields = std::to_array<std::string_view>({"accept", "user-agent", "anthropic-version"});

Denial not_inference() {
  return {403, "not-inference",
          "the runtime is for inference alone, and this method and path is neither inference nor a read by which a "
          "model is "
          "chosen; trying again won't help"};
}

/// The beta methods of Anthropic's client say so in a query, which no runtime reads.
bool is_known_query(std::string_view path, std::string_view query) noexcept {
  return query == "beta=true" && (path == "v1/messages" || path == "v1/messages/count_tokens");
}

std::optional<Denial> check_path(const HeadEvent& head) {
  // The root itself, by which clients look whether a runtime is there.
  const auto fault = head.path.empty() ? std::string_view() : route::path_fault(head.path);
  if (!fault.empty())
    return Denial{403, "path-refused",
                  "a local runtime's path is taken as it is written, so none with " + std::string(fault)};
  if (head.query && !is_known_query(head.path, *head.query))
    return Denial{403, "path-refused", "a query belongs to nothing that a local runtime is asked for here"};
  return std::nullopt;
}

/// application/json, and no charset but the only one that JSON has (RFC 8259 8.1).
bool is_json_type(std::string_view value) noexcept {
  const auto type = trimmed(value.substr(0, value.find(';')));
  if (!same_folded(type, "application/json")) return false;
  if (value.find(';') == std::string_view::npos) return true;
  const auto parameter = trimmed(value.substr(value.find(';') + 1));
  return parameter.empty() || same_folded(parameter, "charset=utf-8") || same_folded(parameter, "charset=\"utf-8\"");
}

/// The coding of the body, or why it can't be read.
std::variant<Denial, Coding> check_body(const HeadEvent& head) {
  const auto type = head.fields.first("content-type");
  if (!type || head.fields.count("content-type") != 1 || !is_json_type(*type))
    return Denial{415, "bad-body", "a local runtime is asked in JSON: send it with Content-Type: application/json"};
  const auto named = head.fields.first("content-encoding");
  if (!named) return Coding::Identity;
  const auto coding = head.fields.count("content-encoding") == 1 ? jsonfilter::coding_of(*named) : std::nullopt;
  if (!coding) return Denial{415, "bad-body", "the body's content coding is not read here; gzip and zstd are"};
  return *coding;
}

std::vector<FieldEdit> edits_of(const HeadEvent& head, bool has_body) {
  std::vector<FieldEdit> edits;
  for (std::size_t i = 0; i < head.fields.size(); ++i) {
    const auto name = head.fields[i].name;
    const bool passes =
        std::any_of(kPassedFields.begin(), kPassedFields.end(), [name](auto one) { return same_folded(one, name); });
    if (!passes) edits.push_back(FieldEdit::remove(name));
  }
  edits.push_back(FieldEdit::set("Accept-Encoding", Value("identity")));
  if (has_body) edits.push_back(FieldEdit::set("Content-Type", Value("application/json")));
  return edits;
}

}  // namespace

Decision decide(const HeadEvent& head) {
  if (auto denial = check_path(head)) return *std::move(denial);
  if (use_of(head.method, head.path) == Use::None) return not_inference();
  Passage passage{
      "/" + std::string(head.path) + (head.query ? "?" + std::string(*head.query) : ""), {}, head.method == "POST"};
  if (passage.has_body) {
    auto coding = check_body(head);
    if (auto* denial = std::get_if<Denial>(&coding)) return std::move(*denial);
    passage.coding = std::get<Coding>(coding);
  }
  passage.edits = edits_of(head, passage.has_body);
  return passage;
}

}  // namespace lnk::verb_local
