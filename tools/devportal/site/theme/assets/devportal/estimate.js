// The estimator on pages of rates. It reads the rows of the page, keeps nothing and sends nothing. What it has to know
// of units, markets and columns is in `data-book` of its section.

import { arithmetic, billedAmount, cost, count, grouped } from "./estimate-cost.js";

const TOLD_AFTER_MS = 700; // whoever hears the result wants it once, when typing rests
const READ_AFTER_MS = 150; // a filter hides many rows, one after the other
const ROWS = "tr[data-price][id]";
const MOST = 999_999_999n;
const WHOLE = /^(?:\d+|\d{1,3}([,\s])\d{3}(?:\1\d{3})*)$/; // 1000, or in groups: 1,000 and 1 000

// The text of a cell, by the title of its column.
function cell(row, title) {
  return row.querySelector(`[data-label="${CSS.escape(title)}"]`)?.textContent.replace(/\s+/g, " ").trim() ?? "";
}

function option(row, book) {
  const { price, currency, unit } = row.dataset;
  const made = document.createElement("option");
  made.value = row.id;
  const words = book.columns.map(({ title, absent }) => ({ text: cell(row, title), absent }))
    .filter(({ text, absent }) => text && text !== absent).map(({ text }) => text);
  made.textContent = `${words.join(", ")}: ${price} ${currency} ${book.units[unit].title}`;
  return made;
}

// What a rate is listed under: its market, or its table where a table is of one market.
function groupOf(row, { market }) {
  return cell(row, market.title) || row.closest("[aria-label]")?.getAttribute("aria-label") || row.dataset[market.field];
}

function inGroups(rows, book) {
  const groups = new Map();
  for (const row of rows) {
    const name = groupOf(row, book);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(option(row, book));
  }
  return [...groups].map(([name, options]) => {
    const group = document.createElement("optgroup");
    group.label = name;
    group.append(...options);
    return group;
  });
}

class Estimator {
  // `counters` are modules by unit that work an amount out from a text; without one, the amount is asked for.
  constructor(place, book, counters) {
    this.book = book;
    this.counters = counters;
    for (const unit of Object.keys(book.units)) {
      place.querySelector(counters.has(unit) ? `[data-asks="${unit}"]` : `[data-counts="${unit}"]`)?.remove();
    }
    this.places = new Map((place.dataset.places ?? "").split(" ").map((one) => one.split("=")));
    this.form = place.querySelector("form");
    this.parts = Object.fromEntries([...place.querySelectorAll("[data-part]")].map((one) => [one.dataset.part, one]));
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("input", () => { this.show(); this.tell(); });
    this.form.hidden = false;
    this.read();
    this.follow();
  }

  // Reads the rows again when a filter has hidden or shown some.
  follow() {
    const later = () => { clearTimeout(this.reading); this.reading = setTimeout(() => this.read(), READ_AFTER_MS); };
    const watcher = new MutationObserver(later);
    for (const table of document.querySelectorAll(".dp-catalog"))
      watcher.observe(table, { subtree: true, childList: true, attributeFilter: ["hidden"] });
  }

  read() {
    const rows = [...document.querySelectorAll(ROWS)].filter((row) => !row.closest("[hidden]"));
    const names = rows.map((row) => row.id).join(" ");
    if (names === this.names) return;
    const { rate } = this.parts;
    const chosen = rate.value;
    this.names = names;
    rate.replaceChildren(...inGroups(rows, this.book));
    if (rows.some((row) => row.id === chosen)) rate.value = chosen;
    this.show();
  }

  get row() {
    return document.getElementById(this.parts.rate.value);
  }

  // What each of what is priced has, with what is said of it. Throws a RangeError for what is no number.
  amount(key, steps) {
    const unit = this.book.units[key];
    if (!unit.amount) return { amount: 1n, facts: [] };
    if (this.counters.has(key)) {
      const text = this.form.querySelector(`[data-counts="${key}"] textarea`).value;
      const { amount, facts = [] } = this.counters.get(key)(text);
      return { amount: BigInt(amount), facts };
    }
    const amount = this.number(this.form.querySelector(`[data-asks="${key}"] input`));
    if (!unit.per) return { amount, facts: [] };
    return { amount, facts: [["Billed", `${count(billedAmount(amount, steps), unit.amount)} (${steps})`]] };
  }

