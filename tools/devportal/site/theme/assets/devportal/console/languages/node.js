// Samples for Node.js, with its own fetch, as an ES module.

import { fullUrl, jsonText } from "../request.js";
import { areSeen, disposition, isBeyond, isSecret, typeOf } from "./words.js";

const LARGEST = 2n ** 53n - 1n;
const READ = 'import { readFile } from "node:fs/promises";';
const BY_HAND = "`multipart/form-data; boundary=${boundary}`";

const literal = (text) => JSON.stringify(text);
const inTemplate = (text) => text.replace(/[\\`]|\$(?=\{)/g, "\\$&");
const lines = (text) => (text.includes("\n") && areSeen(text) ? `\`${inTemplate(text)}\`` : literal(text));
const environment = (variable) => `process.env.${variable}`;
const key = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));

function expression(words, inAddress = false) {
  if (!words.length) return '""';
  if (words.length === 1) return isSecret(words[0]) ? environment(words[0].secret) : literal(words[0]);
  const secret = ({ secret: name }) =>
    inAddress ? `encodeURIComponent(${environment(name)})` : environment(name);
  return `\`${words.map((one) => (isSecret(one) ? `\${${secret(one)}}` : inTemplate(one))).join("")}\``;
}

// The lines before the call, the body, and an expression for the media type to name in a header.
function body({ kind, type, value, text, pairs, parts, name }) {
  if (kind === "json" && isBeyond(value, LARGEST)) return [[], lines(jsonText(value)), literal(type)];
  if (kind === "json") {
    const made = jsonText(value)
      .replaceAll("\n", "\n  ")
      .replace(/^(\s*)"__proto__":/gm, '$1["__proto__"]:');
    return [[], `JSON.stringify(${made})`, literal(type)];
  }
  if (kind === "text") return [[], lines(text), literal(type)];
  if (kind === "form")
    return [
      [],
      `new URLSearchParams([\n${pairs.map((pair) => `    [${pair.map(literal).join(", ")}],\n`).join("")}  ])`,
      "",
    ];
  if (kind === "file") return [[READ, ""], `await readFile(${literal(name)})`, literal(type)];
  const read = parts.some((one) => one.isFile) ? [READ] : [];
  if (parts.some((one) => one.type && !one.isFile)) return [byHand(parts, read), "body", BY_HAND];
  return [
    [...(read.length ? [READ, ""] : []), "const form = new FormData();", ...parts.map(part), ""],
    "form",
    "",
  ];
}

function part({ name, value, isFile, type }) {
  if (!isFile) return `form.append(${literal(name)}, ${literal(value)});`;
  return `form.append(${literal(name)}, new Blob([await readFile(${literal(value)})]${type && `, { type: ${literal(type)} }`}), ${literal(value)});`;
}

function byHand(parts, read) {
  const written = (one) =>
    `  [${literal(disposition(one))}, ${literal(typeOf(one))}, ${one.isFile ? `await readFile(${literal(one.value)})` : literal(one.value)}],`;
  return [
    'import { randomUUID } from "node:crypto";',
    ...read,
    "",
    "const parts = [",
    ...parts.map(written),
    "];",
    "const boundary = randomUUID();",
    "const body = new Blob([",
    "  ...parts.flatMap(([disposition, type, content]) => [",
    "    `--${boundary}\\r\\nContent-Disposition: ${disposition}\\r\\n`,",
    '    type ? `Content-Type: ${type}\\r\\n` : "",',
    '    "\\r\\n", content, "\\r\\n",',
    "  ]),",
    "  `--${boundary}--\\r\\n`,",
    "]);",
    "",
  ];
}

export function write(request) {
  const { method, basic, certificate } = request;
  let [before, content, type] = request.body ? body(request.body) : [[], "", ""];
  const headers = request.headers.map(([name, value]) => `${key(name)}: ${expression(value)}`);
  if (basic)
    headers.unshift(
      `Authorization: "Basic " + Buffer.from(${basic.map(environment).join(' + ":" + ')}).toString("base64")`,
    );
  if (type) headers.push(`"Content-Type": ${type}`);
  const options = method === "GET" ? [] : [`method: ${literal(method)}`];
  if (headers.length) options.push(`headers: {\n${headers.map((one) => `    ${one},\n`).join("")}  }`);
  if (content) options.push(`body: ${content}`);
  const given = options.length ? `, {\n${options.map((one) => `  ${one},\n`).join("")}}` : "";
  if (certificate)
    before = [
      ...before,
      "// The server asks for a client certificate: give fetch a dispatcher with one (undici).",
    ];
  return [
    ...before,
    `const response = await fetch(${expression(fullUrl(request), true)}${given});`,
    "if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);",
    "console.log(await response.text());",
  ].join("\n");
}
