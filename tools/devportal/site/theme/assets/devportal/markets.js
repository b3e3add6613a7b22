// Filters the markets of a page of coverage, in its table and on its map, and keeps the filter in the address.
// Without this script there is a page for each channel, and links to the regions.

import { setParameters, showAddress } from "./address.js";
import { MarketNames, fits } from "./market-names.js";

class Markets {
  constructor(form) {
    this.form = form;
    this.status = document.querySelector("[data-markets-status]");
    this.selects = [...form.querySelectorAll("select")];
    this.words = new Map(this.selects.flatMap((select) => [...select.options].map((option) => [option, option.textContent])));
    this.rows = [...document.querySelectorAll("tr[data-records]")].map((row) => ({
      row,
      name: row.querySelector("a").textContent,
      region: row.dataset.region,
      records: row.dataset.records.split(" ").map((record) => {
        const [channel, support, registration] = record.split("/");
        return { channel, support, registration };
      }),
    }));
    const { markets, one: singular, many, title } = form.dataset; // `markets` is the attribute that names one
    this.key = markets;
    this.title = title;
    this.search = form.elements[markets];
    this.names = new MarketNames(this.rows.map(({ row, name }) => [row.dataset[markets], name]),
      { areCountries: markets === "country" });
    this.counted = (count) => `${count} ${count === 1 ? singular : many}`;
    this.marks = new Map(this.rows.map(({ row }) => [row.dataset[markets], []]));
    for (const link of document.querySelectorAll(".dp-world__map a")) this.marks.get(link.dataset[markets])?.push(link);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", (event) => { this.write(event.target); this.show(); });
    form.addEventListener("focusout", () => { this.last = null; });
    form.querySelector("button").addEventListener("click", () => this.clear());
    addEventListener("popstate", () => {
      this.last = null;
      if (form.isConnected) this.restore();
    });
    this.restore();
    // What was held back for the filter of the address is shown once it is laid out.
    requestAnimationFrame(() => requestAnimationFrame(() => document.documentElement.classList.remove("dp-filtering")));
  }

  chosen() {
    const { market, find } = this.names.typed(this.search.value);
    return { [this.key]: market, find, ...Object.fromEntries(this.selects.map((select) => [select.name, select.value])) };
  }

  clear() {
    for (const control of [this.search, ...this.selects]) control.value = "";
    this.write();
    this.show();
    this.search.focus();
  }

  // One step of the history for a control, however many of its choices the keyboard goes through.
  write(control = null) {
    setParameters(this.chosen(), { step: !control || control !== this.last });
    this.last = control;
  }

  // From the address to the controls. Values that no filter has are ignored, and reported.
  restore() {
    const asked = new URLSearchParams(location.search);
    const wrong = [], twice = [];
    const code = (asked.get(this.key) ?? "").trim();
    const market = code && this.names.codeOf(code);
    if (code && !market) wrong.push(`${this.key} ‘${code.slice(0, 40)}’`);
    this.search.value = market ? this.names.nameOf(market) : asked.get("find") ?? "";
    for (const select of this.selects) {
      const value = asked.get(select.name) ?? "";
      const known = [...select.options].find((option) => option.value.toLowerCase() === value.toLowerCase());
      if (!known) wrong.push(`${select.name} ‘${value.slice(0, 40)}’`);
      if (asked.getAll(select.name).length > 1) twice.push(select.name);
      select.value = known?.value ?? "";
    }
    showAddress();
    this.show((wrong.length ? ` ${gettext("Not found and ignored: %(filters)s.", { filters: wrong.join(", ") })}` : "")
      + (twice.length ? ` ${gettext("Given more than once, the first is used: %(filters)s.", { filters: twice.join(", ") })}` : ""));
  }

  // One record has to fit all filters of records.
  fitting({ region = "", find, [this.key]: market, ...wanted }) {
    const asked = Object.entries(wanted).filter(([, value]) => value);
    return this.rows.filter((row) => (!region || row.region === region)
      && (!market || row.row.dataset[this.key] === market)
      && (!find || fits(find, row.row.dataset[this.key], row.name))
      && row.records.some((record) => asked.every(([name, value]) => record[name] === value)));
  }

