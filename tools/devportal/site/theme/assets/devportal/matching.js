// Finds pages and fields in the index of a site, which `devportal/site/search/index.py` writes. Touches no page.

const METHOD = /^\s*(get|put|post|delete|options|head|patch|trace|query)\s+(?=\S)/i;
const WEIGHTS = { operation: 60, event: 40, error: 10, schema: 20, access: 14, group: 6, page: 0, term: -400 };
const VERBS = { // what people say for methods, and for events
  GET: "get list read retrieve fetch search filter", POST: "create add update", PUT: "replace update", PATCH: "change update",
  DELETE: "remove cancel", event: "webhook callback event",
};
const EXACT = 300; // points for what is called so
const ALMOST = 0.8; // the share for a synonym, or a name that differs in small words
const QUESTION = /^\s*(how|why|what|when|where|which|can|does?)\s/i;
const ANSWER = 15; // for a page that a person wrote, for a question
const AREA = { whole: 30, part: -15 }; // for the first page of an area
const SECONDARY = -100; // for few readers
const MOST_WORDS = 4; // of a phrase that has synonyms
const MAX_FIELDS = 300;
const FEW = 3; // results: if fewer have all words, others follow
const MAX_PLACES = 3000; // looked at for one name if other words tell them apart

// ---- words ----

const apart = (text) => text.replace(/([a-z0-9])(?=[A-Z])|(?!OAuth)([A-Z])(?=[A-Z](?!s(?![a-z]))[a-z])/g, "$& ");
const pieces = (text) => text.split(/[\W_]+/).filter(Boolean);
const dashed = (text) => pieces(apart(text)).join("-").toLowerCase();
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const isName = (word) => /.[A-Z]|^[A-Z][^a-z]+$/.test(word); // `PDF`, `OAuth2`

// A title of a name; `spelled` has words with capitals of their own, by what they are without.
function spaced(text, spelled) {
  const spell = (word) => spelled.get(word) ?? word;
  return capital(pieces(apart(text)).map((word) => (isName(word) ? word : spell(word.toLowerCase()))).join(" "));
}

// A usual operationId: `POST /v1/charges` → `PostCharges`.
function pathId(text) {
  const [method, path = ""] = text.split(" ");
  const words = pieces(path).filter((word) => !/^v\d+$/.test(word));
  return [method.toLowerCase(), ...words].map(capital).join("");
}

// Letters with what they count as.
const ALIKE = new Map("ıi ßss æae œoe øo łl đd ςσ ىي یي کك ةه ـ".split(" ").map((pair) => [pair[0], pair.slice(1)]));

// The words of a text, without accents, other marks and invisible characters.
export const exactWords = (text) =>
  apart(text).normalize("NFKD").replace(/[\p{M}\p{Cf}]/gu, "").toLowerCase()
    .replace(/[^\0-~]/g, (letter) => ALIKE.get(letter) ?? letter).match(/[\p{L}\p{N}]+/gu) ?? [];

// A query with blanks between words, also in Thai, Lao, Burmese, Khmer, Japanese and Chinese.
const parted = (query) =>
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff]/.test(query) && Intl.Segmenter
    ? [...new Intl.Segmenter([], { granularity: "word" }).segment(query)].map((segment) => segment.segment).join(" ")
    : query;

const singular = (word) => word.replace(/ies$/, "y").replace(/(ss|x|sh|[^a]ch)es$/, "$1").replace(/((^[^s]|..)[^su])s$/, "$1");
const segmentsOf = (path) => (path.includes("/") ? path.trim().toLowerCase().split("/").filter(Boolean) : []);
const wordsOf = (text) => exactWords(text).map(singular);

// Words that say little where others are there.
const SMALL = new Set(`a about all an and any are as at be by can could did do does find for from give has have how i if in
  is it its just long many mean me much my need of often on or our please should show tell the there this to want we
  what when where which why will with would you your`.split(/\s+/).map(singular));

// The words that say something, if any does.
function largeOf(words, ofPhrases = []) {
  const large = words.filter((word) => !SMALL.has(word) || ofPhrases.includes(word));
  return large.length ? large : words;
}

