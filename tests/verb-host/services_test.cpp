// SPDX-License-Identifier: Apache-2.0
//
// Tools, questions and pages as a verb sees them: the wire's services on their loop, before a front that answers as the test says.
#define BOOST_TEST_MODULE verb_services
#include <sys/socket.h>

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "launch/broker_request.hpp"
#include "lnk/cpp/verb.hpp"
#include "lnk/posix/io.hpp"
#include "lnk/posix/packet.hpp"
#include "wire/limits.hpp"
#include "wire/verb/run_services.hpp"

namespace {

using namespace lnk::host;
using lnk::Actions;
using lnk::Status;
using lnk::UniqueFd;
namespace json = boost::json;

struct Heard {
  std::uint32_t kind = 0;
  lnk_id call = 0;
  lnk_id subject = 0;
  std::string text;  ///< a line, or a number
};

/// A verb that writes down its events, and acts as the test says.
struct Script {
  std::vector<Heard> heard;
  std::function<Status(const Heard&, Actions&)> act;
};

std::string text_of(const lnk_event& event) {
  switch (event.kind) {
    case LNK_EVENT_TOOL_LINE:
      return std::string(lnk::view(static_cast<const lnk_event_tool_line*>(event.data)->line));
    case LNK_EVENT_TOOL_EXIT:
      return std::to_string(static_cast<const lnk_event_tool_exit*>(event.data)->code);
    case LNK_EVENT_ANSWERED:
      return std::to_string(static_cast<const lnk_event_answered*>(event.data)->answer);
    case LNK_EVENT_TOOL_STARTED:
    case LNK_EVENT_PAGE_OPENED:
      return std::to_string(static_cast<const lnk_event_done*>(event.data)->status);
    default:
      return {};
  }
}

lnk_status declare(lnk_instance*, const lnk_declare_sink* sink, lnk_error*) LNK_NOEXCEPT {
  return lnk::Declaration(sink).route(LNK_ROUTE_PREFIX, "test/") ? LNK_OK : LNK_E_INVALID;
}

lnk_status handle(lnk_instance* instance, const lnk_event* event, const lnk_action_sink* sink, lnk_error* error) LNK_NOEXCEPT {
  auto& script = *reinterpret_cast<Script*>(instance);
  return lnk::barrier(error, [&]() -> Status {
    Actions actions(sink, event->call);
    script.heard.push_back({event->kind, event->call, event->subject, text_of(*event)});
    return script.act ? script.act(script.heard.back(), actions) : Status();
  });
}

const lnk_verb kTable{{sizeof(lnk_verb), 1, 0}, &declare, &handle};

struct Bench {
  Loop loop;
  std::pair<UniqueFd, UniqueFd> control = std::move(*lnk::posix::make_packet_pair());
  std::optional<BrokerClient> broker;
  Watch wires;   ///< the wire's end, for what the front says
  Watch fronts;  ///< and the front's
  Script script;
  std::unique_ptr<LoadedVerb> verb;
  VerbConfig granted;
  std::vector<std::string> warned;
  bool asked_too_much = false;
  std::unique_ptr<RunServices> services;
  std::optional<Call> call;
  lnk_id id = 0;
  std::vector<BrokerRequest> requests;
  std::vector<std::string> questions;
  std::function<void(const BrokerRequest&)> front;
  UniqueFd tool;  ///< the other end of a tool's stream

  /// As the wire, it is never taken apart: what waits on its loop has no end.
  static Bench& make(const std::string& tool_name = "files") {
    static std::vector<Bench*> kept;
    return *kept.emplace_back(new Bench(tool_name));
  }
  explicit Bench(const std::string& tool_name)
      : broker(std::in_place, loop, own(control.first)), wires(loop, std::move(control.first)), fronts(loop, std::move(control.second)) {
    granted.tools = {tool_name};
    granted.asks = granted.pages = true;
    verb = std::move(*LoadedVerb::make("verb-test", kTable, reinterpret_cast<lnk_instance*>(&script), {}));
    services = std::make_unique<RunServices>(
        ServiceParts{loop, *broker, *verb, granted, [this](std::string_view line) { warned.emplace_back(line); }, [this] { asked_too_much = true; }});
    call.emplace(verb->limits());
    id = verb->open(*call);
    spawn(hear_front());
    spawn(hear_wire());
  }

