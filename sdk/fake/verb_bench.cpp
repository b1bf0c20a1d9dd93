// SPDX-License-Identifier: Apache-2.0
#include "lnk/fake/verb_bench.hpp"

#include <algorithm>

#include "lnk/cpp/barrier.hpp"
#include "lnk/cpp/view.hpp"

namespace lnk::fake {

namespace {

constexpr std::uint64_t kStartNowMs = 1'000;
constexpr std::uint64_t kStartUnixMs = 1'700'000'000'000;

bool makes_something(std::uint32_t kind) noexcept {
  return kind == LNK_ACTION_ASK || kind == LNK_ACTION_TOOL_START || kind == LNK_ACTION_OPEN_PAGE ||
         kind == LNK_ACTION_LISTEN_ONCE || kind == LNK_ACTION_CALL_INSIDE || kind == LNK_ACTION_WAKE;
}

}  // namespace

struct VerbBench::State {
  const lnk_module_api* api = nullptr;
  lnk_instance* instance = nullptr;
  const lnk_verb* verb = nullptr;
  Declared declared;
  std::map<std::uint32_t, lnk_status> answers;
  std::vector<std::string> log;
  std::vector<std::string> faults;
  std::uint64_t now_ms = kStartNowMs;
  std::uint64_t unix_ms = kStartUnixMs;
  std::uint8_t random_seed = 0;
  lnk_id next_id = 1;
  bool is_in_event = false;
  Sent* current = nullptr;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (instance != nullptr) api->destroy(instance);
  }

  static State& of(void* context) noexcept { return *static_cast<State*>(context); }

  Status create(std::string_view config_json) {
    ErrorSlot refused;
    if (const lnk_status status = api->check_config(to_str(config_json), refused.get()); status != LNK_OK)
      return fail(refused.take(status).within("check_config"));
    ErrorSlot failed;
    const lnk_status status =
        api->create(reinterpret_cast<lnk_host*>(this), &kHostApi, to_str(config_json), &instance, failed.get());
    if (status != LNK_OK) {
      instance = nullptr;
      return fail(failed.take(status).within("create"));
    }
    if (instance == nullptr) return fail(Code::Internal, "create says that it went well, and made nothing");
    return {};
  }

  Status find_verb() {
    const lnk_iface* table = api->query(instance, to_str(LNK_VERB_ID), LNK_VERB_MAJOR);
    if (table == nullptr) return fail(Code::Unsupported, "the module has no table lnk.verb/1");
    if (table->major != LNK_VERB_MAJOR || table->size < sizeof(lnk_verb))
      return fail(Code::Invalid, "its table lnk.verb/1 is shorter than 1.0, or of another major");
    verb = reinterpret_cast<const lnk_verb*>(table);
    if (verb->declare == nullptr || verb->event == nullptr)
      return fail(Code::Invalid, "its table lnk.verb/1 has a hole");
    return {};
  }

  Status declare() {
    auto sink = sized<lnk_declare_sink>();
    sink.context = this;
    sink.route = take_route;
    sink.upstream = take_upstream;
    sink.body_max = take_body_max;
    ErrorSlot error;
    if (const lnk_status status = verb->declare(instance, &sink, error.get()); status != LNK_OK)
      return fail(error.take(status).within("declare"));
    return {};
  }

  static lnk_status take_route(void* context, const lnk_route* route) noexcept {
    return barrier(nullptr, [&]() -> Status {
      if (route == nullptr || route->size < offsetof(lnk_route, refusal_body)) return fail(Code::Invalid, "a short route");
      DeclaredRoute taken{route->kind, route->flags, std::string(view(route->path))};
      if (LNK_HAS(route, refusal_body)) taken.refusal_body = view(route->refusal_body);
      const bool is_prefix = taken.kind == LNK_ROUTE_PREFIX;
      if (!is_prefix && taken.kind != LNK_ROUTE_EXACT) return fail(Code::Invalid, "a route of an unknown kind");
      const bool is_sound = !taken.path.empty() && taken.path.front() != '/' && (taken.path.back() == '/') == is_prefix;
      if (!is_sound) return fail(Code::Invalid, "a route has no leading slash, and a prefix ends in one");
      of(context).declared.routes.push_back(std::move(taken));
      return {};
    });
  }
  static lnk_status take_upstream(void* context, const lnk_upstream* upstream) noexcept {
    return barrier(nullptr, [&]() -> Status {
      if (upstream == nullptr || upstream->size < sizeof(lnk_upstream)) return fail(Code::Invalid, "a short upstream");
      if (upstream->port == 0 || view(upstream->host).empty())
        return fail(Code::Invalid, "an upstream names a host and a port");
      of(context).declared.upstreams.push_back({std::string(view(upstream->host)), upstream->port, upstream->tls != 0});
      return {};
    });
  }
  static lnk_status take_body_max(void* context, std::uint64_t bytes) noexcept {
    of(context).declared.body_max = bytes;
    return LNK_OK;
  }

  static const lnk_iface* query_host(lnk_host*, lnk_str, std::uint32_t) noexcept { return nullptr; }
  static void write_log(lnk_host* host, std::uint32_t, lnk_str text) noexcept {
    (void)barrier(nullptr, [&]() -> Status {
      of(host).log.emplace_back(view(text));
      return {};
    });
  }
  static std::int32_t on_loop_thread(lnk_host*) noexcept { return 1; }
  static constexpr lnk_host_api kHostApi{
      {sizeof(lnk_host_api), LNK_SDK_MAJOR, LNK_SDK_MINOR}, &query_host, &write_log, &on_loop_thread};

