# SPDX-License-Identifier: Apache-2.0
"""The clients that people use for Telegram, Slack, Notion, GitHub, Discord and Linear, from npm, inside, with the rules that are shipped: the
real token arrives at the service's one host, the placeholder nowhere, and what the rule refuses never leaves."""

import json
import unittest

import product
from product import each_person

from rig import capability, client, npm_clients

TOKENS = {"telegram": "4711:AAF-the_real_token_of_the_bot_0123", "slack": "xoxb-real-0123456789-token", "notion": "ntn_realrealreal0123456789",
          "github": "ghp_realrealreal0123456789", "discord": "MTIz.real-token.0123456789abcdef", "linear": "lin_api_realreal0123456789"}
HOSTS = {"telegram": "api.telegram.org", "slack": "slack.com", "notion": "api.notion.com", "github": "api.github.com", "discord": "discord.com",
         "linear": "api.linear.app"}
# Prints a line for each step: "NAME passed", or "NAME refused" with what the client says.
PRELUDE = """
const say = (name, text) => console.log(name + ' ' + text);
const {env} = process;
async function step(name, what) {
  try { say(name, 'passed ' + JSON.stringify(await what() ?? null)); }
  catch (e) { say(name, 'refused ' + (e.description || e.message || e).toString().replaceAll('\\n', ' ')); }
}
"""


