// The search dialog. The index and what finds in it are loaded when somebody is about to search.

const KINDS = {
  best: gettext("Best matches"),
  operation: gettext("Reference: operations"),
  event: gettext("Reference: events"),
  field: gettext("Reference: fields"),
  response: gettext("Reference: responses"),
  schema: gettext("Reference: schemas"),
  error: gettext("Reference: errors"),
  access: gettext("Reference: authentication"),
  term: gettext("Manual"),
  group: gettext("Reference: groups"),
  page: gettext("Pages"),
  near: gettext("Did you mean"),
  area: gettext("Areas"),
};
const BADGES = {
  FIELD: gettext("FIELD"),
  SCHEMA: gettext("SCHEMA"),
  ACCESS: gettext("ACCESS"),
  TERM: gettext("TERM"),
  GROUP: gettext("GROUP"),
  PAGE: gettext("PAGE"),
};
const FIRST = 6; // results of the best kind shown at once
const OTHERS = 4;

const root = new URL("../../", import.meta.url);
const dialog = document.querySelector(".dp-find");
const opener = document.querySelector(".dp-search");
const input = dialog.querySelector("input");
const list = dialog.querySelector("[role=listbox]");
const status = dialog.querySelector("[role=status]");
const hint = status.textContent;
const TEXT = { dir: "auto", lang: document.documentElement.lang }; // of others, beside words of ours
const isolated = (text) => `\u2068${text}\u2069`;
const OPTION = { role: "option", class: "dp-find__hit", tabindex: -1, "aria-selected": false };

// Where links to the areas of a site are; a site with one area has those of its pages.
const AREAS = [".md-tabs__link", ".dp-side__top a", ".dp-areas a"];

let loaded;
let details; // what only descriptions, values and examples say
let active = -1;
let apiName = () => ""; // of an address, if there are several APIs
const opened = new Set(); // kinds of which all results are shown

async function fetchData(name) {
  const response = await fetch(new URL(`search/search_${name}.json`, root));
  if (!response.ok) throw new Error(response.status);
  return response.json();
}

async function fetched() {
  const [{ read, matches }, data] = await Promise.all([import("./matching.js"), fetchData("index")]);
  const index = read(data);
  if (data.apis) apiName = (await import("./apis.js")).facet(data.apis, index, update);
  return async (query) => {
    const found = matches(index, query);
    if (found.isSure) return found;
    if (data.details) details ??= fetchData("details").then(read);
    const whole = await details?.catch(() => (details = undefined)); // The next key tries again.
    const detailed = whole && matches({ ...whole, ...index.partOf?.(whole) }, query);
    for (const all of [detailed, found]) if (all?.isComplete) return all;
    const { find } = await import("./find.js");
    return find(index, query, AREAS.map((place) => document.querySelectorAll(place)).find(({ length }) => length));
  };
}

function load() {
  loaded ??= fetched();
  loaded.catch(() => (loaded = undefined)); // The next key tries again.
  return loaded;
}

function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// A text with the words looked for marked.
function marked(text, words) {
  const parts = text.split(new RegExp(`((?:${words.join("|")})s?)`, "iu"));
  return parts.map((part, number) => (number % 2 && part.length > 1 ? make("mark", {}, part) : part));
}

function badge(text) {
  return text ? [make("span", { class: `dp-badge dp-badge--${text.toLowerCase()}` }, BADGES[text] ?? text)] : [];
}

function option(result, words) {
  const isCode = /field|schema|term/.test(result.kind);
  const code = /operation|event/.test(result.kind) ? result.code.replace(/^[A-Z]+ /, "") : "";
  const title = make(isCode ? "code" : "span", { class: "dp-find__title", ...TEXT }, ...marked(result.title, words));
  const where = make(code ? "code" : "span", { class: "dp-find__where", ...TEXT }, ...marked(code || result.where || "", words));
  return make(
    "a",
    { ...OPTION, href: new URL(result.address, root) },
    ...badge(result.badge),
    make("span", { class: "dp-find__text" }, title, apiName(result.address), where),
  );
}

