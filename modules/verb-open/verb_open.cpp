// SPDX-License-Identifier: Apache-2.0
//
// verb-open: a page in the person's browser, and the way back of a login.
//
// Guarantees: a page is opened only after a yes to a question that had its whole URL as a line of its own, each time;
// of a login that returns to a port of the program's, the port is listened on before the page opens, and one answer is
// passed in; the browser gets our own pages alone, or the way to the program's second page, which belongs to the
// answer; what else the program sends the browser to is asked as a page is. Trusts: the host to ask, to open and to
// listen, and to close the port in time. Does not do: what a public name resolves to, and what the page does, which are
// the browser's.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "callback.hpp"
#include "config.hpp"
#include "denial.hpp"
#include "lnk/cpp/module.hpp"
#include "lnk/cpp/verb.hpp"
#include "own_pages.hpp"
#include "page.hpp"

namespace lnk::verb_open {

class VerbOpen {
 public:
  static constexpr std::string_view kId = "verb-open";
  static constexpr std::string_view kVersion = "0.1.0";
  static constexpr std::uint16_t kKind = LNK_KIND_VERB;
  using Interfaces = lnk::Interfaces<VerbInterface>;

  static Status check_config(std::string_view config_json) {
    LNK_CHECK(parse_config(config_json));
    return {};
  }

  static Result<std::unique_ptr<VerbOpen>> create(Host, std::string_view config_json) {
    LNK_TRY(auto config, parse_config(config_json));
    return std::unique_ptr<VerbOpen>(new VerbOpen(std::move(config)));
  }

  static Status declare(Declaration& declaration) {
    LNK_CHECK(declaration.route(LNK_ROUTE_EXACT, "open", LNK_ROUTE_UNDER_SECRET));
    return declaration.body_max(http::kPageUrlBytesMax);
  }

  Status event(const Event& event, Actions& actions) {
    const Subject subject{event.call, event.subject};
    Actions of_none = actions.for_call(0);
    if (const auto* head = std::get_if<HeadEvent>(&event.what)) return take_head(*head, actions);
    if (const auto* body = std::get_if<BodyEvent>(&event.what)) return take_body(event.call, *body, actions);
    if (const auto* answered = std::get_if<AnsweredEvent>(&event.what))
      return take_answer(subject, answered->answer, actions);
    if (const auto* listening = std::get_if<ListeningEvent>(&event.what))
      return take_port(subject, listening->status, actions);
    if (const auto* opened = std::get_if<PageOpenedEvent>(&event.what))
      return take_opened(subject, opened->status, actions);
    if (const auto* callback = std::get_if<CallbackEvent>(&event.what))
      return take_callback(event.subject, *callback, of_none);
    if (const auto* reply = std::get_if<InsideReplyEvent>(&event.what))
      return take_reply(event.subject, *reply, of_none);
    if (std::holds_alternative<TimerEvent>(event.what)) forget_login_of(event.subject);
    if (std::holds_alternative<GoneEvent>(event.what)) take_gone(event.call);
    return {};
  }

 private:
  struct Subject {
    lnk_id call;
    lnk_id id;
  };

  /// A page that the program waits for.
  struct Asked {
    Page page;
    std::optional<Callback> callback;
    lnk_id waits_for = 0;  ///< a question, a port or the page
    lnk_id port = 0;       ///< what LISTEN_ONCE made
  };

  /// A port that is listened on. The host closes it; here it is known as long as an answer can come.
  struct Login {
    Callback callback;
    lnk_id timer = 0;
    lnk_id inside = 0;      ///< a request that was passed in and has no reply yet
    std::string host = {};  ///< of that request
    int redirects = 0;      ///< of the program to itself
  };

  /// A login's answer, and the closing of its port, take no longer.
  static constexpr std::uint32_t kListenSeconds = 300;
  /// At a time, each with a port of this machine and a page that the person said yes to.
  static constexpr std::size_t kLoginsMax = 8;
  /// Codex has one. A program that goes round in itself is no answer.
  static constexpr int kRedirectsMax = 4;

  explicit VerbOpen(Config config) noexcept : config_(std::move(config)) {}

  static Status refuse(Actions& actions, std::string_view words) {
    return actions.deny(403, "page-refused", "the page was not opened: " + std::string(words));
  }

