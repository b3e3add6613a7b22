// Filters the markets of a page of coverage, in its table and on its map, and keeps what is chosen in the address.
// Without this script there is a page for each channel, and links to the regions. The form says what the markets are.

class Markets {
  constructor(form) {
    this.form = form;
    this.status = document.querySelector("[data-markets-status]");
    this.selects = [...form.querySelectorAll("select")];
    this.words = new Map(this.selects.flatMap((select) => [...select.options].map((one) => [one, one.textContent])));
    this.rows = [...document.querySelectorAll("tr[data-records]")].map((row) => ({
      row,
      region: row.dataset.region,
      records: row.dataset.records.split(" ").map((record) => {
        const [channel, support, registration] = record.split("/");
        return { channel, support, registration };
      }),
    }));
    const { markets, one, many, title } = form.dataset; // `markets` is the attribute that names one
    this.key = markets;
    this.title = title;
    this.counted = (count) => `${count} ${count === 1 ? one : many}`;
    this.marks = new Map(this.rows.map(({ row }) => [row.dataset[markets], []]));
    for (const link of document.querySelectorAll(".dp-world__map a")) this.marks.get(link.dataset[markets])?.push(link);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", (event) => { this.write(event.target); this.show(); });
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
    return Object.fromEntries(this.selects.map((select) => [select.name, select.value]));
  }

  clear() {
    for (const select of this.selects) select.value = "";
    this.write();
    this.show();
    this.selects[0]?.focus();
  }

  // One step of the history for a control, however many of its choices the keyboard goes through.
  write(control = null) {
    const asked = new URLSearchParams(Object.entries(this.chosen()).filter(([, value]) => value));
    const address = `${location.pathname}${asked.size ? `?${asked}` : ""}`;
    if (control && control === this.last) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    this.last = control;
  }

  // From the address to the controls. What is no value of a filter is left out, and told.
  restore() {
    const asked = new URLSearchParams(location.search);
    const wrong = [], twice = [];
    for (const select of this.selects) {
      const value = asked.get(select.name) ?? "";
      const known = [...select.options].find((one) => one.value.toLowerCase() === value.toLowerCase());
      if (!known) wrong.push(`${select.name} ‘${value.slice(0, 40)}’`);
      if (asked.getAll(select.name).length > 1) twice.push(select.name);
      select.value = known?.value ?? "";
    }
    this.show((wrong.length ? ` Not found and left out: ${wrong.join(", ")}.` : "")
      + (twice.length ? ` Given more than once, the first holds: ${twice.join(", ")}.` : ""));
  }

  // One record has to fit all that is chosen of records.
  fitting({ region = "", ...wanted }) {
    const asked = Object.entries(wanted).filter(([, value]) => value);
    return this.rows.filter((one) => (!region || one.region === region)
      && one.records.some((record) => asked.every(([name, value]) => record[name] === value)));
  }

  show(more = "") {
    const chosen = this.chosen();
    const found = new Set(this.fitting(chosen));
    for (const one of this.rows) {
      one.row.hidden = !found.has(one);
      for (const link of this.marks.get(one.row.dataset[this.key]) ?? []) this.mark(link, found.has(one));
    }
    for (const body of new Set(this.rows.map((one) => one.row.parentElement))) {
      const shown = body.querySelectorAll("tr[data-records]:not([hidden])").length;
      body.hidden = !shown;
      body.querySelector("[data-markets-count]").textContent = shown;
    }
    for (const key of document.querySelectorAll("[data-markets-marks]")) {
      const marks = document.querySelectorAll(`.dp-world__map a.${key.dataset.marketsMarks}:not(.dp-world__other)`);
      key.textContent = marks.length;
    }
    for (const select of this.selects) this.count(select, chosen);
    const all = this.rows.length;
    this.status.textContent = (found.size === all ? `${this.counted(all)}.`
      : found.size ? `${found.size} of ${this.counted(all)}.`
        : `No ${this.title.toLowerCase()} fits. Clear a filter to see more.`) + more;
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

// Says what the pointer or the keyboard is on, before the browser would show the title of the link. For eyes only:
// a screen reader reads the link itself.
for (const frame of document.querySelectorAll(".dp-world__frame")) {
  const said = frame.querySelector("[data-markets-said]");
  const say = (event) => {
    const title = event.target.closest("a")?.querySelector("title");
    said.hidden = !title;
    said.textContent = title?.textContent ?? "";
  };
  const stop = () => { said.hidden = true; };
  frame.addEventListener("pointerover", say);
  frame.addEventListener("pointerleave", stop);
  frame.addEventListener("focusin", say);
  frame.addEventListener("focusout", stop);
}
