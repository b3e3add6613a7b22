// The estimator on pages of rates. It reads the rates from the rows of the page or from a file, and keeps the estimate
// in the address. It stores and sends nothing. `data-book` of its section describes units, markets and columns.

import { setParameters } from "./address.js";
import { arithmetic, billedAmount, cost, count, grouped } from "./estimate-cost.js";
import { loadRates } from "./rates-file.js";

const TOLD_AFTER_MS = 700; // a screen reader reads the result once typing rests
const ROWS = "tr[data-price][id]";
const MOST = 999_999_999n;
const SEPARATOR = (1e4).toLocaleString(interfaceLanguage()).slice(2, 3); // of groups of digits: 10,000
const WHOLE = new RegExp(`^(?:\\d+|\\d{1,3}([${SEPARATOR}\\s])\\d{3}(?:\\1\\d{3})*)$`); // 1000, or in groups

const inOneLine = (text) => text.replace(/\s+/g, " ").trim();

// ---- the rates ----

// The words of a rate, without the columns that are empty: `Fjord (242-010), Outbound`.
function words(book, textOf) {
  const texts = book.columns.map((column) => ({ ...textOf(column), absent: column.absent }));
  return texts.filter(({ text, absent }) => text && text !== absent)
    .map(({ text, code }) => (code ? `${text} (${code})` : text)).join(", ");
}

// A rate has an id that stays the same in all its versions, so that an address holds when its price changes.
function fromRow(row, book) {
  const cellOf = (title) => row.querySelector(`[data-label="${CSS.escape(title)}"]`);
  const market = cellOf(book.market.title);
  const { price, currency, unit, increment: steps, sample } = row.dataset;
  return {
    id: row.id.replace(/^rate-(.*)-\d+$/, "$1"),
    group: market ? inOneLine(market.textContent) : row.closest("[aria-label]").getAttribute("aria-label"),
    market: market && row.dataset[book.market.field],
    words: words(book, ({ title, name, coded }) => {
      const cell = cellOf(title);
      return coded && row.dataset[name] ? { text: inOneLine(cell.firstChild.textContent), code: row.dataset[name] }
        : { text: inOneLine(cell.textContent) };
    }),
    price, currency, unit, steps, isSample: sample !== undefined,
  };
}

function fromFile({ length, text }, book) {
  const textOf = (row) => ({ name, coded }) => {
    const found = text(name, row);
    const [code, label] = Array.isArray(found) ? found : ["", found];
    return { text: label, code: coded ? code : "" };
  };
  return Array.from({ length }, (_, row) => ({
    id: text("id", row),
    group: text(book.market.field, row)[1],
    market: text(book.market.field, row)[0],
    words: words(book, textOf(row)),
    price: text("price", row),
    currency: text("currency", row)[0],
    unit: text("unit", row),
    steps: text("increment", row),
    isSample: text("sample", row) !== "",
  }));
}

const loaded = async (book) => (book.rows ? fromFile(await loadRates(book.rows), book)
  : [...document.querySelectorAll(ROWS)].map((row) => fromRow(row, book)));

// ---- the form ----

