// Cutting a text into SMS segments, and counting them: what tools/telecom/segments.py does, in a browser.

import { BASIC, EXTENSION, LIMITS } from "./tables.js";

// What the cost estimator of the toolkit asks for.
export { MAX_SEGMENTS as MOST_SEGMENTS } from "./tables.js";

const SEPTETS = new Map([...[...BASIC].map((one) => [one, 1]), ...[...EXTENSION].map((one) => [one, 2])]);
const LONE_SURROGATE = /^\p{Surrogate}$/u;

export function isGsm7(character) {
  return SEPTETS.has(character);
}

// The units that a character takes: septets of GSM-7, or UTF-16 code units of UCS-2.
export function unitsOf(character, encoding) {
  if (encoding === "GSM-7") return SEPTETS.get(character);
  if (LONE_SURROGATE.test(character)) {
    const code = character.charCodeAt(0).toString(16).toUpperCase();
    throw new RangeError(`a text cannot hold the lone surrogate U+${code}`);
  }
  return character.length;
}

// Encoding, units, the capacity of a segment, and the segments with the units of each; none for the empty text.
// An escape pair of GSM-7 and a surrogate pair are never split, so a segment can end one unit early.
// Throws a RangeError for a lone surrogate, which no encoding can carry.
export function segment(text) {
  const characters = [...text];
  const encoding = characters.every(isGsm7) ? "GSM-7" : "UCS-2";
  const lengths = characters.map((one) => unitsOf(one, encoding));
  const units = lengths.reduce((sum, length) => sum + length, 0);
  const { single, multi } = LIMITS[encoding];
  const capacity = units <= single ? single : multi;
  return { encoding, units, capacity, segments: text ? [...filled(characters, lengths, capacity)] : [] };
}

function* filled(characters, lengths, capacity) {
  let start = 0;
  let units = 0;
  for (const [position, length] of lengths.entries()) {
    if (units + length > capacity) {
      yield { text: characters.slice(start, position).join(""), units };
      start = position;
      units = 0;
    }
    units += length;
  }
  yield { text: characters.slice(start).join(""), units };
}
