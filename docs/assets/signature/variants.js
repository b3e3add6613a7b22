// What could have been signed, or read, in the place of what is there. A variant is a guess until its signature
// fits: each carries the faults that it stands for, whose words are in words.js.

import { fromBase64, fromLatin1, joined, textOf, toBase64, toLatin1, utf8 } from "./bytes.js";
import { SPACINGS, SPELLINGS, orders, parse, write } from "./json.js";
import { parseSecret } from "./signing.js";

const BOM = "\ufeff";
const NEAR_S = 900;

// Bodies, the one that came being the first. No two are the same: undefined is in the place of one that was
// there before, and took its time too.
export function* bodies(bytes) {
  const seen = new Set();
  for (const [faults, made] of allBodies(bytes)) {
    const isText = typeof made === "string";
    const text = isText ? made : textOf(made) ?? made;
    yield seen.has(text) ? undefined : { faults, body: isText ? utf8(made) : made };
    seen.add(text);
  }
}

// Bytes, or the text of them.
function* allBodies(bytes) {
  yield [[], bytes];
  yield [["empty"], ""];
  yield [["object"], "[object Object]"];
  yield [["newline"], joined(bytes, utf8("\n"))];
  yield [["newline"], joined(bytes, utf8("\r\n"))];
  const text = textOf(bytes);
  if (text === undefined) return;
  yield* texts(text);
  yield [["charset"], toLatin1(bytes)];
  if (/^[\0-\xff]*$/.test(text)) yield [["charset"], fromLatin1(text)];
}

// A text without the line breaks at its end. The expression for it looks at each break as often as there are breaks
// where the text goes on behind them.
export function withoutLastBreaks(text) {
  let end = text.length;
  while (text[end - 1] === "\n") end -= text[end - 2] === "\r" ? 2 : 1;
  return text.slice(0, end);
}

function* texts(text) {
  yield [["newline"], withoutLastBreaks(text)];
  yield [["line ends"], text.replace(/\r?\n/g, "\r\n")];
  yield [["line ends"], text.replaceAll("\r\n", "\n")];
  yield [["bom"], text.startsWith(BOM) ? text.slice(1) : BOM + text];
  yield [["spaces"], text.trim()];
  yield [["quoted"], JSON.stringify(text)];
  const tree = parse(text);
  if (typeof tree === "string" && tree.startsWith('"')) yield [["quoted"], JSON.parse(text)];
  if (tree) yield* rewritten(tree, text);
}

// JSON in each usual writing. The first with a text has the fewest faults.
function* rewritten(tree, text) {
  const hasEnd = text.endsWith("\n");
  const [spaced, compact] = [new Map(), new Set()];
  for (const sorted of [false, true]) {
    for (const numbers of [false, true]) {
      for (const [spelled, spelling] of SPELLINGS) {
        for (const spacing of SPACINGS) {
          const written = write(tree, { spacing, spelling, sorted, numbers });
          if (!spaced.has(spacing)) spaced.set(spacing, written !== text.trim()); // nothing else differs yet
          const faults = [...named({ spacing: spaced.get(spacing), order: sorted, numbers }), ...spelled];
          yield [[...faults, ...named({ newline: hasEnd })], written];
          yield [[...faults, ...named({ newline: !hasEnd })], `${written}\n`];
          if (spacing !== SPACINGS[0]) continue;
          if (compact.has(written)) break; // so it is with each spacing
          compact.add(written);
        }
      }
    }
  }
}

const named = (faults) => Object.keys(faults).filter((one) => faults[one]);

// Bodies with their outermost members in any order, in the two writings that are most usual.
export function* shuffled(bytes) {
  const text = textOf(bytes);
  const tree = text === undefined ? undefined : parse(text);
  for (const spacing of SPACINGS.slice(0, 2)) {
    const faults = [...named({ spacing: tree && write(tree, { spacing }) !== text.trim() }), "order"];
    for (const other of orders(tree)) yield { faults, body: utf8(write(other, { spacing })) };
  }
}

// Keys, those of the receiver's own secrets being the first; `others` are secrets that may be meant instead.
export function* keys(own, others) {
  for (const secret of own) yield { faults: [], key: parseSecret(secret) };
  for (const secret of others) yield { faults: ["other secret"], key: parseSecret(secret) };
  for (const secret of [...own, ...others]) {
    const faults = own.includes(secret) ? [] : ["other secret"];
    for (const [fault, key] of misread(secret)) if (key?.length) yield { faults: [...faults, fault], key };
  }
}

