// SPDX-License-Identifier: Apache-2.0
#include "script_values.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "lnk/cpp/barrier.hpp"

namespace lnk::fake {

namespace {

namespace json = boost::json;

json::array to_array(const RecordedValue& value);

json::value to_piece(const RecordedValue& value, std::size_t& at) {
  const RecordedPiece& piece = value[at++];
  switch (piece.kind) {
    case LNK_PIECE_HANDLE:
      return json::object{{"handle", piece.text}};
    case LNK_PIECE_QUERY_HANDLE:
      return json::object{{"query_handle", piece.text}};
    case LNK_PIECE_BASE64_BEGIN: {
      const auto begin = value.begin() + static_cast<std::ptrdiff_t>(at);
      const auto end =
          std::find_if(begin, value.end(), [](const RecordedPiece& p) { return p.kind == LNK_PIECE_BASE64_END; });
      at = static_cast<std::size_t>(end - value.begin()) + 1;
      return json::object{{"base64", to_array(RecordedValue(begin, end))}};
    }
    default:
      return json::value(piece.text);
  }
}

json::array to_array(const RecordedValue& value) {
  json::array pieces;
  for (std::size_t at = 0; at < value.size();) pieces.push_back(to_piece(value, at));
  return pieces;
}

json::value to_edit(const RecordedEdit& edit) {
  if (edit.kind == LNK_EDIT_REMOVE) return json::object{{"remove", edit.name}};
  return json::object{{"set", edit.name}, {"value", to_array(edit.value)}};
}

void add_relay(const RecordedAction& action, json::object& out) {
  out["host"] = action.host;
  out["port"] = action.port;
  out["tls"] = action.tls;
  out["method"] = action.method;
  out["target"] = to_array(action.target);
  out["see_reply"] = action.see_reply;
  json::array edits;
  for (const RecordedEdit& edit : action.edits) edits.push_back(to_edit(edit));
  out["edits"] = std::move(edits);
  if (action.kind == LNK_ACTION_FORWARD) out["body"] = action.body;
}

void add_answer(const RecordedAction& action, json::object& out) {
  out["status"] = action.status;
  out["streams"] = action.streams;
  out["body"] = action.body;
  json::array fields;
  for (const RecordedField& field : action.fields)
    fields.push_back(json::array{json::value(field.name), json::value(field.value)});
  out["fields"] = std::move(fields);
}

void add_call_inside(const RecordedAction& action, json::object& out) {
  out["port"] = action.port;
  out["method"] = action.method;
  out["target"] = to_array(action.target);
  out["host"] = action.host;
  out["content_type"] = action.text;
  out["body"] = action.body;
}

void add_ask(const RecordedAction& action, json::object& out) {
  out["title"] = action.text;
  out["lines"] = json::array(action.lines.begin(), action.lines.end());
}

void add_rest(const RecordedAction& action, json::object& out) {
  switch (action.kind) {
    case LNK_ACTION_NEED_BODY:
      out["bytes_max"] = action.amount;
      break;
    case LNK_ACTION_DENY:
      out["status"] = action.status;
      out["reason"] = action.reason;
      out["words"] = action.text;
      break;
    case LNK_ACTION_LISTEN_ONCE:
      out["port"] = action.port;
      out["seconds"] = action.amount;
      out["path"] = action.text;
      break;
    case LNK_ACTION_WAKE:
      out["after_ms"] = action.amount;
      break;
    case LNK_ACTION_STREAM:
    case LNK_ACTION_TOOL_SEND:
      out["bytes"] = action.body;
      break;
    case LNK_ACTION_TOOL_START:
    case LNK_ACTION_OPEN_PAGE:
    case LNK_ACTION_LOG:
      out["text"] = action.text;
      break;
    default:
      break;
  }
}

/// Of an edit: its name in small letters.
void fold_names(json::object& object) {
  for (const char* key : {"remove", "set"}) {
    json::value* name = object.if_contains(key);
    if (name == nullptr || !name->is_string()) continue;
    for (char& c : name->get_string()) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    }
  }
}

}  // namespace

json::object to_object(const RecordedAction& action) {
  json::object out{{"action", action_word(action.kind)}, {"call", action.call}, {"subject", action.subject}};
  switch (action.kind) {
    case LNK_ACTION_RELAY:
    case LNK_ACTION_FORWARD:
      add_relay(action, out);
      break;
    case LNK_ACTION_ANSWER:
      add_answer(action, out);
      break;
    case LNK_ACTION_CALL_INSIDE:
      add_call_inside(action, out);
      break;
    case LNK_ACTION_ASK:
      add_ask(action, out);
      break;
    default:
      add_rest(action, out);
  }
  return out;
}

json::object to_object(const Declared& declared) {
  json::array routes;
  for (const DeclaredRoute& route : declared.routes) {
    json::object out{{"kind", route.kind == LNK_ROUTE_PREFIX ? "prefix" : "exact"}, {"path", route.path}};
    if ((route.flags & LNK_ROUTE_UNDER_SECRET) != 0) out["under_secret"] = true;
    if (!route.refusal_body.empty()) out["refusal_body"] = route.refusal_body;
    routes.push_back(std::move(out));
  }
  json::array upstreams;
  for (const DeclaredUpstream& upstream : declared.upstreams) {
    upstreams.push_back(json::object{{"host", upstream.host}, {"port", upstream.port}, {"tls", upstream.tls}});
  }
  return {{"routes", std::move(routes)}, {"upstreams", std::move(upstreams)}, {"body_max", declared.body_max}};
}

json::value normal(const json::value& value) {
  if (value.is_int64() && value.get_int64() >= 0) return static_cast<std::uint64_t>(value.get_int64());
  if (value.is_object()) {
    json::object out;
    for (const auto& [key, part] : value.get_object()) out[key] = normal(part);
    fold_names(out);
    return out;
  }
  if (!value.is_array()) return value;
  json::array out;
  for (const json::value& part : value.get_array()) out.push_back(normal(part));
  if (out.size() == 1 && out.front().is_string()) return out.front();
  return out;
}

std::string text_of(const json::value& value) {
  return value.is_string() ? std::string(value.get_string()) : std::string();
}

Result<std::uint32_t> action_kind(std::string_view word) {
  for (std::uint32_t kind = LNK_ACTION_RELAY; kind <= LNK_ACTION_LOG; ++kind) {
    if (action_word(kind) == word) return kind;
  }
  return fail(Code::Invalid, "'" + std::string(word) + "' is no action");
}

Result<lnk_status> status_of(std::string_view word) {
  for (lnk_status status = LNK_OK; status >= LNK_E_AGAIN; --status) {
    if (status_word(status) == word) return status;
  }
  return fail(Code::Invalid, "'" + std::string(word) + "' is no status");
}

}  // namespace lnk::fake
