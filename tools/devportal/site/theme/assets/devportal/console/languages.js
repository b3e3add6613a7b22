// A request as code. The build makes a module of each language from its file: how texts are written, and a function
// that writes the program. A module is loaded when its language is chosen.

import { contentType, contextOf, disposition, isSecret, joined } from "./request.js";
import { lengthOf, quote } from "./serialise.js";

const NEVER = "(?!)";
const UNSEEN = /[\p{C}\p{Z}]/u;

const load = (name) => import(`./languages/${name}.js`);
export const labels = async () => (await load("labels")).default;

export async function codeOf(language, request) {
  const { program, styles } = await load(language);
  const more = styles.literals ? await import("./literals.js") : {};
  const filters = filtersOf(styles, more.hide);
  return program({ ...FILTERS, ...filters, ...more.filtersOf?.(styles, filters.text) }, contextOf(request));
}

const FILTERS = {
  contentType,
  disposition,
  each: (all, write) => all.map((one, at) => write(one, { last: at === all.length - 1 })).join(""),
  isBlank: (words) => !words.some(Boolean),
  length: lengthOf,
  lower: (text) => text.toLowerCase(),
  quote,
};

function filtersOf({ texts, words: ways }, hide) {
  const inStyle = (name, text) =>
    texts[name].map((one) => textAs(one, text, hide)).find((one) => one !== undefined);
  const text = (given, name = "text") => inStyle(name, given) ?? inStyle("text", given);
  const written = (words, inAddress) => {
    for (const way of ways) {
      const { several, open = "", close = "", join = "", style = "text" } = way;
      if (several && words.length < 2) continue;
      const pieces = (join ? joined(words) : words).map((one, at, all) =>
        isSecret(one) ? variableAs(way, one, all[at + 1], inAddress) : inStyle(style, one),
      );
      if (!pieces.includes(undefined)) return open + pieces.join(join) + close;
    }
    return undefined;
  };
  return {
    text,
    words: (words, prefix = "") => written([prefix, ...words].filter(Boolean)) || text(""),
    address: (words) => written(words, true),
  };
}

// As Python has it: separators other than the space cannot be seen, nor what is no character.
const isSeen = (text) => !UNSEEN.test(text.replaceAll(" ", ""));

// Nothing for a text that does not fit the style.
function textAs(style, text, hide) {
  const { open = "", close = "", has = "", without = NEVER, escapes = {}, escaped = NEVER } = style,
    isFound = (pattern) => new RegExp(pattern, "u").test(text);
  if (!isFound(has) || isFound(without) || (style.visible && !isSeen(text.replaceAll("\n", ""))))
    return undefined;
  const escape = (one) => escapes[one] ?? (isSeen(one) ? one : hide(style.hidden, one));
  return open + text.replace(new RegExp(escaped, "gu"), escape) + close;
}

function variableAs({ variable, variableInAddress, variableBeforeWord }, { secret }, after, inAddress) {
  const isRunOn = typeof after === "string" && /^[\p{L}\p{N}_]/u.test(after);
  const special = inAddress ? variableInAddress : isRunOn && variableBeforeWord;
  return (special || variable).replace("{}", secret);
}
