// SPDX-License-Identifier: Apache-2.0
import {Mistral} from '@mistralai/mistralai';
import {question, result, schema, step} from './said.mjs';

// It takes its key from the environment, its base URL from nobody but the caller.
const client = new Mistral({serverURL: process.env.MISTRAL_BASE_URL});
const base = {
  model: 'mistral-rig',
  tools: [{type: 'function', function: {name: 'weather', parameters: schema}}, {type: 'web_search'}, {type: 'code_interpreter'}],
};
const asked = {role: 'user', content: question};

await step('complete', async () => (await client.chat.complete({...base, messages: [asked]})).choices[0].message.content);
await step('stream', async () => {
  let events = 0, call, stop;
  for await (const {data} of await client.chat.stream({...base, messages: [asked]})) {
    ++events;
    call ??= data.choices[0].delta.toolCalls?.[0];
    stop = data.choices[0].finishReason;
  }
  const said = {role: 'assistant', content: '', toolCalls: [call]};
  const told = {role: 'tool', toolCallId: call.id, name: 'weather', content: result};
  const pieces = [];
  for await (const {data} of await client.chat.stream({...base, messages: [asked, said, told]}))
    pieces.push(data.choices[0].delta.content);
  return {events, call: JSON.parse(call.function.arguments), stop, pieces};
});
await step('url', () => client.chat.complete({
  ...base, messages: [{role: 'user', content: [{type: 'image_url', imageUrl: 'https://evil.test/a.png'}]}],
}));
await step('path', () => client.beta.conversations.start({model: base.model, inputs: question, tools: [{type: 'web_search'}]}));
await step('unset', () => new Mistral().models.list());