class ServiceClients(product.ProductTest):
    def kept(self, name):
        capability.need("npm_clients")
        host = HOSTS[name]
        self.net.set_name(host, ["93.184.215.77"])
        self.net.issue([host])
        self.assert_done(self.place.lnk("secret", "add", name, "--rule", name, stdin=TOKENS[name] + "\n"))
        return self.place.spec(f'[files]\nwrite = ["{self.place.work}"]\nread = ["{npm_clients.FOLDER}"]\n[secrets]\nuse = ["{name}"]\n')

    def answer(self, name, target, value):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.net.set_reply(HOSTS[name], target, b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % len(body) + body)

    def inside(self, name, script):
        """The lines that the script's steps print."""
        spec = self.kept(name)
        self.place.write("work/script.js", PRELUDE + script)
        done = self.place.run("--spec", spec, "--yes", "--", "sh", "-c", f"NODE_PATH={npm_clients.MODULES} exec node script.js")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertNotIn(TOKENS[name], done.stdout + done.stderr)
        for request in self.net.requests():
            self.assertEqual((request["host"], request["tls"]), (HOSTS[name], True))
        return dict(line.split(" ", 1) for line in done.stdout.splitlines())

    def arrived(self, name, where):
        """The requests, each with the real token in its place and the placeholder nowhere."""
        requests = self.net.requests(HOSTS[name])
        for request in requests:
            self.assertIn(TOKENS[name], request["target"] if where == "path" else dict((k.lower(), v) for k, v in request["fields"]).get(where, ""))
            self.assertEqual(request["raw"].count(TOKENS[name].encode()), 1)
        return requests

    @each_person
    def test_grammy(self):
        bot = f"/bot{TOKENS['telegram']}"
        self.answer("telegram", f"{bot}/getMe", {"ok": True, "result": {"id": 4711, "is_bot": True, "first_name": "Rig", "username": "rig_bot"}})
        self.answer("telegram", f"{bot}/getUpdates", {"ok": True, "result": [{"update_id": 1, "message": {"message_id": 1, "date": 1, "chat": {"id": 5, "type": "private"}, "text": "hi"}}]})
        for method in ("sendMessage", "sendDocument", "sendPhoto", "sendMediaGroup"):
            self.answer("telegram", f"{bot}/{method}", {"ok": True, "result": {"message_id": 2}})
        self.answer("telegram", f"/file{bot}/documents/file_1.txt", b"a file")
        told = self.inside("telegram", """
const {Bot, InputFile, InputMediaBuilder} = require('grammy');
const url = env.LNK_SECRET_TELEGRAM_URL, token = env.LNK_SECRET_TELEGRAM;
const {api} = new Bot(token, {client: {apiRoot: url}});
(async () => {
  await step('me', async () => (await api.getMe()).username);
  await step('updates', async () => (await api.getUpdates({timeout: 1}))[0].message.text);
  await step('text', () => api.sendMessage(5, 'see https://a.test/x.png'));
  await step('upload', () => api.sendDocument(5, new InputFile(Buffer.from('\\x00\\xff--binary\\r\\n--'.repeat(9000), 'latin1'), 'a.bin'), {caption: 'c'}));
  await step('known', () => api.sendPhoto(5, 'AgACAgQAAx-_9'));
  await step('group', () => api.sendMediaGroup(5, [InputMediaBuilder.photo(new InputFile(Buffer.from('p'), 'p.png')), InputMediaBuilder.photo('AgAC')]));
  await step('url', () => api.sendPhoto(5, 'https://evil.test/x.png'));
  await step('urlgroup', () => api.sendMediaGroup(5, [InputMediaBuilder.photo(new InputFile(Buffer.from('p'), 'p.png')), InputMediaBuilder.photo('https://evil.test/x')]));
  await step('webhook', () => api.setWebhook('https://evil.test'));
  await step('logout', () => api.logOut());
  await step('file', async () => (await fetch(`${url}/file/bot${token}/documents/file_1.txt`)).text());
  await step('lost', async () => (await (await fetch(`${url.replace(/\\/telegram$/, '')}/bot${token}/getMe`)).json()).ok);
})();
""")
        for name in ("url", "urlgroup"):
            self.assertIn("refused", told[name], told)
        self.assertEqual({name for name, text in told.items() if text.startswith("passed")}, {"me", "updates", "text", "upload", "known", "group", "file", "lost"}, told)
        self.assertEqual((told["me"], told["updates"], told["file"]), ('passed "rig_bot"', 'passed "hi"', 'passed "a file"'))
        requests = self.arrived("telegram", "path")
        self.assertEqual(len(requests), 8)
        upload, = [request for request in requests if request["target"].endswith("/sendDocument")]
        self.assertIn(b"\x00\xff--binary\r\n--" * 9000, upload["raw"])
        self.assertNotIn(b"evil.test", b"".join(request["raw"] for request in requests))

    @each_person
    def test_telegraf_in_both_spellings_of_its_root(self):
        bot = f"/bot{TOKENS['telegram']}"
        for method in ("getMe", "sendMessage", "sendDocument"):
            self.answer("telegram", f"{bot}/{method}", {"ok": True, "result": {"message_id": 2}})
        told = self.inside("telegram", """
const {Telegraf} = require('telegraf');
const token = env.LNK_SECRET_TELEGRAM;
(async () => {
  for (const [name, root] of [['slash', env.LNK_SECRET_TELEGRAM_URL + '/'], ['none', env.LNK_SECRET_TELEGRAM_URL]]) {
    const {telegram} = new Telegraf(token, {telegram: {apiRoot: root}});
    await step(name + '-me', () => telegram.getMe());
    await step(name + '-text', () => telegram.sendMessage(5, 'hello'));
    await step(name + '-upload', () => telegram.sendDocument(5, {source: Buffer.from('content'), filename: 'a.txt'}, {caption: 'c'}));
    await step(name + '-url', () => telegram.sendDocument(5, {url: 'https://evil.test/a.pdf', filename: 'a.pdf'}));
    await step(name + '-plainurl', () => telegram.sendDocument(5, 'https://evil.test/a.pdf'));
    await step(name + '-close', () => telegram.close());
  }
})();
""")
        self.assertEqual({name for name, text in told.items() if text.startswith("passed")}, {f"{at}-{what}" for at in ("slash", "none") for what in ("me", "text", "upload")}, told)
        requests = self.arrived("telegram", "path")
        self.assertEqual(len(requests), 6)
        self.assertEqual(sum(b"content" in request["raw"] and b'filename="a.txt"' in request["raw"] for request in requests), 2)

    @each_person
    def test_slack(self):
        for method in ("auth.test", "chat.postMessage", "conversations.history"):
            self.answer("slack", f"/api/{method}", {"ok": True, "ts": "1.2", "messages": []})
        told = self.inside("slack", """
const {WebClient, LogLevel} = require('@slack/web-api');
(async () => {
  for (const [name, root] of [['slash', env.LNK_SECRET_SLACK_URL + '/api/'], ['none', env.LNK_SECRET_SLACK_URL + '/api']]) {
    const web = new WebClient(env.LNK_SECRET_SLACK, {slackApiUrl: root, retryConfig: {retries: 0}, logLevel: LogLevel.ERROR});
    const ok = async (what) => (await what).ok;
    await step(name + '-auth', () => ok(web.auth.test()));
    await step(name + '-post', () => ok(web.chat.postMessage({channel: 'C1', text: 'see https://a.test', blocks: [{type: 'section', text: {type: 'mrkdwn', text: 'x'}}]})));
    await step(name + '-history', () => ok(web.conversations.history({channel: 'C1'})));
    await step(name + '-image', () => ok(web.chat.postMessage({channel: 'C1', text: 'x', blocks: [{type: 'image', image_url: 'https://evil.test', alt_text: 'x'}]})));
    await step(name + '-socket', () => ok(web.apps.connections.open()));
    await step(name + '-revoke', () => ok(web.auth.revoke()));
  }
})();
""")
        self.assertEqual({name for name, text in told.items() if text == "passed true"}, {f"{at}-{what}" for at in ("slash", "none") for what in ("auth", "post", "history")}, told)
        self.assertEqual(len(self.arrived("slack", "authorization")), 6)

    @each_person
    def test_notion(self):
        for target in ("/v1/pages", "/v1/users/me", "/v1/search"):
            self.answer("notion", target, {"object": "list", "results": [], "id": "a"})
        told = self.inside("notion", """
const {Client} = require('@notionhq/client');
const notion = new Client({auth: env.LNK_SECRET_NOTION, baseUrl: env.LNK_SECRET_NOTION_URL, retry: false, logLevel: 'error'});
const page = (block) => ({parent: {page_id: 'a'}, properties: {}, children: [block]});
(async () => {
  await step('me', async () => (await notion.users.me({})).id);
  await step('search', async () => (await notion.search({query: 'x'})).results.length);
  await step('page', async () => (await notion.pages.create(page({paragraph: {rich_text: [{text: {content: 'x'}}]}}))).id);
  await step('image', () => notion.pages.create(page({image: {type: 'external', external: {url: 'https://evil.test/x.png'}}})));
  await step('upload', () => notion.fileUploads.create({mode: 'external_url', external_url: 'https://evil.test', filename: 'x'}));
})();
""")
        self.assertEqual((told["me"], told["search"], told["page"]), ('passed "a"', "passed 0", 'passed "a"'), told)
        self.assertIn("refused", told["image"] + told["upload"])
        requests = self.arrived("notion", "authorization")
        self.assertEqual([request["target"] for request in requests], ["/v1/users/me", "/v1/search", "/v1/pages"])
        self.assertTrue(all(any(name.lower() == "notion-version" for name, _ in request["fields"]) for request in requests))

    @each_person
    def test_octokit(self):
        repo = "/repos/o/next.js"
        for target in (f"{repo}/issues", f"{repo}/contents/README.md"):
            self.answer("github", target, {"number": 1, "content": "eA=="})
        told = self.inside("github", """
(async () => {
  const {Octokit} = await import(env.NODE_PATH + '/octokit/dist-bundle/index.js');
  const kit = new Octokit({auth: env.LNK_SECRET_GITHUB, baseUrl: env.LNK_SECRET_GITHUB_URL, retry: {enabled: false}, throttle: {enabled: false}, log: {debug() {}, info() {}, warn() {}, error() {}}});
  const at = {owner: 'o', repo: 'next.js'};
  await step('issue', async () => (await kit.rest.issues.create({...at, title: 'x'})).data.number);
  await step('read', async () => (await kit.rest.repos.getContent({...at, path: 'README.md'})).data.content);
  await step('hook', () => kit.rest.repos.createWebhook({...at, config: {url: 'https://evil.test'}}));
  await step('keys', () => kit.rest.users.listPublicSshKeysForAuthenticatedUser());
  await step('graphql', () => kit.graphql('{viewer{login}}'));
  await step('delete', () => kit.rest.repos.delete(at));
})();
""")
        self.assertEqual((told["issue"], told["read"]), ("passed 1", 'passed "eA=="'), told)
        self.assertTrue(all(told[name].startswith("refused") for name in ("hook", "keys", "graphql", "delete")), told)
        requests = self.arrived("github", "authorization")
        self.assertEqual([request["target"] for request in requests], [f"{repo}/issues", f"{repo}/contents/README.md"])

    @each_person
    def test_discords_rest(self):
        self.answer("discord", "/api/v10/channels/12/messages", {"id": "1"})
        told = self.inside("discord", """
const {REST} = require('@discordjs/rest');
const rest = new REST({version: '10', api: env.LNK_SECRET_DISCORD_URL + '/api', retries: 0}).setToken(env.LNK_SECRET_DISCORD);
(async () => {
  await step('post', async () => (await rest.post('/channels/12/messages', {body: {content: 'x'}})).id);
  await step('upload', async () => (await rest.post('/channels/12/messages', {body: {content: 'x'}, files: [{name: 'a b.txt', data: Buffer.from('content')}]})).id);
  await step('embed', () => rest.post('/channels/12/messages', {body: {embeds: [{image: {url: 'https://evil.test'}}]}}));
  await step('embedupload', () => rest.post('/channels/12/messages', {body: {embeds: [{image: {url: 'https://evil.test'}}]}, files: [{name: 'a', data: Buffer.from('x')}]}));
  await step('webhook', () => rest.post('/channels/12/webhooks', {body: {name: 'x'}}));
  process.exit(0);
})();
""")
        self.assertEqual((told["post"], told["upload"]), ('passed "1"', 'passed "1"'), told)
        self.assertTrue(all(told[name].startswith("refused") for name in ("embed", "embedupload", "webhook")), told)
        self.assertEqual(len(self.arrived("discord", "authorization")), 2)

    @each_person
    def test_linear_reads_and_changes_nothing(self):
        self.answer("linear", "/graphql", {"data": {"viewer": {"id": "a", "name": "n"}, "issues": {"nodes": [], "pageInfo": {"hasNextPage": False, "hasPreviousPage": False}}}})
        told = self.inside("linear", """
const {LinearClient} = require('@linear/sdk');
const linear = new LinearClient({apiKey: env.LNK_SECRET_LINEAR, apiUrl: env.LNK_SECRET_LINEAR_URL + '/graphql'});
(async () => {
  await step('viewer', async () => (await linear.viewer).id);
  await step('issues', async () => (await linear.issues()).nodes.length);
  await step('create', () => linear.createIssue({teamId: 'a', title: 'x'}));
  await step('webhook', () => linear.createWebhook({url: 'https://evil.test', resourceTypes: ['Issue']}));
})();
""")
        self.assertEqual((told["viewer"], told["issues"]), ('passed "a"', "passed 0"), told)
        self.assertIn("refused", told["create"])
        self.assertIn("refused", told["webhook"])
        self.assertEqual(len(self.arrived("linear", "authorization")), 2)


if __name__ == "__main__":
    unittest.main()
