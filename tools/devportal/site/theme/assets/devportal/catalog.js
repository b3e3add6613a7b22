// Filters the rates of a product, and keeps the filter in the address. Without this script each choice is a page.
// The rates are rows of the table. If there are too many, they come from a file when a filter is first used.
// `data-market` on the form names the search for markets. `data-within` is on filters whose values each belong to a
// market, and names the column of the table with their words.

import { setParameters, showAddress } from "./address.js";
import { MarketNames, fits } from "./market-names.js";
import { loadRates } from "./rates-file.js";

const FIRST = 50; // rows of the file that are shown at first
const MORE = 200; // and with each "Show more"
const MANY_WITHIN = 400; // values that belong to a market: more are offered by market only

const alphabet = new Intl.Collator(interfaceLanguage());
const withoutCount = (text) => text.replace(/ ?[(（][^()\p{L}]+[)）]$/u, "");
const written = (count) => count.toLocaleString(interfaceLanguage());

// A column of values: `values` and `words` are each different one, `places` is for each rate which, or -1;
// `ordered` are the places of the values in the order of their words, `ranks` is the way back.
function column(length, valueOf, wordsOf) {
  const known = new Map();
  const index = { values: [], words: [], places: new Int32Array(length) };
  for (let row = 0; row < length; row += 1) {
    const value = valueOf(row);
    if (value && !known.has(value)) {
      known.set(value, index.values.length);
      index.values.push(value);
      index.words.push(wordsOf(row));
    }
    index.places[row] = value ? known.get(value) : -1;
  }
  index.ordered = index.words.map((_, place) => place)
    .sort((place, other) => alphabet.compare(index.words[place], index.words[other]));
  index.ranks = new Int32Array(index.ordered.length);
  for (const [rank, place] of index.ordered.entries()) index.ranks[place] = rank;
  return index;
}

// The filters of the form. A value that belongs to a market is given up with it.
function facetsOf(form) {
  const controls = [...form.querySelectorAll("input, select")].filter((control) => control.name !== "order");
  const names = controls.map((control) => control.name);
  const within = new Map(controls.filter((control) => control.dataset.within).map((control) => [control.name, control.dataset.within]));
  const market = form.dataset.market;
  const bit = Object.fromEntries(names.map((name, facet) => [name, 1 << facet]));
  const inside = [...within.keys()].reduce((bits, name) => bits | bit[name], 0);
  const free = names.map((name) => (name === market ? bit[market] | inside : bit[name]));
  return { names, within, market, noun: form.dataset.marketNoun, free };
}

function fromTable(table, form, facets) {
  const rows = [...table.tBodies[0].rows];
  const optionText = (name, value) => {
    const option = [...form.elements[name]?.options ?? []].find((item) => item.value === value);
    return option ? withoutCount(option.textContent) : value;
  };
  const words = (name, row) => {
    if (name === facets.market) return rows[row].querySelector("a").textContent;
    if (!facets.within.has(name)) return optionText(name, rows[row].dataset[name]);
    const cell = rows[row].querySelector(`[data-label="${CSS.escape(facets.within.get(name))}"]`);
    return `${cell.firstChild.textContent.trim()} (${rows[row].dataset[name]})`;
  };
  const columns = Object.fromEntries([...facets.names, "currency"].map((name) =>
    [name, column(rows.length, (row) => rows[row].dataset[name], (row) => words(name, row))]));
  const price = (row) => rows[row].querySelector(".dp-catalog-number").firstChild.textContent.trim();
  return { length: rows.length, columns, price, rows };
}

function fromFile({ length, text }, facets) {
  const words = (name, row) => {
    const [value, label] = text(name, row);
    return facets.within.has(name) ? `${label} (${value})` : label;
  };
  const columns = Object.fromEntries([...facets.names, "currency"].map((name) =>
    [name, column(length, (row) => text(name, row)[0], (row) => words(name, row))]));
  return { length, columns, price: (row) => text("price", row), text };
}

// ---- what fits ----

