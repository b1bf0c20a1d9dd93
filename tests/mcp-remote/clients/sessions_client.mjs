// SPDX-License-Identifier: Apache-2.0
// The SDK's client of the family with sessions, over standard input and output: COMMAND ARGUMENT… is what it starts. Says what it
// was answered, a line of JSON each.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema, LoggingMessageNotificationSchema, ResourceListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

const [what, command, ...args] = process.argv.slice(2);
const say = (name, value) => console.log(JSON.stringify({ [name]: value }));
const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
const heard = [];
client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => { heard.push(params.data); });
client.setNotificationHandler(ResourceListChangedNotificationSchema, () => { heard.push('list changed'); });
client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
  say('asked', params.message);
  return { action: 'accept', content: { name: 'Ann', email: 'ann@example.com' } };
});
const transport = new StdioClientTransport({ command, args, stderr: 'inherit' });
await client.connect(transport);
say('server', client.getServerVersion().name);
if (what === 'all') {
  say('tools', (await client.listTools()).tools.map((tool) => tool.name));
  say('greeted', (await client.callTool({ name: 'greet', arguments: { name: 'Zoë' } })).content[0].text);
  await client.callTool({ name: 'multi-greet', arguments: { name: 'Zoë' } });
  say('heard', heard.length > 0);
  say('info', (await client.callTool({ name: 'collect-user-info', arguments: { infoType: 'contact' } })).content[0].text);
  say('prompt', (await client.getPrompt({ name: 'greeting-template', arguments: { name: 'Zoë' } })).messages[0].content.text);
  say('resource', (await client.readResource({ uri: 'https://example.com/greetings/default' })).contents[0].text);
  say('refused', await client.callTool({ name: 'nothing', arguments: {} }).then((result) => result.isError, (error) => error.code));
} else {
  say('done', (await client.callTool({ name: 'long-task', arguments: {} })).content[0].text);
  say('heard', heard);
}
await client.close();
