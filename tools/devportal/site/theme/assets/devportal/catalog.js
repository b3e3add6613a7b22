// Filters the rates of a product at once, and keeps what is chosen in the address. Without this script every
// choice is a page of its own. Rates stand in the table of the page; where they are too many, a file holds them
// (`devportal/catalog/pages/rates_table.py` writes it), which is loaded when a filter is first used.
// The filters are those of the form: `data-market` names that of the markets, `data-within` is on those whose values
// belong each to a market, and says in which column of the table their words are.

const FIRST = 50; // so many rows of the file are shown at once: laying out more is what takes the time
const MORE = 200; // and so many when more are asked for
const MANY_WITHIN = 400; // values that belong to a market: more are offered by market only

const alphabet = new Intl.Collator("en");
const withoutCount = (text) => text.replace(/ \([\d,]+\)$/, "");
const counted = (count) => `${count.toLocaleString("en")} rate${count === 1 ? "" : "s"}`;

// A column of values: `values` and `words` are each different one, `places` is for each rate which, or -1;
// `ordered` are the places of the values in the order of their words, `ranks` is the way back.
function column(length, valueOf, wordsOf) {
  const known = new Map();
  const made = { values: [], words: [], places: new Int32Array(length) };
  for (let row = 0; row < length; row += 1) {
    const value = valueOf(row);
    if (value && !known.has(value)) {
      known.set(value, made.values.length);
      made.values.push(value);
      made.words.push(wordsOf(row));
    }
    made.places[row] = value ? known.get(value) : -1;
  }
  made.ordered = made.words.map((_, place) => place)
    .sort((one, other) => alphabet.compare(made.words[one], made.words[other]));
  made.ranks = new Int32Array(made.ordered.length);
  for (const [rank, place] of made.ordered.entries()) made.ranks[place] = rank;
  return made;
}

// What is filtered by, as the form says it. A value that belongs to a market is left behind with it.
function facetsOf(form) {
  const selects = [...form.querySelectorAll("select")].filter((one) => one.name !== "order");
  const names = selects.map((one) => one.name);
  const within = new Map(selects.filter((one) => one.dataset.within).map((one) => [one.name, one.dataset.within]));
  const market = form.dataset.market;
  const bit = Object.fromEntries(names.map((name, facet) => [name, 1 << facet]));
  const inside = [...within.keys()].reduce((bits, name) => bits | bit[name], 0);
  const free = names.map((name) => (name === market ? bit[market] | inside : bit[name]));
  return { names, within, market, noun: form.dataset.marketNoun, free };
}

function fromTable(table, form, facets) {
  const rows = [...table.tBodies[0].rows];
  const said = (name, value) => {
    const option = [...form.elements[name]?.options ?? []].find((one) => one.value === value);
    return option ? withoutCount(option.textContent) : value;
  };
  const words = (name, row) => {
    if (!facets.within.has(name)) return said(name, rows[row].dataset[name]);
    const cell = rows[row].querySelector(`[data-label="${CSS.escape(facets.within.get(name))}"]`);
    return `${cell.firstElementChild.firstChild.textContent.trim()} (${rows[row].dataset[name]})`;
  };
  const columns = Object.fromEntries([...facets.names, "currency"].map((name) =>
    [name, column(rows.length, (row) => rows[row].dataset[name], (row) => words(name, row))]));
  return { length: rows.length, columns, price: (row) => Number(rows[row].dataset.price), rows };
}

function fromFile({ rows, columns: written }, facets) {
  const text = (name, row) => written[name][0][written[name][1][row]];
  const words = (name, row) => {
    const [value, said] = text(name, row);
    return facets.within.has(name) ? `${said} (${value})` : said;
  };
  const columns = Object.fromEntries([...facets.names, "currency"].map((name) =>
    [name, column(rows, (row) => text(name, row)[0], (row) => words(name, row))]));
  return { length: rows, columns, price: (row) => Number(text("price", row)), text };
}

// ---- what fits ----