// A name, its words, and all in one with and without plurals, and without small words.
function named(text) {
  const exact = exactWords(text);
  const words = exact.map(singular);
  return { text, words, whole: words.join(""), exact: exact.join(""), core: largeOf(words).join("") };
}

// A word, and what it may be a form of: `retried` of `retry`, `pricing` of `price`.
function stemsOf(word) {
  const stem = word.length > 5 ? word.replace(/ied$/, "y").replace(/(ing|ed)$/, "") : word;
  return stem === word ? [word] : [word, stem, `${stem}e`, stem.replace(/(.)\1$/, "$1")];
}

// How well a typed word fits one that is there, up to 1. Scripts without spaces match anywhere.
function fit(typed, word) {
  if (word === typed) return 1;
  if (word.startsWith(typed)) return (typed.length > 2 ? 0.6 : typed > "\u0e00" ? 0.3 : 0.1) + (0.3 * typed.length) / word.length;
  if (word.length > 3 && typed.length - word.length < 4 && typed.startsWith(word)) return 0.5;
  return (typed.length > 3 || typed > "\u0e00") && word.includes(typed) ? 0.3 : 0;
}

const sum = (values) => values.reduce((total, value) => total + value, 0);
const most = (values, measure) => values.reduce((best, value) => Math.max(best, measure(value)), 0);
export const bestFit = (typed, words) => most(words, (word) => fit(typed, word));

// How well a word of a question fits, as typed or as a synonym.
const askedFit = ({ also }, typed, words) => Math.max(bestFit(typed, words),
  also.get(typed)?.some((all) => all.every((word) => words.includes(word))) ? ALMOST : 0);
const nameFit = (ask, typed, names) => most(names, (name) => askedFit(ask, typed, name.words));

// The share of a name that was asked for.
function cover(name, ask) {
  const own = [...new Set(name.words)];
  return own.filter((word) => ask.words.some((typed) =>
    fit(typed, word) >= 0.5 || ask.also.get(typed)?.some((all) => all.includes(word)))).length / (own.length || 1);
}

const coverOf = (page, ask) => most(page.names, (name) => cover(name, ask));

// The points for a name that was asked for, best as it is written; a few for its start or end.
function wholeFit(name, ask, points) {
  if (name.whole === ask.whole || name.exact === ask.exact) return points + (name.text === ask.text ? 15 + 125 * (name.words.length > 1) : 0);
  if (ask.cores.has(name.core)) return ALMOST * points;
  const isPart = name.exact.startsWith(ask.exact) || (ask.words.length > 1 && name.exact.endsWith(ask.exact));
  return isPart && ask.exact.length > 2 ? 40 : 0;
}

// ---- reading ----

const END = "\x7f";
const lines = (text) => (text ? text.split(END) : []);

function* numbers(letters) {
  let number = 0;
  for (const letter of letters) {
    number = number * 26 + (letter.charCodeAt(0) & 31) - 1;
    if (letter < "a") {
      yield number;
      number = 0;
    }
  }
}

// The texts of a column: a line says how much it repeats of the last one above that is not empty.
function texts(column) {
  let last = "";
  return lines(column).map((line) => {
    const text = line.replace(/.*?[A-Z]/, (start) => last.slice(0, ...numbers(start)));
    last = text || last;
    return text;
  });
}

function add(map, key, ...values) {
  if (map.has(key)) map.get(key).push(...values);
  else map.set(key, values);
}

// A blank at the end stands for what is made from others.
const completed = (cell, completion) => cell.replace(/ $/, () => completion);

function pageOf(spelled, kind, method, address, title, path, others, text) {
  const code = method ? `${method} ${path}` : path;
  const names = [code, ...completed(others, pathId(code)).split("\t")].filter(Boolean);
  const name = names.at(-1) ?? title;
  const shown = title ? completed(title, name) : spaced(name, spelled);
  const verbs = VERBS[method || kind] ?? "";
  const segments = segmentsOf(path);
  return {
    kind,
    title: shown,
    code,
    text,
    address: completed(address, address.includes("#") ? name : `${dashed(name)}/`),
    names: [shown, ...names].map(named),
    words: [...new Set(wordsOf(`${text} ${verbs} ${text.replace(/-/g, "").toLowerCase()}`))],
    method,
    verbs,
    segments,
    trail: segments.length ? wordsOf(path.replace(/\{[^}]*\}|\.(json|xml)$/g, " ")) : [],
  };
}

