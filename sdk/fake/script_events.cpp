// SPDX-License-Identifier: Apache-2.0
#include "script_events.hpp"

#include <boost/json.hpp>
#include <utility>

#include "lnk/cpp/view.hpp"
#include "script_values.hpp"

namespace lnk::fake {

namespace {

namespace json = boost::json;

/// The step's keys, each with its default. Texts are borrowed from the step.
class Step {
 public:
  explicit Step(const json::object& step) : step_(step) {}

  [[nodiscard]] bool has(std::string_view key) const { return step_.contains(key); }
  [[nodiscard]] std::string_view text(std::string_view key) const {
    const json::value* value = step_.if_contains(key);
    if (value == nullptr || !value->is_string()) return {};
    return {value->get_string().data(), value->get_string().size()};
  }
  [[nodiscard]] std::uint64_t number(std::string_view key, std::uint64_t other = 0) const {
    const json::value* value = step_.if_contains(key);
    if (value == nullptr || !value->is_int64() || value->get_int64() < 0) return other;
    return static_cast<std::uint64_t>(value->get_int64());
  }
  [[nodiscard]] bool flag(std::string_view key) const {
    const json::value* value = step_.if_contains(key);
    return value != nullptr && value->is_bool() && value->get_bool();
  }
  /// errors: Invalid where a field is no pair of texts.
  [[nodiscard]] Result<std::vector<std::pair<std::string_view, std::string_view>>> fields() const {
    std::vector<std::pair<std::string_view, std::string_view>> out;
    const json::value* list = step_.if_contains("fields");
    if (list == nullptr) return out;
    if (!list->is_array()) return fail(Code::Invalid, "'fields' is no list");
    for (const json::value& field : list->get_array()) {
      const json::array* pair = field.if_array();
      if (pair == nullptr || pair->size() != 2 || !(*pair)[0].is_string() || !(*pair)[1].is_string())
        return fail(Code::Invalid, "a field is [\"name\",\"value\"]");
      out.emplace_back((*pair)[0].get_string(), (*pair)[1].get_string());
    }
    return out;
  }
  [[nodiscard]] Result<lnk_status> status() const {
    return has("status") ? status_of(text("status")) : Result<lnk_status>(LNK_OK);
  }

