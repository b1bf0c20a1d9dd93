// SPDX-License-Identifier: Apache-2.0
//
// A page that a program inside asks for, and what comes back: the first line is the URL, the second what a browser asks
// for, the third what the program sends it to. What is asked is plain ASCII, read once more it is the same, and nothing
// opens but what was asked; a port is of the URL and no one else's; what the browser gets holds nothing of the
// program's but the way to itself.
#include <algorithm>
#include <string>
#include <string_view>

#include "entry.hpp"
#include "lnk/abi/module.h"
#include "lnk/cpp/view.hpp"
#include "lnk/fake/verb_bench.hpp"
#include "lnk/http/address.hpp"
#include "lnk/http/page_url.hpp"

extern "C" const lnk_module_api lnk_module_v1_verb_open;

namespace lnk::fuzz {
namespace {

using fake::RecordedAction;
using fake::Sent;
using fake::VerbBench;

constexpr std::string_view kConfig = R"({"carried":[3000],"hosts":["wiki:443"],"localhost":[3000],"machines":[]})";

std::string_view take_line(std::string_view& text) {
  const auto line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

const RecordedAction* find(const Sent& sent, std::uint32_t kind) {
  const auto found = std::find_if(sent.actions.begin(), sent.actions.end(),
                                  [kind](const auto& action) { return action.kind == kind; });
  return found == sent.actions.end() ? nullptr : &*found;
}

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

/// A line that is asked as a page.
void check_asked(std::string_view url) {
  LNK_HOLDS(is_plain(url) && url.size() <= http::kPageUrlBytesMax);
  LNK_HOLDS(url.starts_with("http://") || url.starts_with("https://"));
  const auto again = http::parse_page_url(url);
  const auto* page = std::get_if<http::PageUrl>(&again);
  LNK_HOLDS(page != nullptr && page->url == url);
  // As a lax reader finds the host: up to the first of these there is nothing else that could be one.
  const auto behind = url.substr(url.find("://") + 3);
  const auto authority = behind.substr(0, behind.find_first_of("/?#\\"));
  LNK_HOLDS(authority.find('@') == std::string_view::npos && authority.find('%') == std::string_view::npos);
  LNK_HOLDS(authority == page->authority.to_text(page->has_tls ? 443 : 80));
  const auto kind = http::own_kind(page->authority.host);
  LNK_HOLDS(kind.empty() || (page->authority.host.text == "wiki" && page->authority.port == 443) ||
            (http::is_loopback(page->authority.host) && page->authority.port == 3000));
}

void check_words(const Sent& sent) {
  for (const auto& action : sent.actions)
    if (action.kind == LNK_ACTION_DENY)
      for (const char c : action.text) LNK_HOLDS(c >= 0x20 && c < 0x7f);
}

/// What the browser gets: our own page, or the way to the same port.
void check_shown(const RecordedAction& answer, std::uint32_t port) {
  for (const auto& field : answer.fields) {
    LNK_HOLDS(!field.name.starts_with("Set-Cookie"));
    if (field.name != "Location") continue;
    const auto parsed = http::parse_page_url(field.value);
    const auto* page = std::get_if<http::PageUrl>(&parsed);
    LNK_HOLDS(answer.status == 302 && page != nullptr && !page->has_tls && http::is_loopback(page->authority.host) &&
              page->authority.port == port);
  }
  LNK_HOLDS(answer.body.find("<script") == std::string::npos);
}

void come_back(VerbBench& bench, const RecordedAction& listen, std::string_view target, std::string_view location) {
  const std::string host = "localhost:" + std::to_string(listen.port);
  auto callback = sized<lnk_event_callback>();
  callback.method = to_str("GET");
  callback.target = to_str(target);
  callback.host = to_str(host);
  const auto came = bench.send(LNK_EVENT_CALLBACK, 0, listen.made, &callback);
  if (const auto* answer = find(came, LNK_ACTION_ANSWER)) check_shown(*answer, listen.port);
  const auto* inside = find(came, LNK_ACTION_CALL_INSIDE);
  if (inside == nullptr) return;
  LNK_HOLDS(inside->port == listen.port && target.substr(0, target.find('?')) == listen.text);
  auto reply = sized<lnk_event_inside_reply>();
  reply.http_status = 302;
  reply.location = to_str(location);
  const auto told = bench.send(LNK_EVENT_INSIDE_REPLY, 0, inside->made, &reply);
  const auto* answer = find(told, LNK_ACTION_ANSWER);
  LNK_HOLDS(answer != nullptr && find(told, LNK_ACTION_OPEN_PAGE) == nullptr);
  check_shown(*answer, listen.port);
  if (const auto* ask = find(told, LNK_ACTION_ASK)) check_asked(ask->lines.front());
}

}  // namespace

void check(std::string_view input) {
  const auto url = take_line(input);
  const auto target = take_line(input);
  auto started = VerbBench::start(lnk_module_v1_verb_open, kConfig);
  LNK_HOLDS(started.has_value());
  auto& bench = *started;
  static_cast<void>(bench.head(1, {0, "POST", {}, {}, false, true, {}}));
  const auto asked = bench.body(1, url);
  check_words(asked);
  const auto* ask = find(asked, LNK_ACTION_ASK);
  if (ask == nullptr) return;
  LNK_HOLDS(!ask->lines.empty() && ask->lines.size() <= 2);
  check_asked(ask->lines.front());
  auto yes = sized<lnk_event_answered>();
  yes.answer = LNK_ANSWER_YES;
  auto next = bench.send(LNK_EVENT_ANSWERED, 1, ask->made, &yes);
  auto done = sized<lnk_event_done>();
  const auto listening =
      find(next, LNK_ACTION_LISTEN_ONCE) == nullptr ? RecordedAction() : *find(next, LNK_ACTION_LISTEN_ONCE);
  if (listening.made != 0) {
    LNK_HOLDS(listening.port >= 1024 && listening.port != 3000 && listening.amount <= 300 && is_plain(listening.text));
    LNK_HOLDS(ask->lines.size() == 2 && find(next, LNK_ACTION_OPEN_PAGE) == nullptr);
    next = bench.send(LNK_EVENT_LISTENING, 1, listening.made, &done);
  }
  const auto* open = find(next, LNK_ACTION_OPEN_PAGE);
  LNK_HOLDS(open != nullptr && open->text == ask->lines.front());
  LNK_HOLDS(find(bench.send(LNK_EVENT_PAGE_OPENED, 1, open->made, &done), LNK_ACTION_ANSWER) != nullptr);
  LNK_HOLDS(bench.gone(1).status == LNK_OK);
  if (listening.made != 0) come_back(bench, listening, target, take_line(input));
  LNK_HOLDS(bench.misbehaviours().empty());
}

}  // namespace lnk::fuzz
