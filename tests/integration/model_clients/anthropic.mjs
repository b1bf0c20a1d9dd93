// SPDX-License-Identifier: Apache-2.0
import Anthropic from '@anthropic-ai/sdk';
import {question, result, schema, step} from './said.mjs';

const client = new Anthropic();
const base = {
  model: 'claude-rig', max_tokens: 64,
  tools: [{name: 'weather', description: 'how warm it is', input_schema: schema}, {type: 'bash_20250124', name: 'bash'},
          {type: 'web_search_20250305', name: 'web_search'}, {type: 'code_execution_20250825', name: 'code_execution'}],
};
const asked = {role: 'user', content: question};

await step('create', async () => (await client.messages.create({...base, messages: [asked]})).content[0].text);
await step('stream', async () => {
  const first = client.messages.stream({...base, messages: [asked]});
  const events = [];
  for await (const event of first) events.push(event.type);
  const said = await first.finalMessage();
  const call = said.content.find(block => block.type === 'tool_use');
  const told = {role: 'user', content: [{type: 'tool_result', tool_use_id: call.id, content: result}]};
  const pieces = [];
  const last = client.messages.stream({...base, messages: [asked, {role: 'assistant', content: said.content}, told]});
  last.on('text', piece => pieces.push(piece));
  return {events, call: call.input, stop: said.stop_reason, pieces: (await last.finalText(), pieces)};
});
await step('beta', async () => (await client.beta.messages.create({
  ...base, messages: [asked], betas: ['interleaved-thinking-2025-05-14', 'mcp-client-2025-11-20'],
  mcp_servers: [{type: 'url', name: 'x', url: 'https://mcp.evil.test'}],
})).content[0].text);
await step('count', async () => (await client.messages.countTokens({model: base.model, messages: [asked]})).input_tokens);
await step('url', () => client.messages.create({
  ...base, messages: [{role: 'user', content: [{type: 'image', source: {type: 'url', url: 'https://evil.test/a.png'}}]}],
}));
await step('path', () => client.messages.batches.list());
