// SPDX-License-Identifier: Apache-2.0
#include "launch/broker.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cerrno>

#include "lnk/posix/io.hpp"
#include "lnk/posix/memory_file.hpp"

using namespace lnk::host;
using lnk::Code;
using lnk::Result;
using lnk::Status;
using lnk::UniqueFd;

namespace {

std::string ask(const std::string& inner) { return "{\"ask\":{" + inner + "}}"; }

const std::string kSound = R"("id":7,"verb":"verb-x","what":"connect-inside","port":8080)";

std::string told(std::uint64_t id, const std::string& status) {
  return "{\"answer\":{\"id\":" + std::to_string(id) + ",\"status\":\"" + status + "\"}}";
}

UniqueFd question_file(const std::string& text) { return std::move(*lnk::posix::make_sealed_file("question", text)); }

UniqueFd nothing() { return UniqueFd(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }

/// Keeps what it is made to do, word by word.
struct Services final : BrokerServices {
  std::vector<std::string> done;
  int os_errno = 0;  ///< what connecting fails with; 0: it doesn't
  bool asks_too_much = false;
  std::function<void(Outcome)> answered;
  std::function<void(int)> ended;

  Result<UniqueFd> connect_inside(std::uint16_t port) override {
    done.push_back("connect " + std::to_string(port));
    if (os_errno != 0) return lnk::fail(Code::Upstream, "connect", os_errno);
    return nothing();
  }
  Status ask(std::uint64_t id, std::string_view verb, BrokerQuestion question, std::function<void(Outcome)> told_by) override {
    done.push_back("ask " + std::to_string(id) + " " + std::string(verb) + " " + question.title);
    if (asks_too_much) return lnk::fail(Code::Limit, "too many");
    answered = std::move(told_by);
    return {};
  }
  void withdraw(std::uint64_t id) override { done.push_back("withdraw " + std::to_string(id)); }
  Result<UniqueFd> start_tool(std::uint64_t id, std::string_view name, std::function<void(int)> told_by) override {
    done.push_back("start " + std::to_string(id) + " " + std::string(name));
    ended = std::move(told_by);
    return nothing();
  }
  void stop_tool(std::uint64_t id) override { done.push_back("stop " + std::to_string(id)); }
  void open_page(std::string_view url, std::function<void(Status)> told_by) override {
    done.push_back("open " + std::string(url));
    told_by({});
  }
  Result<std::vector<UniqueFd>> listen_outside(std::uint64_t, std::uint16_t port) override {
    done.push_back("listen " + std::to_string(port));
    std::vector<UniqueFd> sockets;
    sockets.push_back(nothing());
    sockets.push_back(nothing());
    return sockets;
  }
  void stop_listening(std::uint64_t id) override { done.push_back("stop listening " + std::to_string(id)); }
};

struct Front {
  Services services;
  std::vector<std::string> answers;
  std::size_t fds = 0;  ///< that came with the last
  Broker broker{{{"verb-x", {.inside_ports = {8080, 40781}}},
                 {"verb-y", {.inside_ports = {9090}}},
                 {"verb-mcp", {.tools = {"files"}, .asks = true}},
                 {"verb-open", {.asks = true, .pages = true}}},
                services,
                [this](const BrokerAnswer& answer) {
                  answers.push_back(answer.packet);
                  fds = answer.fds.size();
                }};

  void take(const BrokerRequest& request, const UniqueFd& attached = UniqueFd()) { broker.take(request, attached); }
  std::string last() const { return answers.empty() ? "none" : answers.back(); }
  /// A page is agreed to, as verb-open asks for it.
  void agree_to(std::uint64_t id, const std::string& url) {
    take({id, "verb-open", BrokerWish::Question}, question_file(R"({"title":"Open a page?","lines":[")" + url + "\"]}"));
    services.answered(Outcome::Yes);
  }
};

const std::string kUrl = "https://login.rig.test/a?redirect_uri=http://localhost:1455/cb";

}  // namespace

