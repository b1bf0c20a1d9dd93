// SPDX-License-Identifier: Apache-2.0
//
// The actions of lnk.verb/1 as values.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lnk/abi/verb.h"
#include "lnk/cpp/barrier.hpp"
#include "lnk/cpp/result.hpp"
#include "lnk/cpp/verb_events.hpp"
#include "lnk/cpp/view.hpp"

namespace lnk {

/// Text with secrets named in it: Value().text("Bearer ").handle("secret:telegram").
class Value {
 public:
  Value() = default;
  explicit Value(std::string_view text) { add(LNK_PIECE_TEXT, text); }

  Value& text(std::string_view text) { return add(LNK_PIECE_TEXT, text); }
  Value& handle(std::string_view name) { return add(LNK_PIECE_HANDLE, name); }
  Value& query_handle(std::string_view name) { return add(LNK_PIECE_QUERY_HANDLE, name); }
  /// The pieces up to base64_end are encoded as one; not nested.
  Value& base64_begin() { return add(LNK_PIECE_BASE64_BEGIN, {}); }
  Value& base64_end() { return add(LNK_PIECE_BASE64_END, {}); }

  /// The pieces, borrowed from this value.
  [[nodiscard]] std::vector<lnk_piece> raw() const {
    std::vector<lnk_piece> out;
    out.reserve(pieces_.size());
    for (const Piece& piece : pieces_) out.push_back({piece.kind, 0, to_str(piece.text)});
    return out;
  }

 private:
  struct Piece {
    std::uint32_t kind;
    std::string text;
  };
  Value& add(std::uint32_t kind, std::string_view text) {
    pieces_.push_back({kind, std::string(text)});
    return *this;
  }

  std::vector<Piece> pieces_;
};

struct FieldEdit {
  std::uint32_t kind = LNK_EDIT_REMOVE;
  std::string name = {};
  Value value = {};

  [[nodiscard]] static FieldEdit remove(std::string_view name) { return {LNK_EDIT_REMOVE, std::string(name), {}}; }
  [[nodiscard]] static FieldEdit set(std::string_view name, Value value) {
    return {LNK_EDIT_SET, std::string(name), std::move(value)};
  }
};

struct Relay {
  std::string_view host = {};  ///< one that was declared
  std::uint16_t port = 443;
  bool tls = true;
  std::string_view method = {};
  Value target = {};  ///< origin-form
  std::vector<FieldEdit> edits = {};
  bool see_reply = false;
};

struct Reply {
  std::uint32_t status = 200;
  std::vector<Field> fields = {};
  std::string_view body = {};
};

struct Listen {
  std::uint32_t port = 0;
  std::uint32_t seconds = 300;
  std::string_view path = {};
};

struct InsideCall {
  std::uint32_t port = 0;
  std::string_view method = {};
  std::string_view target = {};
  std::string_view host = {};
  std::string_view content_type = {};
  std::string_view body = {};
};

/// Whether more may be sent at once, or only after DRAINED.
enum class Flow { Goes, Full };

/// Where a verb puts its actions; good while the `event` call lasts that it was given to. Each is for the event's call,
/// unless for_call says another. errors of all: Denied (not granted; the call is refused), Gone (a stale id),
/// Unsupported (this host knows no such action), Invalid, Limit.
class Actions {
 public:
  Actions(const lnk_action_sink* sink, lnk_id call) noexcept : sink_(sink), call_(call) {}

  [[nodiscard]] Actions for_call(lnk_id call) const noexcept { return {sink_, call}; }

  [[nodiscard]] Status relay(const Relay& relay) { return send_relay(LNK_ACTION_RELAY, relay, {}); }
  [[nodiscard]] Status forward(const Relay& relay, std::string_view body) {
    return send_relay(LNK_ACTION_FORWARD, relay, body);
  }
  [[nodiscard]] Status need_body(std::uint64_t bytes_max) {
    auto data = sized<lnk_action_need_body>();
    data.bytes_max = bytes_max;
    return done(emit(LNK_ACTION_NEED_BODY, 0, &data, nullptr));
  }
  /// Whole. `callback` is the CALLBACK event's subject where one is answered.
  [[nodiscard]] Status answer(const Reply& reply, lnk_id callback = 0) { return send_answer(reply, false, callback); }
  /// The head of a reply whose pieces follow by `stream`, up to `end`.
  [[nodiscard]] Status begin_stream(const Reply& reply) { return send_answer(reply, true, 0); }
  [[nodiscard]] Result<Flow> stream(std::string_view bytes) { return send_piece(LNK_ACTION_STREAM, 0, bytes); }
  [[nodiscard]] Status end() { return done(emit(LNK_ACTION_END, 0, nullptr, nullptr)); }
  [[nodiscard]] Status deny(std::uint32_t status, std::string_view reason, std::string_view words) {
    auto data = sized<lnk_action_deny>();
    data.status = status;
    data.reason = to_str(reason);
    data.words = to_str(words);
    return done(emit(LNK_ACTION_DENY, 0, &data, nullptr));
  }

