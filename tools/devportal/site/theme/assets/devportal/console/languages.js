// A request as code. The build makes a module of each language from its file: how texts are written, and a function
// that writes the program. A module is loaded when its language is chosen.

import { contextOf, isSecret, joined } from "./request.js";
import { lengthOf, quote } from "./serialise.js";

const NEVER = "(?!)",
  PHP = "<?php\n";

const load = (name) => import(`./languages/${name}.js`);

// The label of each language.
export const LANGUAGES = (await load("labels")).default;

export async function codeOf(language, request) {
  const { program, styles } = await load(language);
  const more = styles.isProgram ? await import("./programs.js") : {};
  const filters = filtersOf(styles, more),
    context = contextOf(request);
  more.extend?.(filters, context, styles);
  return commented(program(filters, context), styles, request);
}

function commented(code, { comment = "//" }, { notes = [] }) {
  const comments = notes.map((note) => `${comment} ${note}\n`).join("");
  return comments && code.startsWith(PHP) ? `${PHP}${comments}${code.slice(PHP.length - 1)}` : comments + code;
}

const firstOf = (styles, write) => styles.map(write).find((text) => text !== undefined);

function filtersOf({ texts, words: ways }, more) {
  const inStyle = (name, given) => firstOf(texts[name], (style) => textAs(style, given, more));
  const text = (given, name = "text") => inStyle(name, given) ?? inStyle("text", given);
  const wordsAs = (words, inAddress) => firstOf(ways, (way) => inWay(way, words, inStyle, inAddress));
  return {
    address: (words) => wordsAs(words, true),
    each: (all, write) => all.map((item, at) => write(item, { last: at === all.length - 1 })).join(""),
    indented: (block) => block.replaceAll("\n", "\n  "),
    length: lengthOf,
    quote,
    text,
    words: (words, prefix = "") => wordsAs([prefix, ...words].filter(Boolean)) || text(""),
  };
}

// Nothing for a text that does not fit the style.
function textAs(style, text, { areSeen, escape }) {
  const { open = "", close = "", has = "", without = NEVER, escapes = {}, escaped = NEVER } = style,
    isFound = (pattern) => new RegExp(pattern, "u").test(text);
  if (!isFound(has) || isFound(without) || (style.visible && !areSeen(text))) return undefined;
  const replaced = (character) => escapes[character] ?? escape(style.hidden, character);
  return open + text.replace(new RegExp(escaped, "gu"), replaced) + close;
}

// Nothing for words that cannot be written in this way.
function inWay(way, words, inStyle, inAddress) {
  const { several, open = "", close = "", join = "", style = "text", variable } = way;
  const pieces = joined(words).map((word, at, all) => {
    if (!isSecret(word)) return inStyle(style, word);
    const isRunOn = /^[\p{L}\p{N}_]/u.test(all[at + 1] ?? ""),
      special = inAddress ? way.variableInAddress : isRunOn && way.variableBeforeWord;
    return (special || variable).replace("{}", word.secret);
  });
  if (pieces.includes(undefined) || (several && words.length < 2)) return undefined;
  return open + pieces.join(join) + close;
}