BOOST_AUTO_TEST_CASE(requests_of_the_known_forms_are_read) {
  const auto request = read_broker_request(ask(kSound));
  BOOST_REQUIRE(request);
  BOOST_TEST((request->id == 7U && request->verb == "verb-x" && request->port == 8080));
  for (const std::string inner :
       {R"("id":7,"verb":"verb-x","what":"question")", R"("id":7,"verb":"verb-x","what":"withdraw")",
        R"("id":7,"verb":"verb-x","what":"start-tool","tool":"files-2")", R"("id":7,"verb":"verb-x","what":"stop-tool")",
        R"("id":7,"verb":"verb-x","what":"open-page","url":"https://x.test/?a=%20")",
        R"("id":7,"verb":"verb-x","what":"listen-outside","port":1455)", R"("id":7,"verb":"verb-x","what":"stop-listening")"})
    BOOST_TEST(read_broker_request(ask(inner)).has_value(), inner);
}

BOOST_AUTO_TEST_CASE(what_is_of_another_form_is_no_request) {
  for (const std::string inner :
       {R"("id":0,"verb":"verb-x","what":"connect-inside","port":8080)", R"("id":-1,"verb":"verb-x","what":"connect-inside","port":8080)",
        R"("id":"7","verb":"verb-x","what":"connect-inside","port":8080)", R"("id":7,"verb":"","what":"connect-inside","port":8080)",
        R"("id":7,"verb":"../x","what":"connect-inside","port":8080)", R"("id":7,"verb":"verb-x","what":"open-page","port":8080)",
        R"("id":7,"verb":"verb-x","what":"connect-inside","port":0)", R"("id":7,"verb":"verb-x","what":"connect-inside","port":65536)",
        R"("id":7,"verb":"verb-x","what":"connect-inside","port":8080.0)", R"("id":7,"verb":"verb-x","what":"connect-inside")",
        R"("id":7,"verb":"verb-x","what":"connect-inside","port":8080,"host":"10.0.0.1")",
        R"("id":7,"verb":"verb-x","what":"question","title":"Yes?")", R"("id":7,"verb":"verb-x","what":"start-tool")",
        R"("id":7,"verb":"verb-x","what":"start-tool","tool":"../sh")", R"("id":7,"verb":"verb-x","what":"start-tool","tool":"")",
        R"("id":7,"verb":"verb-x","what":"open-page","url":"file:///etc/passwd")",
        R"("id":7,"verb":"verb-x","what":"open-page","url":"--help")", R"("id":7,"verb":"verb-x","what":"open-page","url":"https://x.test/ a")",
        R"("id":7,"verb":"verb-x","what":"open-page","url":"https://x.test/\u202e")", R"("id":7,"verb":"verb-x","what":"listen-outside","port":0)",
        R"("id":7,"verb":"verb-x","what":"execute","tool":"files")"})
    BOOST_TEST(!read_broker_request(ask(inner)), inner);
  for (const std::string packet : {"", "{}", "[]", "null", R"({"gate":"resume"})", R"({"ask":7})"})
    BOOST_TEST(!read_broker_request(packet), packet);
  BOOST_TEST(!read_broker_request(ask(kSound) + "x"));
  BOOST_TEST(!read_broker_request("{\"also\":1,\"ask\":{" + kSound + "}}"));
}

