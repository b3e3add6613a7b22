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
  const made = await answer.json();
  namesFormats ||= JSON.stringify(made).includes(FORMAT);
  return made;
}

// What could not be fetched is asked for again the next time.
export async function shared(addresses) {
  const parts = await Promise.all(
    addresses.map((one) => {
      if (!files.has(one))
        files.set(
          one,
          fetched(one).catch((error) => {
            files.delete(one);
            throw error;
          }),
        );
      return files.get(one);
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
  let made = "",
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
    if (breaks && made) made += `\n${"  ".repeat(Math.min(depth, 40))}`;
    made += token === ":" ? ": " : token;
    if (token === "{" || token === "[") depth += 1;
    before = token;
    if (made.length > most) return { text: made.slice(0, most), isCut: true };
  }
  return { text: made, isCut: false };
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
    [path, ...at.map((one) => `${one}`.replaceAll("~", "~0").replaceAll("/", "~1"))].join("/");
  const validator = new Validator(schemas);
  const made = checks.map(({ path, schema, value }) => {
    validator.pickAt = (at) => picks.filter((one) => one.path === pathOf(path, at));
    return { path, ...validator.check(schema, value) };
  });
  return {
    findings: made.flatMap(({ path, findings }) =>
      findings.map(({ at, message }) => ({
        path: pathOf(path, at),
        message,
      })),
    ),
    isWhole: made.every((one) => one.isWhole),
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