function group({ kind, results }, number, words) {
  const shown = opened.has(kind) || kind === "area" ? results : results.slice(0, number ? OTHERS : FIRST);
  const label = make("div", { class: "dp-find__kind", id: `dp-find-${kind}` }, KINDS[kind]);
  const options = shown.map((result) => option(result, words));
  if (shown.length < results.length) {
    options.push(make("button", { ...OPTION, type: "button", value: kind }, gettext("Show %(count)s more", { count: results.length - shown.length })));
  }
  return make("div", { role: "group", "aria-labelledby": label.id }, label, ...options);
}

function say(text, isFailure = false) {
  status.textContent = text;
  status.classList.toggle("dp-find__status--failure", isFailure);
}

function show({ words, groups, corrected, instead = groups }, query) {
  list.replaceChildren(...instead.map((section, number) => group(section, number, words)));
  list.hidden = !instead.length;
  input.setAttribute("aria-expanded", !list.hidden);
  [...list.querySelectorAll("[role=option]")].forEach((hit, number) => {
    hit.id = `dp-find-hit-${number}`;
  });
  const count = groups.reduce((sum, section) => sum + section.results.length, 0);
  if (!query.trim()) say(hint);
  else if (!count) say(gettext("Nothing found for “%(query)s”. Try fewer or other words.", { query: isolated(query.trim()) }));
  else if (!corrected) say(ngettext("%(number)s result", "%(number)s results", count));
  else say(ngettext("%(number)s result for “%(query)s”", "%(number)s results for “%(query)s”", count, { query: isolated(corrected) }));
  choose(0);
}

async function update() {
  const query = input.value;
  try {
    const find = await load();
    const found = await find(query);
    if (query === input.value) show(found, query);
  } catch {
    show({ words: [], groups: [] }, "");
    say(gettext("Search could not be loaded. Type to try again."), true);
  }
}

function choose(number) {
  const options = list.querySelectorAll("[role=option]");
  options[active]?.setAttribute("aria-selected", false);
  active = options.length ? (number + options.length) % options.length : -1;
  const chosen = options[active];
  if (chosen) {
    chosen.setAttribute("aria-selected", true);
    chosen.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", chosen.id);
  } else input.removeAttribute("aria-activedescendant");
}

function open(query = "") {
  if (dialog.open) return;
  if (query) input.value = query;
  dialog.showModal();
  input.select();
  if (!loaded) say(gettext("Loading…"));
  update();
}

function follow(event) {
  const chosen = list.querySelectorAll("[role=option]")[active];
  const { ctrlKey, metaKey, shiftKey } = event;
  chosen?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}

const KEYS = {
  ArrowDown: () => choose(active + 1),
  ArrowUp: () => choose(active - 1),
  Enter: follow,
};

if (opener) {
  opener.addEventListener("click", () => open());
  for (const soon of ["pointerenter", "focus"]) opener.addEventListener(soon, () => load().catch(() => {}), { once: true });
}
dialog.querySelector(".dp-find__close").addEventListener("click", () => dialog.close());
input.addEventListener("input", () => {
  opened.clear();
  update();
});
input.addEventListener("keydown", (event) => {
  if (event.isComposing || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key](event);
});
dialog.addEventListener("click", (event) => {
  const chosen = event.target.closest("[role=option]");
  if (event.target === dialog) dialog.close(); // beside it
  else if (chosen?.value) {
    const at = [...list.querySelectorAll("[role=option]")].indexOf(chosen);
    opened.add(chosen.value);
    input.focus();
    update().then(() => choose(at));
  } else if (chosen?.search) { // a word to look for
    event.preventDefault();
    input.value = chosen.textContent;
    input.focus();
    update();
  } else if (chosen && !event.ctrlKey && !event.metaKey && !event.shiftKey) dialog.close();
});
document.addEventListener("keydown", (event) => {
  const isTyped = event.target.closest?.("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]");
  const isSlash = event.key === "/" && !isTyped && !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!isSlash && !(event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey))) return;
  event.preventDefault();
  open();
});

const query = new URLSearchParams(location.search).get("q");
if (query) open(query);