BOOST_AUTO_TEST_CASE(a_question_is_read_from_a_sealed_memory_file_alone) {
  const std::string sound = R"({"title":"Call?","lines":["a","b"]})";
  const auto read = read_broker_question_from(question_file(sound).get());
  BOOST_REQUIRE(read);
  BOOST_TEST((read->title == "Call?" && read->lines.size() == 2U));
  for (const std::string text : {"", "{}", "[]", R"({"title":"","lines":[]})", R"({"title":"x"})", R"({"title":"x","lines":[1]})",
                                 R"({"title":"x","lines":[],"kind":"page"})", R"({"title":7,"lines":[]})"})
    BOOST_TEST(!read_broker_question_from(question_file(text).get()), text);
  // Another could still write to it, or make its reader wait.
  const UniqueFd open(::memfd_create("question", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  BOOST_REQUIRE(lnk::posix::write_all(open.get(), sound));
  BOOST_TEST(!read_broker_question_from(open.get()));
  const auto pipe = lnk::posix::make_pipe();
  BOOST_TEST(!read_broker_question_from(pipe->read.get()));
  BOOST_TEST(!read_broker_question_from(nothing().get()));
  BOOST_TEST(!read_broker_question_from(-1));
}

BOOST_AUTO_TEST_CASE(what_is_granted_is_done_and_nothing_else) {
  Front front;
  front.take({7, "verb-x", BrokerWish::ConnectInside, 8080});
  BOOST_TEST(front.last() == told(7, "ok"));
  BOOST_TEST(front.fds == 1U);
  front.take({8, "verb-mcp", BrokerWish::StartTool, 0, "files"});
  BOOST_TEST(front.last() == told(8, "ok"));
  const auto before = front.services.done.size();
  for (const BrokerRequest& request : std::initializer_list<BrokerRequest>{{9, "verb-x", BrokerWish::ConnectInside, 8081},
                                                                          {9, "verb-x", BrokerWish::ConnectInside, 9090},
                                                                          {9, "verb-y", BrokerWish::ConnectInside, 8080},
                                                                          {9, "verb-z", BrokerWish::ConnectInside, 8080},
                                                                          {9, "verb-x", BrokerWish::ConnectInside, 40781},
                                                                          {9, "verb-x", BrokerWish::Question},
                                                                          {9, "verb-mcp", BrokerWish::StartTool, 0, "shell"},
                                                                          {9, "verb-open", BrokerWish::StartTool, 0, "files"},
                                                                          {9, "verb-mcp", BrokerWish::OpenPage, 0, kUrl},
                                                                          {9, "verb-mcp", BrokerWish::ListenOutside, 1455},
                                                                          {9, "verb-open", BrokerWish::OpenPage, 0, kUrl},
                                                                          {9, "verb-open", BrokerWish::ListenOutside, 1455}}) {
    front.take(request, question_file(R"({"title":"Call?","lines":[]})"));
    BOOST_TEST(front.last() == told(9, "denied"));
    BOOST_TEST(front.fds == 0U);
  }
  BOOST_TEST(front.services.done.size() == before);
}

BOOST_AUTO_TEST_CASE(a_connection_that_fails_is_told_by_one_word) {
  for (const auto& [os_errno, word] :
       {std::pair(ECONNREFUSED, "upstream"), std::pair(EINPROGRESS, "timeout"), std::pair(EPERM, "upstream")}) {
    Front front;
    front.services.os_errno = os_errno;
    front.take({9, "verb-x", BrokerWish::ConnectInside, 8080});
    BOOST_TEST(front.last() == told(9, word));
    BOOST_TEST(front.fds == 0U);
  }
}

BOOST_AUTO_TEST_CASE(an_answer_is_told_once_and_what_was_withdrawn_not) {
  Front front;
  const std::string text = R"({"title":"Call?","lines":["a"]})";
  front.take({7, "verb-mcp", BrokerWish::Question}, question_file(text));
  BOOST_TEST(front.last() == "none");
  front.services.answered(Outcome::TimedOut);
  BOOST_TEST(front.last() == R"({"answer":{"id":7,"status":"ok","answer":"timed out"}})");
  front.take({8, "verb-mcp", BrokerWish::Question}, question_file(text));
  front.take({8, "verb-mcp", BrokerWish::Question}, question_file(text));  // the same once more
  BOOST_TEST(front.last() == told(8, "invalid"));
  front.take({8, "verb-mcp", BrokerWish::Withdraw});
  front.take({8, "verb-mcp", BrokerWish::Withdraw});
  BOOST_TEST(front.services.done == (std::vector<std::string>{"ask 7 verb-mcp Call?", "ask 8 verb-mcp Call?", "withdraw 8"}));
  front.take({9, "verb-mcp", BrokerWish::Question}, nothing());
  BOOST_TEST(front.last() == told(9, "invalid"));
  front.services.asks_too_much = true;
  front.take({10, "verb-mcp", BrokerWish::Question}, question_file(text));
  BOOST_TEST(front.last() == told(10, "limit"));
}

BOOST_AUTO_TEST_CASE(a_tools_end_is_told_and_only_one_that_runs_is_stopped) {
  Front front;
  front.take({7, "verb-mcp", BrokerWish::StopTool});
  front.take({7, "verb-mcp", BrokerWish::StartTool, 0, "files"});
  front.take({7, "verb-mcp", BrokerWish::StopTool});
  front.services.ended(143);
  BOOST_TEST(front.last() == R"({"tool-exit":{"code":143,"id":7}})");
  front.take({7, "verb-mcp", BrokerWish::StopTool});
  BOOST_TEST(front.services.done == (std::vector<std::string>{"start 7 files", "stop 7"}));
}

BOOST_AUTO_TEST_CASE(a_page_opens_once_for_a_yes_to_its_whole_url) {
  Front front;
  const auto open = [&front](std::uint64_t id, const std::string& url) {
    front.take({id, "verb-open", BrokerWish::OpenPage, 0, url});
    return front.last();
  };
  front.take({1, "verb-open", BrokerWish::Question}, question_file(R"({"title":"Open?","lines":[")" + kUrl + "\"]}"));
  BOOST_TEST(open(2, kUrl) == told(2, "denied"));
  front.services.answered(Outcome::No);
  BOOST_TEST(open(3, kUrl) == told(3, "denied"));
  front.agree_to(4, kUrl);
  BOOST_TEST(open(5, kUrl + "&more") == told(5, "denied"));
  BOOST_TEST(open(6, kUrl) == told(6, "ok"));
  BOOST_TEST(open(7, kUrl) == told(7, "denied"));
  // A yes to a tool's call that names a page is none to the page.
  front.take({8, "verb-mcp", BrokerWish::Question}, question_file(R"({"title":"Call?","lines":[")" + kUrl + "\"]}"));
  front.services.answered(Outcome::Yes);
  BOOST_TEST(open(9, kUrl) == told(9, "denied"));
}