// The places of the values that a choice accepts; null if nothing is chosen. A text may fit several markets.
function accepted({ columns }, { market }, name, chosen) {
  const { values, words } = columns[name];
  if (chosen[name]) return new Set(values.flatMap((value, place) => (value === chosen[name] ? [place] : [])));
  if (name !== market || !chosen.find) return null;
  return new Set(values.flatMap((code, place) => (fits(chosen.find, code, words[place]) ? [place] : [])));
}

// The rates that fit, and for each value of a filter how many would fit with it and with the other filters.
function fitting(data, facets, chosen) {
  const { names, free } = facets;
  const wanted = names.map((name) => accepted(data, facets, name, chosen));
  const places = names.map((name) => data.columns[name].places);
  const counts = names.map((name) => new Int32Array(data.columns[name].values.length));
  const found = [];
  for (let row = 0; row < data.length; row += 1) {
    let missed = 0; // a bit for each filter that the rate does not fit
    for (let facet = 0; facet < names.length; facet += 1) {
      if (wanted[facet] && !wanted[facet].has(places[facet][row])) missed |= 1 << facet;
    }
    if (!missed) found.push(row);
    for (let facet = 0; facet < names.length; facet += 1) {
      if (!(missed & ~free[facet]) && places[facet][row] >= 0) counts[facet][places[facet][row]] += 1;
    }
  }
  return { found, counts: Object.fromEntries(names.map((name, facet) => [name, counts[facet]])) };
}

// Prices of different currencies are not compared: rates stand by currency, and by price within it.
function inOrder(data, found, order) {
  if (!order) return found;
  const sign = order === "cheapest" ? 1 : -1;
  const { ranks, places } = data.columns.currency;
  const prices = new Float64Array(data.length);
  for (const row of found) prices[row] = Number(data.price(row));
  return [...found].sort((row, other) =>
    ranks[places[row]] - ranks[places[other]] || sign * (prices[row] - prices[other]) || row - other);
}

// ---- the controls ----

function choice(value, words, count, isChosen) {
  const option = new Option(`${words} (${written(count)})`, value, false, isChosen);
  option.disabled = !count && !isChosen;
  return option;
}

function offer(select, data, facets, counts, chosen) {
  const name = select.name;
  const isWithin = facets.within.has(name);
  const { values, words, ordered } = data.columns[name];
  const every = select.options[0];
  const shown = isWithin ? placesIn(data, facets, name, chosen) : null;
  const isTooMany = isWithin && !chosen[facets.market] && values.length > MANY_WITHIN;
  every.textContent = isTooMany
    ? gettext("%(noun)s first", { noun: `${facets.noun[0].toUpperCase()}${facets.noun.slice(1)}` }) : select.dataset.every;
  select.disabled = isTooMany && !chosen[name];
  const options = ordered
    .filter((place) => values[place] === chosen[name] || (!isTooMany && (!shown || shown.has(place))))
    .map((place) => choice(values[place], words[place], counts[place], values[place] === chosen[name]));
  select.replaceChildren(every, ...options);
  select.value = chosen[name];
}

// The values of a filter that rates of the chosen markets have; null if none is chosen.
function placesIn(data, facets, name, chosen) {
  const wanted = accepted(data, facets, facets.market, chosen);
  if (!wanted) return null;
  const { places } = data.columns[facets.market];
  const inside = data.columns[name].places;
  const found = new Set();
  for (let row = 0; row < data.length; row += 1) if (wanted.has(places[row])) found.add(inside[row]);
  return found;
}

// The lowest and the highest price of each currency: `0.1000 to 0.1100 EUR`.
function priceSpans(data, found) {
  const { values, places } = data.columns.currency;
  const spans = new Map();
  for (const row of found) {
    const price = data.price(row);
    const [low, high] = spans.get(values[places[row]]) ?? [price, price];
    spans.set(values[places[row]],
      [Number(price) < Number(low) ? price : low, Number(price) > Number(high) ? price : high]);
  }
  return [...spans].sort().map(([currency, [low, high]]) =>
    (low === high ? `${low} ${currency}` : gettext("%(low)s to %(high)s %(currency)s", { low, high, currency })));
}

