// SPDX-License-Identifier: Apache-2.0
#include "wire/verb/decided.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "lnk/cpp/utf8.hpp"
#include "lnk/cpp/view.hpp"
#include "lnk/http/head.hpp"
#include "wire/config.hpp"
#include "wire/limits.hpp"

namespace lnk::host {
namespace {

/// The reasons of the wire's table that are a verb's to give.
constexpr std::array<std::string_view, 13> kReasons = {
    "bad-request",  "verb-off",     "not-inference", "path-refused",      "url-refused", "model-searches",
    "page-refused", "tool-refused", "no-such-verb",  "wrong-placeholder", "too-large",   "bad-body",
    "upstream"};

/// The host writes these itself; one of a module's would make two messages out of one.
constexpr std::array<std::string_view, 8> kFraming = {"host", "content-length", "transfer-encoding", "connection",
                                                      "te",   "trailer",        "upgrade",           "expect"};
constexpr std::array<std::string_view, 5> kHopByHop = {"keep-alive", "proxy-connection", "proxy-authorization",
                                                       "proxy-authenticate", "http2-settings"};

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& list) noexcept {
  return std::any_of(list.begin(), list.end(), [&](std::string_view each) { return http::equals_folded(name, each); });
}

Failure bad(std::string_view words) { return fail(Code::Invalid, "an action " + std::string(words)); }

/// The kind's own struct, or null where the module gave a shorter one.
template <class T>
const T* data_of(const lnk_action& action) noexcept {
  const auto* data = static_cast<const T*>(action.data);
  return data == nullptr || data->size < sizeof(T) ? nullptr : data;
}

bool is_there(lnk_str text) noexcept { return text.data != nullptr || text.size == 0; }
bool is_there(lnk_bytes bytes) noexcept { return bytes.data != nullptr || bytes.size == 0; }

bool is_field_text(std::string_view value) noexcept {
  return std::all_of(value.begin(), value.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

Result<Edit> read_edit(const lnk_field_edit& raw) {
  if (!is_there(raw.name) || (raw.kind != LNK_EDIT_REMOVE && raw.kind != LNK_EDIT_SET))
    return bad("has an unknown edit");
  Edit edit{std::string(view(raw.name)), raw.kind == LNK_EDIT_SET, {}};
  if (!http::is_token(edit.name)) return bad("edits a field whose name is no token");
  if (is_one_of(edit.name, kFraming)) return bad("edits " + edit.name + ", which the host writes itself");
  if (!edit.is_set) return edit;
  if (is_one_of(edit.name, kHopByHop)) return bad("sets " + edit.name + ", which is for one hop");
  LNK_TRY(edit.value, read_pieces(raw.value, ValuePlace::Field));
  return edit;
}

Result<std::vector<Edit>> read_edits(const lnk_action_relay& raw) {
  if (raw.edit_count > kEditsMax || (raw.edits == nullptr && raw.edit_count != 0)) return bad("has too many edits");
  std::vector<Edit> edits;
  for (const lnk_field_edit& each : std::span(raw.edits, raw.edit_count)) {
    LNK_TRY(auto edit, read_edit(each));
    edits.push_back(std::move(edit));
  }
  return edits;
}

Result<void> check_method(std::string_view method) {
  if (!http::is_token(method) || method == "CONNECT" || method == "TRACE")
    return bad("has a method that is not passed on");
  return {};
}

/// Origin-form, and not "//", which some servers read as an authority.
Result<Pieces> read_target(const lnk_value& raw) {
  LNK_TRY(auto target, read_pieces(raw, ValuePlace::Target));
  const bool is_path = !target.empty() && target.front().kind == LNK_PIECE_TEXT &&
                       target.front().text.starts_with('/') && !target.front().text.starts_with("//");
  if (!is_path) return bad("has a target that does not begin with one '/'");
  return target;
}

}  // namespace

Result<RelayPlan> read_relay(const lnk_action& action, bool forwards) {
  const auto* raw = data_of<lnk_action_relay>(action);
  if (raw == nullptr || !is_there(raw->host) || !is_there(raw->method) || !is_there(raw->body))
    return bad("is malformed");
  if ((raw->flags & ~static_cast<std::uint32_t>(LNK_SEE_REPLY)) != 0) return fail(Code::Unsupported, "an action has unknown flags");
  if (raw->tls != 1 && (raw->tls != 0 || view(raw->host) != kThisMachineName))
    return fail(Code::Denied, "an action speaks to " + std::string(view(raw->host)) + " without TLS");
  RelayPlan plan{std::string(view(raw->host)), raw->port, std::string(view(raw->method)), {}, {}, forwards, {}};
  LNK_CHECK(check_method(plan.method));
  LNK_TRY(plan.target, read_target(raw->target));
  LNK_TRY(plan.edits, read_edits(*raw));
  if (!forwards && raw->body.size != 0) return bad("relays, and has a body of its own");
  if (raw->body.size > kOwnBodyBytesMax) return fail(Code::Limit, "an action has a body over 64 MiB");
  plan.body = view(raw->body);
  plan.sees_reply = raw->flags != 0;
  plan.tls = raw->tls == 1;
  return plan;
}

Result<AnswerPlan> read_answer(const lnk_action& action) {
  const auto* raw = data_of<lnk_action_answer>(action);
  if (raw == nullptr || !is_there(raw->body)) return bad("is malformed");
  if (raw->streams > 1) return bad("is malformed");
  if (raw->status < 200 || raw->status > 599) return bad("answers with no status of a final reply");
  if (raw->field_count > kEditsMax || (raw->fields == nullptr && raw->field_count != 0))
    return bad("has too many fields");
  if (raw->body.size > kOwnBodyBytesMax) return fail(Code::Limit, "an action has a body over 64 MiB");
  AnswerPlan plan;
  plan.status = static_cast<std::uint16_t>(raw->status);
  for (const lnk_field& field : std::span(raw->fields, raw->field_count)) {
    if (!is_there(field.name) || !is_there(field.value)) return bad("is malformed");
    AnswerField made{std::string(view(field.name)), std::string(view(field.value))};
    if (!http::is_token(made.name) || !is_field_text(made.value))
      return bad("answers with a field that can't be written");
    if (is_one_of(made.name, kFraming) || is_one_of(made.name, kHopByHop)) return bad("answers with " + made.name);
    plan.fields.push_back(std::move(made));
  }
  plan.body = view(raw->body);
  plan.streams = raw->streams == 1;
  return plan;
}

Result<std::uint64_t> read_wake(const lnk_action& action) {
  const auto* raw = data_of<lnk_action_wake>(action);
  if (raw == nullptr) return bad("is malformed");
  if (raw->after_ms > static_cast<std::uint64_t>(kTimerMsMax)) return fail(Code::Limit, "a timer of more than a day");
  return std::max(raw->after_ms, static_cast<std::uint64_t>(kTimerMsMin));
}

Result<InsidePlan> read_call_inside(const lnk_action& action) {
  const auto* raw = data_of<lnk_action_call_inside>(action);
  if (raw == nullptr || !is_there(raw->method) || !is_there(raw->target) || !is_there(raw->host) ||
      !is_there(raw->content_type) || !is_there(raw->body))
    return bad("is malformed");
  if (raw->port == 0 || raw->port > 65535) return bad("calls a port that can't be one");
  if (raw->body.size > kInsideBodyBytesMax) return fail(Code::Limit, "a call inside has a body over 1 MiB");
  InsidePlan plan{static_cast<std::uint16_t>(raw->port), std::string(view(raw->method)),       std::string(view(raw->target)),
                  std::string(view(raw->host)),          std::string(view(raw->content_type)), std::string(view(raw->body))};
  LNK_CHECK(check_method(plan.method));
  const auto is_plain = [](char c) { return c > 0x20 && c < 0x7f && c != '#'; };
  if (!plan.target.starts_with('/') || plan.target.size() > http::kTargetBytesMax ||
      !std::all_of(plan.target.begin(), plan.target.end(), is_plain))
    return bad("calls a target that is no path");
  if (http::is_refused(http::parse_authority(plan.host))) return bad("calls with a host that is none");
  if (!is_field_text(plan.content_type) || plan.content_type.size() > http::kRequestFieldBytesMax)
    return bad("calls with a content type that can't be written");
  return plan;
}

Result<QuestionPlan> read_ask(const lnk_action& action) {
  const auto* raw = data_of<lnk_action_ask>(action);
  if (raw == nullptr || !is_there(raw->title) || (raw->lines == nullptr && raw->line_count != 0)) return bad("is malformed");
  if (raw->title.size == 0 || raw->title.size > kQuestionTitleBytesMax || raw->line_count > kQuestionLinesMax)
    return fail(Code::Limit, "a question without a title, or with too long a one, or too many lines");
  QuestionPlan plan{std::string(view(raw->title)), {}};
  std::size_t bytes = 0;
  for (const lnk_str line : std::span(raw->lines, raw->line_count)) {
    if (!is_there(line)) return bad("is malformed");
    bytes += line.size;
    if (bytes > kQuestionBytesMax) return fail(Code::Limit, "a question of more than 4 MiB");
    plan.lines.emplace_back(view(line));
  }
  const auto is_text = [](const std::string& line) { return is_utf8(line); };
  if (!is_text(plan.title) || !std::all_of(plan.lines.begin(), plan.lines.end(), is_text)) return bad("asks in what is no text");
  return plan;
}

Result<ListenPlan> read_listen(const lnk_action& action) {
  const auto* raw = data_of<lnk_action_listen>(action);
  if (raw == nullptr || !is_there(raw->path)) return bad("is malformed");
  if (raw->port == 0 || raw->port > 65535) return bad("listens at a port that can't be one");
  if (raw->seconds == 0 || raw->seconds > kListenSecondsMax) return bad("listens for longer than five minutes, or not at all");
  ListenPlan plan{static_cast<std::uint16_t>(raw->port), raw->seconds, std::string(view(raw->path))};
  const auto is_plain = [](char c) { return c > 0x20 && c < 0x7f && c != '#' && c != '?'; };
  if (!plan.path.starts_with('/') || plan.path.size() > http::kTargetBytesMax || !std::all_of(plan.path.begin(), plan.path.end(), is_plain))
    return bad("listens for a path that is none");
  return plan;
}

Result<std::string> read_tool_name(const lnk_action& action) {
  const auto* raw = data_of<lnk_action_text>(action);
  if (raw == nullptr || !is_there(raw->text)) return bad("is malformed");
  return std::string(view(raw->text));  // one that is not granted is no tool's
}

Result<std::string> read_page(const lnk_action& action) {
  const auto* raw = data_of<lnk_action_text>(action);
  if (raw == nullptr || !is_there(raw->text)) return bad("is malformed");
  const auto url = view(raw->text);
  const auto is_plain = [](char c) { return c > 0x20 && c < 0x7f; };
  if (!(url.starts_with("https://") || url.starts_with("http://")) || url.size() > http::kTargetBytesMax * 2 ||
      !std::all_of(url.begin(), url.end(), is_plain))
    return bad("opens what is no URL in plain ASCII");
  return std::string(url);
}

Result<std::string_view> read_tool_line(const lnk_action& action) {
  LNK_TRY(const auto line, read_piece(action));
  if (line.find('\n') != std::string_view::npos) return bad("sends a tool more than one line");
  if (line.size() > kToolLineBytesMax) return fail(Code::Limit, "a line of more than 16 MiB to a tool");
  return line;
}

Result<std::string> read_log(const lnk_action& action) {
  const auto* raw = data_of<lnk_action_text>(action);
  if (raw == nullptr || !is_there(raw->text)) return bad("is malformed");
  const auto word = view(raw->text);
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  if (word.empty() || word.size() > kLogReasonBytesMax || !std::all_of(word.begin(), word.end(), fits))
    return bad("logs what is no word of small letters, digits and dashes");
  return std::string(word);
}

Result<std::string_view> read_piece(const lnk_action& action) {
  const auto* raw = data_of<lnk_action_stream>(action);
  if (raw == nullptr || !is_there(raw->bytes)) return bad("is malformed");
  return view(raw->bytes);
}

Result<NeedBodyPlan> read_need_body(const lnk_action& action) {
  const auto* raw = data_of<lnk_action_need_body>(action);
  if (raw == nullptr) return bad("is malformed");
  return NeedBodyPlan{raw->bytes_max};
}

Result<http::Refusal> read_deny(const lnk_action& action) {
  const auto* raw = data_of<lnk_action_deny>(action);
  if (raw == nullptr || !is_there(raw->reason) || !is_there(raw->words)) return bad("is malformed");
  if (raw->status < 400 || raw->status > 599) return bad("denies with a status that is no refusal");
  const auto reason = std::find(kReasons.begin(), kReasons.end(), view(raw->reason));
  if (reason == kReasons.end()) return bad("denies for a reason that the wire does not know");
  const auto words = view(raw->words);
  if (words.size() > kDenyWordsBytesMax || !is_field_text(words))
    return bad("denies with words that are not one line of ASCII");
  return http::Refusal{static_cast<std::uint16_t>(raw->status), *reason, std::string(words)};
}

}  // namespace lnk::host
