// SPDX-License-Identifier: Apache-2.0
#include "decision.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "credentials.hpp"

namespace lnk::verb_secret {
namespace {

using secret::Place;

std::string of(const Secret& secret) { return "the rule of secret " + secret.name; }

Denial wrong_method(const Secret& secret) {
  return {405, "bad-request", of(secret) + " does not name this method; its \"methods\" would allow it"};
}

Denial path_refused(const Secret& secret, std::string_view why) {
  return {403, "path-refused", of(secret) + ' ' + std::string(why)};
}

Denial wrong_placeholder(const Secret& secret) {
  return {401, "wrong-placeholder",
          "secret " + secret.name +
              " takes the placeholder of this sandbox, in the place its rule names, and no other key"};
}

/// RFC 3986 3.4, less what a server could cut at: the head parser let only visible ASCII through.
bool is_plain_query(std::string_view query) noexcept {
  return std::all_of(query.begin(), query.end(), [](char c) { return c > 0x20 && c < 0x7f && c != '#'; });
}

/// The shape of the rule that the path has, or why it may not pass.
std::variant<Denial, route::Match> match_path(const Secret& secret, const HeadEvent& head) {
  if (const auto fault = route::path_fault(head.path); !fault.empty()) {
    return path_refused(secret, "takes no path with " + std::string(fault));
  }
  const auto refused = [&](const secret::RulePath& path) {
    return path.takes(head.method) && path.shape.match(head.path, route::Letters::AnyCase).has_value();
  };
  if (std::any_of(secret.rule.refuse.begin(), secret.rule.refuse.end(), refused)) {
    return path_refused(secret, "refuses this path; trying again won't help");
  }
  bool is_known = false;
  for (const auto& path : secret.rule.paths) {
    auto match = path.shape.match(head.path);
    if (match && path.takes(head.method)) return std::move(*match);
    is_known = is_known || match;
  }
  return path_refused(secret, is_known ? "names this path for other methods; its \"paths\" would allow it"
                                       : "names no such path; its \"paths\" would allow it");
}

/// No piece for no text.
Value& add_text(Value& value, std::string_view text) { return text.empty() ? value : value.text(text); }

std::string handle_of(const Secret& secret) { return "secret:" + secret.name; }

constexpr std::size_t kShownNameBytesMax = 60;

/// The words of a refusal are one line of plain text.
std::string shown_name(std::string_view name) {
  std::string out(name.substr(0, kShownNameBytesMax));
  std::replace_if(out.begin(), out.end(), [](char c) { return c < 0x20 || c >= 0x7f; }, '?');
  return out;
}

Denial unread_body(const Secret& secret) {
  return {415, "bad-body",
          of(secret) + " reads bodies: JSON in UTF-8, application/x-www-form-urlencoded or multipart/form-data, in no coding"};
}

Denial wrong_parameter(const Secret& secret, const RefusedParameter& refused) {
  return {400, "bad-request",
          of(secret) + " takes no parameter '" + shown_name(refused.name) + "', which " +
              std::string(refused.why)};
}

/// The path with the handle where the placeholder stood.
Value target_of(const Secret& secret, const HeadEvent& head, const route::Match& match, const std::string& query) {
  const bool in_query = secret.rule.place == Place::Query;
  std::string behind = query.empty() && !in_query ? std::string() : "?" + query;
  const auto at = std::find_if(match.captures.begin(), match.captures.end(),
                               [](const route::Capture& c) { return c.kind == route::Kind::Secret; });
  Value target("/");
  if (at == match.captures.end()) {
    target.text(head.path);
  } else {
    target.text(head.path.substr(0, at->at)).handle(handle_of(secret)).text(head.path.substr(at->at + at->size));
  }
  if (in_query) behind += (query.empty() ? "" : "&") + secret.rule.field + '=' + secret.rule.value.before;
  if (!behind.empty()) target.text(behind);
  if (in_query) add_text(target.query_handle(handle_of(secret)), secret.rule.value.after);
  return target;
}

std::optional<FieldEdit> credential_of(const Secret& secret) {
  const auto& rule = secret.rule;
  Value value;
  if (rule.place == Place::Header) {
    add_text(add_text(value, rule.value.before).handle(handle_of(secret)), rule.value.after);
    return FieldEdit::set(rule.field, std::move(value));
  }
  if (rule.place != Place::Basic) return std::nullopt;
  value.text("Basic ").base64_begin();
  if (rule.secret_is_user) {
    value.handle(handle_of(secret)).text(":" + rule.basic_other);
  } else {
    value.text(rule.basic_other + ":").handle(handle_of(secret));
  }
  return FieldEdit::set(rule.field, std::move(value.base64_end()));
}

std::vector<FieldEdit> edits_of(const Secret& secret, const HeadEvent& head) {
  std::vector<FieldEdit> edits;
  for (std::size_t i = 0; i < head.fields.size(); ++i) {
    if (is_dropped(secret, head.fields[i])) edits.push_back(FieldEdit::remove(head.fields[i].name));
  }
  // The host looks for the secret in the reply, which it can't where the reply is encoded.
  edits.push_back(FieldEdit::set("Accept-Encoding", Value("identity")));
  if (auto credential = credential_of(secret)) edits.push_back(std::move(*credential));
  return edits;
}

/// The placeholder would go out where it stands in the path but not in the secret's place.
bool strays_in_path(const Secret& secret, const HeadEvent& head) {
  const auto first = head.path.find(secret.placeholder);
  if (first == std::string_view::npos) return false;
  return secret.rule.place != Place::Path || head.path.find(secret.placeholder, first + 1) != std::string_view::npos;
}

}  // namespace

Decision decide(const Secret& secret, const HeadEvent& head) {
  const auto& methods = secret.rule.methods;
  if (std::find(methods.begin(), methods.end(), head.method) == methods.end()) return wrong_method(secret);
  auto matched = match_path(secret, head);
  if (auto* denial = std::get_if<Denial>(&matched)) return std::move(*denial);
  const auto& match = std::get<route::Match>(matched);
  if (!has_placeholder(secret, head, match)) return wrong_placeholder(secret);
  if (strays_in_path(secret, head)) return path_refused(secret, "takes the placeholder in one place");
  if (head.query && !is_plain_query(*head.query)) {
    return Denial{400, "bad-request", "the query has a character that must be percent-encoded"};
  }
  const auto query = head.query ? kept_query(secret, *head.query) : std::string();
  if (const auto refused = refused_parameter(secret, query)) return wrong_parameter(secret, *refused);
  std::optional<BodyType> body;
  if (!secret.rule.held.empty() && head.has_body) {
    body = body_type(head.fields);
    if (!body) return unread_body(secret);
  }
  return Passage{secret.rule.host, target_of(secret, head, match, query), edits_of(secret, head), std::move(body)};
}

std::optional<Denial> decide_body(const Secret& secret, const BodyType& type, std::string_view body) {
  if (body.find(secret.placeholder) != std::string_view::npos) {
    return Denial{400, "bad-body", of(secret) + " takes the placeholder in one place, and not in a body"};
  }
  const auto fault = body_fault(secret, type, body);
  if (!fault) return std::nullopt;
  return Denial{400, "bad-body",
                of(secret) + " takes no body " +
                    (fault->name.empty() ? "that " : "with a field '" + shown_name(fault->name) + "', which ") + std::string(fault->why)};
}

Denial no_such_verb() { return {404, "no-such-verb", "no such verb"}; }

const Secret* find_unnamed(const std::vector<Secret>& secrets, const HeadEvent& head) {
  // Every secret is tried, so that the time tells nothing of which one a placeholder is near to.
  const Secret* meant = nullptr;
  for (const auto& secret : secrets) {
    auto matched = match_path(secret, head);
    const auto* match = std::get_if<route::Match>(&matched);
    if (match != nullptr && has_placeholder(secret, head, *match)) meant = &secret;
  }
  return meant;
}

}  // namespace lnk::verb_secret