// Which rates fit, and for each value of a filter how many would fit with it and with the other filters.
function fitting(data, facets, chosen) {
  const { names, free } = facets;
  const wanted = names.map((name) => (chosen[name] ? data.columns[name].values.indexOf(chosen[name]) : -1));
  const places = names.map((name) => data.columns[name].places);
  const counts = names.map((name) => new Int32Array(data.columns[name].values.length));
  const found = [];
  for (let row = 0; row < data.length; row += 1) {
    let missed = 0; // a bit for each filter that the rate does not fit
    for (let facet = 0; facet < names.length; facet += 1) {
      if (wanted[facet] >= 0 && places[facet][row] !== wanted[facet]) missed |= 1 << facet;
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
  for (const row of found) prices[row] = data.price(row);
  return [...found].sort((one, other) =>
    ranks[places[one]] - ranks[places[other]] || sign * (prices[one] - prices[other]) || one - other);
}

// ---- the controls ----

function choice(value, words, count, isChosen) {
  const made = new Option(`${words} (${count.toLocaleString("en")})`, value, false, isChosen);
  made.disabled = !count && !isChosen;
  return made;
}

function offer(select, data, facets, counts, chosen) {
  const name = select.name;
  const isWithin = facets.within.has(name);
  const { values, words, ordered } = data.columns[name];
  const every = select.options[0];
  const shown = isWithin ? placesIn(data, facets, name, chosen) : null;
  const isTooMany = isWithin && !chosen[facets.market] && values.length > MANY_WITHIN;
  every.textContent = isTooMany ? `${facets.noun[0].toUpperCase()}${facets.noun.slice(1)} first` : select.dataset.every;
  select.disabled = isTooMany && !chosen[name];
  const options = ordered
    .filter((place) => values[place] === chosen[name] || (!isTooMany && (!shown || shown.has(place))))
    .map((place) => choice(values[place], words[place], counts[place], values[place] === chosen[name]));
  select.replaceChildren(every, ...options);
  select.value = chosen[name];
}

// The values of a filter that rates of the chosen market have; null if none is chosen.
function placesIn(data, { market }, name, chosen) {
  if (!chosen[market]) return null;
  const { values, places } = data.columns[market];
  const wanted = values.indexOf(chosen[market]);
  const inside = data.columns[name].places;
  const found = new Set();
  for (let row = 0; row < data.length; row += 1) if (places[row] === wanted) found.add(inside[row]);
  return found;
}

// ---- one filter ----

// Shows what was held back for the filter of an address, once it is laid out without what the filter leaves out.
function reveal() {
  requestAnimationFrame(() => requestAnimationFrame(() => document.documentElement.classList.remove("dp-filtering")));
}

class Filter {
  constructor(form) {
    const below = form.parentElement;
    this.form = form;
    this.facets = facetsOf(form);
    this.names = [...this.facets.names, "order"];
    this.status = below.querySelector("[data-filter-status]");
    this.all = below.querySelector("[data-filter-all]");
    this.found = below.querySelector("[data-filter-found]");
    this.unfiltered = this.status.textContent;
    this.data = form.dataset.rows ? null : fromTable(this.all.querySelector("table"), form, this.facets);
    this.shown = 0;
    this.turn = 0; // of what is asked of the filter: what waits for the file gives way to what came later
    this.selects = [...form.querySelectorAll("select")];
    for (const select of this.selects) select.dataset.every = select.options[0].textContent;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", (event) => this.choose(event.target));
    form.addEventListener("focusout", () => { this.last = null; });
    form.addEventListener("focusin", () => this.load().catch(() => {}), { once: true });
    form.querySelector("button").addEventListener("click", () => this.clear());
    this.found?.querySelector(".dp-filter__more button").addEventListener("click", () => this.showMore());
    addEventListener("popstate", () => {
      this.last = null;
      if (form.isConnected) this.restore();
    });
    this.restore().finally(reveal);
  }

  load() {
    this.loading ??= this.data ? Promise.resolve() : fetch(this.form.dataset.rows)
      .then((response) => { if (!response.ok) throw new Error(`status ${response.status}`); return response.json(); })
      .then((file) => { this.data = fromFile(file, this.facets); })
      .catch((error) => { this.loading = undefined; throw error; });
    return this.loading;
  }

  // Whether the rates are there, and nothing else was asked for while they were loaded.
  async ready() {
    const turn = this.turn += 1;
    if (this.data) return true;
    this.status.textContent = "Loading the rates…";
    const isLoaded = await this.load().then(() => true, () => false);
    if (turn !== this.turn) return false;
    if (!isLoaded) this.status.textContent = `The rates could not be loaded. The page of each ${this.facets.noun} has them.`;
    return isLoaded;
  }

  // From the controls to the address.
  async choose(control) {
    const chosen = Object.fromEntries(this.names.map((name) => [name, this.form.elements[name]?.value ?? ""]));
    if (!await this.ready()) return;
    for (const name of this.facets.within.keys()) {
      const inside = chosen[name] && placesIn(this.data, this.facets, name, chosen);
      if (inside && !inside.has(this.data.columns[name].values.indexOf(chosen[name]))) chosen[name] = "";
    }
    this.write(chosen, control);
    this.show(chosen);
  }

  clear() {
    const chosen = Object.fromEntries(this.names.map((name) => [name, ""]));
    this.write(chosen);
    if (this.data) this.show(chosen);
    else this.empty();
    this.selects[0].focus();
  }

  // Without the rates nothing is filtered yet.
  empty() {
    this.turn += 1;
    for (const select of this.selects) select.value = "";
    this.status.textContent = this.unfiltered;
  }

  // One step of the history for a control, however many of its choices the keyboard goes through.
  write(chosen, control = null) {
    const asked = new URLSearchParams(this.names.filter((name) => chosen[name]).map((name) => [name, chosen[name]]));
    const address = `${location.pathname}${asked.size ? `?${asked}` : ""}`;
    if (control && control === this.last) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    this.last = control;
  }

  // From the address to the controls. What is no value of a filter is left out, and told.
  async restore() {
    const asked = new URLSearchParams(location.search);
    if (!this.data && !this.names.some((name) => asked.has(name))) {
      this.empty();
      return;
    }
    if (!await this.ready()) return;
    const wrong = [];
    const chosen = Object.fromEntries(this.names.map((name) => {
      const value = asked.get(name) ?? "";
      const known = value && this.known(name, value.toLowerCase());
      if (value && !known) wrong.push(`${name} ‘${value.slice(0, 40)}’`);
      return [name, known ?? ""];
    }));
    const twice = this.names.filter((name) => asked.getAll(name).length > 1);
    this.show(chosen, (wrong.length ? ` Not found and left out: ${wrong.join(", ")}.` : "")
      + (twice.length ? ` Given more than once, the first holds: ${twice.join(", ")}.` : ""));
  }

  // The value as it is written, of one in small letters.
  known(name, value) {
    const values = name === "order" ? [...this.form.elements.order.options].map((one) => one.value)
      : this.data.columns[name].values;
    return values.find((one) => one.toLowerCase() === value);
  }

  show(chosen, more = "") {
    const { found, counts } = fitting(this.data, this.facets, chosen);
    for (const name of this.facets.names) {
      offer(this.form.elements[name], this.data, this.facets, counts[name], chosen);
    }
    this.form.elements.order.value = chosen.order;
    const isFiltered = this.facets.names.some((name) => chosen[name]);
    this.form.parentElement.classList.toggle("dp-filtered", isFiltered);
    this.status.textContent = (!isFiltered ? this.unfiltered
      : found.length ? `${counted(found.length)} of ${this.data.length.toLocaleString("en")}.`
        : "No rate fits. Clear a filter to see more.") + more;
    const ordered = inOrder(this.data, found, chosen.order);
    if (this.data.rows) this.arrange(ordered);
    else this.fill(ordered, isFiltered || Boolean(chosen.order));
    this.mark((this.data.rows ? this.all : this.found).querySelector("th.dp-catalog-number"), chosen.order);
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

  showMore() {
    const rows = this.ordered.slice(this.shown, this.shown + (this.shown ? MORE : FIRST)).map((place) => this.row(place));
    this.shown += rows.length;
    this.found.querySelector("tbody").append(...rows);
    const more = this.found.querySelector(".dp-filter__more button");
    const left = this.ordered.length - this.shown;
    if (this.shown > FIRST && !left) rows[0].querySelector("a").focus(); // the button that had the focus goes
    more.hidden = !left;
    more.textContent = `Show ${Math.min(left, MORE).toLocaleString("en")} more of ${left.toLocaleString("en")}`;
  }

  row(place) {
    const made = this.found.querySelector("template").content.firstElementChild.cloneNode(true);
    const text = (name) => this.data.text(name, place);
    for (const part of made.querySelectorAll("[data-part]")) {
      const value = text(part.dataset.part);
      part.textContent = Array.isArray(value) ? value[1] : value;
      if (!part.textContent) part.remove();
    }
    made.id = `rate-${text("id")}-${text("version")}`;
    const [code] = text(this.facets.market);
    made.querySelector("a").href = `${this.form.dataset.marketsAt}${code.toLowerCase()}/#${this.form.dataset.anchor}`;
    return made;
  }
}

for (const form of document.querySelectorAll("form.dp-filter")) new Filter(form);