// The parts of pages, on the page of a field with the way to it.
function partsOf(data) {
  return data.parts.map(([words, anchor]) => {
    const inside = words ? anchor.replace(/^(.*\/.*|(callback\.[^.]*\.)?(response\.[^.]*|[^.]*)\.?)/, "") : anchor;
    const way = inside.split(".").filter((part) => part && !/^\d+$/.test(part));
    return { words, anchor, kind: way.length || !anchor.endsWith("response") ? "field" : "response", said: named(words), way: way.map(named) };
  });
}

// The page right above that this one has a part of.
function wholeOf(index, page) {
  const above = index.at.get(page.address.replace(/[^/]+\/$/, ""));
  return above !== page && above?.kind === page.kind && page.kind !== "page" ? above : undefined;
}

// A field, or a value of it, which is called `state = open`.
function fieldOf(line) {
  const [name, end = ""] = line.split("\t");
  const anchorPart = !end || end.endsWith(".") ? end + name.replace(/\s+/g, "-") : end;
  return { ...named(name.split(" = ").at(-1)), words: wordsOf(name), text: name, piece: anchorPart, shapes: [] };
}

// The numbers of the fields in each shape.
function setsOf(column) {
  const sets = [];
  let known = 0;
  for (const line of lines(column)) {
    const [back, added, ...steps] = numbers(line);
    const set = new Set(sets.at(-back || sets.length));
    let field = 0;
    for (const step of steps) {
      field += step;
      if (!set.delete(field)) set.add(field);
    }
    for (const end = known + added; known < end; known += 1) set.add(known);
    sets.push(set);
  }
  return sets;
}

// The points for the place of a page.
function placePoints({ kind, address }, secondary) {
  const [path, anchor] = address.split("#");
  const isArea = kind === "page" && /^[^/]+\/$/.test(path);
  if (secondary.some((folder) => path.startsWith(folder))) return isArea && !anchor ? 0 : SECONDARY;
  return isArea ? AREA[anchor ? "part" : "whole"] : 0;
}

// The synonyms of each word or phrase.
function synonymsOf(groups) {
  const synonyms = new Map();
  for (const group of groups.map((phrases) => phrases.map(wordsOf))) {
    for (const words of group) add(synonyms, words.join(" "), ...group.filter((other) => other !== words));
  }
  return synonyms;
}

// Returns an index: `roots` has the parts of pages with each shape, `above` the fields.
export function read(data) {
  const parts = partsOf(data);
  const spelled = new Map(data.spelled?.map((word) => [word.toLowerCase(), word]));
  const index = { pages: [], roots: new Map(), above: new Map(), synonyms: synonymsOf(data.synonyms ?? []) };
  let next = 0;
  const shapeOf = (number) => (number ? number - 1 : next++);
  for (const [kind, columns] of Object.entries(data.pages)) {
    const [addresses, ...cells] = columns.slice(0, 5).map(texts);
    const shown = lines(columns[5]);
    addresses.forEach((address, row) => {
      const [letters, method = ""] = (shown[row] ?? "").split(" ").reverse();
      const page = pageOf(spelled, kind, method, address, ...cells.map((column) => column[row] ?? ""));
      page.place = placePoints(page, data.secondary ?? []);
      const pairs = [...numbers(letters)];
      for (let at = 0; at < pairs.length; at += 2) {
        add(index.roots, shapeOf(pairs[at + 1]), { page, ...parts[pairs[at]] });
      }
      index.pages.push(page);
    });
  }
  const names = texts(data.fields);
  const fields = new Map(names.map((line) => [line, fieldOf(line)])); // with whatever is below them
  const below = data.below.split(END).map((letters) => letters && shapeOf(...numbers(letters)));
  setsOf(data.shapes).forEach((set, shape) => {
    for (const number of set) {
      const field = fields.get(names[number]);
      field.shapes.push(shape);
      if (below[number] !== "") add(index.above, below[number], { field, shape });
    }
  });
  index.fields = [...fields.values()];
  index.at = new Map(index.pages.map((page) => [page.address, page]));
  for (const page of index.pages) {
    page.whole = wholeOf(index, page);
    page.said = [page, page.whole ?? page].flatMap((name) => [name, ...name.names, named(name.verbs)]);
  }
  return index;
}

