// SPDX-License-Identifier: Apache-2.0
// What a client's script tells its test: a line of JSON for each step, with what came of it or the error that was thrown.
export const question = 'How warm is it?', result = '21 degrees';
export const schema = {type: 'object', properties: {place: {type: 'string'}}, required: ['place']};

export async function step(name, what) {
  try {
    console.log(JSON.stringify({step: name, value: (await what()) ?? null}));
  } catch (e) {
    const kinds = [];
    for (let kind = e.constructor; kind.name; kind = Object.getPrototypeOf(kind)) kinds.push(kind.name);
    console.log(JSON.stringify({step: name, refused: {kinds, status: e.status ?? e.statusCode ?? null, words: String(e.message)}}));
  }
}