class Estimator {
  // `counters` are the functions by unit that calculate an amount from a text.
  constructor(place, book, counters) {
    this.place = place;
    this.book = book;
    this.counters = counters;
    this.counted = new Map(); // what a text was counted as, by unit, until the amount is edited
    this.places = new Map((place.dataset.places ?? "").split(" ").map((pair) => pair.split("=")));
    this.form = place.querySelector("form");
    this.parts = Object.fromEntries([...place.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
    for (const text of this.form.querySelectorAll("[data-counts]")) {
      if (!counters.has(text.dataset.counts)) text.remove();
    }
  }

  // Offers the rates. An address with an estimate opens it.
  start(rates) {
    this.rates = new Map(rates.map((rate) => [rate.id, rate]));
    this.groups = Map.groupBy ? Map.groupBy(rates, (rate) => rate.group)
      : rates.reduce((groups, rate) => groups.set(rate.group, [...groups.get(rate.group) ?? [], rate]), new Map());
    this.parts.group.replaceChildren(...[...this.groups.keys()].map((name) => new Option(name)));
    this.restore();
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("input", (event) => this.change(event.target));
    this.form.hidden = false;
  }

  get rate() {
    return this.rates.get(this.parts.rate.value);
  }

  amountField(key) {
    return document.getElementById(`estimate-amount-${key}`);
  }

  restore() {
    const asked = new URLSearchParams(location.search);
    const rate = this.rates.get(asked.get("rate"));
    const [first] = this.rates.values();
    this.offer((rate ?? first).group, rate);
    if (!rate) return;
    if (asked.has("times")) this.parts.times.value = asked.get("times");
    const field = this.amountField(rate.unit);
    if (field && asked.has("amount")) field.value = asked.get("amount");
    const fold = this.place.querySelector("details");
    if (fold?.matches(".dp-estimate__fold")) fold.open = true;
    this.show();
  }

  // Offers the rates of a group.
  offer(group, rate = this.groups.get(group)[0]) {
    this.parts.group.value = group;
    this.parts.rate.replaceChildren(...this.groups.get(group).map(({ id, words: label, price, currency, unit }) =>
      new Option(`${label ? `${label}: ` : ""}${price} ${currency} ${this.book.units[unit].title}`, id)));
    this.parts.rate.value = rate.id;
    this.show();
  }

  change(control) {
    if (control === this.parts.group) this.offer(control.value);
    const key = control.closest("[data-unit]")?.dataset.unit;
    if (control.matches("textarea")) this.countText(key, control.value);
    else if (key) this.counted.delete(key);
    this.show();
    this.tell();
    setParameters({
      rate: this.rate.id,
      times: this.parts.times.value.trim(),
      amount: this.amountField(this.rate.unit)?.value.trim(),
    });
  }

  // Puts the amount of a text into its field; what is wrong with the text takes the place of the result.
  countText(key, text) {
    this.counted.delete(key);
    if (!text) return;
    try {
      const { amount, facts = [] } = this.counters.get(key)(text);
      this.counted.set(key, { facts });
      this.amountField(key).value = String(amount);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.counted.set(key, { error });
    }
  }

  // The amount of each use, with facts about it. Throws a RangeError if there is none.
  amount(key, steps) {
    const unit = this.book.units[key];
    if (!unit.amount) return { amount: 1n, facts: [] };
    const { error, facts = [] } = this.counted.get(key) ?? {};
    if (error) throw error;
    const amount = this.number(this.amountField(key));
    return unit.per ? { amount, facts: [[gettext("Billed"), `${count(billedAmount(amount, steps), unit.amount)} (${steps})`]] }
      : { amount, facts };
  }

  number(field) {
    const text = field.value.trim();
    const isWhole = WHOLE.test(text);
    const amount = isWhole ? BigInt(text.replace(/\D/g, "")) : 0n;
    const isTaken = isWhole && amount <= MOST;
    field.setAttribute("aria-invalid", String(!isTaken));
    if (!isTaken) {
      field.setAttribute("aria-describedby", "estimate-wrong");
      const label = field.labels[0].textContent.trim();
      throw new RangeError(isWhole
        ? gettext("%(label)s: enter at most %(most)s.", { label, most: MOST.toLocaleString(interfaceLanguage()) })
        : gettext("%(label)s: enter a whole number, such as 10.", { label }));
    }
    field.removeAttribute("aria-describedby");
    return amount;
  }

  show() {
    const { price, currency, unit: key, steps } = this.rate;
    const unit = this.book.units[key];
    for (const field of this.form.querySelectorAll("[data-unit]")) field.hidden = field.dataset.unit !== key;
    this.parts.timesLabel.textContent = unit.uses;
    try {
      const { amount, facts } = this.amount(key, steps);
      const leastPlaces = Number(this.places.get(currency) ?? 2);
      this.showResult({ price, currency, unit, steps, amount, times: this.number(this.parts.times), leastPlaces }, facts);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.refuse(error.message);
    }
  }

  showResult(use, facts) {
    const { numbers, sum, sample, wrong } = this.parts;
    const { text, isExact } = cost(use);
    const total = `${isExact ? "" : "≈ "}${grouped(text)} ${use.currency}`;
    wrong.hidden = true;
    numbers.replaceChildren(...[[use.unit.total, total], ...facts].map(fact));
    sum.textContent = arithmetic(use);
    sample.hidden = !this.rate.isSample;
    const parts = [`${use.unit.total} ${total}`, ...facts.map((pair) => pair.join(" ")), sample.hidden ? "" : gettext("Sample data")];
    this.told = parts.filter(Boolean).join(". ");
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
      const module = await import(new URL(counter, document.baseURI));
      if (module.count) found.set(key, module.count);
    } catch {
      // Without it the reader enters the amount.
    }
  }
  return found;
}

async function start() {
  const place = document.querySelector(".dp-estimate:not([data-started])");
  if (!place) return;
  place.dataset.started = "";
  const book = JSON.parse(place.dataset.book);
  const estimator = new Estimator(place, book, await countersOf(book.units));
  const fold = place.querySelector(".dp-estimate__fold");
  const begin = async () => estimator.start(await loaded(book));
  fold?.querySelector("summary").addEventListener("click", () => {
    fold.addEventListener("toggle", () => estimator.form.scrollIntoView({ block: "nearest" }), { once: true });
  });
  // A file of rates is loaded when a reader opens the estimator, or an address asks for an estimate.
  if (book.rows && fold && !fold.open && !new URLSearchParams(location.search).has("rate")) {
    fold.addEventListener("toggle", begin, { once: true });
  } else await begin();
}

if (window.document$) window.document$.subscribe(start);
else start();
