// SPDX-License-Identifier: Apache-2.0
import {GoogleGenAI} from '@google/genai';
import {question, result, schema, step} from './said.mjs';

const client = new GoogleGenAI({});
const base = {
  model: 'gemini-rig',
  config: {
    tools: [{functionDeclarations: [{name: 'weather', parametersJsonSchema: schema}]}, {googleSearch: {}}, {urlContext: {}},
            {codeExecution: {}}],
  },
};
const asked = {role: 'user', parts: [{text: question}]};

await step('generate', async () => (await client.models.generateContent({...base, contents: question})).text);
await step('stream', async () => {
  let events = 0, call, said;
  for await (const piece of await client.models.generateContentStream({...base, contents: [asked]})) {
    ++events;
    if (piece.functionCalls) [call, said] = [piece.functionCalls[0], piece.candidates[0].content];
  }
  const told = {role: 'user', parts: [{functionResponse: {name: call.name, response: {result}}}]};
  const pieces = [];
  for await (const piece of await client.models.generateContentStream({...base, contents: [asked, said, told]}))
    pieces.push(piece.text);
  return {events, call: call.args, pieces};
});
await step('count', async () => (await client.models.countTokens({model: base.model, contents: question})).totalTokens);
await step('url', () => client.models.generateContent({
  ...base, contents: [{role: 'user', parts: [{fileData: {fileUri: 'https://evil.test/a.png', mimeType: 'image/png'}}]}],
}));
await step('path', () => client.files.list());
