// SPDX-License-Identifier: Apache-2.0
//
// The open verb with the wire's services on their loop, real connections to a port of this machine, and a front and a program inside that
// answer as the test says.
#pragma once

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
  std::string get(const std::string& target) {
    return browse("GET " + target + " HTTP/1.1\r\nHost: localhost:" + std::to_string(port) + "\r\n\r\n");
  }
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
      : port(free_port()),
        path_(path),
        control_(std::move(*lnk::posix::make_packet_pair())),
        broker_(loop_, own(control_.first)),
        wires_(loop_, std::move(control_.first)),
        fronts_(loop_, std::move(control_.second)) {
    lnk_instance* instance = nullptr;
    BOOST_REQUIRE(lnk_module_v1_verb_open.create(reinterpret_cast<lnk_host*>(this), &kHost, lnk::to_str(kConfig),
                                                 &instance, nullptr) == LNK_OK);
    const auto* table = lnk_module_v1_verb_open.query(instance, lnk::to_str(LNK_VERB_ID), LNK_VERB_MAJOR);
    verb_ = std::move(*LoadedVerb::make("verb-open", *reinterpret_cast<const lnk_verb*>(table), instance, {}));
    granted_.asks = granted_.pages = true;
    services_ = std::make_unique<RunServices>(ServiceParts{loop_, broker_, *verb_, granted_,
                                                           [this](std::string_view line) { warned.emplace_back(line); },
                                                           [] {}, [this] { return is_wire_closed; }});
    spawn(hear_front());
    spawn(hear_wire());
  }

  static int own(const UniqueFd& fd) {
    BOOST_REQUIRE(set_non_blocking(fd.get()));
    return fd.get();
  }

  static std::string shown(const Decided& decided) {
    if (const auto* answer = std::get_if<AnswerPlan>(&decided))
      return std::to_string(answer->status) + " " + answer->body;
    if (const auto* refusal = std::get_if<lnk::http::Refusal>(&decided))
      return std::to_string(refusal->status) + " " + refusal->words;
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

  void say(const BrokerRequest& request, const std::string& status, const std::string& word,
           const std::vector<int>& fds) {
    json::object answer = {{"id", request.id}, {"status", status}};
    if (!word.empty()) answer["answer"] = word;
    BOOST_REQUIRE(
        lnk::posix::send_packet(fronts_.fd(), json::serialize(json::object{{"answer", std::move(answer)}}), fds));
  }
  void answer(const BrokerRequest& request, const std::string& status, const std::string& word = {}) {
    say(request, status, word, {});
  }

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

}  // namespace