  [[nodiscard]] Result<lnk_id> ask(std::string_view title, std::span<const std::string_view> lines) {
    std::vector<lnk_str> raw;
    for (const std::string_view line : lines) raw.push_back(to_str(line));
    auto data = sized<lnk_action_ask>();
    data.line_count = static_cast<std::uint32_t>(raw.size());
    data.title = to_str(title);
    data.lines = raw.data();
    return made(LNK_ACTION_ASK, &data);
  }
  [[nodiscard]] Result<lnk_id> start_tool(std::string_view name) { return send_text(LNK_ACTION_TOOL_START, name); }
  [[nodiscard]] Result<Flow> send_line(lnk_id tool, std::string_view line) {
    return send_piece(LNK_ACTION_TOOL_SEND, tool, line);
  }
  [[nodiscard]] Status stop_tool(lnk_id tool) { return done(emit(LNK_ACTION_TOOL_STOP, tool, nullptr, nullptr)); }
  [[nodiscard]] Status pause_tool(lnk_id tool) { return done(emit(LNK_ACTION_TOOL_PAUSE, tool, nullptr, nullptr)); }
  [[nodiscard]] Status resume_tool(lnk_id tool) { return done(emit(LNK_ACTION_TOOL_RESUME, tool, nullptr, nullptr)); }
  [[nodiscard]] Result<lnk_id> open_page(std::string_view url) { return send_text(LNK_ACTION_OPEN_PAGE, url); }
  [[nodiscard]] Result<lnk_id> listen_once(const Listen& listen) {
    auto data = sized<lnk_action_listen>();
    data.port = listen.port;
    data.seconds = listen.seconds;
    data.path = to_str(listen.path);
    return made(LNK_ACTION_LISTEN_ONCE, &data);
  }
  /// Nothing more is taken on it.
  [[nodiscard]] Status close_port(lnk_id port) {
    Actions of_none = for_call(0);
    return done(of_none.emit(LNK_ACTION_END, port, nullptr, nullptr));
  }
  [[nodiscard]] Result<lnk_id> call_inside(const InsideCall& call) {
    auto data = sized<lnk_action_call_inside>();
    data.port = call.port;
    data.method = to_str(call.method);
    data.target = to_str(call.target);
    data.host = to_str(call.host);
    data.content_type = to_str(call.content_type);
    data.body = to_bytes(call.body);
    return made(LNK_ACTION_CALL_INSIDE, &data);
  }
  [[nodiscard]] Result<lnk_id> wake(std::uint64_t after_ms) {
    auto data = sized<lnk_action_wake>();
    data.after_ms = after_ms;
    return made(LNK_ACTION_WAKE, &data);
  }
  [[nodiscard]] Status log(std::string_view reason) {
    auto data = sized<lnk_action_text>();
    data.text = to_str(reason);
    return done(emit(LNK_ACTION_LOG, 0, &data, nullptr));
  }

 private:
  lnk_status emit(std::uint32_t kind, lnk_id subject, const void* data, lnk_id* made) noexcept {
    auto action = sized<lnk_action>();
    action.kind = kind;
    action.call = call_;
    action.subject = subject;
    action.data = data;
    return sink_->emit(sink_->context, &action, made);
  }
  static Status done(lnk_status status) {
    if (status == LNK_OK) return {};
    return fail(code_of(status), "the host refused an action: " + std::string(status_word(status)));
  }
  Result<lnk_id> made(std::uint32_t kind, const void* data) {
    lnk_id id = 0;
    LNK_CHECK(done(emit(kind, 0, data, &id)));
    return id;
  }
  Result<lnk_id> send_text(std::uint32_t kind, std::string_view text) {
    auto data = sized<lnk_action_text>();
    data.text = to_str(text);
    return made(kind, &data);
  }
  Result<Flow> send_piece(std::uint32_t kind, lnk_id subject, std::string_view bytes) {
    auto data = sized<lnk_action_stream>();
    data.bytes = to_bytes(bytes);
    const lnk_status status = emit(kind, subject, &data, nullptr);
    if (status == LNK_E_AGAIN) return Flow::Full;  // the piece was taken
    LNK_CHECK(done(status));
    return Flow::Goes;
  }
  Status send_answer(const Reply& reply, bool streams, lnk_id callback) {
    std::vector<lnk_field> fields;
    for (const Field& field : reply.fields) fields.push_back({to_str(field.name), to_str(field.value)});
    auto data = sized<lnk_action_answer>();
    data.status = reply.status;
    data.streams = streams ? 1 : 0;
    data.field_count = static_cast<std::uint32_t>(fields.size());
    data.fields = fields.data();
    data.body = to_bytes(reply.body);
    return done(emit(LNK_ACTION_ANSWER, callback, &data, nullptr));
  }
  Status send_relay(std::uint32_t kind, const Relay& relay, std::string_view body) {
    const std::vector<lnk_piece> target = relay.target.raw();
    std::vector<std::vector<lnk_piece>> values;
    values.reserve(relay.edits.size());
    std::vector<lnk_field_edit> edits;
    for (const FieldEdit& edit : relay.edits) {
      const auto& pieces = values.emplace_back(edit.value.raw());
      edits.push_back({edit.kind, 0, to_str(edit.name), {pieces.data(), pieces.size()}});
    }
    auto data = sized<lnk_action_relay>();
    data.flags = relay.see_reply ? static_cast<std::uint32_t>(LNK_SEE_REPLY) : 0;
    data.host = to_str(relay.host);
    data.port = relay.port;
    data.tls = relay.tls ? 1 : 0;
    data.edit_count = static_cast<std::uint32_t>(edits.size());
    data.method = to_str(relay.method);
    data.target = {target.data(), target.size()};
    data.edits = edits.data();
    data.body = to_bytes(body);
    return done(emit(kind, 0, &data, nullptr));
  }

  const lnk_action_sink* sink_;
  lnk_id call_;
};

}  // namespace lnk
