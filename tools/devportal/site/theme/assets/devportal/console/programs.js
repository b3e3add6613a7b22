// What programs need and a shell command does not: hexadecimal escapes, JSON values, lists on one line.

import { allHeaders, fullUrl, head, isSecret } from "./request.js";
import { lengthOf } from "./serialise.js";
import { Numeral, isObject } from "./values.js";

const UNSEEN = /[\p{C}\p{Z}]/u;

// As Python has it: separators other than the space cannot be seen, nor what is no character.
export const areSeen = (text) => !UNSEEN.test(text.replace(/[\n ]/g, ""));

export function escape(hidden, letter) {
  if (areSeen(letter)) return letter;
  const digits = letter.codePointAt(0).toString(16);
  const found = hidden.find(([, width]) => !width || digits.length <= width);
  if (!found) return escape(hidden, letter[0]) + escape(hidden, letter[1]);
  const [before, width, after] = found;
  return before + digits.padStart(width, "0") + after;
}

// Adds what programs need to the filters of a language and to what it knows about a request.
export function extend(filters, { body, request }, { value: style, largest }) {
  const { query, headers, basic } = request,
    { pairs = [], parts = [] } = body;
  Object.assign(request, {
    fullUrl: fullUrl(request),
    hasSecret: basic || [...query, ...headers].some(([, words]) => words.some(isSecret)),
    headerNames: headers.map(([name]) => name.toLowerCase()),
  });
  Object.assign(body, {
    hasFiles: parts.some((part) => part.isFile),
    hasFurtherHeaders: parts.some((part) => part.headers.length || (part.type && !part.isFile)),
    hasUniqueNames: new Map(pairs).size === pairs.length,
  });
  Object.assign(filters, {
    allHeaders,
    head,
    isExact: ({ value }) => !isBeyond(value, largest ? BigInt(largest) : Infinity),
    literal: (value, depth) => literal(style, filters.text, value, depth),
    lower: (text) => text.toLowerCase(),
    oneLine,
  });
}

function literal(style, text, value, depth) {
  const { list, object, colon, key, objectLikeList, indent = "    ", lastComma = "," } = style,
    line = `\n${indent.repeat(depth)}`;
  const block = (brackets, items) =>
    brackets.join(items.length ? line + indent + items.join(`,${line}${indent}`) + lastComma + line : "");
  const inner = (item) => literal(style, text, item, depth + 1);
  if (Array.isArray(value)) return block(list, value.map(inner));
  if (isObject(value)) {
    if (!value.size) return style.emptyObject;
    const isLikeList = objectLikeList && [...value.keys()].every((name, at) => name === `${at}`);
    const items = [...value].map(([name, member]) => text(name, key) + colon + inner(member));
    return block([isLikeList ? objectLikeList : object[0], object[1]], items);
  }
  if (value instanceof Numeral) return value.text;
  return typeof value === "string" ? text(value) : style[value];
}

function oneLine(block, width, most) {
  const [opening, ...items] = block.split(/,?\n */),
    closing = items.pop();
  const line = opening + items.join(", ") + closing;
  return items.length <= most && lengthOf(line) <= width ? line : block;
}

// Those that say how much a number is, without sign and point: they survive as a float or do not.
const digitsOf = (text) => text.replace(/e.*|[-.]/gi, "").replace(/^0+|0+$/g, "");

// Whether there is a number that a language with this largest whole one, and with floats, cannot send.
function isBeyond(value, largest) {
  if (value instanceof Numeral) {
    const { text } = value;
    if (/[.e]/i.test(text)) return digitsOf(text) !== digitsOf(`${Number(text)}`);
    return BigInt(text) > largest || -BigInt(text) > largest;
  }
  return (
    (Array.isArray(value) || isObject(value)) && [...value.values()].some((item) => isBeyond(item, largest))
  );
}