// ---- one filter ----

// Shows what was held back for the filter of an address, once the rows that do not fit are hidden.
function reveal() {
  requestAnimationFrame(() => requestAnimationFrame(() => document.documentElement.classList.remove("dp-filtering")));
}

class Filter {
  constructor(form) {
    const below = form.parentElement;
    this.form = form;
    this.facets = facetsOf(form);
    this.names = [...this.facets.names, "order", "find"];
    this.status = below.querySelector("[data-filter-status]");
    this.all = below.querySelector("[data-filter-all]");
    this.found = below.querySelector("[data-filter-found]");
    this.next = below.querySelector("[data-filter-next]");
    this.search = form.elements[form.dataset.market];
    this.unpriced = JSON.parse(form.dataset.unpriced);
    this.unfiltered = this.status.textContent;
    this.data = form.dataset.rows ? null : fromTable(this.all.querySelector("table"), form, this.facets);
    this.shown = 0;
    this.turn = 0; // of the choices: one that waits for the file gives way to a later one
    this.selects = [...form.querySelectorAll("select")];
    for (const select of this.selects) select.dataset.every = select.options[0].textContent;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", (event) => this.choose(event.target));
    form.addEventListener("focusout", ({ target }) => {
      this.last = null;
      if (target === this.search && this.markets) this.nameMarket(this.typed);
    });
    form.addEventListener("focusin", () => this.load().catch(() => {}), { once: true });
    form.querySelector("button").addEventListener("click", () => this.clear());
    this.found?.querySelector(".dp-filter__more button").addEventListener("click", () => this.showMore());
    addEventListener("popstate", () => {
      this.last = null;
      if (form.isConnected) this.restore();
    });
    addEventListener("beforeprint", () => this.showMore(this.ordered?.length));
    this.restore().finally(reveal);
  }

  async load() {
    this.data ??= fromFile(await loadRates(this.form.dataset.rows), this.facets);
    if (this.markets) return;
    const { values, words, ordered } = this.data.columns[this.facets.market];
    const others = Object.entries(this.unpriced).map(([code, { name }]) => [code, name]);
    const pairs = [...values.map((code, place) => [code, words[place]]), ...others];
    this.markets = new MarketNames(pairs, { areCountries: this.facets.market === "country" });
    this.search.list.replaceChildren(...ordered.map((place) => new Option(words[place]))); // offered while typing
  }

  // Whether the rates are there, and no later choice was made while they were loaded.
  async ready() {
    const turn = this.turn += 1;
    if (this.markets) return true;
    if (!this.data) this.status.textContent = gettext("Loading the rates…");
    const isLoaded = await this.load().then(() => true, () => false);
    if (turn !== this.turn) return false;
    if (!isLoaded) {
      this.status.textContent = gettext("The rates could not be loaded. The page of each %(noun)s lists them.", { noun: this.facets.noun });
    }
    return isLoaded;
  }

  // From the controls to the address.
  async choose(control) {
    const chosen = Object.fromEntries(this.names.map((name) => [name, this.form.elements[name]?.value ?? ""]));
    if (!await this.ready()) return;
    Object.assign(chosen, this.typed);
    for (const name of this.facets.within.keys()) {
      const inside = chosen[name] && placesIn(this.data, this.facets, name, chosen);
      if (inside && !inside.has(this.data.columns[name].values.indexOf(chosen[name]))) chosen[name] = "";
    }
    this.write(chosen, control);
    this.show(chosen);
  }

  clear() {
    const chosen = Object.fromEntries(this.names.map((name) => [name, ""]));
    this.search.value = "";
    this.write(chosen);
    if (this.data) this.show(chosen);
    else this.empty();
    this.search.focus();
  }

