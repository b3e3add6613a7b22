// What the languages share: literals, and what of a body cannot be written as they usually do.

import { Numeral, isObject } from "../values.js";

const UNSEEN = /[\p{C}\p{Z}]/u;

// As Python has it: separators other than the space cannot be seen, nor what is no character.
export const isSeen = (text) => !UNSEEN.test(text.replaceAll(" ", ""));
export const areSeen = (text) => text.split("\n").every(isSeen);
export const isSecret = (word) => typeof word !== "string";
export const hasSecret = ({ query, headers, basic }) =>
  Boolean(basic) || [...query, ...headers].some(([, words]) => words.some(isSecret));
export const CERTIFICATE = "client.pem";
export const KEY = "client-key.pem";
export const code = (letter) => letter.codePointAt(0).toString(16);

const fileName = (name) => name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
export const disposition = ({ name, value, isFile }) =>
  `form-data; name="${fileName(name)}"${isFile ? `; filename="${fileName(value)}"` : ""}`;
export const typeOf = ({ type, isFile }) => type || (isFile ? "application/octet-stream" : "");

// Those that say how much a number is, without sign and point: they survive as a float or do not.
const digitsOf = (text) => text.replace(/e.*|[-.]/gi, "").replace(/^0+|0+$/g, "");

// Whether there is a number that a language with this largest whole one, and with floats, cannot send.
export function isBeyond(value, largest) {
  if (value instanceof Numeral) {
    const { text } = value;
    if (/[.e]/i.test(text)) return digitsOf(text) !== digitsOf(`${Number(text)}`);
    return BigInt(text) > largest || -BigInt(text) > largest;
  }
  return (
    (Array.isArray(value) || isObject(value)) && [...value.values()].some((one) => isBeyond(one, largest))
  );
}
