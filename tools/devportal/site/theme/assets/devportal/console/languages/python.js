// Samples for Python, with the Requests library.

import { jsonText } from "../request.js";
import { lengthOf } from "../serialise.js";
import { Numeral, isObject } from "../values.js";
import { CERTIFICATE, KEY, areSeen, code, hasSecret, isBeyond, isSecret, isSeen } from "./words.js";

const VERBS = ["get", "post", "put", "patch", "delete", "head", "options"];
const ESCAPES = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function literal(text) {
  const mark = text.includes('"') ? "'" : '"';
  const inner = [...text].map(
    (one) => ESCAPES[one] ?? (one === "'" && mark === "'" ? "\\'" : isSeen(one) ? one : escape(one)),
  );
  return mark + inner.join("") + mark;
}

function escape(letter) {
  const digits = code(letter);
  return digits.length < 3
    ? `\\x${digits.padStart(2, "0")}`
    : digits.length < 5
      ? `\\u${digits.padStart(4, "0")}`
      : `\\U${digits.padStart(8, "0")}`;
}

const environment = (variable) => `os.environ["${variable}"]`;
const expression = (words) =>
  words.map((one) => (isSecret(one) ? environment(one.secret) : literal(one))).join(" + ") || '""';

function lines(text) {
  const isPlain =
    text.includes("\n") &&
    areSeen(text) &&
    !text.includes("\\") &&
    !text.includes('"""') &&
    !text.endsWith('"');
  return isPlain ? `"""${text}"""` : literal(text);
}

function written(value, depth = 1) {
  const indent = "    ".repeat(depth + 1),
    end = "    ".repeat(depth);
  const block = (open, members, close) =>
    members.length
      ? `${open}\n${members.map((one) => `${indent}${one},\n`).join("")}${end}${close}`
      : open + close;
  if (isObject(value))
    return block(
      "{",
      [...value].map(([key, one]) => `${literal(key)}: ${written(one, depth + 1)}`),
      "}",
    );
  if (Array.isArray(value))
    return block(
      "[",
      value.map((one) => written(one, depth + 1)),
      "]",
    );
  if (value instanceof Numeral) return value.text;
  return typeof value === "string" ? literal(value) : { true: "True", false: "False", null: "None" }[value];
}

function part({ name, value, isFile, type }) {
  const content = isFile ? `open(${literal(value)}, "rb")` : literal(value);
  return `(${literal(name)}, (${isFile ? literal(value) : "None"}, ${content}${type && `, ${literal(type)}`}))`;
}

const list = (name, items) => `${name}=[\n${items.map((one) => `        ${one},\n`).join("")}    ]`;

// The argument, and the media type to name in a header.
function body({ kind, type, value, text, pairs, parts, name }) {
  if (kind === "json" && isBeyond(value, Infinity)) return [`data=${lines(jsonText(value))}.encode()`, type];
  if (kind === "json" && value === null) return ['data="null"', type];
  if (kind === "json") return [`json=${written(value)}`, type === "application/json" ? "" : type];
  if (kind === "text") return [`data=${lines(text)}.encode()`, type];
  if (kind === "form")
    return [
      list(
        "data",
        pairs.map((pair) => `(${pair.map(literal).join(", ")})`),
      ),
      "",
    ];
  if (kind === "multipart") return [list("files", parts.map(part)), ""];
  return [`data=open(${literal(name)}, "rb")`, type];
}

function listed(items) {
  const short = `headers={${items.join(", ")}}`;
  return lengthOf(short) <= 80 && items.length < 3
    ? short
    : `headers={\n${items.map((one) => `        ${one},\n`).join("")}    }`;
}

export function write(request) {
  const { method, url, query, headers, basic, certificate } = request,
    verb = method.toLowerCase();
  const isVerb = VERBS.includes(verb);
  const given = isVerb ? [literal(url)] : [literal(method), literal(url)];
  if (basic) given.push(`auth=(${basic.map((one) => `${environment(one)}.encode()`).join(", ")})`);
  if (certificate) given.push(`cert=(${literal(CERTIFICATE)}, ${literal(KEY)})`);
  if (query.length)
    given.push(
      `params=[${query.map(([name, value]) => `(${literal(name)}, ${expression(value)})`).join(", ")}]`,
    );
  const [content, type] = request.body ? body(request.body) : ["", ""];
  const named = headers.map(([name, value]) => `${literal(name)}: ${expression(value)}`);
  if (type) named.push(`"Content-Type": ${literal(type)}`);
  if (named.length) given.push(listed(named));
  if (content) given.push(content);
  return [
    ...(hasSecret(request) ? ["import os", ""] : []),
    "import requests",
    "",
    `response = requests.${isVerb ? verb : "request"}(`,
    ...given.map((one) => `    ${one},`),
    "    timeout=10,",
    ")",
    "response.raise_for_status()",
    "print(response.text)",
  ].join("\n");
}