  // Without the rates nothing is filtered yet.
  empty() {
    this.turn += 1;
    this.search.value = "";
    for (const select of this.selects) select.value = "";
    this.status.textContent = this.unfiltered;
  }

  // One step of the history for a control, however many of its choices the keyboard goes through.
  write(chosen, control = null) {
    setParameters(chosen, { step: !control || control !== this.last });
    this.last = control;
  }

  // From the address to the controls. Values that no filter has are left out, and reported.
  async restore() {
    const asked = new URLSearchParams(location.search);
    if (!this.data && !this.names.some((name) => asked.has(name))) {
      this.empty();
      return;
    }
    if (!await this.ready()) return;
    const wrong = [];
    const chosen = Object.fromEntries(this.names.map((name) => {
      const value = (asked.get(name) ?? "").trim();
      const known = value && this.known(name, value.toLowerCase());
      if (value && !known) wrong.push(`${name} ‘${value.slice(0, 40)}’`);
      return [name, known ?? ""];
    }));
    const twice = this.names.filter((name) => asked.getAll(name).length > 1);
    if (chosen[this.facets.market]) chosen.find = "";
    this.nameMarket(chosen);
    showAddress();
    this.show(chosen, (wrong.length ? ` ${gettext("Not found and ignored: %(filters)s.", { filters: wrong.join(", ") })}` : "")
      + (twice.length ? ` ${gettext("Given more than once, the first is used: %(filters)s.", { filters: twice.join(", ") })}` : ""));
  }

  // The value as it is written, of one in small letters.
  known(name, value) {
    if (name === this.facets.market) return this.markets.codeOf(value);
    if (name === "find") return value.slice(0, 80);
    const values = name === "order" ? [...this.form.elements.order.options].map((option) => option.value)
      : this.data.columns[name].values;
    return values.find((known) => known.toLowerCase() === value);
  }

  // What the reader has typed into the search, as values of the filter.
  get typed() {
    const { market, find } = this.markets.typed(this.search.value);
    return { [this.facets.market]: market, find };
  }

  // Shows the market of a filter by its name.
  nameMarket({ [this.facets.market]: market, find }) {
    this.search.value = market ? this.markets.nameOf(market) : find;
  }

  show(chosen, more = "") {
    const { found, counts } = fitting(this.data, this.facets, chosen);
    for (const name of this.facets.names) {
      if (name !== this.facets.market) offer(this.form.elements[name], this.data, this.facets, counts[name], chosen);
    }
    this.form.elements.order.value = chosen.order;
    const isFiltered = Boolean(chosen.find) || this.facets.names.some((name) => chosen[name]);
    this.form.parentElement.classList.toggle("dp-filtered", isFiltered);
    this.status.textContent = (isFiltered ? this.words(chosen, found) : this.unfiltered) + more;
    this.showNext(chosen, found);
    const ordered = inOrder(this.data, found, chosen.order);
    if (this.data.rows) this.arrange(ordered);
    else this.fill(ordered, isFiltered || Boolean(chosen.order));
    this.mark((this.data.rows ? this.all : this.found).querySelector("th.dp-catalog-number"), chosen.order);
  }

  // The choice of a filter in words.
  wordsOf(name, chosen) {
    const { market } = this.facets;
    if (name === market) return this.markets.words({ market: chosen[market], find: chosen.find });
    const { values, words } = this.data.columns[name];
    return words[values.indexOf(chosen[name])];
  }

  // The filter in words, with the numbers of the rates that fit: a hand-out repeats it.
  words(chosen, found) {
    const { market, names, noun } = this.facets;
    const { rateNoun } = this.form.dataset;
    const words = (shown) => shown.map((name) => this.wordsOf(name, chosen)).join(", ");
    const set = names.filter((name) => chosen[name] || (name === market && chosen.find));
    if (found.length) {
      return ngettext(
        "%(filter)s: %(number)s rate of %(all)s, %(prices)s.",
        "%(filter)s: %(number)s rates of %(all)s, %(prices)s.",
        found.length,
        { number: written(found.length), filter: words(set), all: written(this.data.length), prices: priceSpans(this.data, found).join("; ") },
      );
    }
    if (chosen.find && !this.hasRates(chosen)) {
      return gettext("No %(noun)s matches %(filter)s.", { noun, filter: words([market]) });
    }
    const filter = words(!chosen[market] || this.hasRates(chosen) ? set : [market]);
    return gettext("No %(noun)s is published for %(filter)s.", { noun: rateNoun, filter });
  }