 private:
  const json::object& step_;
};

struct Ids {
  lnk_id call;
  lnk_id subject;
};

Result<Sent> send_head(VerbBench& bench, const Step& step, Ids ids) {
  Head head;
  head.route = static_cast<std::uint32_t>(step.number("route"));
  head.method = step.has("method") ? step.text("method") : "GET";
  head.path = step.text("path");
  head.query = step.text("query");
  head.has_query = !step.text("query").empty() || step.flag("has_query");
  head.has_body = step.flag("has_body");
  LNK_TRY(head.fields, step.fields());
  return bench.head(ids.call, head);
}

Result<Sent> send_reply_head(VerbBench& bench, const Step& step, Ids ids) {
  LNK_TRY(const auto pairs, step.fields());
  std::vector<lnk_field> fields;
  for (const auto& [name, value] : pairs) fields.push_back({to_str(name), to_str(value)});
  auto data = sized<lnk_event_reply_head>();
  data.status = static_cast<std::uint32_t>(step.number("http_status", 200));
  data.fields = fields.data();
  data.field_count = fields.size();
  return bench.send(LNK_EVENT_REPLY_HEAD, ids.call, ids.subject, &data);
}

Result<Sent> send_reply_end(VerbBench& bench, const Step& step, Ids ids) {
  auto data = sized<lnk_event_reply_end>();
  LNK_TRY(data.status, step.status());
  return bench.send(LNK_EVENT_REPLY_END, ids.call, ids.subject, &data);
}

Result<Sent> send_answered(VerbBench& bench, const Step& step, Ids ids) {
  const std::string_view word = step.text("answer");
  auto data = sized<lnk_event_answered>();
  data.answer = word == "yes" ? LNK_ANSWER_YES : word == "no" ? LNK_ANSWER_NO : LNK_ANSWER_TIMED_OUT;
  return bench.send(LNK_EVENT_ANSWERED, ids.call, ids.subject, &data);
}

Result<Sent> send_done(VerbBench& bench, const Step& step, Ids ids, std::uint32_t kind) {
  auto data = sized<lnk_event_done>();
  LNK_TRY(data.status, step.status());
  data.port = static_cast<std::uint32_t>(step.number("port"));
  return bench.send(kind, ids.call, ids.subject, &data);
}

Result<Sent> send_callback(VerbBench& bench, const Step& step, Ids ids) {
  auto data = sized<lnk_event_callback>();
  data.method = to_str(step.has("method") ? step.text("method") : "GET");
  data.target = to_str(step.text("target"));
  data.host = to_str(step.text("host"));
  data.content_type = to_str(step.text("content_type"));
  data.body = to_bytes(step.text("body"));
  return bench.send(LNK_EVENT_CALLBACK, ids.call, ids.subject, &data);
}

Result<Sent> send_inside_reply(VerbBench& bench, const Step& step, Ids ids) {
  auto data = sized<lnk_event_inside_reply>();
  LNK_TRY(data.status, step.status());
  data.http_status = static_cast<std::uint32_t>(step.number("http_status", 200));
  data.location = to_str(step.text("location"));
  return bench.send(LNK_EVENT_INSIDE_REPLY, ids.call, ids.subject, &data);
}

Result<Sent> send_bytes(VerbBench& bench, const Step& step, Ids ids, std::uint32_t kind) {
  // These three are laid out alike: a size, a reserved word, the bytes.
  auto data = sized<lnk_event_body>();
  data.body = to_bytes(step.text(kind == LNK_EVENT_BODY ? "body" : kind == LNK_EVENT_TOOL_LINE ? "line" : "bytes"));
  return bench.send(kind, ids.call, ids.subject, &data);
}

Result<Sent> send_tool_exit(VerbBench& bench, const Step& step, Ids ids) {
  auto data = sized<lnk_event_tool_exit>();
  data.code = static_cast<std::int32_t>(step.number("code"));
  return bench.send(LNK_EVENT_TOOL_EXIT, ids.call, ids.subject, &data);
}

}  // namespace

Result<Sent> send_event(VerbBench& bench, const json::object& object) {
  const Step step(object);
  const std::string_view word = step.text("event");
  const Ids ids{step.number("call"), step.number("subject")};
  if (word == "head") return send_head(bench, step, ids);
  if (word == "body") return send_bytes(bench, step, ids, LNK_EVENT_BODY);
  if (word == "reply_head") return send_reply_head(bench, step, ids);
  if (word == "reply_chunk") return send_bytes(bench, step, ids, LNK_EVENT_REPLY_CHUNK);
  if (word == "reply_end") return send_reply_end(bench, step, ids);
  if (word == "answered") return send_answered(bench, step, ids);
  if (word == "tool_started") return send_done(bench, step, ids, LNK_EVENT_TOOL_STARTED);
  if (word == "tool_line") return send_bytes(bench, step, ids, LNK_EVENT_TOOL_LINE);
  if (word == "tool_exit") return send_tool_exit(bench, step, ids);
  if (word == "page_opened") return send_done(bench, step, ids, LNK_EVENT_PAGE_OPENED);
  if (word == "listening") return send_done(bench, step, ids, LNK_EVENT_LISTENING);
  if (word == "callback") return send_callback(bench, step, ids);
  if (word == "inside_reply") return send_inside_reply(bench, step, ids);
  if (word == "drained") return bench.send(LNK_EVENT_DRAINED, ids.call, ids.subject);
  if (word == "timer") return bench.send(LNK_EVENT_TIMER, ids.call, ids.subject);
  if (word == "gone") return bench.gone(ids.call);
  return fail(Code::Invalid, "'" + std::string(word) + "' is no event");
}

}  // namespace lnk::fake