  show(more = "") {
    const chosen = this.chosen();
    const found = new Set(this.fitting(chosen));
    for (const row of this.rows) {
      row.row.hidden = !found.has(row);
      for (const link of this.marks.get(row.row.dataset[this.key]) ?? []) this.mark(link, found.has(row));
    }
    for (const body of new Set(this.rows.map((row) => row.row.parentElement))) {
      const shown = body.querySelectorAll("tr[data-records]:not([hidden])").length;
      body.hidden = !shown;
      body.querySelector("[data-markets-count]").textContent = shown;
    }
    const isLinked = document.querySelector(".dp-world__map a") !== null; // a map of very many markets is not
    for (const key of isLinked ? document.querySelectorAll("[data-markets-marks]") : []) {
      const marks = document.querySelectorAll(`.dp-world__map a.${key.dataset.marketsMarks}:not(.dp-world__other)`);
      key.textContent = marks.length;
    }
    for (const select of this.selects) this.count(select, chosen);
    this.form.parentElement.classList.toggle("dp-filtered", found.size < this.rows.length);
    this.status.textContent = this.summary(chosen, found.size) + more;
  }

  // The filter in words, with the number of markets that fit: a hand-out repeats it.
  summary(chosen, count) {
    const all = this.counted(this.rows.length);
    const { find, [this.key]: market } = chosen;
    const set = this.selects.filter((select) => select.value)
      .map((select) => this.words.get(select.selectedOptions[0]));
    if (market || find) set.unshift(this.names.words({ market, find }));
    const filter = set.join(", ");
    if (count) return set.length ? gettext("%(filter)s: %(count)s of %(all)s.", { filter, count, all }) : `${all}.`;
    return find ? gettext("No %(noun)s matches %(filter)s.", { noun: this.title.toLowerCase(), filter })
      : gettext("No coverage record is published for %(filter)s.", { filter });
  }

  // A market that is left out looks like other land, and the keyboard passes it by.
  mark(link, isFound) {
    link.classList.toggle("dp-world__other", !isFound);
    if (isFound) link.removeAttribute("tabindex");
    else link.setAttribute("tabindex", "-1");
  }

  // How many markets there would be with each choice, all other filters as they are.
  count(select, chosen) {
    for (const option of select.options) {
      if (!option.value) continue;
      const count = this.fitting({ ...chosen, [select.name]: option.value }).length;
      option.textContent = `${this.words.get(option)} (${count})`;
      option.disabled = !count && !option.selected;
    }
  }
}

for (const form of document.querySelectorAll("form[data-markets]")) new Markets(form);

// The panel of the map: the market that the keyboard or a click chooses, its support in words, and a link to its page.
// The row of the market has the words. A click opens the panel, the Enter key follows the link of the map.
function showPanel(panel, link) {
  const [key, code] = Object.entries(link.dataset)[0];
  const row = document.querySelector(`tr[data-${key}="${CSS.escape(code)}"]`);
  const [title, list, more] = panel.children;
  const cells = [...row.querySelectorAll("td[data-label]:not(.dp-coverage-absent, .dp-coverage-unknown)")];
  title.textContent = row.querySelector("a").textContent;
  list.replaceChildren(...cells.map((cell) => {
    const item = document.createElement("li");
    item.textContent = `${cell.dataset.label}: ${cell.innerText.trim().replace(/\s*\n\s*/g, ", ")}`;
    return item;
  }));
  more.href = link.getAttribute("href");
  more.textContent = gettext("Open %(page)s", { page: title.textContent });
  panel.hidden = false;
}

for (const panel of document.querySelectorAll("[data-markets-panel]")) {
  const map = panel.parentElement.querySelector(".dp-world__frame"); // a drawing that listens could take the focus itself
  let isChosen = false; // by a click or the keyboard: the pointer on its way to the panel does not change it
  map.addEventListener("focusin", ({ target }) => {
    isChosen = true;
    showPanel(panel, target.closest("a"));
  });
  map.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || !event.detail || event.ctrlKey || event.metaKey) return; // a key, or a click for a new tab
    event.preventDefault();
    isChosen = true;
    showPanel(panel, link);
  });
  map.addEventListener("pointerover", ({ target, pointerType }) => {
    const link = target.closest("a:not(.dp-world__other)");
    if (link && pointerType === "mouse" && !isChosen) showPanel(panel, link);
  });
}