  static int own(const UniqueFd& fd) {
    BOOST_REQUIRE(set_non_blocking(fd.get()));
    return fd.get();
  }

  Task<void> hear_front() {
    for (;;) {
      auto packet = lnk::posix::receive_packet(wires.fd(), 65536);
      if (!packet && packet.error().code == lnk::Code::Again) {
        if (co_await wires.readable() == Wake::Cancelled) co_return;
        continue;
      }
      if (!packet || packet->is_end) co_return;
      BOOST_TEST(broker->take(packet->bytes, packet->fds));
    }
  }

  Task<void> hear_wire() {
    BOOST_REQUIRE(set_non_blocking(fronts.fd()));
    for (;;) {
      auto packet = lnk::posix::receive_packet(fronts.fd(), 65536);
      if (!packet && packet.error().code == lnk::Code::Again) {
        if (co_await fronts.readable() == Wake::Cancelled) co_return;
        continue;
      }
      if (!packet || packet->is_end) co_return;
      const auto request = read_broker_request(packet->bytes);
      BOOST_REQUIRE(request.has_value());
      if (request->wish == BrokerWish::Question) {
        const auto question = read_broker_question_from(packet->fds.at(0).get());
        BOOST_REQUIRE(question.has_value());
        questions.push_back(question->title + "|" + (question->lines.empty() ? "" : question->lines.front()));
      }
      requests.push_back(*request);
      if (front) front(*request);
    }
  }

  void say(const json::object& packet, std::vector<int> fds = {}) {
    BOOST_REQUIRE(lnk::posix::send_packet(fronts.fd(), json::serialize(packet), fds));
  }
  void answer(const BrokerRequest& request, const std::string& status, const std::string& word = {}) {
    json::object answer = {{"id", request.id}, {"status", status}};
    if (!word.empty()) answer["answer"] = word;
    say({{"answer", std::move(answer)}});
  }
  /// A tool that the front starts: its other end is the test's.
  void start(const BrokerRequest& request) {
    int ends[2];
    BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    tool = UniqueFd(ends[1]);
    const UniqueFd given(ends[0]);
    say({{"answer", json::object{{"id", request.id}, {"status", "ok"}}}}, {given.get()});
  }
  void exit(const BrokerRequest& request, int code) { say({{"tool-exit", json::object{{"id", request.id}, {"code", code}}}}); }
  void tool_says(const std::string& bytes) { BOOST_REQUIRE(lnk::posix::write_all(tool.get(), bytes)); }

