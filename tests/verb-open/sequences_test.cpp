// SPDX-License-Identifier: Apache-2.0
//
// Any order of events that a host may send, with a seed. What must hold in each: a page opens only after a yes to a
// question that had exactly its URL as a line, once a yes; a port is listened on for such a page alone, before it; what
// is passed in is for a port that stands, one answer each; each request on a port has one answer.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "lnk/abi/module.h"
#include "lnk/cpp/view.hpp"
#include "lnk/fake/verb_bench.hpp"

extern "C" const lnk_module_api lnk_module_v1_verb_open;

namespace {

using lnk::fake::RecordedAction;
using lnk::fake::Sent;
using lnk::fake::VerbBench;

constexpr std::string_view kConfig = R"({"carried":[3000],"hosts":[],"localhost":[3000],"machines":[]})";
constexpr const char* kUrls[] = {
    "https://example.com/",
    "https://a.example/?redirect_uri=http://localhost:1455/cb",
    "https://b.example/?redirect_uri=http://127.0.0.1:4000/",
    "http://localhost:3000/x",
    "https://a@example.com/",
    "https://c.example/?redirect_uri=http://localhost:3000/cb",
};
constexpr const char* kTargets[] = {"/cb?code=1", "/cb", "/?code=1", "/", "/favicon.ico", "/success?x"};
constexpr const char* kLocations[] = {
    "", "/success?x", "http://localhost:1455/success", "https://end.example/", "http://localhost:3001/", "/"};

struct Port {
  bool stands = false;   ///< LISTENING said so, and nothing closed it
  bool is_busy = false;  ///< a request has no answer
  std::uint32_t number = 0;
  int passed = 0;
  int redirects = 0;
};

class Sequences {
 public:
  explicit Sequences(std::uint32_t seed)
      : random_(seed), bench_(std::move(VerbBench::start(lnk_module_v1_verb_open, kConfig)).value()) {}

  void run(int steps) {
    for (int left = steps; left > 0; --left) step();
    BOOST_TEST(bench_.misbehaviours().empty());
  }
  int opened() const { return opened_; }
  int passed() const { return passed_; }

 private:
  enum class What { Question, Listen, Page, Inside, Timer };
  struct Owed {
    What what;
    lnk_id call;
    lnk_id subject;
    std::vector<std::string> lines = {};  ///< of a question
  };

  std::size_t below(std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_); }
  template <class T, std::size_t N>
  T pick(const T (&list)[N]) {
    return list[below(N)];
  }

  void step() {
    switch (below(6)) {
      case 0:
        return begin();
      case 1:
        return request();
      case 2:
        if (below(4) == 0) end();
        return;
      default:
        pay();
    }
  }

  void begin() {
    const lnk_id call = ++last_call_;
    calls_.push_back(call);
    take(bench_.head(call, {0, "POST", {}, {}, false, true, {}}));
    take(bench_.body(call, pick(kUrls)));
  }

  void end() {
    if (calls_.empty()) return;
    const auto at = below(calls_.size());
    const lnk_id call = calls_[at];
    calls_.erase(calls_.begin() + static_cast<std::ptrdiff_t>(at));
    // The host's rule: without its page a port goes with its call.
    for (const auto& owed : owed_)
      if (owed.call == call && owed.what == What::Page) ports_[ports_of_calls_[call]].stands = false;
    std::erase_if(owed_, [call](const Owed& owed) { return owed.call == call; });
    take(bench_.gone(call));
  }

  void request() {
    std::vector<lnk_id> open;
    for (const auto& [id, port] : ports_)
      if (port.stands && !port.is_busy) open.push_back(id);
    if (open.empty()) return;
    const lnk_id id = open[below(open.size())];
    ports_[id].is_busy = true;
    const std::string host = "localhost:" + std::to_string(ports_[id].number);
    auto data = lnk::sized<lnk_event_callback>();
    data.method = lnk::to_str(below(8) == 0 ? "PUT" : "GET");
    data.target = lnk::to_str(pick(kTargets));
    data.host = lnk::to_str(host);
    asks_of_ = id;
    take(bench_.send(LNK_EVENT_CALLBACK, 0, id, &data));
  }

  void pay() {
    if (owed_.empty()) return;
    const auto at = below(owed_.size());
    const Owed owed = owed_[at];
    owed_.erase(owed_.begin() + static_cast<std::ptrdiff_t>(at));
    switch (owed.what) {
      case What::Question:
        return answer(owed);
      case What::Listen:
        return listen(owed);
      case What::Page:
        return page(owed);
      case What::Inside:
        return reply(owed);
      case What::Timer:
        return timer(owed);
    }
  }

  void answer(const Owed& owed) {
    auto data = lnk::sized<lnk_event_answered>();
    data.answer = static_cast<std::uint32_t>(1 + below(3));
    if (data.answer == LNK_ANSWER_YES) granted_ = owed.lines;
    said_yes_ = data.answer == LNK_ANSWER_YES;
    take(bench_.send(LNK_EVENT_ANSWERED, owed.call, owed.subject, &data));
    said_yes_ = false;
  }

