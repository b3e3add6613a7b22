// JSON written again in other ways. Numbers and texts keep their spelling unless a way changes it, so that
// nothing differs but what is meant to.

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[[\]{},:])/y;
const DEEPEST = 200;

// A tree whose leaves are the spellings of the text: {items}, {members: [[name, value], …]}, or a string.
// Undefined for what is no JSON, or too deep to be an event.
export function parse(text) {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const tokens = [];
  let depth = 0;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    tokens.push(found[1]);
    depth += /[[{]/.test(found[1][0]) - /[\]}]/.test(found[1][0]);
    if (depth > DEEPEST) return undefined;
  }
  return value(tokens.reverse());
}

function value(tokens) {
  const token = tokens.pop();
  if (token === "[") return { items: [...listed(tokens, "]", () => value(tokens))] };
  if (token !== "{") return token;
  return { members: [...listed(tokens, "}", () => member(tokens))] };
}

function member(tokens) {
  const name = tokens.pop();
  tokens.pop(); // the colon
  return [name, value(tokens)];
}

function* listed(tokens, end, next) {
  if (tokens.at(-1) === end) { tokens.pop(); return; }
  do yield next(); while (tokens.pop() === ",");
}

// What stands between tokens, as usual writers put it.
export const SPACINGS = [
  { comma: ",", colon: ":" }, // JSON.stringify, Go, PHP, this service
  { comma: ", ", colon: ": " }, // json.dumps of Python
  { comma: ",", colon: ": ", indent: "  " },
  { comma: ",", colon: ": ", indent: "    " },
  { comma: ",", colon: ": ", indent: "\t" },
];

const escaped = (text, pattern) =>
  text.replace(pattern, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
const plain = (token) => JSON.stringify(JSON.parse(token));

export const asIs = (token) => token;

// How a text is spelled, each with what that changes.
export const SPELLINGS = [
  [[], asIs],
  [["slashes"], (token) => token.replaceAll("\\/", "/")],
  [["slashes"], (token) => token.replaceAll("/", "\\/")],
  [["escapes"], plain],
  [["escapes"], (token) => escaped(plain(token), /[\u007f-\uffff]/g)], // json.dumps of Python
  [["escapes", "slashes"], (token) => escaped(plain(token), /[\u007f-\uffff]/g).replaceAll("/", "\\/")], // PHP
  [["escapes"], (token) => escaped(plain(token), /[<>&\u2028\u2029]/g)], // Go
];

const inOrder = (members) => members.map((one) => [JSON.parse(one[0]), one])
  .sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);

export function write(tree, { spacing = SPACINGS[0], spelling = asIs, sorted, numbers } = {}, depth = 0) {
  const inner = (one) => write(one, { spacing, spelling, sorted, numbers }, depth + 1);
  if (typeof tree === "string") {
    if (tree.startsWith('"')) return spelling(tree);
    return numbers && /\d/.test(tree) ? JSON.stringify(JSON.parse(tree)) : tree;
  }
  const { items, members } = tree;
  const parts = items
    ? items.map(inner)
    : (sorted ? inOrder(members) : members).map(([name, one]) => spelling(name) + spacing.colon + inner(one));
  const [open, close] = items ? "[]" : "{}";
  if (!parts.length) return open + close;
  if (spacing.indent === undefined) return open + parts.join(spacing.comma) + close;
  const margin = `\n${spacing.indent.repeat(depth)}`;
  return `${open}${margin}${spacing.indent}${parts.join(`,${margin}${spacing.indent}`)}${margin}${close}`;
}

// The tree with the outermost members in each other order, while there are few of them.
export function* orders(tree, most = 5) {
  if (!tree?.members || tree.members.length > most) return;
  for (const members of permutations(tree.members)) yield { members };
}

function* permutations(all) {
  if (all.length < 2) yield all;
  else for (const [at, one] of all.entries()) for (const rest of permutations(all.toSpliced(at, 1))) yield [one, ...rest];
}
