// Looks at what is long, or has patterns of strangers, away from the page: it stays usable, and can end this.

import { Validator } from "./validate.js";
import { textEnd } from "./values.js";

const FORMAT = '"format"';
const files = new Map();
let namesFormats = false;
const TOKEN = /\s*([{}[\],:"]|[^\s{}[\],:"]+)/y;

async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(gettext("%(address)s answers %(status)s", { address, status: answer.status }));
  const schemas = await answer.json();
  namesFormats ||= JSON.stringify(schemas).includes(FORMAT);
  return schemas;
}

// What could not be fetched is asked for again the next time.
export async function shared(addresses) {
  const parts = await Promise.all(
    addresses.map((address) => {
      if (!files.has(address))
        files.set(
          address,
          fetched(address).catch((error) => {
            files.delete(address);
            throw error;
          }),
        );
      return files.get(address);
    }),
  );
  return Object.assign({}, ...parts);
}

// What a task needs beside what it is given.
async function needed(task, { addresses, text: _, ...given }) {
  const schemas = await shared(addresses);
  if (namesFormats || JSON.stringify(given).includes(FORMAT)) await import("./formats.js");
  return { schemas, ...(task === "headers" && (await import("./headers.js"))) };
}

// The beginning of a JSON text, laid out; its numbers and the order of its names stay as they were sent.
export function laidOut(text, most) {
  let layout = "",
    depth = 0,
    before = "";
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    let [, token] = found;
    if (token === '"') {
      const from = TOKEN.lastIndex - 1;
      TOKEN.lastIndex = textEnd(text, from);
      token = text.slice(from, Math.min(TOKEN.lastIndex, from + most + 1));
    }
    const isEnd = token === "}" || token === "]";
    if (isEnd) depth -= 1;
    const breaks = isEnd
      ? before !== "{" && before !== "["
      : before === "{" || before === "[" || before === ",";
    if (breaks && layout) layout += `\n${"  ".repeat(Math.min(depth, 40))}`;
    layout += token === ":" ? ": " : token;
    if (token === "{" || token === "[") depth += 1;
    before = token;
    if (layout.length > most) return { text: layout.slice(0, most), isCut: true };
  }
  return { text: layout, isCut: false };
}

function answer({ text, isJson, schema, most }, { schemas }) {
  if (!isJson) return { text: text.slice(0, most), isCut: text.length > most };
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { text: text.slice(0, most), isCut: text.length > most, fault: error.message };
  }
  const shown = laidOut(text, most);
  if (schema === undefined) return shown;
  return { ...shown, verdict: new Validator(schemas).check(schema, value) };
}

const headers = ({ headers: all }, { broken, schemas }) => broken(all, schemas);

// Of a place where a variant was picked, that one is checked.
function form({ checks, picks = [] }, { schemas }) {
  const pathOf = (path, at) =>
    [path, ...at.map((key) => `${key}`.replaceAll("~", "~0").replaceAll("/", "~1"))].join("/");
  const validator = new Validator(schemas);
  const results = checks.map(({ path, schema, value }) => {
    validator.pickAt = (at) => picks.filter((pick) => pick.path === pathOf(path, at));
    return { path, ...validator.check(schema, value) };
  });
  return {
    findings: results.flatMap(({ path, findings }) =>
      findings.map(({ at, message }) => ({
        path: pathOf(path, at),
        message,
      })),
    ),
    isWhole: results.every((result) => result.isWhole),
  };
}

if (globalThis.document === undefined && globalThis.postMessage) {
  addEventListener("message", async ({ data: { task, given } }) => {
    try {
      const loaded = await needed(task, given);
      postMessage({});
      postMessage({ made: { answer, form, headers }[task](given, loaded) });
    } catch (error) {
      postMessage({ fault: error.message });
    }
  });
}
