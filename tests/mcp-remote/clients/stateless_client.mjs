// SPDX-License-Identifier: Apache-2.0
// The SDK's client of both families, over standard input and output: MODE COMMAND ARGUMENT….
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [mode, command, ...args] = process.argv.slice(2);
const say = (name, value) => console.log(JSON.stringify({ [name]: value }));
const client = new Client({ name: 'test', version: '1' },
                          { capabilities: { elicitation: {} }, versionNegotiation: { mode: mode === 'pin' ? { pin: '2026-07-28' } : mode } });
client.setRequestHandler('elicitation/create', ({ params }) => {
  say('asked', params.message);
  return { action: 'accept', content: { ok: true } };
});
await client.connect(new StdioClientTransport({ command, args, stderr: 'inherit' }));
say('version', client.getNegotiatedProtocolVersion?.() ?? null);
say('tools', (await client.listTools()).tools.map((tool) => tool.name));
say('said', (await client.callTool({ name: 'ech\u00f6', arguments: { text: 'gr\u00fc\u00df dich' } })).content[0].text);
if (mode !== 'legacy') say('confirmed', (await client.callTool({ name: 'confirm', arguments: { text: 'x' } })).content[0].text);
await client.close();
