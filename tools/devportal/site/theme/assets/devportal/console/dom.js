// Elements: everything that comes from a contract or a server is put in as text.

// `el("p.note", { id: "a" }, "Text")`; a property that is a function listens, one that is undefined is left
// out.
export function el(name, properties = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.map((className) => `dpc-${className}`).join(" ");
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (typeof value === "boolean" || key === "value" || key === "textContent") element[key] = value;
    else if (value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child || child === 0));
  return element;
}

// The properties of an element with text of the contract, whose language is that of the page's title.
export function inLanguage(properties) {
  return { ...properties, dir: "auto", lang: document.querySelector("h1")?.lang || document.documentElement.lang };
}

// A part of a form, under its title.
export const section = (words, ...children) => el("section.part", {}, el("h3.title", {}, words), ...children);

let last = 0;
export const fresh = () => `dpc-${(last += 1)}`;

export const button = (text, click, properties = {}) =>
  el("button", { type: "button", click, ...properties }, text);
export const choices = (options, chosen, change, properties = {}) =>
  el(
    "select",
    { change: ({ target }) => change(target.value), ...properties },
    ...options.map(([value, label]) => el("option", { value, selected: value === chosen }, label ?? value)),
  );

// Radio buttons that look like tabs: the keyboard moves through them as through any.
export function tabs(legend, options, chosen, change) {
  const name = fresh();
  return el(
    "fieldset.tabs",
    {},
    el("legend.hidden", {}, legend),
    ...options.flatMap(([value, label]) => {
      const id = fresh();
      return [
        el("input", {
          type: "radio",
          name,
          id,
          value,
          checked: value === chosen,
          change: () => change(value),
        }),
        el("label", { for: id }, label),
      ];
    }),
  );
}

const BRIEF = 90;
const LITTLE = 30; // so much more is no reason to hide it

// What is said of a field: its beginning, and all of it when somebody asks. The element that says it has the
// `id`.
export function hint(id, words, name) {
  const [first] = words.split("\n");
  const isShort = first.length <= BRIEF + LITTLE;
  if (isShort && first === words) return el("p.hint", inLanguage({ id }), words);
  const brief = isShort ? first : `${first.slice(0, BRIEF + 1).replace(/[\s,;:.]*\s\S*$/, "")}…`;
  const text = el("span", inLanguage({ id }), brief);
  const turn = () => {
    const isWhole = text.textContent === words;
    text.textContent = isWhole ? brief : words;
    say(!isWhole);
  };
  const more = button(gettext("More"), turn);
  const say = (isWhole) => {
    more.textContent = isWhole ? gettext("Less") : gettext("More");
    more.setAttribute(
      "aria-label",
      isWhole ? gettext("Less about %(name)s", { name }) : gettext("More about %(name)s", { name }),
    );
    more.setAttribute("aria-expanded", `${isWhole}`);
  };
  say(false);
  return el("p.hint", {}, text, " ", more);
}

// Says what is wrong in the place for it, or nothing: what describes a field is read also where it is hidden
// (accname 1.2, 2A).
export function showFault(place, words = "") {
  place.textContent = words;
  place.hidden = !words;
}

// What is made when it is opened.
export function folded(words, make) {
  const details = el("details.fold", {}, el("summary", {}, words));
  details.addEventListener(
    "toggle",
    () => {
      if (details.open && details.childElementCount === 1) details.append(...make());
    },
    { once: true },
  );
  return details;
}

// A quote after a backslash begins nothing: a text without an end is looked through once, not from each quote
// in it.
const WORD =
  /((?<!\\)"(?:[^"\\\n]|\\.)*"(?=\s*:))|((?<!\\)"(?:[^"\\\n]|\\.)*"|(?<!\\)'(?:[^'\\\n]|\\.)*'|`[^`]*`)|((?<![\w./:-])\d[\d.]*\b|\b(?:true|false|null|None|True|False)\b)|((?<![:\w])(?:\/\/|#).*$)/gm;
const KINDS = [, "f", "s", "n", "c"];
const MOST = 4000;

// Code with its names, texts and numbers in colours, as far as it is not too much.
export function coloured(text) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(WORD)) {
    if (parts.length > MOST) break;
    const kind = KINDS[found.findIndex((group, at) => at && group !== undefined)];
    parts.push(text.slice(end, found.index), el("span", { "data-kind": kind }, found[0]));
    end = found.index + found[0].length;
  }
  return [...parts, text.slice(end)];
}
