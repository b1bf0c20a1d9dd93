// SPDX-License-Identifier: Apache-2.0
//
// The rules that are shipped, each with requests that pass and requests that are refused.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "decision.hpp"
#include "lnk/cpp/view.hpp"
#include "lnk/secret/placeholder.hpp"

using namespace lnk::verb_secret;

namespace {

constexpr std::string_view kRandom = "RANDOMrandom0123456789-_RANDOMrandom01234567";

struct Ask {
  std::string rule;
  std::string line;  ///< "POST path", * for the placeholder
  std::string body = {};
};

std::string text_of(const std::string& name) {
  std::ifstream file(std::string(LNK_RULES) + "/" + name + ".json");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Secret secret_of(const std::string& name) {
  auto rule = lnk::secret::parse_rule(text_of(name));
  BOOST_REQUIRE_MESSAGE(rule, name + ": " + (rule ? "" : rule.error().text));
  auto placeholder = lnk::secret::make_placeholder(*rule, "4711:AAF-value", kRandom);
  BOOST_REQUIRE(placeholder);
  return {name, *placeholder, std::move(rule).value()};
}

/// "passes", or the status that it is refused with.
std::string outcome(const Ask& ask) {
  const auto secret = secret_of(ask.rule);
  const auto& rule = secret.rule;
  const auto space = ask.line.find(' ');
  const auto method = ask.line.substr(0, space);
  auto path = ask.line.substr(space + 1);
  if (const auto star = path.find('*'); star != std::string::npos) path.replace(star, 1, secret.placeholder);
  std::string query;
  const bool has_query = path.find('?') != std::string::npos;
  if (has_query) {
    query = path.substr(path.find('?') + 1);
    path.resize(path.find('?'));
  }
  const auto value = rule.value.before + secret.placeholder + rule.value.after;
  std::vector<lnk_field> fields;
  if (rule.place == lnk::secret::Place::Header) fields.push_back({lnk::to_str(rule.field), lnk::to_str(value)});
  const std::string type = ask.body.starts_with('{') || ask.body.starts_with('[') ? "application/json" : "application/x-www-form-urlencoded";
  if (!ask.body.empty()) fields.push_back({lnk::to_str("Content-Type"), lnk::to_str(type)});
  lnk::HeadEvent head{0, method, path, std::nullopt, !ask.body.empty(), lnk::Fields(fields)};
  if (has_query) head.query = query;
  const auto decided = decide(secret, head);
  if (const auto* denial = std::get_if<Denial>(&decided)) return std::to_string(denial->status);
  const auto& type_read = std::get<Passage>(decided).body;
  if (!type_read) return "passes";
  const auto denial = decide_body(secret, *type_read, ask.body);
  return denial ? std::to_string(denial->status) : "passes";
}

const std::vector<Ask> kPass = {
    {"telegram", "GET bot*/getMe"},
    {"telegram", "GET bot*/sendMessage?text=a;b.c&photo=AgAC"},
    {"telegram", "POST bot*/getUpdates", R"({"timeout":50,"offset":1})"},
    {"telegram", "POST bot*/sendMessage", R"({"chat_id":1,"text":"see https://a.test/x.png"})"},
    {"telegram", "POST bot*/sendPhoto", R"({"chat_id":1,"photo":"AgACAgQAAx_-0"})"},
    {"telegram", "POST bot*/sendMediaGroup", R"({"media":[{"type":"photo","media":"attach://a"},{"type":"photo","media":"AgAC"}]})"},
    {"telegram", "POST bot*/sendMediaGroup", "chat_id=1&media=%5B%7B%22media%22%3A%22attach%3A%2F%2Fa%22%7D%5D"},
    {"telegram", "POST bot*/sendPoll", R"({"question":"?","options":[{"text":"a"},{"text":"b"}]})"},
    {"telegram", "POST bot*/answerInlineQuery", R"({"results":[{"type":"photo","photo_file_id":"AgAC"}]})"},
    {"telegram", "GET file/bot*/documents/file_1.pdf"},
    {"github", "GET repos/vercel/next.js/issues?state=open"},
    {"github", "POST repos/vercel/next.js/issues", R"({"title":"a"})"},
    {"github", "PATCH repos/o/r/issues/1", R"({"state":"closed"})"},
    {"github", "GET repos/o/r/contents/docs/a.md"},
    {"github", "GET user"},
    {"github", "GET search/issues?q=x"},
    {"slack", "POST api/chat.postMessage", "channel=C1&text=https%3A%2F%2Fa.test&blocks=%5B%7B%22type%22%3A%22section%22%7D%5D"},
    {"slack", "POST api/chat.postMessage", R"({"channel":"C1","blocks":[{"type":"section"}]})"},
    {"slack", "GET api/conversations.history?channel=C1"},
    {"discord", "GET api/v10/users/@me"},
    {"discord", "POST api/v10/channels/12/messages", R"({"content":"hi","embeds":[{"title":"a"}]})"},
    {"notion", "POST v1/pages", R"({"parent":{"page_id":"a"},"children":[{"paragraph":{"rich_text":[]}}]})"},
    {"notion", "PATCH v1/blocks/1b-2c/children", R"({"children":[]})"},
    {"notion", "POST v1/data_sources/ab/query", R"({"filter":{}})"},
    {"linear", "POST graphql", R"({"query":"query issues { issues { nodes { id title } } }","variables":{"title":"a mutation"}})"},
    {"stripe", "GET v1/customers?limit=3"},
    {"stripe", "POST v1/customers", "email=a%40b.test&metadata%5Ba%5D=b"},
};

const std::vector<Ask> kRefused = {
    {"telegram", "POST bot*/setWebhook", R"({"x":"y"})"},
    {"telegram", "GET bot*/SetWebHook"},
    {"telegram", "GET bot*/logOut"},
    {"telegram", "GET bot*/close"},
    {"telegram", "GET bot*/getManagedBotToken"},
    {"telegram", "GET bot*/replaceManagedBotToken"},
    {"telegram", "POST bot*/transferGift", R"({})"}, {"telegram", "POST bot*/sendGift", R"({})"}, {"telegram", "POST bot*/upgradeGift", R"({})"},
    {"telegram", "GET bot*/test/getMe"},
    {"telegram", "DELETE bot*/getMe"},
    {"telegram", "GET bot4711:other/getMe"},
    {"telegram", "GET bot*/sendPhoto?photo=https://a.test/x"},
    {"telegram", "GET bot*/sendPhoto?ph%6Fto=a.test"},
    {"telegram", "GET bot*/sendPhoto?photo=attach;a.test"},
    {"telegram", "GET bot*/sendPhoto?a;photo=a.test"},
    {"telegram", "GET bot*/sendPhoto?a=b&c;photo=a.test;d"},
    {"telegram", "POST bot*/sendPhoto", R"({"photo":"https://a.test/x"})"},
    {"telegram", "POST bot*/sendDocument", R"({"document":"a.test/x.pdf"})"},
    {"telegram", "POST bot*/sendDocument", "document=HTTP%3A%2F%2Fa.test"},
    {"telegram", "POST bot*/sendMediaGroup", R"({"media":[{"type":"photo","media":"https://a.test/x"}]})"},
    {"telegram", "POST bot*/sendMediaGroup", R"({"media":"[{\"type\":\"photo\",\"media\":\"https://a.test/x\"}]"})"},
    {"telegram", "POST bot*/editMessageMedia", "media=%7B%22media%22%3A%22a.test%22%7D"},
    {"telegram", "POST bot*/answerInlineQuery", R"({"results":[{"type":"photo","photo_url":"https://a.test/x"}]})"},
    {"telegram", "POST bot*/answerInlineQuery", "results=%5B%7B%22thumbnail_url%22%3A%22x%22%7D%5D"},
    {"telegram", "POST bot*/createNewStickerSet", R"({"stickers":[{"sticker":"https://a.test/x"}]})"},
    {"telegram", "POST bot*/sendVideo", R"({"video":"AgAC","thumbnail":"http://a.test","cover":"x"})"},
    {"github", "GET user/keys"},
    {"github", "GET user/emails"},
    {"github", "GET repos/o/r/hooks"},
    {"github", "POST repos/o/r/hooks", R"({})"},
    {"github", "GET repos/o/r/keys"},
    {"github", "GET repos/o/r/actions/secrets"},
    {"github", "POST gists", R"({})"},
    {"github", "POST graphql", R"({})"},
    {"github", "DELETE repos/o/r"},
    {"github", "PATCH repos/o/r", R"({"private":false})"},
    {"github", "POST repos/o/r/contents/a", R"({})"},
    {"github", "GET repos/o/../hooks"},
    {"github", "GET repos/o/r/contents/a%2Fb"},
    {"slack", "POST api/chat.postMessage", "channel=C1&token=xoxb-other"},
    {"slack", "POST api/chat.postMessage", R"({"channel":"C1","token":"xoxb-other"})"},
    {"slack", "POST api/chat.postMessage", "attachments=%5B%7B%22image_url%22%3A%22https%3A%2F%2Fa.test%22%7D%5D"},
    {"slack", "POST api/chat.postMessage", R"({"blocks":[{"type":"image","image_url":"https://a.test"}]})"},
    {"slack", "POST api/chat.postMessage", R"({"blocks":[{"type":"video","provider_icon_url":"https://a.test"}]})"},
    {"slack", "POST api/apps.connections.open", "a=b"},
    {"slack", "POST api/auth.revoke", "a=b"},
    {"slack", "POST api/admin.users.list", "a=b"},
    {"slack", "POST api/files.getUploadURLExternal", "a=b"},
    {"discord", "POST api/v10/channels/1/webhooks", R"({})"},
    {"discord", "POST api/v10/webhooks/1/x", R"({})"},
    {"discord", "GET api/v10/oauth2/applications/@me"},
    {"discord", "PATCH api/v10/users/@me", R"({})"},
    {"discord", "POST api/v10/channels/1/messages", R"({"embeds":[{"image":{"url":"https://a.test"}}]})"},
    {"notion", "POST v1/pages", R"({"children":[{"image":{"type":"external","external":{"url":"https://a.test"}}}]})"},
    {"notion", "POST v1/file_uploads", R"({})"},
    {"notion", "POST v1/oauth/token", R"({})"},
    {"notion", "PATCH v1/databases/a", R"({})"},
    {"linear", "POST graphql", R"({"query":"mutation { webhookCreate(input:{}) { success } }"})"},
    {"linear", "POST graphql", R"({"query":"query a { b } Mutation c { d }"})"},
    {"linear", "POST graphql", R"([{"query":"{a}"},{"query":"mutation{b}"}])"},
    {"linear", "POST graphql", R"({"extensions":{"persistedQuery":{"sha256Hash":"a"}}})"},
    {"linear", "POST graphql?query=mutation%7Ba%7D", R"({"query":"{a}"})"},
    {"linear", "POST graphql", "operations=%7B%22query%22%3A%22mutation%7Ba%7D%22%7D&map=%7B%7D"},
    {"linear", "GET graphql?query=%7Ba%7D"},
    {"stripe", "POST v1/payouts", "amount=1"},
    {"stripe", "POST v1/webhook_endpoints", "url=x"},
    {"stripe", "GET v1/account"},
    {"stripe", "POST v1/refunds", "charge=x"},
    {"stripe", "POST v1/customers", "source=tok"},
    {"stripe", "POST v1/invoices", "transfer_data%5Bdestination%5D=acct"},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(shipped_rules)

BOOST_AUTO_TEST_CASE(each_is_taken_with_a_date_and_a_source_and_has_requests_here) {
  std::size_t rules = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LNK_RULES)) {
    const auto name = entry.path().stem().string();
    if (name == "secret-rule.schema") continue;
    ++rules;
    const auto text = text_of(name);
    BOOST_TEST(lnk::secret::parse_rule(text).has_value(), name);
    for (const auto* key : {"\"date\": \"20", "\"source\": \"http", "\"$schema\": \"secret-rule.schema.json\""})
      BOOST_TEST(text.find(key) != std::string::npos, name << " has " << key);
    const auto has = [&](const auto& asks) { return std::any_of(asks.begin(), asks.end(), [&](const Ask& ask) { return ask.rule == name; }); };
    BOOST_TEST((has(kPass) && has(kRefused)), name);
  }
  BOOST_TEST(rules == 7U);
}

BOOST_AUTO_TEST_CASE(what_passes) {
  for (const auto& ask : kPass) BOOST_TEST(outcome(ask) == "passes", ask.rule << " " << ask.line << " " << ask.body << ": " << outcome(ask));
}

BOOST_AUTO_TEST_CASE(what_is_refused) {
  for (const auto& ask : kRefused) BOOST_TEST(outcome(ask) != "passes", ask.rule << " " << ask.line << " " << ask.body);
}

BOOST_AUTO_TEST_SUITE_END()
