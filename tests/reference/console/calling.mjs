// Calls the modules of the console: reads {console, task, given} as JSON, prints the answer as JSON.
import { readFileSync } from "node:fs";

const { folder, task, given } = JSON.parse(readFileSync(0, "utf8"));
const load = (name) => import(`${folder}/${name}.js`);
await load("formats"); // as the worker does where a schema names one

// The code of every request that the pages have samples of, from the data of each operation; with optional files.
async function codes(operations) {
  const { LANGUAGES, codeOf } = await load("languages");
  const { bodyOf, compose, mayHaveBody, notesOf, shown, startBody, startValues } = await load("request");
  const { baseOf } = await load("servers");
  const requests = [];
  for (const each of operations) {
    const operation = { ...each, bodies: each.bodies.map(({ optionalFiles, ...body }) => body) };
    const starts = mayHaveBody(operation.method) && operation.bodies.length
      ? operation.bodies.flatMap((media, at) => (media.examples.length ? media.examples : [null]).map((_, number) => startBody(operation, at, number)))
      : [{}];
    const answers = [];
    const values = startValues(operation);
    for (const { media, start, kind, value, type } of starts) {
      const body = media && shown(bodyOf(media, kind, value, type));
      const request = compose(operation, { base: baseOf({ server: operation.servers[0], values: {} }), security: operation.security[0], values, body });
      const notes = notesOf(operation, values, { start, value }), written = {};
      for (const language of Object.keys(LANGUAGES)) written[language] = await codeOf(language, { ...request, notes });
      answers.push({ type: media?.type ?? "", code: written });
    }
    requests.push(answers);
  }
  return requests;
}

// What the functions of a module answer, called one after the other.
async function calls({ module, asked }) {
  const found = await load(module);
  const answers = asked.map(async ([name, ...values]) => {
    try {
      return { value: await found[name](...values) };
    } catch (error) {
      return { error: `${error.name}: ${error.message}` };
    }
  });
  return Promise.all(answers);
}

// What values break of schemas, each with its own shared ones.
async function verdicts(cases) {
  const { Validator } = await load("validate");
  return cases.map(({ schema, shared, value, budget }) => {
    const { findings, isWhole } = new Validator(shared, { budget: budget ?? 60_000 }).check(schema, value);
    return { isWhole, findings: findings.map(({ at, keyword, message }) => [at.map(String), keyword, message]) };
  });
}

// JSON values as code shows them, each with its schema.
async function covered(cases) {
  const { masked } = await load("masked");
  const { parse, write } = await load("values");
  return cases.map(({ schema, shared, text }) => write(masked(schema, parse(text), (reference) => shared[reference])));
}

// Texts of JSON, read and written again.
async function rewritten(texts) {
  const { parse, write } = await load("values");
  return texts.map((text) => {
    try {
      return { value: write(parse(text)) };
    } catch (error) {
      return { error: `${error.name}: ${error.message}` };
    }
  });
}

// The kinds and texts of coloured code; elements are what this needs of them.
async function colours(texts) {
  globalThis.document = { createElement: () => ({ append(...all) { this.text = all.join(""); }, setAttribute(_, kind) { this.kind = kind; } }) };
  const { coloured } = await load("dom");
  return texts.map((text) => coloured(text).map((part) => (typeof part === "string" ? part : [part.kind, part.text])));
}

// What forms of schemas look like: their kind, the members of each variant by name, what is new, and what fits best.
async function forms(cases) {
  const { blank, fit, nameOf, variantsOf, viewOf } = await load("schema");
  const { parse, plain } = await load("values");
  return cases.map(({ schema, shared = {}, value = null }) => {
    const target = (reference) => shared[reference.slice("#/$defs/".length)];
    const view = viewOf(schema, target), variants = view.kind === "union" ? variantsOf(view, target) : [];
    const scores = variants.map((variant) => fit(variant, parse(JSON.stringify(value))));
    return {
      kind: view.kind, blank: plain(blank(view, target)), best: scores.indexOf(Math.max(...scores)),
      variants: variants.map((variant, at) => [nameOf(view.branches[at], viewOf(view.branches[at], target), at + 1), variant.kind, Object.keys(variant.properties ?? {})]),
    };
  });
}

// What comes of shared schemas that are asked for several times, where the network is away the first time.
async function fetches(addresses) {
  const { shared } = await load("worker");
  const asked = [];
  globalThis.fetch = async (address) => {
    asked.push(address);
    if (asked.length === 1) throw new TypeError("away");
    return asked.length === 2 ? { ok: false, status: 503 } : { ok: true, json: async () => ({ [address]: true }) };
  };
  const answers = [];
  for (const address of addresses) answers.push(await shared([address]).catch((error) => error.message));
  return { answers, asked };
}

// What stands in the way of the first body of an operation, as it starts, and the names of its parts.
async function starts(operations) {
  globalThis.location = new URL("https://docs.example.com/");
  const { bodyOf, startBody } = await load("request");
  const { obstacles } = await load("send");
  return operations.map((operation) => {
    const { media, kind, value, type } = startBody(operation);
    const body = bodyOf(media, kind, value, type);
    return { parts: body?.parts.map(({ name }) => name) ?? [], obstacles: obstacles({ method: "POST", url: "", gaps: [], body }, "https://api.example.com") };
  });
}

// The addresses of requests with these values in their paths, also as a browser has them, and what stands in the way.
async function addresses(cases) {
  globalThis.location = new URL("https://docs.example.com/");
  const { compose, keyOf } = await load("request");
  const { obstacles } = await load("send");
  const base = "https://api.example.com/v1";
  return cases.map(({ path, parameters, given }) => {
    const values = new Map(parameters.filter(({ name }) => name in given).map((parameter) => [keyOf(parameter), given[parameter.name]]));
    const request = compose({ method: "DELETE", path, parameters }, { base, values });
    return { url: request.url, seen: new URL(request.url).href, obstacles: obstacles(request, base) };
  });
}

// The types that chosen files are sent with, as parts whose encoding lists some, or as the whole of a body.
async function fileTypes(cases) {
  const { bodyOf } = await load("request");
  return cases.map(({ listed, own, whole }) => {
    const file = new File(["x"], "f", { type: own });
    if (whole) return bodyOf({ type: whole }, "file", file, "application/octet-stream").type;
    const media = { type: "multipart/form-data", encodings: listed ? { f: { type: listed } } : {} };
    return bodyOf(media, "multipart", new Map([["f", file]])).parts[0].type;
  });
}

// Texts of millions of characters, of `piece`: the length of the beginning that is laid out, and of what is read.
async function lengths(pieces) {
  const { laidOut } = await load("worker");
  const { parse } = await load("values");
  return pieces.map((piece) => {
    const text = JSON.stringify({ a: piece.repeat(20_000_000 / piece.length), b: 1 });
    return { shown: laidOut(text, 1000).text.length, isCut: laidOut(text, 1000).isCut, read: parse(text).get("a").length };
  });
}

console.log(JSON.stringify(await { addresses, fileTypes, starts, lengths, fetches, forms, colours, covered, rewritten, codes, calls, verdicts }[task](given)));
