// The estimator on pages of rates. It reads the rows of the page, keeps nothing and sends nothing.

import { arithmetic, billedSeconds, cost, count, grouped } from "./estimate-cost.js";

const TOLD_AFTER_MS = 700; // whoever hears the result wants it once, when typing rests
const READ_AFTER_MS = 150; // a filter hides many rows, one after the other
const TIMES = { segment: "Messages", message: "Messages", minute: "Calls", month: "Numbers" };
const AMOUNTS = { segment: "segments", minute: "seconds", month: "months" };
const ROWS = "tr[data-price][id]";
const NAMED_BY = ["Network or prefix", "Number type", "Direction"]; // the cells that tell a rate from others
const EVERY_TYPE = "any";
const MOST = 999_999_999n;
const WHOLE = /^(?:\d+|\d{1,3}([,\s])\d{3}(?:\1\d{3})*)$/; // 1000, or in groups: 1,000 and 1 000

// The text of a cell, by the title of its column.
function cell(row, title) {
  return row.querySelector(`[data-label="${title}"]`)?.textContent.replace(/\s+/g, " ").trim() ?? "";
}

function option(row) {
  const { price, currency, unit } = row.dataset;
  const made = document.createElement("option");
  made.value = row.id;
  const words = NAMED_BY.map((title) => cell(row, title)).filter((text) => text && text !== EVERY_TYPE);
  made.textContent = `${words.join(", ")}: ${price} ${currency} per ${unit}`;
  return made;
}

// What a rate is listed under: its country, or its table where a table is of one country.
function groupOf(row) {
  return cell(row, "Country") || row.closest("[aria-label]")?.getAttribute("aria-label") || row.dataset.country;
}

function inGroups(rows) {
  const groups = new Map();
  for (const row of rows) {
    const name = groupOf(row);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(option(row));
  }
  return [...groups].map(([name, options]) => {
    const group = document.createElement("optgroup");
    group.label = name;
    group.append(...options);
    return group;
  });
}

class Estimator {
  // `counter` is the module that counts segments; without one, their number is asked for.
  constructor(place, counter) {
    this.counter = counter;
    place.querySelector(counter ? ".dp-estimate__segments" : ".dp-estimate__text")?.remove();
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
    rate.replaceChildren(...inGroups(rows));
    if (rows.some((row) => row.id === chosen)) rate.value = chosen;
    this.show();
  }

  get row() {
    return document.getElementById(this.parts.rate.value);
  }

  // What one message, call or number has, with what is said of it. Throws a RangeError for what is no number.
  amount(unit, increment) {
    if (unit === "message") return { amount: 1n, facts: [] };
    if (unit === "segment" && this.parts.text) {
      const { encoding, segments } = this.counter.segment(this.parts.text.value);
      if (segments.length === 0) throw new RangeError("Write a text, and its segments are counted.");
      this.refuseMore(segments.length);
      const facts = encoding ? [["Encoding", encoding]] : [];
      return { amount: BigInt(segments.length), facts: [...facts, ["Segments", segments.length.toLocaleString("en-GB")]] };
    }
    const amount = this.number(AMOUNTS[unit]);
    if (unit !== "minute") return { amount, facts: [] };
    const billed = count(billedSeconds(amount, increment), "second");
    return { amount, facts: [["Billed", `${billed} (${increment})`]] };
  }

  // A message that the API refuses has no price.
  refuseMore(segments) {
    const most = this.counter.MOST_SEGMENTS;
    if (segments > most)
      throw new RangeError(`The API refuses this text: it takes ${segments.toLocaleString("en-GB")} segments, and ${most} is the most.`);
  }

  number(name) {
    const field = this.parts[name];
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
      this.refuse("No rate is shown: choose a country or loosen the filter.");
      this.parts.group.textContent = "";
      return;
    }
    const terms = this.row.dataset;
    this.parts.group.textContent = this.parts.rate.selectedOptions[0].parentElement.label;
    for (const field of this.form.querySelectorAll("[data-unit]")) field.hidden = field.dataset.unit !== terms.unit;
    this.parts.timesLabel.textContent = TIMES[terms.unit];
    try {
      const { price, currency, unit, increment } = terms;
      const { amount, facts } = this.amount(unit, increment);
      const leastPlaces = Number(this.places.get(currency) ?? 2);
      const use = { price, currency, unit, increment, amount, times: this.number("times"), leastPlaces };
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

// The module that counts segments, where the site names one and it loads.
async function counterOf(place) {
  const { counter } = place.dataset;
  if (!counter) return undefined;
  try {
    const loaded = await import(new URL(counter, document.baseURI));
    return loaded.segment ? loaded : undefined;
  } catch {
    return undefined;
  }
}

async function start() {
  const place = document.querySelector(".dp-estimate:not([data-started])");
  if (!place) return;
  place.dataset.started = "";
  new Estimator(place, await counterOf(place));
}

if (window.document$) window.document$.subscribe(start);
else start();