// ---- ranking ----

// Other words for those of a question, and what it is then.
function otherwise({ synonyms }, words) {
  const [also, cores, ofPhrases] = [new Map(), new Set([largeOf(words).join("")]), []];
  const say = (at, size, other) => {
    const phrase = words.slice(at, at + size);
    if (size > 1) ofPhrases.push(...phrase);
    for (const word of phrase) add(also, word, other);
    cores.add(largeOf([...words.slice(0, at), ...other, ...words.slice(at + size)]).join(""));
  };
  for (let at = 0; at < words.length; at += 1) {
    for (let size = 1; size <= MOST_WORDS && at + size <= words.length; size += 1) {
      const forms = size > 1 ? [words.slice(at, at + size).join(" ")] : stemsOf(words[at]);
      for (const form of forms) {
        if (size === 1 && form !== words[at]) say(at, size, [form]);
        for (const other of synonyms.get(form) ?? []) say(at, size, other);
      }
    }
  }
  return { also, cores, all: largeOf(words, ofPhrases) };
}

function asked(index, text) {
  const query = text.replace(/\[[\d*]*\]|^\$\./g, ""); // `$.lines[0].amount`
  const whole = { ...named(parted(query)), text: query.trim() };
  const other = otherwise(index, whole.words);
  const path = query.replace(METHOD, "").replace(/^\s*[a-z][\w+.-]*:\/\/[^/]*/i, "").replace(/[?#].*/, "");
  return {
    ...whole,
    ...other,
    words: [...new Set(other.all)],
    method: METHOD.exec(query)?.[1].toUpperCase(),
    segments: segmentsOf(path),
  };
}

function segmentFit(there, typed, isLast) {
  if (there === typed) return 1;
  if (there.includes("{")) return typed.startsWith("{") ? 0.95 : 0.8;
  return isLast && there.startsWith(typed) ? 0.7 : 0;
}

// How well a typed path, perhaps with the base path of a server, fits one that is there: as a whole, its end, start,
// middle.
function pathScore(there, typed) {
  return most([...Array(there.length + typed.length).keys()], (number) => {
    const offset = number - typed.length + 1;
    const rest = there.length - typed.length - offset;
    if (rest < 0 || (offset < 0 && rest)) return 0;
    const laid = offset < 0 ? typed.slice(-offset) : typed;
    const start = Math.max(0, offset);
    const fits = laid.map((segment, at) => segmentFit(there[start + at], segment, at === laid.length - 1));
    if (fits.includes(0) || !laid.some((segment, at) => !there[start + at].includes("{"))) return 0;
    const points = offset < 0 ? 280 : offset ? (rest ? 150 : 300) : rest ? 250 : 400;
    return (points * sum(fits)) / fits.length - 5 * (Math.abs(offset) + rest);
  });
}

// Whether a path ends in what was asked for, perhaps behind a word for its method.
function isTail({ trail, verbs }, [first, ...others]) {
  const asked = (` ${verbs}`.includes(` ${first}`) && others.join("")) || first + others.join("");
  return trail.some((_, at) => trail.slice(at).join("") === asked);
}

// Whether the name of an option is typed as it is written: its words alone mean something else.
const isTyped = ({ code }, text) => /[\W_]/.test(code) && (text.includes(code) || code.startsWith(text));

function pageScore(page, fits, ask) {
  const path = ask.segments.length ? pathScore(page.segments, ask.segments) : 0;
  const tail = isTail(page, ask.all) ? EXACT : 0;
  const typed = page.method && ask.words[1] && page.names.some((name) => name.exact === ask.exact); // unlike a mere tail
  const exact = Math.max(tail, most(page.names, (name) => wholeFit(name, ask, EXACT))) + (typed ? 30 : 0);
  const byMethod = ask.method && page.method ? (page.method === ask.method ? 30 : -30) : 0;
  const covered = tail ? 1 : coverOf(page, ask);
  const byKind = page.kind === "term" && isTyped(page, ask.text) ? 0 : WEIGHTS[page.kind];
  const repeats = Math.min(4, page.text.toLowerCase().split(ask.text.toLowerCase()).length); // the question
  const extra = byMethod + byKind + 5 * repeats - page.segments.length / 2 - 5 * page.address.includes("#")
    + page.place + (page.kind === "page" && QUESTION.test(ask.text) ? ANSWER : 0);
  return { page, kind: page.kind, path, ...scored(ask, fits, exact + path, covered, extra) };
}

// `hits` counts the words that were found: all of what is there as a whole.
function scored(ask, fits, exact, covered, extra) {
  return {
    isExact: exact >= 200 && extra > -200,
    hits: exact > 0 ? ask.words.length : fits.filter(Boolean).length,
    score: exact + (100 * sum(fits.map((value, at) => value * ask.weights[at]))) / sum(ask.weights) + 40 * covered + extra,
  };
}

// Yields where a field is shown: part of a page and way from there, short ways first.
function* placesOf(index, field) {
  let level = field.shapes.map((shape) => ({ shape, trail: [field] }));
  while (level.length) {
    for (const { shape, trail } of level) {
      for (const root of index.roots.get(shape) ?? []) yield { root, trail };
    }
    level = level.flatMap(({ shape, trail }) =>
      (index.above.get(shape) ?? []).map((parent) => ({ shape: parent.shape, trail: [parent.field, ...trail] })));
  }
}

function placeScore({ root, trail }, leaf, ask) {
  const way = [...root.way, ...trail];
  const fits = ask.words.map((word, at) => leaf.fits[at]
    || 0.9 * nameFit(ask, word, way.slice(0, -1)) || 0.5 * nameFit(ask, word, [root.said, ...root.page.said]));
  const isWay = ask.whole.length > leaf.field.whole.length && way.map((field) => field.whole).join("").endsWith(ask.whole);
  const isDotted = isWay && /\../.test(ask.text) && titleOf({ root, trail }).endsWith(ask.text);
  const place = root.page.kind === "schema" ? 0 : root.anchor.includes("response") ? -6 : -2;
  const called = root.kind === "response" ? 20 * coverOf(root.page, ask) : 0;
  return scored(ask, fits, isDotted ? 340 : isWay ? 200 : leaf.exact, leaf.covered, place - 4 * way.length + called);
}

function* fieldsFound(index, ask) {
  const leaves = index.fields.map((field) => {
    const fits = ask.words.map((word) => askedFit(ask, word, field.words));
    const exact = wholeFit(field, ask, field.words.length > 1 ? 200 : 45);
    const covered = cover(field, ask);
    return { field, fits, exact, covered, rank: sum(fits) + exact + covered };
  }).filter((leaf) => leaf.rank > 0).sort((leaf, other) => other.rank - leaf.rank);
  let left = MAX_FIELDS;
  for (const leaf of leaves) {
    let looked = leaf.exact || !leaf.fits.includes(0) ? left : MAX_PLACES;
    const seen = new Set();
    for (const place of placesOf(index, leaf.field)) {
      if (!looked--) break;
      const found = placeScore(place, leaf, ask);
      const { page, words } = place.root;
      const at = /headers$/i.test(words) || page; // they repeat
      if (found.hits < ask.words.length || seen.has(at)) continue;
      seen.add(at);
      yield { ...found, place, kind: place.root.kind };
      if (!--left) return;
    }
  }
}

// ---- results ----

const AREAS = {
  changelog: gettext("Changelog"),
  conformance: gettext("Conformance"),
  coverage: gettext("Coverage"),
  rates: gettext("Rates"),
  reference: gettext("Reference"),
};
const areaOf = (folder) => AREAS[folder] ?? capital(folder);
const linkTo = (address, anchor) => address + (anchor ? `#${encodeURIComponent(anchor)}` : "");

const titleOf = ({ root, trail }) => [...root.way, ...trail].map((field) => field.text).join(".");

function fieldResult({ root, trail }) {
  const { whole = root.page } = root.page;
  return {
    kind: root.kind,
    title: titleOf({ root, trail }),
    badge: whole.method || whole.kind.toUpperCase(),
    address: linkTo(root.page.address, [root.anchor, ...trail.map((field) => field.piece)].filter(Boolean).join(".")),
    where: root.words && whole.title
      ? gettext("%(part)s of %(page)s", { part: root.words, page: whole.title }) : root.words || whole.title || "",
  };
}

function pageResult(index, page, ask) {
  const [address, anchor] = page.address.split("#");
  const { kind, title, code } = page;
  const badge = { error: code, event: "EVENT" }[kind] ?? page.method;
  const area = /page|term/.test(kind) ? areaOf(address.split("/")[0]) : "";
  const where = [...new Set([area, anchor && index.at.get(address)?.title, excerpt(page, ask)])].filter(Boolean).join(" · ");
  return { kind, title, code, badge, address: linkTo(address, anchor), where };
}

// The sentence that says most beyond the title; code if nothing else does.
function excerpt({ title, text }, { words, weights }) {
  const has = (sentence, word) => sentence.toLowerCase().includes(word);
  const weightOf = (sentence) => sum(words.map((word, at) => (has(sentence, word) && !has(title, word)) * weights[at]));
  const best = text.split("\t\t").map((part) => part.split("\t").reduce((sentence, other) => (weightOf(other) > weightOf(sentence) ? other : sentence)));
  return (!words.some((word) => has(title, word)) && best.find(weightOf)) || best[0];
}

function ranked(index, ask) {
  const pages = index.pages.filter((page) => !page.whole);
  const fits = pages.map((page) => ask.words.map((word) => Math.max(nameFit(ask, word, page.names), 0.5 * askedFit(ask, word, page.words))));
  // What few pages have says more than what many have.
  ask.weights = ask.words.map((_, at) => Math.log(2 + pages.length / (1 + sum(fits.map((row) => row[at])))) ** 2);
  const found = pages.map((page, at) => pageScore(page, fits[at], ask));
  if (!found.some((result) => result.path > 0)) found.push(...fieldsFound(index, ask));
  found.sort((result, other) => other.hits - result.hits || other.score - result.score);
  const [{ hits, isExact }] = found;
  // Half of the words; of a long question, what has most of them if nothing has half.
  return found.filter((result, at) =>
    result.hits && result.hits >= Math.min(ask.words.length / 2, hits) && result.hits >= hits - (at < FEW && !isExact));
}

// Returns the words looked for, whether they are found (a `snake_case` name if something is called so), whether a page
// or a name has them all, and results by kind, the best first; before several kinds the best of each that is called so.
export function matches(index, query) {
  const ask = asked(index, query);
  const best = index.pages.length ? ranked(index, ask) : [];
  const tops = best.filter((result, at) => result.isExact && best.findIndex(({ kind }) => kind === result.kind) === at);
  const first = best.some(({ kind }) => kind !== best[0].kind) ? tops.slice(0, 3) : [];
  const groups = new Map();
  for (const match of new Set([...first, ...best])) {
    const result = match.page ? pageResult(index, match.page, ask) : fieldResult(match.place);
    if (first.includes(match)) add(groups, "best", { ...result, badge: result.badge || match.kind.toUpperCase() });
    else add(groups, match.kind, result);
  }
  const isComplete = (best[0]?.hits ?? 0) === ask.words.length && (tops.length > 0 || !/^\S+_\S+$/.test(ask.text));
  const isSure = isComplete && (tops.length > 0 || !ask.words[1] || best.some(({ page, hits }) => page && hits === best[0].hits));
  return { words: ask.words, isComplete, isSure, groups: [...groups].map(([kind, results]) => ({ kind, results })) };
}
