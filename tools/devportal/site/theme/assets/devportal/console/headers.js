// Headers of an answer against their schemas. A header is a text; what it stands for, its schema says.

import { Validator } from "./validate.js";

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const KINDS = ["type", "enum", "const", "anyOf", "oneOf", "allOf", "not", "false"];

// What is broken by the headers, each with the name of its header.
export function broken(headers, shared) {
  const validator = new Validator(shared);
  return headers.flatMap((header) =>
    findingsOf(validator, header).map(({ at, message }) => ({
      name: header.name,
      message: at.length ? `${at.join(", ")}: ${message}` : message,
    })),
  );
}

// The text counts as it stands, unless its schema wants another kind of value: then the reading that fits
// best does.
function findingsOf(validator, { schema, text, explode, isJson }) {
  if (isJson) return ofJson(validator, schema, text);
  const tried = readings(text, explode).map((reading) => validator.check(schema, reading).findings);
  const [asText] = tried;
  if (!isOfOtherKind(asText)) return asText;
  const fitting = tried.filter((findings) => !isOfOtherKind(findings)).sort((findings, other) => findings.length - other.length);
  return fitting[0] ?? asText;
}

const isOfOtherKind = (findings) => findings.some(({ at, keyword }) => !at.length && KINDS.includes(keyword));

function ofJson(validator, schema, text) {
  try {
    return validator.check(schema, JSON.parse(text)).findings;
  } catch (error) {
    return [{ at: [], message: gettext("is not valid JSON: %(fault)s", { fault: error.message }) }];
  }
}

// All that a text may stand for (style `simple`): itself, a number or true and false, a list, an object.
function readings(text, explode) {
  const items = text.split(",").map((item) => item.trim());
  const pairs = explode
    ? items.map((item) => item.split(/=(.*)/s, 2))
    : Array.from({ length: items.length / 2 }, (_, at) => items.slice(2 * at, 2 * at + 2));
  const isObject =
    pairs.length && pairs.every((pair) => pair.length === 2) && (explode || items.length % 2 === 0);
  const objects = isObject
    ? [pairs, pairs.map(([name, entries]) => [name, scalar(entries)])].map((value) => Object.fromEntries(value))
    : [];
  return [text, scalar(text), items, items.map(scalar), ...objects];
}

function scalar(text) {
  if (text === "true" || text === "false") return text === "true";
  return NUMBER.test(text) ? Number(text) : text;
}
