// SPDX-License-Identifier: Apache-2.0
//
// Reads what written_heads printed with llhttp, node's own parser, as strictly and as leniently as it can, and says where it
// sees another request than the one that the wire understood. Behind each head come a body as it is framed and a second
// request: where llhttp finds that one tells where it takes the body to end.
'use strict';

const { HTTPParser, methods } = require('_http_common');

const NEXT = 'GET /next HTTP/1.1\r\nHost: next.test\r\n\r\n';
const BODY_MAX = 1000; // a longer one is not sent; its length is compared as it stands in the head

function read(bytes, leniency) {
  const seen = [];
  const parser = new HTTPParser();
  parser.initialize(HTTPParser.REQUEST, {}, 1 << 20, leniency);
  let late = [];
  parser[HTTPParser.kOnHeaders] = (fields, url) => { late.push(...fields); if (url) late.url = (late.url || '') + url; };
  parser[HTTPParser.kOnHeadersComplete] = (major, minor, fields, method, url, _status, _words, upgrade) => {
    seen.push({ version: `${major}.${minor}`, fields: late.concat(fields || []), method: methods[method] || '', url: (late.url || '') + (url || ''),
                upgrade, body: 0, whole: false });
    late = [];
    return 0;
  };
  parser[HTTPParser.kOnBody] = (piece) => { seen[seen.length - 1].body += piece.length; };
  parser[HTTPParser.kOnMessageComplete] = () => { seen[seen.length - 1].whole = true; };
  const done = parser.execute(bytes, 0, bytes.length);
  parser.close();
  return { seen, error: done instanceof Error ? done.code : null };
}

function values(fields, name) {
  return fields.filter((_, at) => at % 2 === 1 && fields[at - 1].toLowerCase() === name);
}

function differs(ours, { seen, error }) {
  const first = seen[0];
  if (error) return `llhttp says ${error}`;
  if (!first) return 'no head was seen';
  const text = (hex) => Buffer.from(hex, 'hex').toString('latin1');
  if (first.method !== ours.method) return `method ${first.method}`;
  if (first.url !== text(ours.target)) return `target ${first.url}`;
  if (first.version !== '1.1') return `version ${first.version}`;
  if (values(first.fields, 'host').join('\n') !== text(ours.host)) return 'host';
  if (first.fields.length / 2 !== ours.count) return `${first.fields.length / 2} fields`;
  const length = values(first.fields, 'content-length').join('\n');
  if (length !== (ours.framing === 'length' ? ours.told : '')) return `length ${length}`;
  const coding = values(first.fields, 'transfer-encoding').join('\n');
  if (coding !== (ours.framing === 'chunked' ? 'chunked' : '')) return `coding ${coding}`;
  if (first.upgrade !== ours.is_switch) return `upgrade ${first.upgrade}`;
  if (ours.is_switch || ours.length > BODY_MAX) return null;
  if (!first.whole || first.body !== (ours.framing === 'chunked' ? 5 : ours.length)) return `a body of ${first.body}`;
  if (seen.length !== 2 || seen[1].url !== '/next' || !seen[1].whole) return `${seen.length} requests`;
  return null;
}

const lines = require('fs').readFileSync(0, 'latin1').split('\n');
let taken = 0;
let unknown = 0;
const faults = [];
lines.forEach((line, number) => {
  if (line === '' || line === '-') return;
  const [method, target, host, framing, length, count, written] = line.split(' ');
  if (!methods.includes(method)) { unknown += 1; return; } // llhttp has no such method, and takes no request by it
  taken += 1;
  const head = Buffer.from(written, 'hex');
  const is_switch = /\r\nupgrade:/i.test(head.toString('latin1'));
  const ours = { method, target, host, framing, told: length, length: Number(length), count: Number(count), is_switch };
  const body = framing === 'chunked' ? '5\r\nhello\r\n0\r\n\r\n' : 'x'.repeat(Math.min(ours.length, BODY_MAX));
  const bytes = Buffer.concat([head, Buffer.from(ours.length > BODY_MAX || is_switch ? '' : body + NEXT, 'latin1')]);
  for (const [name, leniency] of [['strict', HTTPParser.kLenientNone], ['lenient', HTTPParser.kLenientAll]]) {
    const fault = differs(ours, read(bytes, leniency));
    if (fault !== null) faults.push({ line: number + 1, reader: name, fault, head: head.toString('latin1') });
  }
});
console.log(JSON.stringify({ taken, unknown, faults: faults.slice(0, 20), count: faults.length }));
