// SPDX-License-Identifier: Apache-2.0
//
// The server that @modelcontextprotocol/conformance wants to find: its fixed names, of both families of revisions.
//   fixture_server.mjs            on standard input and output, as a tool outside is run
//   fixture_server.mjs PORT       over HTTP by the SDK alone: what the same scenarios say without the verb
import { createServer } from "node:http";
import { randomUUID } from "node:crypto";
import {
  acceptedContent, CLIENT_CAPABILITIES_META_KEY, classifyInboundRequest, createMcpHandler, createRequestStateCodec, fromJsonSchema,
  inputRequired, isInitializeRequest, McpServer, ResourceTemplate,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";
const sealed = createRequestStateCodec({ key: crypto.getRandomValues(new Uint8Array(32)) });
const soon = () => new Promise((resolve) => setTimeout(resolve, 20));
const text = (words) => ({ content: [{ type: "text", text: words }] });
const shape = (properties = {}, more = {}) => fromJsonSchema({ type: "object", properties, ...more });
const form = (message, properties, required = Object.keys(properties)) => ({ message, requestedSchema: { type: "object", properties, required } });
const image = { type: "image", data: PIXEL, mimeType: "image/png" };
const embedded = (uri, mimeType, words) => ({ type: "resource", resource: { uri, mimeType, text: words } });

const DEFAULTS = {
  name: { type: "string", default: "John Doe" }, age: { type: "integer", default: 30 }, score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" }, verified: { type: "boolean", default: true },
};
const pairs = (what) => [1, 2, 3].map((n) => ({ const: `value${n}`, title: `${what} ${n}` }));
const options = ["option1", "option2", "option3"];
const ENUMS = {
  untitledSingle: { type: "string", enum: options }, titledSingle: { type: "string", oneOf: pairs("Option") },
  legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["Option One", "Option Two", "Option Three"] },
  untitledMulti: { type: "array", minItems: 1, maxItems: 3, items: { type: "string", enum: options } },
  titledMulti: { type: "array", minItems: 1, maxItems: 3, items: { anyOf: pairs("Choice") } },
};
const SCHEMA_2020 = {
  $schema: "https://json-schema.org/draft/2020-12/schema", type: "object",
  $defs: { address: { $anchor: "addressDef", type: "object", properties: { street: { type: "string" }, city: { type: "string" } } } },
  properties: {
    name: { type: "string" }, address: { $ref: "#/$defs/address" }, contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" }, email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  then: { required: ["phone"] }, else: { required: ["email"] }, additionalProperties: false,
};

const elicits = (message, properties, required) => async (_args, ctx) => {
  const said = await ctx.mcpReq.send({ method: "elicitation/create", params: form(message, properties, required) });
  return text(`Elicitation completed: action=${said.action}, content=${JSON.stringify(said.content ?? {})}`);
};
const asksName = (ctx) => acceptedContent(ctx.mcpReq.inputResponses, "user_name")?.name;
const nameForm = () => inputRequired.elicit(form("What is your name?", { name: { type: "string" } }));
const confirmForm = () => inputRequired.elicit(form("Please confirm", { ok: { type: "boolean" } }));
const sampled = (words) => inputRequired.createMessage({ messages: [{ role: "user", content: { type: "text", text: words } }], maxTokens: 64 });
const told = (ctx, method, params) => ctx.mcpReq.notify({ method, params });

const TOOLS = {
  test_simple_text: async () => text("This is a simple text response for testing."),
  test_image_content: async () => ({ content: [image] }),
  test_audio_content: async () => ({ content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }] }),
  test_embedded_resource: async () => ({ content: [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")] }),
  test_multiple_content_types: async () => ({
    content: [...text("Multiple content types test:").content, image, embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')],
  }),
  test_tool_with_logging: async (_args, ctx) => {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await told(ctx, "notifications/message", { level: "info", data });
      await soon();
    }
    return text("Tool with logging executed successfully");
  },
  test_tool_with_progress: async (_args, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      await told(ctx, "notifications/progress", { progressToken, progress, total: 100 });
      await soon();
    }
    return text(String(progressToken ?? "none"));
  },
  test_error_handling: async () => { throw new Error("This tool intentionally returns an error for testing"); },
  test_reconnection: async () => { await soon(); return text("Reconnection test completed successfully."); },
  test_sampling: [{ prompt: { type: "string" } }, async (args, ctx) => {
    const messages = [{ role: "user", content: { type: "text", text: args.prompt } }];
    const said = await ctx.mcpReq.send({ method: "sampling/createMessage", params: { messages, maxTokens: 100 } });
    return text(`LLM response: ${said.content?.text}`);
  }],
  test_elicitation: [{ message: { type: "string" } }, async (args, ctx) => {
    const said = await ctx.mcpReq.send({ method: "elicitation/create", params: form(args.message, { response: { type: "string" } }) });
    return text(`User response: action=${said.action}, content=${JSON.stringify(said.content ?? {})}`);
  }],
  test_elicitation_sep1034_defaults: elicits("Please review the fields", DEFAULTS, []),
  test_elicitation_sep1330_enums: elicits("Please choose", ENUMS, []),
  test_x_mcp_header: [{ region: { type: "string", "x-mcp-header": "Region" }, level: { type: "integer" } }, async (args) => text(`region=${args.region ?? ""}`)],
  test_missing_capability: async (_args, ctx) =>
    ctx.mcpReq.inputResponses?.llm_answer === undefined ? inputRequired({ inputRequests: { llm_answer: sampled("Say pong") } }) : text("complete"),
  test_streaming_elicitation: async () => text("results alone"),
  test_logging_tool: async (_args, ctx) => { await ctx.mcpReq.log("info", "only where a level was set"); return text("logged"); },
  test_input_required_result_elicitation: async (_args, ctx) =>
    typeof asksName(ctx) === "string" ? text(`Hello, ${asksName(ctx)}!`) : inputRequired({ inputRequests: { user_name: nameForm() } }),
  test_input_required_result_sampling: async (_args, ctx) => {
    const said = ctx.mcpReq.inputResponses?.capital_question;
    return said === undefined ? inputRequired({ inputRequests: { capital_question: sampled("What is the capital of France?") } }) : text(`Sampling response: ${said.content?.text}`);
  },
  test_input_required_result_list_roots: async (_args, ctx) => {
    const roots = ctx.mcpReq.inputResponses?.client_roots?.roots;
    return Array.isArray(roots) ? text(`Client exposed ${roots.length} root(s): ${roots.map((root) => root.uri).join(", ")}`)
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  test_input_required_result_request_state: async (_args, ctx) =>
    acceptedContent(ctx.mcpReq.inputResponses, "confirm") !== undefined && ctx.mcpReq.requestState() !== undefined ? text("state-ok")
      : inputRequired({ inputRequests: { confirm: confirmForm() }, requestState: await sealed.mint({ of: "state", nonce: randomUUID() }) }),
  test_input_required_result_multiple_inputs: async (_args, ctx) => {
    const said = ctx.mcpReq.inputResponses;
    const roots = said?.client_roots?.roots;
    if (typeof asksName(ctx) === "string" && said?.greeting?.content && Array.isArray(roots)) return text(`${said.greeting.content.text} ${asksName(ctx)}, ${roots.length} roots`);
    return inputRequired({
      inputRequests: { user_name: nameForm(), greeting: sampled("Generate a greeting"), client_roots: inputRequired.listRoots() },
      requestState: await sealed.mint({ of: "multiple", nonce: randomUUID() }),
    });
  },
  test_input_required_result_multi_round: async (_args, ctx) => {
    const round = ctx.mcpReq.requestState()?.round ?? 0;
    if (round === 2) return text("Multi-round complete");
    const asked = round === 0 ? { step1: inputRequired.elicit(form("Step 1: your name?", { name: { type: "string" } })) }
      : { step2: inputRequired.elicit(form("Step 2: your color?", { color: { type: "string" } })) };
    return inputRequired({ inputRequests: asked, requestState: await sealed.mint({ round: round + 1, nonce: randomUUID() }) });
  },
  test_input_required_result_tampered_state: async (_args, ctx) =>
    ctx.mcpReq.requestState() !== undefined && acceptedContent(ctx.mcpReq.inputResponses, "confirm") !== undefined ? text("integrity-ok")
      : inputRequired({ inputRequests: { confirm: confirmForm() }, requestState: await sealed.mint({ of: "tampered", nonce: randomUUID() }) }),
  test_input_required_result_capabilities: async (_args, ctx) => {
    if (ctx.mcpReq.inputResponses !== undefined) return text("fulfilled");
    const declared = ctx.mcpReq.envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
    const inputRequests = {};
    if (declared.elicitation !== undefined) inputRequests.user_name = nameForm();
    if (declared.sampling !== undefined) inputRequests.greeting = sampled("Generate a greeting");
    if (declared.roots !== undefined) inputRequests.client_roots = inputRequired.listRoots();
    return Object.keys(inputRequests).length === 0 ? text("nothing that the client could be asked") : inputRequired({ inputRequests });
  },
};

const PROMPTS = {
  test_simple_prompt: [[], () => [{ type: "text", text: "This is a simple prompt for testing." }]],
  test_prompt_with_arguments: [["arg1", "arg2"], (args) => [{ type: "text", text: `Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'` }]],
  test_prompt_with_embedded_resource: [["resourceUri"], (args) => [
    embedded(args.resourceUri, "text/plain", "Embedded resource content for testing."), { type: "text", text: "Please process the embedded resource above." }]],
  test_prompt_with_image: [[], () => [image, { type: "text", text: "Please analyze the image above." }]],
};

let handler;  // over HTTP; what changes is told through it

function make() {
  const server = new McpServer({ name: "fixture", version: "1.0.0" }, {
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, prompts: { listChanged: true }, logging: {}, completions: {} },
    requestState: { verify: sealed.verify },
  });
  for (const [name, tool] of Object.entries(TOOLS)) {
    const [properties, run] = Array.isArray(tool) ? tool : [{}, tool];
    server.registerTool(name, { description: name, inputSchema: shape(properties) }, run);
  }
  server.registerTool("json_schema_2020_12_tool", { description: "its schema", inputSchema: fromJsonSchema(SCHEMA_2020) }, async (args) => text(JSON.stringify(args)));
  const changes = { test_trigger_tool_change: ["toolsChanged", "sendToolListChanged"], test_trigger_prompt_change: ["promptsChanged", "sendPromptListChanged"] };
  for (const [name, [overHttp, onStdio]] of Object.entries(changes)) {
    server.registerTool(name, { description: name, inputSchema: shape() }, async () => {
      if (handler) handler.notify[overHttp](); else server[onStdio]();
      return text("told");
    });
  }
  const one = (name, uri, mimeType, content) => server.registerResource(name, uri, { description: name, mimeType }, async () => ({ contents: [{ uri, mimeType, ...content }] }));
  one("static-text", "test://static-text", "text/plain", { text: "This is the content of the static text resource." });
  one("static-binary", "test://static-binary", "image/png", { blob: PIXEL });
  one("watched-resource", "test://watched-resource", "text/plain", { text: "Watched resource content" });
  server.registerResource("template", new ResourceTemplate("test://template/{id}/data", { list: undefined }), { description: "by its id", mimeType: "application/json" },
    async (uri, { id }) => ({ contents: [{ uri: uri.toString(), mimeType: "application/json", text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }] }));
  for (const [name, [names, run]] of Object.entries(PROMPTS)) {
    const schema = names.length === 0 ? {} : { argsSchema: shape(Object.fromEntries(names.map((each) => [each, { type: "string" }])), { required: names }) };
    server.registerPrompt(name, { description: name, ...schema }, async (args) => ({ messages: run(args).map((content) => ({ role: "user", content })) }));
  }
  server.registerPrompt("test_input_required_result_prompt", { description: "asks first" }, async (ctx) => {
    const context = acceptedContent(ctx.mcpReq.inputResponses, "user_context")?.context;
    return typeof context === "string" ? { messages: [{ role: "user", content: { type: "text", text: `Use the following context: ${context}` } }] }
      : inputRequired({ inputRequests: { user_context: inputRequired.elicit(form("What context?", { context: { type: "string" } })) } });
  });
  for (const method of ["resources/subscribe", "resources/unsubscribe", "logging/setLevel"]) server.server.setRequestHandler(method, async () => ({}));
  server.server.setRequestHandler("completion/complete", async () => ({ completion: { values: [], total: 0, hasMore: false } }));
  return server;
}

function eventStore() {
  const kept = [];
  return {
    async storeEvent(stream, message) { kept.push({ stream, message }); return `${stream}::${kept.length}`; },
    async replayEventsAfter(last, { send }) {
      const [stream, number] = last.split("::");
      for (let at = Number(number); at < kept.length; ++at)
        if (kept[at].stream === stream && Object.keys(kept[at].message ?? {}).length > 0) await send(`${stream}::${at + 1}`, kept[at].message);
      return stream;
    },
  };
}

async function serveHttp(port) {
  const { NodeStreamableHTTPServerTransport, toNodeHandler } = await import("@modelcontextprotocol/node");
  handler = createMcpHandler(() => make());
  const modern = toNodeHandler(handler);
  const sessions = new Map();
  const refuse = (response, status) => response.writeHead(status, { "Content-Type": "application/json" }).end('{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no such session"}}');
  createServer(async (request, response) => {
    if (!/^(localhost|127\.0\.0\.1)(:|$)/.test(request.headers.host) || !/^(https?:\/\/(localhost|127\.0\.0\.1)|)(:|$)/.test(request.headers.origin ?? "")) return refuse(response, 403);
    let body = "";
    for await (const piece of request) body += piece;
    const message = body ? JSON.parse(body) : undefined;
    const id = request.headers["mcp-session-id"];
    if (request.method === "POST") {
      const said = { httpMethod: "POST", protocolVersionHeader: request.headers["mcp-protocol-version"], mcpMethodHeader: request.headers["mcp-method"], body: message };
      if (classifyInboundRequest(said).kind !== "legacy") return modern(request, response, message);
      if (!id && isInitializeRequest(message)) {
        const transport = new NodeStreamableHTTPServerTransport({
          sessionIdGenerator: () => randomUUID(), eventStore: eventStore(), retryInterval: 1000,
          onsessioninitialized: (made) => sessions.set(made, transport),
        });
        transport.onclose = () => sessions.delete(transport.sessionId);
        await make().connect(transport);
        return transport.handleRequest(request, response, message);
      }
    }
    if (!sessions.has(id)) return refuse(response, id ? 404 : 400);
    return sessions.get(id).handleRequest(request, response, message);
  }).listen(port, "127.0.0.1");
}

if (process.argv[2]) await serveHttp(Number(process.argv[2])); else serveStdio(() => make());