  // Whether there are rates for the chosen market, whatever else is chosen.
  hasRates(chosen) {
    return accepted(this.data, this.facets, this.facets.market, chosen)?.size > 0;
  }

  // Where to go on from a filter without rates.
  showNext(chosen, found) {
    const { market } = this.facets;
    const { rateNoun, coverage } = this.form.dataset;
    const links = this.hasRates(chosen)
      ? [[gettext("All %(noun)ss for %(filter)s", { noun: rateNoun, filter: this.wordsOf(market, chosen) }), `?${new URLSearchParams(chosen[market]
        ? { [market]: chosen[market] } : { find: chosen.find })}`]]
      : [...this.unpriced[chosen[market]]?.links ?? [], [gettext("Coverage"), coverage]];
    this.next.hidden = found.length > 0;
    (this.data.rows ? this.all : this.found).hidden = !this.next.hidden;
    this.next.replaceChildren(...[...links, [gettext("All %(noun)ss", { noun: rateNoun }), location.pathname]].flatMap(([text, address]) => {
      const link = document.createElement("a");
      link.textContent = text;
      link.href = address;
      return [link, " "];
    }));
  }

  mark(header, order) {
    if (order) header.setAttribute("aria-sort", order === "cheapest" ? "ascending" : "descending");
    else header.removeAttribute("aria-sort");
  }

  // The rows of the page: those that fit stand first, in order, and the others are hidden.
  arrange(ordered) {
    const fits = new Set(ordered);
    const { rows } = this.data;
    for (const [place, row] of rows.entries()) row.hidden = !fits.has(place);
    const others = rows.filter((_, place) => !fits.has(place));
    this.all.querySelector("tbody").replaceChildren(...ordered.map((place) => rows[place]), ...others);
  }

  // The rows of the file: made as they are wanted, instead of the table of countries.
  fill(ordered, isWanted) {
    this.all.hidden = isWanted;
    this.found.querySelector(".dp-catalog").hidden = !isWanted;
    this.ordered = isWanted ? ordered : [];
    this.shown = 0;
    this.found.querySelector("tbody").replaceChildren();
    this.showMore();
  }

  showMore(count = this.shown ? MORE : FIRST) {
    if (!this.ordered) return;
    const rows = this.ordered.slice(this.shown, this.shown + count).map((place) => this.row(place));
    this.shown += rows.length;
    this.found.querySelector("tbody").append(...rows);
    const more = this.found.querySelector(".dp-filter__more button");
    const left = this.ordered.length - this.shown;
    if (this.shown > FIRST && rows.length && !left) rows[0].querySelector("a").focus(); // the button that had the focus goes
    more.hidden = !left;
    more.textContent = gettext("Show %(count)s more of %(all)s", { count: written(Math.min(left, MORE)), all: written(left) });
  }

  row(place) {
    const card = this.found.querySelector("template").content.firstElementChild.cloneNode(true);
    const text = (name) => this.data.text(name, place);
    for (const part of card.querySelectorAll("[data-part]")) {
      const value = text(part.dataset.part);
      part.textContent = Array.isArray(value) ? value[1] : value;
      if (!part.textContent) part.remove();
    }
    card.id = `rate-${text("id")}-${text("version")}`;
    const [code] = text(this.facets.market);
    card.querySelector("a").href = `${this.form.dataset.marketsAt}${code.toLowerCase()}/#${this.form.dataset.anchor}`;
    return card;
  }
}

for (const form of document.querySelectorAll("form.dp-filter")) new Filter(form);
