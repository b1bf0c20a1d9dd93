// SPDX-License-Identifier: Apache-2.0
//
// A page and the way back from it, by the open verb itself: the wire's services on their loop, real connections to a port of this
// machine, and a front and a program inside that answer as the test says.
#define BOOST_TEST_MODULE outside_port
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "launch/broker_request.hpp"
#include "launch/pages.hpp"
#include "lnk/abi/module.h"
#include "lnk/cpp/barrier.hpp"
#include "lnk/cpp/view.hpp"
#include "lnk/posix/packet.hpp"
#include "wire/limits.hpp"
#include "wire/verb/run_services.hpp"

extern "C" const lnk_module_api lnk_module_v1_verb_open;

namespace {

using namespace lnk::host;
using lnk::Status;
using lnk::UniqueFd;
namespace json = boost::json;

constexpr std::string_view kConfig = R"({"carried":[40781],"hosts":[],"localhost":[],"machines":[]})";

const lnk_iface* no_table(lnk_host*, lnk_str, std::uint32_t) LNK_NOEXCEPT { return nullptr; }
void no_log(lnk_host*, std::uint32_t, lnk_str) LNK_NOEXCEPT {}
std::int32_t on_loop(lnk_host*) LNK_NOEXCEPT { return 1; }
const lnk_host_api kHost{{sizeof(lnk_host_api), LNK_SDK_MAJOR, LNK_SDK_MINOR}, &no_table, &no_log, &on_loop};

/// What a program inside says to one request.
struct Inside {
  std::string reply;
  std::string asked;
};

std::uint16_t free_port() {
  const UniqueFd probe(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  BOOST_REQUIRE(::bind(probe.get(), reinterpret_cast<const sockaddr*>(&address), size) == 0);
  BOOST_REQUIRE(::getsockname(probe.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
  return ntohs(address.sin_port);
}

class Login {
 public:
  /// As the wire, it is never taken apart: what waits on its loop has no end.
  static Login& make(const std::string& path = "/cb") {
    static std::vector<Login*> kept;
    return *kept.emplace_back(new Login(path));
  }

  std::string says = "yes";        ///< the person
  std::string opens = "ok";        ///< the front
  std::vector<Inside> inside;      ///< what the program says, in order
  std::size_t passed = 0;          ///< requests that it got
  std::vector<std::string> order;  ///< what the front was asked for
  std::vector<std::string> warned;
  std::vector<std::string> asked;
  bool is_wire_closed = false;
  std::uint16_t port;
  std::string url;

  /// The program inside asks for the page; what it is answered.
  std::string ask(const std::string& path_of_page = "https://login.example/a?state=s&redirect_uri=http://localhost:") {
    url = path_of_page + std::to_string(port) + path_;
    call_.emplace(verb_->limits(), [this] { loop_.stop(); });
    id_ = verb_->open(*call_);
    static_cast<void>(verb_->head(id_, {0, "POST", {}, std::nullopt, true, {}}));
    auto decided = verb_->body(id_, url);
    while (std::holds_alternative<Waits>(decided)) {
      loop_.run();
      decided = call_->take_decided();
    }
    const auto text = shown(decided);
    gone();
    return text;
  }
  void gone() {
    call_->close();
    verb_->gone(id_);
  }

  /// One request of a browser; the whole reply.
  std::string browse(const std::string& request, bool ipv6 = false) {
    std::string reply;
    spawn(fetch(request, ipv6, reply));
    loop_.run();
    return reply;
  }
  std::string get(const std::string& target) { return browse("GET " + target + " HTTP/1.1\r\nHost: localhost:" + std::to_string(port) + "\r\n\r\n"); }
  bool is_open() { return !get("/probe").empty(); }
  void run_until(const std::string& event) {
    awaited_ = event;
    if (std::find(order.begin(), order.end(), event) == order.end()) loop_.run();
    awaited_.clear();
  }
  Loop& loop() { return loop_; }
  RunServices& services() { return *services_; }

 private:
  explicit Login(const std::string& path)
      : port(free_port()), path_(path), control_(std::move(*lnk::posix::make_packet_pair())), broker_(loop_, own(control_.first)),
        wires_(loop_, std::move(control_.first)), fronts_(loop_, std::move(control_.second)) {
    lnk_instance* instance = nullptr;
    BOOST_REQUIRE(lnk_module_v1_verb_open.create(reinterpret_cast<lnk_host*>(this), &kHost, lnk::to_str(kConfig), &instance, nullptr) == LNK_OK);
    const auto* table = lnk_module_v1_verb_open.query(instance, lnk::to_str(LNK_VERB_ID), LNK_VERB_MAJOR);
    verb_ = std::move(*LoadedVerb::make("verb-open", *reinterpret_cast<const lnk_verb*>(table), instance, {}));
    granted_.asks = granted_.pages = true;
    services_ = std::make_unique<RunServices>(ServiceParts{loop_, broker_, *verb_, granted_, [this](std::string_view line) { warned.emplace_back(line); },
                                                           [] {}, [this] { return is_wire_closed; }});
    spawn(hear_front());
    spawn(hear_wire());
  }

  static int own(const UniqueFd& fd) {
    BOOST_REQUIRE(set_non_blocking(fd.get()));
    return fd.get();
  }

  static std::string shown(const Decided& decided) {
    if (const auto* answer = std::get_if<AnswerPlan>(&decided)) return std::to_string(answer->status) + " " + answer->body;
    if (const auto* refusal = std::get_if<lnk::http::Refusal>(&decided)) return std::to_string(refusal->status) + " " + refusal->words;
    if (const auto* fault = std::get_if<ModuleFault>(&decided)) return "fault " + fault->error.text;
    return "else";
  }

  Task<void> hear_front() {
    for (;;) {
      auto packet = lnk::posix::receive_packet(wires_.fd(), 65536);
      if (!packet && packet.error().code == lnk::Code::Again) {
        const Wake wake = co_await wires_.readable();
        if (wake == Wake::Cancelled) co_return;
        continue;
      }
      if (!packet || packet->is_end) co_return;
      BOOST_TEST(broker_.take(packet->bytes, packet->fds));
    }
  }

  Task<void> hear_wire() {
    BOOST_REQUIRE(set_non_blocking(fronts_.fd()));
    for (;;) {
      auto packet = lnk::posix::receive_packet(fronts_.fd(), 65536);
      if (!packet && packet.error().code == lnk::Code::Again) {
        const Wake wake = co_await fronts_.readable();
        if (wake == Wake::Cancelled) co_return;
        continue;
      }
      if (!packet || packet->is_end) co_return;
      const auto request = read_broker_request(packet->bytes);
      BOOST_REQUIRE(request.has_value());
      if (request->wish == BrokerWish::Question) {
        const auto question = read_broker_question_from(packet->fds.at(0).get());
        BOOST_REQUIRE(question.has_value());
        asked.push_back(question->lines.front());
      }
      serve(*request);
    }
  }

  void serve(const BrokerRequest& request) {
    switch (request.wish) {
      case BrokerWish::Question:
        note("ask");
        return answer(request, "ok", says);
      case BrokerWish::ListenOutside: {
        note("listen");
        auto sockets = listen_at_loopback(request.port);
        if (!sockets) return answer(request, "upstream");
        std::vector<int> fds;
        for (const auto& socket : *sockets) fds.push_back(socket.get());
        return say(request, "ok", {}, fds);
      }
      case BrokerWish::OpenPage:
        note("open " + request.text);
        return answer(request, opens);
      case BrokerWish::StopListening:
        return note("stop");
      case BrokerWish::ConnectInside: {
        int ends[2];
        BOOST_REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0);
        const UniqueFd given(ends[0]);
        UniqueFd other(ends[1]);
        if (passed == inside.size()) return answer(request, "upstream");
        spawn(program(std::move(other), inside[passed++]));
        return say(request, "ok", {}, {given.get()});
      }
      default:
        BOOST_ERROR("the front was asked for more");
    }
  }

  void note(const std::string& what) {
    order.push_back(what);
    if (what == awaited_) loop_.stop();
  }

  void say(const BrokerRequest& request, const std::string& status, const std::string& word, const std::vector<int>& fds) {
    json::object answer = {{"id", request.id}, {"status", status}};
    if (!word.empty()) answer["answer"] = word;
    BOOST_REQUIRE(lnk::posix::send_packet(fronts_.fd(), json::serialize(json::object{{"answer", std::move(answer)}}), fds));
  }
  void answer(const BrokerRequest& request, const std::string& status, const std::string& word = {}) { say(request, status, word, {}); }

  Task<void> program(UniqueFd fd, Inside& talk) {
    const auto stream = make_plain_stream(loop_, std::move(fd));
    // A head, and a body as long as it says.
    for (std::size_t wanted = 0; wanted == 0 || talk.asked.size() < wanted;) {
      const auto got = co_await read_some(*stream, loop_.buffer());
      if (!got || *got == 0) break;
      talk.asked.append(reinterpret_cast<const char*>(loop_.buffer().data()), *got);
      const auto end = talk.asked.find("\r\n\r\n");
      const auto length = talk.asked.find("Content-Length: ");
      if (end != std::string::npos) wanted = end + 4 + (length < end ? std::stoul(talk.asked.substr(length + 16)) : 0);
    }
    static_cast<void>(co_await write_all(*stream, std::as_bytes(std::span(talk.reply.data(), talk.reply.size()))));
  }

  Task<void> fetch(std::string request, bool ipv6, std::string& reply) {
    co_await Turn(loop_);  // the loop runs by then
    UniqueFd fd(::socket(ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in ipv4{};
    ipv4.sin_family = AF_INET;
    ipv4.sin_port = htons(port);
    ipv4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(port);
    six.sin6_addr = IN6ADDR_LOOPBACK_INIT;
    const auto* address = ipv6 ? reinterpret_cast<const sockaddr*>(&six) : reinterpret_cast<const sockaddr*>(&ipv4);
    if (::connect(fd.get(), address, ipv6 ? sizeof six : sizeof ipv4) == 0 && set_non_blocking(fd.get())) {
      const auto stream = make_plain_stream(loop_, std::move(fd));
      static_cast<void>(co_await write_all(*stream, std::as_bytes(std::span(request.data(), request.size()))));
      for (;;) {
        const auto got = co_await read_some(*stream, loop_.buffer());
        if (!got || *got == 0) break;
        reply.append(reinterpret_cast<const char*>(loop_.buffer().data()), *got);
      }
    }
    loop_.stop();
  }

  std::string path_;
  Loop loop_;
  std::pair<UniqueFd, UniqueFd> control_;
  BrokerClient broker_;
  Watch wires_;
  Watch fronts_;
  std::unique_ptr<LoadedVerb> verb_;
  VerbConfig granted_;
  std::unique_ptr<RunServices> services_;
  std::optional<Call> call_;
  lnk_id id_ = 0;
  std::string awaited_;
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }
std::string status_of(const std::string& reply) { return reply.empty() ? "none" : reply.substr(9, 3); }

Inside said(const std::string& reply) { return {reply, {}}; }
const std::string kOk = "HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Type: text/html\r\nContent-Length: 31\r\n\r\n<script>location='//x'</script>\n";

}  // namespace

BOOST_AUTO_TEST_CASE(a_page_opens_once_its_port_is_listened_at_and_one_answer_is_passed_in) {
  Login& login = Login::make();
  login.inside = {said(kOk)};
  BOOST_TEST(login.ask() == "200 opened\n");
  BOOST_TEST(login.asked == std::vector<std::string>{login.url}, boost::test_tools::per_element());
  const std::vector<std::string> order = {"ask", "listen", "open " + login.url};
  BOOST_TEST(login.order == order, boost::test_tools::per_element());
  // What is none counts as nothing.
  BOOST_TEST(status_of(login.get("/favicon.ico")) == "404");
  BOOST_TEST(status_of(login.get("/cb")) == "200");
  BOOST_TEST(login.passed == 0U);
  const auto reply = login.get("/cb?code=c&state=s");
  BOOST_TEST(status_of(reply) == "200");
  BOOST_TEST((has(reply, "The login came back") && has(reply, "Content-Security-Policy: default-src 'none'") && has(reply, "nosniff")));
  BOOST_TEST((!has(reply, "script") && !has(reply, "Cookie")));
  BOOST_TEST(login.inside[0].asked == "GET /cb?code=c&state=s HTTP/1.1\r\nHost: localhost:" + std::to_string(login.port) + "\r\nConnection: close\r\n\r\n");
  login.run_until("stop");
  BOOST_TEST(!login.is_open());
  BOOST_TEST(login.warned.empty());
}

BOOST_AUTO_TEST_CASE(only_method_target_host_type_and_body_go_in) {
  Login& login = Login::make("/");
  login.inside = {said(kOk)};
  BOOST_REQUIRE(login.ask() == "200 opened\n");
  const std::string port = std::to_string(login.port);
  const auto reply = login.browse("POST / HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nCookie: other=1\r\nOrigin: https://login.example\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                                  "Content-Length: 14\r\n\r\ncode=c&state=s", true);
  BOOST_TEST(status_of(reply) == "200");
  BOOST_TEST(login.inside[0].asked == "POST / HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 14\r\nConnection: close\r\n\r\ncode=c&state=s");
}

BOOST_AUTO_TEST_CASE(a_redirect_to_the_port_itself_goes_on_and_one_elsewhere_is_asked) {
  Login& login = Login::make();
  const std::string self = "http://localhost:" + std::to_string(login.port) + "/success?id=1";
  login.inside = {said("HTTP/1.1 302 Found\r\nLocation: " + self + "\r\nContent-Length: 0\r\n\r\n"),
                  said("HTTP/1.1 301 Moved\r\nLocation: https://end.example/done\r\nSet-Cookie: a=b\r\n\r\n")};
  BOOST_REQUIRE(login.ask() == "200 opened\n");
  const auto first = login.get("/cb?code=c");
  BOOST_TEST((status_of(first) == "302" && has(first, "Location: " + self + "\r\n")));
  BOOST_TEST(status_of(login.get("/cb?code=d")) == "404");  // it was passed
  const auto second = login.get("/success?id=1");
  BOOST_TEST((status_of(second) == "200" && !has(second, "end.example") && !has(second, "Cookie")));
  login.run_until("open https://end.example/done");
  BOOST_TEST(login.asked.back() == "https://end.example/done");
  BOOST_TEST(login.passed == 2U);
  BOOST_TEST(!login.is_open());
}

BOOST_AUTO_TEST_CASE(after_a_no_nothing_is_listened_at_or_opened) {
  for (const auto* word : {"no", "timed-out"}) {
    Login& login = Login::make();
    login.says = word;
    BOOST_TEST(login.ask().starts_with("403 the page was not opened: "));
    BOOST_TEST(login.order == std::vector<std::string>{"ask"}, boost::test_tools::per_element());
    BOOST_TEST(!login.is_open());
  }
}

BOOST_AUTO_TEST_CASE(a_taken_port_is_refused_and_the_page_not_opened) {
  Login& login = Login::make();
  const auto taken = listen_at_loopback(login.port);
  BOOST_REQUIRE(taken.has_value());
  BOOST_TEST(has(login.ask(), "which another program has"));
  BOOST_TEST((login.order == std::vector<std::string>{"ask", "listen"}));
}

BOOST_AUTO_TEST_CASE(where_no_browser_starts_the_port_is_closed) {
  Login& login = Login::make();
  login.opens = "upstream";
  BOOST_TEST(has(login.ask(), "502 the page was not opened"));
  login.run_until("stop");
  BOOST_TEST(!login.is_open());
}

BOOST_AUTO_TEST_CASE(a_port_closes_when_its_time_is_over_or_with_its_call) {
  Login& login = Login::make();
  const auto timed = login.services().listen_once(0, {login.port, 1, "/cb"});
  BOOST_REQUIRE(timed.has_value());
  login.run_until("listen");
  login.run_until("stop");
  BOOST_TEST(!login.is_open());
  Login& gone = Login::make();
  BOOST_REQUIRE(gone.services().listen_once(7, {gone.port, 300, "/cb"}).has_value());
  gone.run_until("listen");
  gone.services().forget(7);
  gone.run_until("stop");
  BOOST_TEST(!gone.is_open());
}

BOOST_AUTO_TEST_CASE(what_is_no_sound_request_of_an_answers_size_is_answered_outside) {
  Login& login = Login::make();
  BOOST_REQUIRE(login.ask() == "200 opened\n");
  const std::string host = "Host: localhost:" + std::to_string(login.port) + "\r\n";
  const std::string form = "Content-Type: application/x-www-form-urlencoded\r\n";
  BOOST_TEST(status_of(login.browse("GET /cb?code=c HTTP/1.1\r\n" + host + host + "\r\n")) == "400");
  BOOST_TEST(status_of(login.browse("GET http://localhost/cb?code=c HTTP/1.1\r\nHost: localhost\r\n\r\n")) == "404");
  BOOST_TEST(status_of(login.browse("CONNECT localhost:1 HTTP/1.1\r\nHost: localhost:1\r\n\r\n")) == "404");
  BOOST_TEST(status_of(login.browse("POST /cb HTTP/1.1\r\n" + host + form + "Content-Length: 65537\r\n\r\n" + std::string(65537, 'a'))) == "413");
  BOOST_TEST(status_of(login.browse("GET /cb?code=c HTTP/1.1\r\nHost: evil.example:" + std::to_string(login.port) + "\r\n\r\n")) == "404");
  BOOST_TEST(status_of(login.browse("PUT /cb?code=c HTTP/1.1\r\n" + host + "\r\n")) == "400");
  BOOST_TEST(status_of(login.get("/cb?" + std::string(lnk::http::kTargetBytesMax, 'a'))) == "414");
  login.is_wire_closed = true;
  BOOST_TEST(status_of(login.get("/cb?code=c")) == "503");
  login.is_wire_closed = false;
  BOOST_TEST(login.passed == 0U);
  login.inside = {said(kOk)};
  BOOST_TEST(status_of(login.get("/cb?code=c")) == "200");
  BOOST_TEST(login.passed == 1U);
}

BOOST_AUTO_TEST_CASE(a_program_that_takes_no_answer_ends_the_login) {
  Login& login = Login::make();
  BOOST_REQUIRE(login.ask() == "200 opened\n");
  BOOST_TEST(status_of(login.get("/cb?code=c")) == "502");
  login.run_until("stop");
  BOOST_TEST(!login.is_open());
}

BOOST_AUTO_TEST_CASE(the_same_port_can_be_listened_at_again_at_once) {
  Login& login = Login::make();
  login.inside = {said(kOk), said(kOk)};
  for (std::size_t count = 1; count <= 2; ++count) {
    BOOST_TEST(login.ask() == "200 opened\n");
    BOOST_TEST(status_of(login.get("/cb?code=c")) == "200");
    BOOST_TEST(login.passed == count);
    login.run_until("stop");
    login.order.clear();
  }
}