  /// What verb.h forbids, the snapshot apart.
  Status check_granted(const RecordedAction& action) {
    if (action.kind == LNK_ACTION_RELAY || action.kind == LNK_ACTION_FORWARD) {
      const bool is_declared =
          std::any_of(declared.upstreams.begin(), declared.upstreams.end(), [&](const DeclaredUpstream& up) {
            return up.host == action.host && up.port == action.port && up.tls == action.tls;
          });
      if (!is_declared) return fail(Code::Denied, "an upstream that was not declared: " + action.host);
    }
    if (action.kind == LNK_ACTION_NEED_BODY && action.amount > declared.body_max)
      return fail(Code::Denied, "a larger body than was declared");
    return {};
  }

  Status take(const lnk_action* raw, lnk_id* made) {
    if (!is_in_event || current == nullptr) return fail(Code::Invalid, "an action outside of an event");
    LNK_TRY(RecordedAction action, read_action(raw));
    LNK_CHECK(check_granted(action));
    if (const auto told = answers.find(action.kind); told != answers.end()) action.taken = told->second;
    const bool is_taken = action.taken == LNK_OK || action.taken == LNK_E_AGAIN;
    if (is_taken && makes_something(action.kind)) {
      action.made = next_id++;
      if (made != nullptr) *made = action.made;
    }
    const lnk_status taken = action.taken;
    current->actions.push_back(std::move(action));
    if (taken == LNK_OK) return {};
    return fail(static_cast<Code>(taken), "as the test says");
  }

  static lnk_status take_action(void* context, const lnk_action* action, lnk_id* made) noexcept {
    State& self = of(context);
    return barrier(nullptr, [&]() -> Status {
      Status taken = self.take(action, made);
      const bool is_told = !taken && taken.error().text == "as the test says";
      if (!taken && !is_told) self.faults.push_back(taken.error().text);
      return taken;
    });
  }
};

VerbBench::VerbBench(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
VerbBench::VerbBench(VerbBench&&) noexcept = default;
VerbBench::~VerbBench() = default;

Result<VerbBench> VerbBench::start(const lnk_module_api& api, std::string_view config_json) {
  auto state = std::make_unique<State>();
  state->api = &api;
  LNK_CHECK(state->create(config_json));
  LNK_CHECK(state->find_verb());
  LNK_CHECK(state->declare());
  return VerbBench(std::move(state));
}

const Declared& VerbBench::declared() const noexcept { return state_->declared; }
const std::vector<std::string>& VerbBench::log_lines() const noexcept { return state_->log; }
const std::vector<std::string>& VerbBench::misbehaviours() const noexcept { return state_->faults; }
void VerbBench::answer_with(std::uint32_t action_kind, lnk_status status) { state_->answers[action_kind] = status; }
void VerbBench::set_time(std::uint64_t now_ms, std::uint64_t unix_ms) noexcept {
  state_->now_ms = now_ms;
  state_->unix_ms = unix_ms;
}

lnk_event VerbBench::make_event(std::uint32_t kind, lnk_id call, lnk_id subject, const void* data) {
  auto event = sized<lnk_event>();
  event.kind = kind;
  event.call = call;
  event.subject = subject;
  event.now_ms = state_->now_ms;
  event.unix_ms = state_->unix_ms;
  event.data = data;
  // Not random at all, so that a test sees the same bytes each time, yet no two events see one block.
  ++state_->random_seed;
  for (std::size_t at = 0; at < sizeof event.random; ++at) {
    event.random[at] = static_cast<std::uint8_t>(state_->random_seed * 31U + at * 7U);
  }
  return event;
}

Sent VerbBench::send_raw(const lnk_event* event) {
  Sent sent;
  auto sink = sized<lnk_action_sink>();
  sink.context = state_.get();
  sink.emit = State::take_action;
  ErrorSlot error;
  state_->current = &sent;
  state_->is_in_event = true;
  sent.status = state_->verb->event(state_->instance, event, &sink, error.get());
  state_->is_in_event = false;
  state_->current = nullptr;
  if (sent.status != LNK_OK) sent.words = error.take(sent.status).text;
  return sent;
}

Sent VerbBench::send(std::uint32_t kind, lnk_id call, lnk_id subject, const void* data) {
  const lnk_event event = make_event(kind, call, subject, data);
  return send_raw(&event);
}

Sent VerbBench::head(lnk_id call, const Head& head) {
  std::vector<lnk_field> fields;
  for (const auto& [name, value] : head.fields) fields.push_back({to_str(name), to_str(value)});
  auto data = sized<lnk_event_head>();
  data.route = head.route;
  data.method = to_str(head.method);
  data.path = to_str(head.path);
  data.query = to_str(head.query);
  data.has_query = head.has_query ? 1 : 0;
  data.has_body = head.has_body ? 1 : 0;
  data.fields = fields.data();
  data.field_count = fields.size();
  return send(LNK_EVENT_HEAD, call, 0, &data);
}

Sent VerbBench::body(lnk_id call, std::string_view body) {
  auto data = sized<lnk_event_body>();
  data.body = to_bytes(body);
  return send(LNK_EVENT_BODY, call, 0, &data);
}

Sent VerbBench::gone(lnk_id call) { return send(LNK_EVENT_GONE, call); }

}  // namespace lnk::fake
