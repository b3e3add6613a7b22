// What the calculator shows: elements made from what was counted. Texts of the reader are never read as HTML.

import { element } from "../elements.js";
import { codePoint, nameOf } from "./characters.js";
import { isGsm7, unitsOf } from "./segments.js";
import { LIMITS, MAX_SEGMENTS } from "./tables.js";

const SHOWN_CHARACTERS = 100;
const UNITS = { "GSM-7": "septet", "UCS-2": "UTF-16 unit" };
const INVISIBLE = /^[\p{C}\p{Z}]$/u;
const COMBINING = /^\p{M}$/u;

const number = new Intl.NumberFormat("en-GB").format;

export function count(amount, noun) {
  return `${number(amount)} ${noun}${amount === 1 ? "" : "s"}`;
}

// How much room the last segment has; a text of none has a whole one before it.
function leftIn({ encoding, capacity, segments }) {
  return segments.length ? capacity - segments.at(-1).units : LIMITS[encoding].single;
}

// One sentence, for those who hear it.
export function summary(result, foreign) {
  const { encoding, units, segments } = result;
  const counted = `${encoding}, ${count(segments.length, "segment")}, ${count(units, UNITS[encoding])}`;
  const need = foreign.length === 1 ? "needs" : "need";
  const why = foreign.length ? ` ${count(foreign.length, "character")} ${need} UCS-2.` : "";
  return `${counted}, ${number(leftIn(result))} left in the last segment.${why}`;
}

// The four numbers, each with the words below it.
export function numbers(text, result) {
  const { encoding, units, capacity, segments } = result;
  const { single, multi } = LIMITS[encoding];
  return {
    encoding: [encoding, `${single} in one segment, ${multi} in each of several`],
    segments: [number(segments.length), `at most ${MAX_SEGMENTS} in a message`],
    units: [number(units), `${UNITS[encoding]}${units === 1 ? "" : "s"} from ${count([...text].length, "character")}`],
    left: [number(leftIn(result)), segments.length > 1 ? `of ${capacity} in the last segment` : `of ${capacity}`],
  };
}

// Why the API would refuse a text, or nothing.
export function refusal({ segments }) {
  if (segments.length === 0) return "The API rejects an empty text.";
  if (segments.length <= MAX_SEGMENTS) return "";
  return `The API rejects this text: it takes ${number(segments.length)} segments, and the limit is ${MAX_SEGMENTS}.`;
}

export function segmentItems({ encoding, capacity, segments }) {
  const items = segments.slice(0, MAX_SEGMENTS).map((one, index) => {
    const isLast = index === segments.length - 1;
    return segmentItem(one, { encoding, capacity, isLast, name: `Segment ${number(index + 1)}` });
  });
  const more = segments.length - items.length;
  return more > 0 ? [...items, element("li", "segments__more", `and ${count(more, "more segment")}`)] : items;
}

function segmentItem({ text, units }, { encoding, capacity, isLast, name }) {
  const bar = element("span", "segments__bar");
  bar.style.setProperty("--filled", units / capacity);
  const isShort = units < capacity && !isLast;
  const length = `${units} of ${capacity}${isShort ? ": the next character needs 2" : ""}`;
  const head = element("div", "segments__name", element("span", "", name), element("span", "segments__length", length));
  const words = element("p", "segments__words", ...[...runs(text, encoding)].map(run));
  words.dir = "auto";
  return element("li", "segments__segment", head, bar, words);
}

function run([kind, text]) {
  return kind === "plain" ? text : element(kind === "foreign" ? "mark" : "span", `segments__${kind}`, text);
}

// Neighbours of one kind together: what needs UCS-2, what counts twice in GSM-7, and the rest.
function* runs(text, encoding) {
  let last = "";
  let gathered = "";
  for (const character of text) {
    const kind = kindOf(character, encoding);
    if (kind !== last && gathered) {
      yield [last, gathered];
      gathered = "";
    }
    last = kind;
    gathered += character;
  }
  if (gathered) yield [last, gathered];
}

function kindOf(character, encoding) {
  if (!isGsm7(character)) return "foreign";
  return encoding === "GSM-7" && unitsOf(character, encoding) === 2 ? "double" : "plain";
}

// A row for each character that needs UCS-2. Its button has the character, for whoever listens to clicks.
export function foreignRows(foreign) {
  const rows = foreign.slice(0, SHOWN_CHARACTERS).map(foreignRow);
  const more = foreign.length - rows.length;
  if (more > 0) {
    const cell = element("td", "segments__more", `and ${count(more, "more character")}`);
    cell.colSpan = 4;
    rows.push(element("tr", "", cell));
  }
  return rows;
}

function foreignRow({ character, positions, replacement }) {
  const find = element("button", "segments__find", number(positions[0]));
  find.type = "button";
  find.dataset.character = character;
  find.setAttribute("aria-label", `Find ${nameOf(character)} ${codePoint(character)} in the text`);
  const others = positions.length > 1 ? ` and ${number(positions.length - 1)} more` : "";
  const name = element("td", "", element("code", "", codePoint(character)), " ", nameOf(character));
  const glyph = element("th", "segments__glyph", glyphOf(character));
  glyph.scope = "row";
  const place = element("td", "", find, others);
  return element("tr", "", glyph, name, place, element("td", "", ...instead(character, replacement)));
}

function glyphOf(character) {
  if (INVISIBLE.test(character)) return "";
  return COMBINING.test(character) ? `\u25cc${character}` : character;
}

function instead(character, replacement) {
  if (replacement === undefined) return ["no replacement"];
  if (replacement === "") return [COMBINING.test(character) ? "combined with its letter" : "removed"];
  if (replacement === " ") return ["a space"];
  if (replacement === "\n") return ["a line break"];
  return [element("code", "", replacement)];
}