  /// Until the verb has heard as many events of that kind.
  void run_until(std::uint32_t kind, std::size_t count = 1) {
    auto before = std::move(script.act);
    script.act = [this, kind, count, before](const Heard& heard, Actions& actions) {
      if (of(kind).size() >= count) loop.stop();
      return before ? before(heard, actions) : Status();
    };
    if (of(kind).size() < count) loop.run();
    script.act = before;
  }
  void run_until_asked(BrokerWish wish) {
    auto before = std::move(front);
    front = [this, wish, before](const BrokerRequest& request) {
      if (before) before(request);
      if (request.wish == wish) loop.stop();
    };
    loop.run();
    front = before;
  }
  std::vector<Heard> of(std::uint32_t kind) const {
    std::vector<Heard> found;
    for (const auto& each : script.heard)
      if (each.kind == kind) found.push_back(each);
    return found;
  }
  Decided head(std::function<Status(const Heard&, Actions&)> act) {
    script.act = std::move(act);
    auto decided = verb->head(id, {});
    script.act = nullptr;
    return decided;
  }
  void gone() {
    call->close();
    verb->gone(id);
  }
  std::string fault() {
    const auto decided = call->take_decided();
    const auto* fault = std::get_if<ModuleFault>(&decided);
    return fault == nullptr ? "none" : fault->error.text;
  }
};

Status start_tool(const Heard&, Actions& actions) {
  LNK_CHECK(actions.start_tool("files"));
  return {};
}

Status ask(const Heard&, Actions& actions) {
  const std::string_view lines[] = {"path: \"/a\""};
  LNK_CHECK(actions.ask("Call write_file?", lines));
  return {};
}

void starts(Bench& bench) {
  bench.front = [&bench](const BrokerRequest& request) {
    if (request.wish == BrokerWish::StartTool) bench.start(request);
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_tools_lines_come_whole_and_in_order_and_its_end_behind_them) {
  Bench& bench = Bench::make();
  starts(bench);
  BOOST_TEST(std::holds_alternative<Waits>(bench.head(start_tool)));
  bench.run_until(LNK_EVENT_TOOL_STARTED);
  BOOST_TEST(bench.of(LNK_EVENT_TOOL_STARTED).front().text == "0");
  BOOST_TEST(bench.of(LNK_EVENT_TOOL_STARTED).front().call == bench.id);
  BOOST_TEST(bench.fault() == "none");  // it may wait for what the tool says
  bench.tool_says("first\nsec");
  bench.run_until(LNK_EVENT_TOOL_LINE);
  bench.tool_says("ond\n\nlast");
  bench.exit(bench.requests.front(), 3);
  bench.tool.reset();
  bench.run_until(LNK_EVENT_TOOL_EXIT);
  std::string all;
  for (const auto& line : bench.of(LNK_EVENT_TOOL_LINE)) {
    all += line.text + ";";
    BOOST_TEST((line.call == 0 && line.subject == bench.of(LNK_EVENT_TOOL_STARTED).front().subject));
  }
  BOOST_TEST(all == "first;second;;");  // what has no end of line is no line
  BOOST_TEST(bench.script.heard.back().text == "3");
  BOOST_TEST(bench.fault() == "the event was handled and nothing decided");  // nothing may come any more
}

BOOST_AUTO_TEST_CASE(a_tool_that_is_not_granted_or_can_not_start_is_told_so) {
  Bench& other = Bench::make("other");
  static_cast<void>(other.head(start_tool));
  BOOST_TEST(other.fault() == "none");  // it was told by the head's own decision
  BOOST_TEST(other.requests.empty());
  Bench& bench = Bench::make();
  bench.front = [&bench](const BrokerRequest& request) { bench.answer(request, "upstream"); };
  static_cast<void>(bench.head(start_tool));
  bench.run_until(LNK_EVENT_TOOL_STARTED);
  BOOST_TEST(bench.script.heard.back().text == std::to_string(LNK_E_UPSTREAM));
}

BOOST_AUTO_TEST_CASE(lines_go_to_a_tool_and_a_stop_ends_its_input) {
  Bench& bench = Bench::make();
  starts(bench);
  static_cast<void>(bench.head(start_tool));
  bench.run_until(LNK_EVENT_TOOL_STARTED);
  const lnk_id tool = bench.script.heard.back().subject;
  BOOST_TEST(bench.services->send_line(tool, "one").value() == false);
  BOOST_TEST(bench.services->send_line(tool, "two").value() == false);
  bench.tool_says("heard\n");
  bench.run_until(LNK_EVENT_TOOL_LINE);
  char bytes[16] = {};
  BOOST_TEST(::recv(bench.tool.get(), bytes, sizeof bytes, MSG_WAITALL | MSG_DONTWAIT) == 8);
  BOOST_TEST(std::string(bytes) == "one\ntwo\n");
  BOOST_REQUIRE(bench.services->stop_tool(tool));
  bench.run_until_asked(BrokerWish::StopTool);
  BOOST_TEST(::recv(bench.tool.get(), bytes, sizeof bytes, MSG_DONTWAIT) == 0);
  BOOST_TEST((bench.services->send_line(tool, "three").error().code == lnk::Code::Gone));
  BOOST_TEST(bench.requests.back().id == bench.requests.front().id);
}

BOOST_AUTO_TEST_CASE(a_tool_that_does_not_read_is_told_of_and_drained_comes_when_it_does) {
  Bench& bench = Bench::make();
  starts(bench);
  static_cast<void>(bench.head(start_tool));
  bench.run_until(LNK_EVENT_TOOL_STARTED);
  const lnk_id tool = bench.script.heard.back().subject;
  const std::string line(kToolMarkBytes / 2, 'x');
  std::size_t sent = 0;
  for (bool is_full = false; !is_full; ++sent) {
    const auto full = bench.services->send_line(tool, line);
    BOOST_REQUIRE(full.has_value());
    is_full = *full;
  }
  BOOST_TEST((bench.services->send_line(tool, std::string(kToolLineBytesMax, 'x')).has_value()));
  BOOST_TEST((bench.services->send_line(tool, std::string(kToolLineBytesMax, 'x')).error().code == lnk::Code::Limit));
  const std::size_t all = sent * (line.size() + 1) + kToolLineBytesMax + 1;
  std::size_t got = 0;
  // Its reader, in the loop's turns.
  struct Reader {
    static Task<void> read(Loop& loop, int fd, std::size_t& got, std::size_t all) {
      std::vector<char> buffer(1 << 20);
      while (got < all) {
        const ssize_t size = ::recv(fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (size > 0) got += static_cast<std::size_t>(size);
        co_await Turn(loop);
      }
    }
  };
  spawn(Reader::read(bench.loop, bench.tool.get(), got, all));
  bench.run_until(LNK_EVENT_DRAINED);
  BOOST_TEST((bench.script.heard.back().call == 0 && bench.script.heard.back().subject == tool));
}

BOOST_AUTO_TEST_CASE(a_paused_tool_is_not_heard_until_it_is_resumed) {
  Bench& bench = Bench::make();
  starts(bench);
  static_cast<void>(bench.head(start_tool));
  bench.run_until(LNK_EVENT_TOOL_STARTED);
  const lnk_id tool = bench.script.heard.back().subject;
  bench.script.act = [&bench, tool](const Heard& heard, Actions&) {
    if (heard.kind == LNK_EVENT_TOOL_LINE && heard.text == "one") return bench.services->pause_tool(tool, true);
    return Status();
  };
  bench.tool_says("one\ntwo\n");
  bench.run_until(LNK_EVENT_TOOL_LINE);
  // What comes meanwhile goes by it.
  const auto timer = bench.services->wake(0, 100);
  BOOST_REQUIRE(timer.has_value());
  bench.run_until(LNK_EVENT_TIMER);
  BOOST_TEST(bench.of(LNK_EVENT_TOOL_LINE).size() == 1U);
  BOOST_REQUIRE(bench.services->pause_tool(tool, false));
  bench.run_until(LNK_EVENT_TOOL_LINE, 2);
  BOOST_TEST(bench.of(LNK_EVENT_TOOL_LINE).back().text == "two");
}

BOOST_AUTO_TEST_CASE(a_tool_that_says_a_line_without_end_is_stopped) {
  Bench& bench = Bench::make();
  bench.front = [&bench](const BrokerRequest& request) {
    if (request.wish == BrokerWish::StartTool) bench.start(request);
    if (request.wish == BrokerWish::StopTool) bench.exit(request, 143);
  };
  static_cast<void>(bench.head(start_tool));
  bench.run_until(LNK_EVENT_TOOL_STARTED);
  struct Writer {
    static Task<void> write(Loop& loop, int fd) {
      const std::string bytes(1 << 16, 'x');
      for (std::size_t put = 0; put <= kToolLineBytesMax;) {
        const ssize_t size = ::send(fd, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (size > 0) put += static_cast<std::size_t>(size);
        co_await Turn(loop);
      }
    }
  };
  spawn(Writer::write(bench.loop, bench.tool.get()));
  bench.run_until(LNK_EVENT_TOOL_EXIT);
  BOOST_TEST(bench.script.heard.back().text == "143");
  BOOST_TEST(bench.of(LNK_EVENT_TOOL_LINE).empty());
  BOOST_REQUIRE(bench.warned.size() == 1U);
  BOOST_TEST(bench.warned.front().find("a line of more than 16 MiB") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_tool_whose_call_went_before_it_started_is_stopped_and_not_told) {
  Bench& bench = Bench::make();
  static_cast<void>(bench.head(start_tool));
  bench.run_until_asked(BrokerWish::StartTool);
  bench.gone();
  bench.start(bench.requests.front());
  bench.run_until_asked(BrokerWish::StopTool);
  BOOST_TEST(bench.requests.back().id == bench.requests.front().id);
  BOOST_TEST(bench.of(LNK_EVENT_TOOL_STARTED).empty());
}

BOOST_AUTO_TEST_CASE(a_question_is_asked_with_its_lines_and_its_answer_told) {
  for (const auto& [word, event] : {std::pair("yes", LNK_ANSWER_YES), std::pair("no", LNK_ANSWER_NO), std::pair("timed out", LNK_ANSWER_TIMED_OUT),
                                    std::pair("maybe", LNK_ANSWER_NO)}) {
    Bench& bench = Bench::make();
    bench.front = [&bench, said = std::string(word)](const BrokerRequest& request) { bench.answer(request, "ok", said); };
    BOOST_TEST(std::holds_alternative<Waits>(bench.head(ask)));
    bench.run_until(LNK_EVENT_ANSWERED);
    BOOST_TEST(bench.questions.front() == "Call write_file?|path: \"/a\"");
    BOOST_TEST(bench.script.heard.back().text == std::to_string(event));
    BOOST_TEST(!bench.asked_too_much);
  }
}

BOOST_AUTO_TEST_CASE(a_question_too_many_is_nobodys_no_and_pauses_the_wire) {
  Bench& bench = Bench::make();
  bench.front = [&bench](const BrokerRequest& request) { bench.answer(request, "limit"); };
  static_cast<void>(bench.head(ask));
  bench.run_until(LNK_EVENT_ANSWERED);
  BOOST_TEST(bench.script.heard.back().text == std::to_string(LNK_ANSWER_TIMED_OUT));
  BOOST_TEST(bench.asked_too_much);
}

BOOST_AUTO_TEST_CASE(a_question_whose_call_went_is_withdrawn_and_its_answer_told_to_nobody) {
  Bench& bench = Bench::make();
  static_cast<void>(bench.head(ask));
  bench.run_until_asked(BrokerWish::Question);
  bench.gone();
  bench.run_until_asked(BrokerWish::Withdraw);
  BOOST_TEST(bench.requests.back().id == bench.requests.front().id);
  bench.answer(bench.requests.front(), "ok", "yes");
  const auto timer = bench.services->wake(0, 100);
  BOOST_REQUIRE(timer.has_value());
  bench.run_until(LNK_EVENT_TIMER);
  BOOST_TEST(bench.of(LNK_EVENT_ANSWERED).empty());
}

BOOST_AUTO_TEST_CASE(a_verb_that_may_ask_nobody_asks_nobody) {
  Bench& bench = Bench::make();
  bench.granted.asks = bench.granted.pages = false;
  const auto decided = bench.head(ask);
  const auto* fault = std::get_if<ModuleFault>(&decided);
  BOOST_REQUIRE(fault != nullptr);
  BOOST_TEST(fault->error.text == "a question, which this verb may not ask");
  BOOST_TEST((bench.services->open_page(0, "https://x.test/").error().code == lnk::Code::Denied));
}

BOOST_AUTO_TEST_CASE(in_the_event_that_its_call_is_gone_a_verb_steers_its_tool_and_nothing_else) {
  Bench& bench = Bench::make();
  starts(bench);
  static_cast<void>(bench.head(start_tool));
  bench.run_until(LNK_EVENT_TOOL_STARTED);
  const lnk_id tool = bench.script.heard.back().subject;
  std::string answer;
  bench.script.act = [tool, &answer](const Heard& heard, Actions& actions) {
    if (heard.kind != LNK_EVENT_GONE) return Status();
    const auto sent = actions.send_line(tool, "cancel");
    answer = sent ? "sent" : sent.error().text;
    const auto late = actions.answer(lnk::Reply{});
    answer += late ? " answered" : " gone";
    return Status();
  };
  bench.gone();
  BOOST_TEST(answer == "sent gone");
}
