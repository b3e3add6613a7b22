// The characters that GSM-7 lacks: what they are called, and what can stand in their place.

import { isGsm7 } from "./segments.js";

// Each with its name (Unicode's, but for the tab, which has none there) and what to write instead, if anything.
export const KNOWN = new Map([
  ["\t", ["tab", " "]],
  ["`", ["grave accent", "'"]],
  ["\u00a0", ["no-break space", " "]],
  ["\u00a9", ["copyright sign", "(c)"]],
  ["\u00ab", ["left-pointing double angle quotation mark", '"']],
  ["\u00ad", ["soft hyphen", ""]],
  ["\u00ae", ["registered sign", "(R)"]],
  ["\u00b0", ["degree sign", undefined]],
  ["\u00b4", ["acute accent", "'"]],
  ["\u00b7", ["middle dot", "."]],
  ["\u00bb", ["right-pointing double angle quotation mark", '"']],
  ["\u00d7", ["multiplication sign", "x"]],
  ["\u00d0", ["Latin capital letter eth", "D"]],
  ["\u00f0", ["Latin small letter eth", "d"]],
  ["\u00de", ["Latin capital letter thorn", "Th"]],
  ["\u00fe", ["Latin small letter thorn", "th"]],
  ["\u0110", ["Latin capital letter d with stroke", "D"]],
  ["\u0111", ["Latin small letter d with stroke", "d"]],
  ["\u0126", ["Latin capital letter h with stroke", "H"]],
  ["\u0127", ["Latin small letter h with stroke", "h"]],
  ["\u0131", ["Latin small letter dotless i", "i"]],
  ["\u0141", ["Latin capital letter l with stroke", "L"]],
  ["\u0142", ["Latin small letter l with stroke", "l"]],
  ["\u0152", ["Latin capital ligature oe", "OE"]],
  ["\u0153", ["Latin small ligature oe", "oe"]],
  ["\u1e9e", ["Latin capital letter sharp s", "SS"]],
  ["\u200b", ["zero width space", ""]],
  ["\u200d", ["zero width joiner", undefined]],
  ["\u200e", ["left-to-right mark", ""]],
  ["\u2010", ["hyphen", "-"]],
  ["\u2011", ["non-breaking hyphen", "-"]],
  ["\u2012", ["figure dash", "-"]],
  ["\u2013", ["en dash", "-"]],
  ["\u2014", ["em dash", "-"]],
  ["\u2015", ["horizontal bar", "-"]],
  ["\u2018", ["left single quotation mark", "'"]],
  ["\u2019", ["right single quotation mark", "'"]],
  ["\u201a", ["single low-9 quotation mark", "'"]],
  ["\u201b", ["single high-reversed-9 quotation mark", "'"]],
  ["\u201c", ["left double quotation mark", '"']],
  ["\u201d", ["right double quotation mark", '"']],
  ["\u201e", ["double low-9 quotation mark", '"']],
  ["\u201f", ["double high-reversed-9 quotation mark", '"']],
  ["\u2022", ["bullet", "-"]],
  ["\u2026", ["horizontal ellipsis", "..."]],
  ["\u2028", ["line separator", "\n"]],
  ["\u2029", ["paragraph separator", "\n"]],
  ["\u202f", ["narrow no-break space", " "]],
  ["\u2032", ["prime", "'"]],
  ["\u2033", ["double prime", '"']],
  ["\u2039", ["single left-pointing angle quotation mark", "<"]],
  ["\u203a", ["single right-pointing angle quotation mark", ">"]],
  ["\u2060", ["word joiner", ""]],
  ["\u2122", ["trade mark sign", "TM"]],
  ["\u2190", ["leftwards arrow", "<-"]],
  ["\u2192", ["rightwards arrow", "->"]],
  ["\u2212", ["minus sign", "-"]],
  ["\ufe0f", ["variation selector-16", undefined]],
  ["\ufeff", ["zero width no-break space", ""]],
]);

// Greek capitals that look like Latin ones: GSM-7 has only those that do not.
const GREEK = new Map([..."ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"].map((one, index) => [one, "ABEZHIKMNOPTYX"[index]]));

const SCRIPTS = [
  "Latin", "Greek", "Cyrillic", "Arabic", "Hebrew", "Armenian", "Georgian", "Devanagari", "Bengali", "Gujarati",
  "Gurmukhi", "Kannada", "Malayalam", "Tamil", "Telugu", "Thai", "Hangul", "Hiragana", "Katakana",
];
const KINDS = [
  [/^[\p{Emoji_Presentation}\p{Emoji_Modifier}\p{Regional_Indicator}]/u, "emoji"],
  [/^\p{Script=Han}/u, "Chinese character"],
  ...SCRIPTS.map((one) => [new RegExp(`^\\p{Script=${one}}`, "u"), `${one} letter`]),
  [/^\p{Extended_Pictographic}/u, "emoji"],
  [/^\p{M}/u, "combining mark"],
  [/^\p{Zs}/u, "space"],
  [/^\p{Cc}/u, "control character"],
  [/^\p{Cf}/u, "invisible character"],
  [/^\p{P}/u, "punctuation mark"],
  [/^\p{S}/u, "symbol"],
];

export function nameOf(character) {
  return KNOWN.get(character)?.[0] ?? KINDS.find(([kind]) => kind.test(character))?.[1] ?? "character";
}

export function codePoint(character) {
  return `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

// What can stand in the place of a character, all of it GSM-7: for a letter with an accent the letter without it.
// Undefined where nothing can. The empty text stands for what nobody sees, and for an accent by itself.
export function replacementOf(character) {
  if (KNOWN.has(character)) return KNOWN.get(character)[1];
  if (GREEK.has(character)) return GREEK.get(character);
  if (/[\u0300-\u036f]/u.test(character)) return "";
  if (/\p{Zs}/u.test(character)) return " ";
  const plain = character.normalize("NFKD").replace(/[\u0300-\u036f]/gu, "").trim();
  return plain && [...plain].every(isGsm7) ? plain : undefined;
}

// The text with everything replaced that can be. Accents that stand behind their letters join them first.
export function replaceAll(text) {
  return [...text.normalize("NFC")].map((one) => (isGsm7(one) ? one : replacementOf(one) ?? one)).join("");
}

// The distinct characters of a text that GSM-7 lacks, in order, each with its positions counted from 1.
export function foreignIn(text) {
  const found = new Map();
  for (const [index, character] of [...text].entries()) {
    if (isGsm7(character)) continue;
    if (!found.has(character)) found.set(character, []);
    found.get(character).push(index + 1);
  }
  return [...found].map(([character, positions]) => ({ character, positions, replacement: replacementOf(character) }));
}
