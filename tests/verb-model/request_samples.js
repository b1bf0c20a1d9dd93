// SPDX-License-Identifier: Apache-2.0
//
// What a request to a hosted model can hold, taken from the type files of the clients that people use: a sample request for
// each kind of tool at each place where one can stand, and for each field whose name says that somebody fetches what it names.
// The filter is then tested on the clients' view of the world, not on its own table.
//
//   node request_samples.js NODE_MODULES  →  lines of JSON {provider, path, kind: "tool"|"fetched", where, name, body}
"use strict";
const path = require("path");
const modules = path.resolve(process.argv[2]);
const ts = require(path.join(modules, "typescript"));

const CANARY = "https://canary.test/fetched";
const DEPTH = 14;
const SAMPLES_MAX = 4000;

const REQUESTS = [
  ["anthropic", "/v1/messages", "@anthropic-ai/sdk/resources/messages/messages.d.ts", "MessageCreateParamsNonStreaming"],
  ["anthropic", "/v1/messages?beta=true", "@anthropic-ai/sdk/resources/beta/messages/messages.d.ts", "MessageCreateParamsNonStreaming"],
  ["anthropic", "/v1/messages/count_tokens", "@anthropic-ai/sdk/resources/messages/messages.d.ts", "MessageCountTokensParams"],
  ["openai", "/v1/responses", "openai/resources/responses/responses.d.ts", "ResponseCreateParamsNonStreaming"],
  ["openai", "/v1/chat/completions", "openai/resources/chat/completions/completions.d.ts", "ChatCompletionCreateParamsNonStreaming"],
  ["openai", "/v1/moderations", "openai/resources/moderations.d.ts", "ModerationCreateParams"],
  ["groq", "/openai/v1/chat/completions", "groq-sdk/resources/chat/completions.d.ts", "ChatCompletionCreateParamsNonStreaming"],
  ["mistral", "/v1/chat/completions", "@mistralai/mistralai/esm/models/components/chatcompletionrequest.d.ts", "ChatCompletionRequest$Outbound"],
];
const GEMINI = ["gemini", "/v1beta/models/gemini-2.5-flash:generateContent", "@google/genai/dist/genai.d.ts"];

// Plain ones: the first name that a type lists may be one that searches, which is refused for that.
const MODELS = { anthropic: "claude-sonnet-4-5", openai: "gpt-5", groq: "llama-3.3-70b-versatile", mistral: "mistral-small-latest" };
const TOOL_PLACES = new Set(["tools", "definition", "functions", "mcp_servers", "plugins"]);
const FETCHED = /(^|_)(url|uri|urls|uris)$|^(file_id|fileId|fileUri|fileData|file_ids|image_file|server_url|connector_id|container|skill_id|vector_store_ids)$|(Url|Uri)$/;

const files = [...new Set([...REQUESTS, GEMINI].map((request) => path.join(modules, request[2])))];
const program = ts.createProgram(files, { noLib: false, skipLibCheck: true, strict: true, types: [], target: ts.ScriptTarget.ES2022,
  moduleResolution: ts.ModuleResolutionKind.Node10, lib: ["lib.es2022.d.ts"] });
const checker = program.getTypeChecker();

function exported(file, name) {
  const source = program.getSourceFile(path.join(modules, file));
  const symbol = checker.getExportsOfModule(checker.getSymbolAtLocation(source)).find((each) => each.name === name);
  if (!symbol) throw new Error(`${file} exports no ${name}`);
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return checker.getDeclaredTypeOfSymbol(target);
}

function parts(type) {
  const bare = checker.getNonNullableType(type);
  return bare.isUnion() ? bare.types : [bare];
}