  static Status take_head(const HeadEvent& head, Actions& actions) {
    if (head.route != 0) return fail(Code::Invalid, "a route that was not declared");
    if (head.method != "POST")
      return actions.deny(405, "bad-request", "a page is opened by POST, with its URL as the body");
    if (head.query) return actions.deny(400, "bad-request", "the URL of a page is the body, not a query");
    if (head.fields.count("content-encoding") != 0)
      return actions.deny(415, "bad-body", "the URL of a page is sent as plain text, without a coding");
    if (!head.has_body) return actions.deny(400, "bad-body", "there is no URL in the body");
    return actions.need_body(http::kPageUrlBytesMax);
  }

  Status take_body(lnk_id call, const BodyEvent& body, Actions& actions) {
    auto parsed = parse_page(body.body);
    if (const auto* denial = std::get_if<Denial>(&parsed))
      return actions.deny(denial->status, denial->reason, denial->words);
    auto& page = std::get<Page>(parsed);
    if (const auto fault = host_fault(page, config_); !fault.empty()) return refuse(actions, fault);
    auto callback = find_callback(page, config_);
    if (const auto* denial = std::get_if<Denial>(&callback))
      return actions.deny(denial->status, denial->reason, denial->words);
    return ask(call, {std::move(page), std::get<std::optional<Callback>>(std::move(callback))}, actions);
  }

  Status ask(lnk_id call, Asked asked, Actions& actions) {
    std::string way_back;
    std::vector<std::string_view> lines = {asked.page.url};
    if (asked.callback) {
      way_back = "its answer to port " + std::to_string(asked.callback->port) +
                 " of this machine is passed to the program, once and within five minutes";
      lines.push_back(way_back);
    }
    LNK_TRY(asked.waits_for, actions.ask("open a page in your browser", lines));
    calls_.insert_or_assign(call, std::move(asked));
    return {};
  }

  /// What a call waits for; null: not for this.
  Asked* find(const Subject& subject) {
    const auto found = calls_.find(subject.call);
    return found == calls_.end() || found->second.waits_for != subject.id ? nullptr : &found->second;
  }

  Status take_answer(const Subject& subject, Answer answer, Actions& actions) {
    auto* asked = find(subject);
    if (asked == nullptr) return take_answer_of_none(subject.id, answer, actions);
    if (answer == Answer::No) return refuse(actions, "the person said no");
    if (answer == Answer::TimedOut) {
      LNK_CHECK(actions.log("timed-out"));
      return refuse(actions, "nobody answered in time, which is no");
    }
    if (!asked->callback) return open(*asked, actions);
    if (logins_.size() >= kLoginsMax) return refuse(actions, "8 logins wait for their answers; finish one first");
    LNK_TRY(asked->waits_for, actions.listen_once({asked->callback->port, kListenSeconds, asked->callback->path}));
    return {};
  }

  static Status open(Asked& asked, Actions& actions) {
    LNK_TRY(asked.waits_for, actions.open_page(asked.page.url));
    return {};
  }

  Status take_port(const Subject& subject, lnk_status status, Actions& actions) {
    auto* asked = find(subject);
    if (asked == nullptr || !asked->callback) return fail(Code::Invalid, "a port that was not asked for");
    if (status != LNK_OK)
      return refuse(actions,
                    "its login returns to port " + std::to_string(asked->callback->port) +
                        " of this machine, which another program has; close that, or have this one use another port");
    asked->port = subject.id;
    Actions of_none = actions.for_call(0);
    LNK_TRY(const auto timer, of_none.wake(std::uint64_t{kListenSeconds} * 1000));
    logins_.insert_or_assign(asked->port, Login{*asked->callback, timer});
    return open(*asked, actions);
  }

  Status take_opened(const Subject& subject, lnk_status status, Actions& actions) {
    const auto* asked = find(subject);
    if (asked == nullptr) return {};  // of a page that the program redirected to
    const lnk_id port = asked->port;
    calls_.erase(subject.call);
    if (status == LNK_OK) return actions.answer({200, {{"Content-Type", "text/plain"}}, "opened\n"});
    if (logins_.contains(port)) LNK_CHECK(close(port, actions));
    return actions.deny(502, "upstream", "the page was not opened: no browser could be started");
  }

