// SPDX-License-Identifier: Apache-2.0
// A server of the stateless family by its SDK, at a port of the kernel's choice, which it prints.
import { createServer } from 'node:http';
import { McpServer, acceptedContent, createMcpHandler, fromJsonSchema, inputRequired } from '@modelcontextprotocol/server';
import { toNodeHandler } from '@modelcontextprotocol/node';

const schema = fromJsonSchema({ type: 'object', properties: { text: { type: 'string', 'x-mcp-header': 'Text' } }, required: ['text'] });
const answer = fromJsonSchema({ type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] });

function make() {
  const server = new McpServer({ name: 'stateless', version: '1' });
  server.registerTool('ech\u00f6', { description: 'says it again', inputSchema: schema }, async ({ text }) => ({ content: [{ type: 'text', text }] }));
  server.registerTool('confirm', { description: 'asks first', inputSchema: schema }, async (_given, context) => {
    const said = acceptedContent(context.mcpReq.inputResponses, 'sure', answer);
    if (said?.ok !== true) {
      return inputRequired({ inputRequests: { sure: inputRequired.elicit({ message: 'sure?', requestedSchema: answer }) } });
    }
    return { content: [{ type: 'text', text: 'confirmed' }] };
  });
  return server;
}

const handler = toNodeHandler(createMcpHandler(make, { legacy: process.argv[2] === 'strict' ? 'reject' : undefined }));
const listener = createServer((request, response) => handler(request, response));
listener.listen(0, '127.0.0.1', () => console.log(listener.address().port));
