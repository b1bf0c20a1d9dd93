// SPDX-License-Identifier: Apache-2.0
#include "lnk/fake/recorded_action.hpp"

#include <array>
#include <span>

#include "lnk/cpp/view.hpp"

namespace lnk::fake {

namespace {

constexpr std::size_t kPartsMax = 4096;  // pieces, edits, fields or lines of one action: far above any sound one

constexpr std::array<std::string_view, 19> kWords = {
    "unknown",   "relay",       "need_body",   "forward",   "answer",    "stream",     "end",
    "deny",      "ask",         "tool_start",  "tool_send", "tool_stop", "tool_pause", "tool_resume",
    "open_page", "listen_once", "call_inside", "wake",      "log"};

/// The rows of a list; errors where they are counted but not there.
template <class T>
Result<std::span<const T>> rows(const T* first, std::size_t count, std::string_view what) {
  if (count > kPartsMax) return fail(Code::Limit, "too many " + std::string(what));
  if (first == nullptr && count != 0) return fail(Code::Invalid, std::string(what) + " are counted but not there");
  return std::span<const T>(first, count);
}

Status check_text(lnk_str text, std::string_view what) {
  if (text.data == nullptr && text.size != 0) return fail(Code::Invalid, std::string(what) + " has a size and no data");
  return {};
}

Result<RecordedValue> read_value(const lnk_value& raw) {
  LNK_TRY(const auto pieces, rows(raw.pieces, raw.count, "pieces"));
  RecordedValue value;
  bool is_in_base64 = false;
  for (const lnk_piece& piece : pieces) {
    LNK_CHECK(check_text(piece.text, "a piece"));
    if (piece.kind < LNK_PIECE_TEXT || piece.kind > LNK_PIECE_QUERY_HANDLE)
      return fail(Code::Invalid, "a piece of an unknown kind");
    const bool begins = piece.kind == LNK_PIECE_BASE64_BEGIN;
    if (begins || piece.kind == LNK_PIECE_BASE64_END) {
      if (begins == is_in_base64) return fail(Code::Invalid, "base64 begins or ends twice");
      is_in_base64 = begins;
    }
    const bool joins = piece.kind == LNK_PIECE_TEXT && !value.empty() && value.back().kind == LNK_PIECE_TEXT;
    if (joins) {
      value.back().text += view(piece.text);
    } else {
      value.push_back({piece.kind, std::string(view(piece.text))});
    }
  }
  if (is_in_base64) return fail(Code::Invalid, "base64 does not end");
  return value;
}

/// The kind's own struct. errors: Invalid where it is missing or shorter than 1.0.
template <class T>
Result<const T*> data_of(const lnk_action& action) {
  const auto* data = static_cast<const T*>(action.data);
  if (data == nullptr) return fail(Code::Invalid, "an action without its data");
  if (data->size < sizeof(T)) return fail(Code::Invalid, "an action's data is shorter than 1.0");
  return data;
}

Status read_relay(const lnk_action& action, RecordedAction& out) {
  LNK_TRY(const auto* data, data_of<lnk_action_relay>(action));
  out.host = view(data->host);
  out.port = data->port;
  out.tls = data->tls != 0;
  out.see_reply = (data->flags & LNK_SEE_REPLY) != 0;
  out.method = view(data->method);
  LNK_TRY(out.target, read_value(data->target));
  LNK_TRY(const auto edits, rows(data->edits, data->edit_count, "edits"));
  for (const lnk_field_edit& edit : edits) {
    if (edit.kind != LNK_EDIT_REMOVE && edit.kind != LNK_EDIT_SET)
      return fail(Code::Invalid, "an edit of an unknown kind");
    LNK_TRY(RecordedValue value, read_value(edit.value));
    out.edits.push_back({edit.kind, std::string(view(edit.name)), std::move(value)});
  }
  out.body = view(data->body);
  if (action.kind == LNK_ACTION_RELAY && !out.body.empty())
    return fail(Code::Invalid, "a relay has no body of its own");
  return {};
}

Status read_answer(const lnk_action& action, RecordedAction& out) {
  LNK_TRY(const auto* data, data_of<lnk_action_answer>(action));
  if (data->status < 200 || data->status > 599) return fail(Code::Invalid, "an answer's status is 200 to 599");
  out.status = data->status;
  out.streams = data->streams != 0;
  LNK_TRY(const auto fields, rows(data->fields, data->field_count, "fields"));
  for (const lnk_field& field : fields) {
    out.fields.push_back({std::string(view(field.name)), std::string(view(field.value))});
  }
  out.body = view(data->body);
  return {};
}

Status read_deny(const lnk_action& action, RecordedAction& out) {
  LNK_TRY(const auto* data, data_of<lnk_action_deny>(action));
  if (data->status < 400 || data->status > 599) return fail(Code::Invalid, "a refusal's status is 400 to 599");
  out.status = data->status;
  out.reason = view(data->reason);
  out.text = view(data->words);
  if (out.reason.empty()) return fail(Code::Invalid, "a refusal names its reason");
  return {};
}

Status read_ask(const lnk_action& action, RecordedAction& out) {
  LNK_TRY(const auto* data, data_of<lnk_action_ask>(action));
  out.text = view(data->title);
  LNK_TRY(const auto lines, rows(data->lines, data->line_count, "lines"));
  for (const lnk_str line : lines) out.lines.emplace_back(view(line));
  return {};
}

Status read_listen(const lnk_action& action, RecordedAction& out) {
  LNK_TRY(const auto* data, data_of<lnk_action_listen>(action));
  if (data->port < 1 || data->port > 65535) return fail(Code::Invalid, "a port is 1 to 65535");
  out.port = data->port;
  out.amount = data->seconds;
  out.text = view(data->path);
  return {};
}

Status read_call_inside(const lnk_action& action, RecordedAction& out) {
  LNK_TRY(const auto* data, data_of<lnk_action_call_inside>(action));
  if (data->port < 1 || data->port > 65535) return fail(Code::Invalid, "a port is 1 to 65535");
  out.port = data->port;
  out.method = view(data->method);
  out.target = {{LNK_PIECE_TEXT, std::string(view(data->target))}};
  out.host = view(data->host);
  out.text = view(data->content_type);
  out.body = view(data->body);
  return {};
}

Status read_small(const lnk_action& action, RecordedAction& out) {
  switch (action.kind) {
    case LNK_ACTION_NEED_BODY: {
      LNK_TRY(const auto* data, data_of<lnk_action_need_body>(action));
      out.amount = data->bytes_max;
      return {};
    }
    case LNK_ACTION_STREAM:
    case LNK_ACTION_TOOL_SEND: {
      LNK_TRY(const auto* data, data_of<lnk_action_stream>(action));
      out.body = view(data->bytes);
      return {};
    }
    case LNK_ACTION_WAKE: {
      LNK_TRY(const auto* data, data_of<lnk_action_wake>(action));
      out.amount = data->after_ms;
      return {};
    }
    default: {
      LNK_TRY(const auto* data, data_of<lnk_action_text>(action));
      out.text = view(data->text);
      return {};
    }
  }
}

Status read_data(const lnk_action& action, RecordedAction& out) {
  switch (action.kind) {
    case LNK_ACTION_RELAY:
    case LNK_ACTION_FORWARD:
      return read_relay(action, out);
    case LNK_ACTION_ANSWER:
      return read_answer(action, out);
    case LNK_ACTION_DENY:
      return read_deny(action, out);
    case LNK_ACTION_ASK:
      return read_ask(action, out);
    case LNK_ACTION_LISTEN_ONCE:
      return read_listen(action, out);
    case LNK_ACTION_CALL_INSIDE:
      return read_call_inside(action, out);
    case LNK_ACTION_END:
    case LNK_ACTION_TOOL_STOP:
    case LNK_ACTION_TOOL_PAUSE:
    case LNK_ACTION_TOOL_RESUME:
      return {};
    default:
      return read_small(action, out);
  }
}

}  // namespace

std::string_view action_word(std::uint32_t kind) noexcept { return kind < kWords.size() ? kWords[kind] : kWords[0]; }

Result<RecordedAction> read_action(const lnk_action* action) {
  if (action == nullptr || action->size < sizeof(lnk_action))
    return fail(Code::Invalid, "an action is shorter than 1.0");
  if (action->kind < LNK_ACTION_RELAY || action->kind > LNK_ACTION_LOG)
    return fail(Code::Unsupported, "an action of the unknown kind " + std::to_string(action->kind));
  RecordedAction out;
  out.kind = action->kind;
  out.call = action->call;
  out.subject = action->subject;
  auto read = read_data(*action, out);
  if (!read) return fail(std::move(read).error().within(action_word(action->kind)));
  return out;
}

}  // namespace lnk::fake