  Status close(lnk_id port, Actions& actions) {
    logins_.erase(port);
    return actions.close_port(port);
  }

  Status take_callback(lnk_id port, const CallbackEvent& request, Actions& actions) {
    const auto found = logins_.find(port);
    if (found == logins_.end()) return fail(Code::Gone, "a request on a port that is closed");
    Login& login = found->second;
    if (login.inside != 0) return fail(Code::Invalid, "a second request while one is passed in");
    switch (judge(request, login.callback, login.redirects > 0)) {
      case Request::Nothing:
        return actions.answer(own_page(OwnPage::Waits), port);
      case Request::Elsewhere:
        return actions.answer(own_page(OwnPage::NotFound), port);
      case Request::Unfit:
        return actions.answer(own_page(OwnPage::Unfit), port);
      case Request::Answer:
        break;
    }
    const bool is_form = request.method == "POST";
    LNK_TRY(login.inside, actions.call_inside({login.callback.port, request.method, request.target, request.host,
                                               is_form ? request.content_type : std::string_view(), request.body}));
    login.host = request.host;
    return {};
  }

  Status take_reply(lnk_id inside, const InsideReplyEvent& reply, Actions& actions) {
    const auto found = std::find_if(logins_.begin(), logins_.end(),
                                    [inside](const auto& each) { return each.second.inside == inside; });
    if (inside == 0 || found == logins_.end()) return {};  // its five minutes were over
    const lnk_id port = found->first;
    Login& login = found->second;
    login.inside = 0;
    const bool is_redirect =
        reply.status == LNK_OK && reply.http_status >= 300 && reply.http_status < 400 && !reply.location.empty();
    if (is_redirect && login.redirects < kRedirectsMax) {
      if (const auto own = redirect_to_itself(reply.location, login.host, login.callback.port)) {
        ++login.redirects;
        login.callback.path = own->path;
        return actions.answer(own_redirect(own->url), port);
      }
    }
    const bool is_taken = reply.status == LNK_OK && reply.http_status < 400;
    LNK_CHECK(actions.answer(own_page(is_taken ? OwnPage::Passed : OwnPage::NotTaken), port));
    LNK_CHECK(close(port, actions));
    return is_redirect ? ask_of_none(reply.location, actions) : Status{};
  }

  /// What the program sends the browser to is a page like any other, asked of no call: the program waits for none.
  Status ask_of_none(std::string_view location, Actions& actions) {
    auto parsed = parse_page(location);
    const auto* page = std::get_if<Page>(&parsed);
    if (page == nullptr || !host_fault(*page, config_).empty() || pages_.size() >= kLoginsMax) return {};
    LNK_TRY(const auto question,
            actions.ask("open the page that ends a login, in your browser", std::array{std::string_view(page->url)}));
    pages_.insert_or_assign(question, page->url);
    return {};
  }

  Status take_answer_of_none(lnk_id question, Answer answer, Actions& actions) {
    const auto found = pages_.find(question);
    if (found == pages_.end()) return fail(Code::Invalid, "an answer to what was not asked");
    const std::string url = std::move(found->second);
    pages_.erase(found);
    if (answer != Answer::Yes) return {};
    LNK_TRY(const auto opening, actions.for_call(0).open_page(url));
    static_cast<void>(opening);  // the browser was told already
    return {};
  }

  void forget_login_of(lnk_id timer) {
    std::erase_if(logins_, [timer](const auto& each) { return each.second.timer == timer; });
  }

  /// A port whose page was not opened yet is closed by the host with its call.
  void take_gone(lnk_id call) {
    const auto found = calls_.find(call);
    if (found == calls_.end()) return;
    if (found->second.port != 0) logins_.erase(found->second.port);
    calls_.erase(found);
  }

  Config config_;
  std::unordered_map<lnk_id, Asked> calls_;
  std::unordered_map<lnk_id, Login> logins_;       ///< by their ports' ids
  std::unordered_map<lnk_id, std::string> pages_;  ///< asked of no call, by their questions
};

}  // namespace lnk::verb_open

LNK_MODULE(lnk::verb_open::VerbOpen)