function* misread(secret) {
  const whole = secret.trim();
  const bare = whole.replace(/^whsec_/, "");
  yield ["secret as text", utf8(whole)];
  if (bare !== whole) yield ["secret as text", utf8(bare)];
  if (bare !== whole) yield ["prefix decoded", lenient(whole.replace("_", "/"))]; // Node: `_` is Base64 for URLs
  if (bare !== whole) yield ["prefix decoded", lenient(whole.replace("_", ""))]; // PHP: skips what is no Base64
  for (const end of ["\n", "\r\n", " "]) {
    yield ["secret with spaces", utf8(whole + end)];
    yield ["secret with spaces", utf8(bare + end)];
  }
  yield ["secret as hex", fromHex(bare)];
  yield ["secret decoded twice", fromBase64(toLatin1(fromBase64(bare) ?? []))];
}

// What libraries that forgive everything make of it: bits that are too few for a byte are dropped.
export function lenient(text) {
  const bare = text.replace(/=+$/, "");
  return fromBase64(bare.length % 4 === 1 ? bare.slice(0, -1) : bare);
}

function fromHex(text) {
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
}

// What stands before the body in what is signed, the right one being the first.
export function* frames({ id, timestamp }) {
  yield { faults: [], before: `${id}.${timestamp}.` };
  yield { faults: ["body alone"], before: "" };
  yield { faults: ["no id"], before: `${timestamp}.` };
  yield { faults: ["no timestamp"], before: `${id}.` };
  yield { faults: ["dots"], before: `${id}${timestamp}` };
  yield { faults: ["dots"], before: `${id}\n${timestamp}\n` };
  yield { faults: ["swapped"], before: `${timestamp}.${id}.` };
  if (/^\d{13}$/.test(timestamp)) yield { faults: ["milliseconds"], before: `${id}.${timestamp.slice(0, -3)}.` };
  if (/^\d{10}$/.test(timestamp)) yield { faults: ["milliseconds"], before: `${id}.${timestamp}000.` };
}

// The timestamps of other attempts, near this one.
export function* otherTimes({ id, timestamp }) {
  if (!/^\d{1,12}$/.test(timestamp)) return;
  for (let off = 1; off <= NEAR_S; off += 1)
    for (const other of [Number(timestamp) - off, Number(timestamp) + off])
      yield { faults: ["other timestamp"], before: `${id}.${other}.`, timestamp: other };
}

// The digests that a header can be read as holding, in Base64, each with the faults of its writing.
export function readings(header) {
  const found = new Map();
  for (const [faults, token] of tokens(header)) {
    for (const [fault, bytes] of spelled(token)) {
      if (bytes?.length !== 32) continue;
      const digest = toBase64(bytes);
      const all = fault ? [...faults, fault] : faults;
      if (!found.has(digest) || found.get(digest).length > all.length) found.set(digest, all);
    }
  }
  return found;
}

function* tokens(header) {
  for (const entry of header.trim().split(" ")) yield entry.startsWith("v1,") ? [[], entry.slice(3)] : [["version"], entry];
  const bare = header.replace(/^\s*webhook-signature\s*:/i, "").replace(/["'<>]/g, "").trim();
  for (const entry of bare.split(/[\s;]+|,\s*(?=v1\b)/i))
    yield entry.startsWith("v1,") ? [["form"], entry.slice(3)] : [["version"], entry.replace(/^v1[,=:]/i, "")];
  for (const part of bare.split(/v1,/)) if (/ \S/.test(part)) yield [["plus"], part.trimEnd().replaceAll(" ", "+")];
}

function* spelled(token) {
  const bare = token.replace(/=+$/, "");
  const standard = bare.replaceAll("-", "+").replaceAll("_", "/");
  if (token === `${bare}=`) yield ["", fromBase64(bare)];
  yield ["padding", fromBase64(bare)];
  yield ["base64url", fromBase64(standard)];
  yield ["hex", fromHex(token)];
  const inner = fromBase64(standard);
  if (inner) yield ["hex", fromHex(toLatin1(inner))];
}
