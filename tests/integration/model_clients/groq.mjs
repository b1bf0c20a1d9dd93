// SPDX-License-Identifier: Apache-2.0
import Groq from 'groq-sdk';
import {question, result, schema, step} from './said.mjs';

const client = new Groq();
const base = {
  model: 'groq-rig', search_settings: {include_domains: ['evil.test']},
  tools: [{type: 'function', function: {name: 'weather', parameters: schema}}, {type: 'browser_search'},
          {type: 'code_interpreter'}],
};
const asked = {role: 'user', content: question};

await step('create', async () => (await client.chat.completions.create({...base, messages: [asked]})).choices[0].message.content);
await step('stream', async () => {
  let events = 0, call, stop;
  for await (const piece of await client.chat.completions.create({...base, stream: true, messages: [asked]})) {
    ++events;
    call ??= piece.choices[0].delta.tool_calls?.[0];
    stop = piece.choices[0].finish_reason;
  }
  const said = {role: 'assistant', tool_calls: [{id: call.id, type: 'function', function: call.function}]};
  const told = {role: 'tool', tool_call_id: call.id, content: result};
  const pieces = [];
  for await (const piece of await client.chat.completions.create({...base, stream: true, messages: [asked, said, told]}))
    pieces.push(piece.choices[0].delta.content);
  return {events, call: JSON.parse(call.function.arguments), stop, pieces};
});
await step('models', async () => (await client.models.list()).data.map(one => one.id));
await step('url', () => client.chat.completions.create({
  ...base, messages: [{role: 'user', content: [{type: 'image_url', image_url: {url: 'https://evil.test/a.png'}}]}],
}));
await step('path', () => client.batches.list());