  number(field) {
    const text = field.value.trim();
    const isWhole = WHOLE.test(text);
    const amount = isWhole ? BigInt(text.replace(/\D/g, "")) : 0n;
    const isTaken = isWhole && amount <= MOST;
    field.setAttribute("aria-invalid", String(!isTaken));
    if (!isTaken) {
      field.setAttribute("aria-describedby", "estimate-wrong");
      const mend = isWhole ? `at most ${MOST.toLocaleString("en-GB")}.` : "write a whole number, such as 10.";
      throw new RangeError(`${field.labels[0].textContent.trim()}: ${mend}`);
    }
    field.removeAttribute("aria-describedby");
    return amount;
  }

  show() {
    if (!this.row) {
      this.refuse(`No rate is shown: choose a ${this.book.market.noun} or loosen the filter.`);
      this.parts.group.textContent = "";
      return;
    }
    const terms = this.row.dataset;
    this.parts.group.textContent = this.parts.rate.selectedOptions[0].parentElement.label;
    for (const field of this.form.querySelectorAll("[data-unit]")) field.hidden = field.dataset.unit !== terms.unit;
    this.parts.timesLabel.textContent = this.book.units[terms.unit].uses;
    try {
      const { price, currency, unit: key, increment: steps } = terms;
      const unit = this.book.units[key];
      const { amount, facts } = this.amount(key, steps);
      const leastPlaces = Number(this.places.get(currency) ?? 2);
      const use = { price, currency, unit, steps, amount, times: this.number(this.parts.times), leastPlaces };
      this.showResult(use, facts);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.refuse(error.message);
    }
  }

  showResult(use, facts) {
    const { numbers, sum, sample, wrong } = this.parts;
    const { text, isExact } = cost(use);
    const isSample = this.row.querySelector(".dp-badge--beta")?.textContent.trim() === "Sample";
    const total = `${isExact ? "" : "≈ "}${grouped(text)} ${use.currency}`;
    wrong.hidden = true;
    numbers.replaceChildren(...[...facts, ["Estimate", total]].map(fact));
    sum.textContent = arithmetic(use);
    sample.hidden = !isSample;
    const said = [...facts.map((one) => one.join(" ")), sum.textContent, isSample ? "Sample data" : ""];
    this.told = said.filter(Boolean).join(". ");
  }

  refuse(message) {
    const { numbers, sum, sample, wrong } = this.parts;
    numbers.replaceChildren();
    sum.textContent = "";
    sample.hidden = true;
    wrong.hidden = false;
    wrong.textContent = message;
    this.told = message;
  }

  // Has the result read aloud, once typing rests.
  tell() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.parts.told.value = this.told; }, TOLD_AFTER_MS);
  }
}

function fact([name, value]) {
  const [row, term, description] = ["div", "dt", "dd"].map((tag) => document.createElement(tag));
  term.textContent = name;
  description.textContent = value;
  row.append(term, description);
  return row;
}

// The functions `count(text)` by unit, of the modules that the page names and that load.
async function countersOf(units) {
  const found = new Map();
  for (const [key, { counter }] of Object.entries(units)) {
    if (!counter) continue;
    try {
      const loaded = await import(new URL(counter, document.baseURI));
      if (loaded.count) found.set(key, loaded.count);
    } catch {
      // Without it the amount is asked for.
    }
  }
  return found;
}

async function start() {
  const place = document.querySelector(".dp-estimate:not([data-started])");
  if (!place) return;
  place.dataset.started = "";
  const book = JSON.parse(place.dataset.book);
  new Estimator(place, book, await countersOf(book.units));
}

if (window.document$) window.document$.subscribe(start);
else start();