  void listen(const Owed& owed) {
    auto data = lnk::sized<lnk_event_done>();
    data.status = below(4) == 0 ? LNK_E_DENIED : LNK_OK;
    ports_[owed.subject].stands = data.status == LNK_OK;
    ports_of_calls_[owed.call] = owed.subject;
    listened_ = owed.subject;
    granted_ = lines_of_calls_[owed.call];
    said_yes_ = data.status == LNK_OK;
    take(bench_.send(LNK_EVENT_LISTENING, owed.call, owed.subject, &data));
    said_yes_ = false;
  }

  void page(const Owed& owed) {
    auto data = lnk::sized<lnk_event_done>();
    data.status = below(4) == 0 ? LNK_E_UPSTREAM : LNK_OK;
    take(bench_.send(LNK_EVENT_PAGE_OPENED, owed.call, owed.subject, &data));
    if (data.status != LNK_OK) {
      if (const auto port = ports_of_calls_.find(owed.call); port != ports_of_calls_.end())
        BOOST_TEST(!ports_[port->second].stands, "a port stands whose page didn't open");
    }
  }

  void reply(const Owed& owed) {
    auto data = lnk::sized<lnk_event_inside_reply>();
    data.status = below(6) == 0 ? LNK_E_UPSTREAM : LNK_OK;
    data.http_status = below(2) == 0 ? 302 : 200;
    data.location = lnk::to_str(pick(kLocations));
    asks_of_ = ports_of_inside_[owed.subject];
    take(bench_.send(LNK_EVENT_INSIDE_REPLY, 0, owed.subject, &data));
  }

  void timer(const Owed& owed) {
    ports_[ports_of_timers_[owed.subject]] = {};
    take(bench_.send(LNK_EVENT_TIMER, 0, owed.subject));
  }

  void take(const Sent& sent) {
    BOOST_TEST(sent.status == LNK_OK, sent.words);
    for (const auto& action : sent.actions) take(action);
  }

  void take(const RecordedAction& action) {
    switch (action.kind) {
      case LNK_ACTION_ASK:
        BOOST_TEST(!action.lines.empty());
        lines_of_calls_[action.call] = action.lines;
        owed_.push_back({What::Question, action.call, action.made, action.lines});
        return;
      case LNK_ACTION_LISTEN_ONCE:
        BOOST_TEST((said_yes_ && granted_.front().find(":" + std::to_string(action.port)) != std::string::npos));
        ports_[action.made] = {false, false, action.port, 0, 0};
        asks_of_ = action.made;
        owed_.push_back({What::Listen, action.call, action.made, {}});
        return;
      case LNK_ACTION_OPEN_PAGE:
        BOOST_TEST((said_yes_ && action.text == granted_.front()), action.text);
        said_yes_ = false;  // once a yes
        ++opened_;
        owed_.push_back({What::Page, action.call, action.made, {}});
        return;
      case LNK_ACTION_WAKE:
        ports_of_timers_[action.made] = listened_;
        owed_.push_back({What::Timer, 0, action.made, {}});
        return;
      case LNK_ACTION_CALL_INSIDE:
        take_inside(action);
        return;
      case LNK_ACTION_ANSWER:
        if (action.call == 0) take_reply(action);
        return;
      case LNK_ACTION_END:
        BOOST_TEST(ports_[action.subject].stands);
        ports_[action.subject].stands = false;
        return;
      default:
        return;
    }
  }

  void take_inside(const RecordedAction& action) {
    Port& port = ports_[asks_of_];
    BOOST_TEST((port.stands && port.is_busy && port.number == action.port));
    ++port.passed;
    ++passed_;
    BOOST_TEST(port.passed == port.redirects + 1, "a second answer was passed in");
    ports_of_inside_[action.made] = asks_of_;
    owed_.push_back({What::Inside, 0, action.made, {}});
  }

  void take_reply(const RecordedAction& action) {
    Port& port = ports_[action.subject];
    BOOST_TEST((port.stands && port.is_busy));
    port.is_busy = false;
    if (action.status == 302) ++port.redirects;
    const auto is_guard = [](const auto& field) { return field.name == "Content-Security-Policy"; };
    BOOST_TEST(std::any_of(action.fields.begin(), action.fields.end(), is_guard));
  }

  std::mt19937 random_;
  VerbBench bench_;
  lnk_id last_call_ = 0;
  std::vector<lnk_id> calls_;
  std::vector<Owed> owed_;
  std::map<lnk_id, Port> ports_;
  std::map<lnk_id, lnk_id> ports_of_calls_;
  std::map<lnk_id, lnk_id> ports_of_timers_;
  std::map<lnk_id, lnk_id> ports_of_inside_;
  std::map<lnk_id, std::vector<std::string>> lines_of_calls_;
  std::vector<std::string> granted_;
  bool said_yes_ = false;
  lnk_id asks_of_ = 0;   ///< the port that the event is about
  lnk_id listened_ = 0;  ///< the port that LISTENING told of last
  int opened_ = 0;
  int passed_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_CASE(no_order_of_events_opens_what_was_not_asked) {
  int opened = 0;
  int passed = 0;
  for (std::uint32_t seed = 1; seed <= 400; ++seed) {
    BOOST_TEST_CONTEXT("seed " << seed) {
      Sequences sequences(seed);
      sequences.run(300);
      opened += sequences.opened();
      passed += sequences.passed();
    }
  }
  // They came that far.
  BOOST_TEST(opened > 1000);
  BOOST_TEST(passed > 100);
}
