// What programming languages need and a shell does not: hexadecimal escapes, JSON values, lists on one line.

import { lengthOf } from "./serialise.js";
import { Numeral, isObject } from "./values.js";

export function hide(escapes, letter) {
  const digits = letter.codePointAt(0).toString(16);
  const found = escapes.find(([, width]) => !width || digits.length <= width);
  if (!found) return hide(escapes, letter[0]) + hide(escapes, letter[1]);
  const [before, width, after] = found;
  return before + digits.padStart(width, "0") + after;
}

export function filtersOf({ value: style, largest }, text) {
  const literal = (value, depth) => {
    const { list, object, colon, key, objectLikeList, indent = "    ", lastComma = "," } = style;
    const line = `\n${indent.repeat(depth)}`;
    const block = ([opening, closing], items) =>
      items.length
        ? opening + line + indent + items.join(`,${line}${indent}`) + lastComma + line + closing
        : opening + closing;
    const inner = (one) => literal(one, depth + 1);
    if (Array.isArray(value)) return block(list, value.map(inner));
    if (isObject(value)) {
      if (!value.size) return style.emptyObject;
      const isLikeList = objectLikeList && [...value.keys()].every((name, at) => name === `${at}`);
      const items = [...value].map(([name, one]) => text(name, key) + colon + inner(one));
      return block([isLikeList ? objectLikeList : object[0], object[1]], items);
    }
    if (value instanceof Numeral) return value.text;
    return typeof value === "string" ? text(value) : style[value];
  };
  const most = largest ? BigInt(largest) : Infinity;
  return { literal, oneLine, isExact: ({ value }) => !isBeyond(value, most) };
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
    (Array.isArray(value) || isObject(value)) && [...value.values()].some((one) => isBeyond(one, largest))
  );
}
