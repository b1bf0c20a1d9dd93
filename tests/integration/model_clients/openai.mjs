// SPDX-License-Identifier: Apache-2.0
import OpenAI from 'openai';
import {question, result, schema, step} from './said.mjs';

const client = new OpenAI();
const model = 'gpt-rig', asked = {role: 'user', content: question};
const chat = {
  model, web_search_options: {},
  tools: [{type: 'function', function: {name: 'weather', parameters: schema}}, {type: 'web_search'}],
};
const responses = {
  model,
  tools: [{type: 'function', name: 'weather', parameters: schema, strict: false}, {type: 'web_search'},
          {type: 'code_interpreter', container: {type: 'auto'}}, {type: 'mcp', server_label: 'x', server_url: 'https://mcp.evil.test'}],
};

await step('chat', async () => (await client.chat.completions.create({...chat, messages: [asked]})).choices[0].message.content);
await step('chat-stream', async () => {
  const first = client.chat.completions.stream({model, tools: chat.tools.slice(0, 1), web_search_options: {}, messages: [asked]});
  let events = 0;
  for await (const _ of first) ++events;
  const said = (await first.finalChatCompletion()).choices[0];
  const call = said.message.tool_calls[0];
  const told = {role: 'tool', tool_call_id: call.id, content: result};
  const pieces = [];
  for await (const piece of await client.chat.completions.create({...chat, stream: true, messages: [asked, said.message, told]}))
    pieces.push(piece.choices[0].delta.content);
  return {events, call: JSON.parse(call.function.arguments), stop: said.finish_reason, pieces};
});
await step('responses', async () => (await client.responses.create({...responses, input: question})).output_text);
await step('responses-stream', async () => {
  const first = client.responses.stream({...responses, input: [asked]});
  const events = [];
  for await (const event of first) events.push(event.type);
  const call = (await first.finalResponse()).output.find(item => item.type === 'function_call');
  const input = [asked, {type: 'function_call', call_id: call.call_id, name: call.name, arguments: call.arguments},
                 {type: 'function_call_output', call_id: call.call_id, output: result}];
  const pieces = [];
  for await (const event of await client.responses.create({...responses, input, stream: true}))
    if (event.type === 'response.output_text.delta') pieces.push(event.delta);
  return {events, call: JSON.parse(call.arguments), pieces};
});
await step('models', async () => (await client.models.list()).data.map(one => one.id));
await step('url', () => client.responses.create({
  ...responses, input: [{role: 'user', content: [{type: 'input_image', detail: 'auto', image_url: 'https://evil.test/a.png'}]}],
}));
await step('chat-url', () => client.chat.completions.create({
  ...chat, messages: [{role: 'user', content: [{type: 'image_url', image_url: {url: 'https://evil.test/a.png'}}]}],
}));
await step('path', () => client.files.list());