const isArray = (type) => checker.isArrayType(type) || checker.isTupleType(type);
const element = (type) => checker.getTypeArguments(type)[0];
const isObject = (type) => (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0 && !isArray(type) && type.getCallSignatures().length === 0;

function properties(type) {
  return checker.getPropertiesOfType(type).map((symbol) => {
    const at = symbol.valueDeclaration || (symbol.declarations && symbol.declarations[0]);
    return { name: symbol.name, isOptional: (symbol.flags & ts.SymbolFlags.Optional) !== 0,
      type: at ? checker.getTypeOfSymbolAtLocation(symbol, at) : checker.getTypeOfSymbol(symbol) };
  });
}

// The least value of a type: what it must have, no more.
function least(type, seen = []) {
  const choices = parts(type);
  for (const choice of choices) {
    if (choice.isStringLiteral() || choice.isNumberLiteral()) return choice.value;
  }
  for (const choice of choices) {
    if (choice.flags & ts.TypeFlags.StringLike) return "x";
    if (choice.flags & ts.TypeFlags.NumberLike) return 1;
    if (choice.flags & ts.TypeFlags.BooleanLike) return false;
  }
  for (const choice of choices) {
    if (isArray(choice)) return [];
    if (isObject(choice) && !seen.includes(choice)) {
      const value = {};
      for (const property of properties(choice)) if (!property.isOptional) value[property.name] = least(property.type, [...seen, choice]);
      return value;
    }
  }
  return {};
}

const hasStrings = (type) => parts(type).some((choice) => choice.flags & ts.TypeFlags.StringLike && !choice.isStringLiteral());

// Each way to a tool or a fetched field, with the value that has it. `put(value)` makes the whole request of a value here.
function* walk(type, where, put, seen, inTools) {
  if (where.length > DEPTH) return;
  for (const choice of parts(type)) {
    if (isArray(choice)) {
      yield* walk(element(choice), where, (value) => put([value]), seen, inTools);
      continue;
    }
    if (!isObject(choice) || seen.includes(choice)) continue;
    const own = properties(choice);
    const kind = own.find((property) => property.name === "type");
    const names = kind ? parts(kind.type).filter((each) => each.isStringLiteral()).map((each) => each.value) : [];
    const base = least(choice);
    if (inTools) {
      for (const name of names.length ? names : ["(none)"]) {
        const value = names.length ? { ...base, type: name } : base;
        // Some types leave out that a function's own part must be there.
        const part = own.find((property) => property.name === name);
        if (part) value[name] = { name: "x", ...least(part.type) };
        yield { kind: "tool", where: where.join("."), name, body: put(value) };
      }
    }
    for (const property of own) {
      const inside = [...where, property.name + (names.length ? `@${names[0]}` : "")];
      const whole = (value) => put({ ...base, [property.name]: value });
      if (FETCHED.test(property.name) && hasStrings(property.type))
        yield { kind: "fetched", where: inside.join("."), name: names[0] || "", body: whole(CANARY) };
      // url_sources only names tools whose results may be looked at.
      const isPlace = TOOL_PLACES.has(property.name) && !where.some((each) => each.startsWith("url_sources"));
      yield* walk(property.type, inside, whole, [...seen, choice], isPlace);
    }
  }
}

function say(provider, request, sample) {
  if (MODELS[provider]) sample.body.model = MODELS[provider];
  process.stdout.write(JSON.stringify({ provider, path: request, ...sample }) + "\n");
}

for (const [provider, request, file, name] of REQUESTS) {
  const said = new Set();
  const type = exported(file, name);
  for (const whole of parts(type)) {
    for (const sample of walk(whole, [], (value) => value, [], false)) {
      const key = `${sample.kind} ${sample.where} ${sample.name}`;
      if (said.has(key)) continue;
      if (said.size >= SAMPLES_MAX) throw new Error(`${name} has more than ${SAMPLES_MAX} samples`);
      said.add(key);
      say(provider, request, sample);
    }
  }
}

// Gemini's client speaks other names than its API; the API's tools are the members of its type Tool, each in two spellings.
const snake = (name) => name.replace(/[A-Z]/g, (letter) => "_" + letter.toLowerCase());
const turn = [{ role: "user", parts: [{ text: "x" }] }];
for (const { name, type } of properties(exported(GEMINI[2], "Tool"))) {
  const value = parts(type).some(isArray) ? [{ name: "x" }] : {};
  for (const spelling of new Set([name, snake(name)]))
    say(GEMINI[0], GEMINI[1], { kind: "tool", where: "tools", name: spelling, body: { contents: turn, tools: [{ [spelling]: value }] } });
}
