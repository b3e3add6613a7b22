// JSON as it is written: a number keeps its digits (an id of 19 of them is no float), an object the order of
// its members. Objects are Maps, numbers are Numerals; texts, true, false, null and lists are what they are.

export class Numeral {
  constructor(text) {
    this.text = text;
  }
  toString() {
    return this.text;
  }
}

const TOKEN =
  /[ \t\r\n]*([{}[\],:"]|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b)/y;
const WORDS = { true: true, false: false, null: null };
const DEEPEST = 500;

// Where a text ends that begins at a quote, after its last one; -1 if it does not. No pattern: those of
// engines run out of memory in texts of megabytes.
export function textEnd(text, start) {
  for (let at = text.indexOf('"', start + 1); at > 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text[before - 1] === "\\") before -= 1;
    if ((at - before) % 2 === 0) return at + 1;
  }
  return -1;
}

// Throws a SyntaxError that says where it stands, as line and column.
export function parse(text) {
  TOKEN.lastIndex = 0;
  let token,
    start,
    end = 0;

  function wrong(what) {
    const before = text.slice(0, start).split("\n");
    const message = gettext("line %(line)s, column %(column)s: %(fault)s", {
      line: before.length,
      column: before.at(-1).length + 1,
      fault: what,
    });
    throw Object.assign(new SyntaxError(message), { at: start });
  }
  function next() {
    end = TOKEN.lastIndex;
    token = TOKEN.exec(text)?.[1];
    if (token === '"') token = whole(TOKEN.lastIndex - 1);
    start =
      token === undefined ? end + /^\s*/.exec(text.slice(end))[0].length : TOKEN.lastIndex - token.length;
    return token;
  }
  function whole(from) {
    const to = textEnd(text, from),
      literal = text.slice(from, to);
    if (to < 0 || /[\x00-\x1f]/.test(literal)) return undefined;
    TOKEN.lastIndex = to;
    return literal;
  }
  function found() {
    return start >= text.length ? gettext("the end") : text.slice(start, start + 12).split("\n")[0];
  }
  function value(depth) {
    if (depth > DEEPEST) wrong(gettext("too many levels"));
    if (token === "{") {
      const members = new Map();
      if (next() !== "}") {
        for (;;) {
          if (token?.[0] !== '"') wrong(gettext("expected a name in double quotes, found %(text)s", { text: found() }));
          const name = string();
          if (next() !== ":") wrong(gettext("expected a colon, found %(text)s", { text: found() }));
          next();
          members.set(name, value(depth + 1));
          if (next() === "}") break;
          if (token !== ",") wrong(gettext("expected a comma or a closing brace, found %(text)s", { text: found() }));
          next();
        }
      }
      return members;
    }
    if (token === "[") {
      const items = [];
      if (next() !== "]") {
        for (;;) {
          items.push(value(depth + 1));
          if (next() === "]") break;
          if (token !== ",") wrong(gettext("expected a comma or a closing bracket, found %(text)s", { text: found() }));
          next();
        }
      }
      return items;
    }
    if (token in WORDS) return WORDS[token];
    if (token?.[0] === '"') return string();
    if (token === undefined || !/[-\d]/.test(token[0])) wrong(gettext("expected a value, found %(text)s", { text: found() }));
    return new Numeral(token);
  }
  function string() {
    try {
      return JSON.parse(token);
    } catch {
      return wrong(gettext("invalid escape after the backslash"));
    }
  }

  next();
  const result = value(0);
  next();
  if (token !== undefined || start < text.length) wrong(gettext("expected the end, found %(text)s", { text: found() }));
  return result;
}

// The text of a value: on one line, or with an indent; `joints` stand between members and after their names.
export function write(value, { indent = 0, joints = indent ? [",", ": "] : [", ", ": "] } = {}, depth = 1) {
  if (value instanceof Numeral) return value.text;
  if (value instanceof Blob) return JSON.stringify(value.name);
  const isList = Array.isArray(value);
  if (!isList && !(value instanceof Map)) return JSON.stringify(value);
  const inner = (item) => write(item, { indent, joints }, depth + 1);
  const members = isList
    ? value.map(inner)
    : [...value].map(([name, member]) => JSON.stringify(name) + joints[1] + inner(member));
  const [open, close] = isList ? "[]" : "{}";
  if (!members.length || !indent) return open + members.join(joints[0]) + close;
  const line = "\n".padEnd(1 + indent * depth);
  return `${open}${line}${members.join(joints[0] + line)}${line.slice(0, -indent)}${close}`;
}

// The value as scripts have it, for those that need no more: files become their names.
export const plain = (value) => (value === undefined ? undefined : JSON.parse(write(value)));

export const isObject = (value) => value instanceof Map;