BOOST_AUTO_TEST_CASE(a_port_outside_is_listened_at_for_a_page_that_was_agreed_to_and_leads_inside_while_it_is) {
  Front front;
  front.agree_to(1, kUrl);
  front.take({2, "verb-open", BrokerWish::ListenOutside, 80});
  BOOST_TEST(front.last() == told(2, "denied"));
  front.take({2, "verb-open", BrokerWish::ListenOutside, 1456});  // no page that was agreed to leads there
  BOOST_TEST(front.last() == told(2, "denied"));
  front.take({3, "verb-open", BrokerWish::ListenOutside, 1455});
  BOOST_TEST(front.last() == told(3, "ok"));
  BOOST_TEST(front.fds == 2U);
  front.take({4, "verb-open", BrokerWish::ConnectInside, 1455});
  BOOST_TEST(front.last() == told(4, "ok"));
  front.take({5, "verb-x", BrokerWish::ConnectInside, 1455});
  BOOST_TEST(front.last() == told(5, "denied"));
  front.take({9, "verb-open", BrokerWish::StopListening});
  BOOST_TEST(front.services.done.back() != "stop listening 9");
  front.take({3, "verb-open", BrokerWish::StopListening});
  BOOST_TEST(front.services.done.back() == "stop listening 3");
  front.take({6, "verb-open", BrokerWish::ConnectInside, 1455});
  BOOST_TEST(front.last() == told(6, "denied"));
}

BOOST_AUTO_TEST_CASE(a_line_that_is_no_page_as_it_is_opened_is_no_yes_to_one) {
  Front front;
  for (const std::string line : {"HTTPS://login.rig.test/", "https://login.rig.test", "https://a@login.rig.test/", "https://login.rig.test/a b",
                                 "https://login.rig.test/ and more", "open https://login.rig.test/", "http://login.rig.test:80/"}) {
    front.agree_to(1, line);
    front.take({2, "verb-open", BrokerWish::OpenPage, 0, line});
    BOOST_TEST(front.last() == told(2, "denied"), line);
  }
}
