// Filters the entries of the changelog at once, and keeps what is chosen in the address. Without this script every
// choice is a page of its own (`devportal/changelog/pages/filters.py`).

const counted = (count) => `${count} ${count === 1 ? "entry" : "entries"}`;
const NAMES = ["api", "impact", "action"];

class Entries {
  constructor(form) {
    this.form = form;
    this.status = document.querySelector("[data-changelog-status]");
    this.clearing = form.querySelector("button");
    this.cards = [...document.querySelectorAll(".dp-changelog-card[data-impact]")].map((card) => ({
      card,
      api: card.dataset.apis.split(" "),
      impact: [card.dataset.impact],
      action: [card.dataset.action ?? ""],
    }));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", (event) => this.choose(event.target));
    form.addEventListener("focusout", () => { this.last = null; });
    this.clearing.addEventListener("click", () => this.clear());
    addEventListener("popstate", () => {
      this.last = null;
      if (form.isConnected) this.restore();
    });
    this.restore();
    // What was held back for the filter of the address is shown once it is laid out.
    requestAnimationFrame(() => requestAnimationFrame(() => document.documentElement.classList.remove("dp-filtering")));
  }

  values(name) {
    const inputs = [...this.form.querySelectorAll(`input[name=${name}]`)];
    return inputs.map((input) => input.value);
  }

  chosen() {
    return Object.fromEntries(NAMES.map((name) =>
      [name, this.form.querySelector(`input[name=${name}]:checked`)?.value ?? ""]));
  }

  choose(control) {
    this.write(control);
    this.show();
  }

  check(name, value) {
    for (const input of this.form.querySelectorAll(`input[name=${name}]`)) input.checked = input.value === value;
  }

  clear() {
    for (const name of NAMES) this.check(name, "");
    this.write();
    this.show();
    this.form.querySelector("input").focus();
  }

  // One step of the history for a control, however many of its choices the keyboard goes through.
  write(control = null) {
    const asked = new URLSearchParams(Object.entries(this.chosen()).filter(([, value]) => value));
    const address = `${location.pathname}${asked.size ? `?${asked}` : ""}`;
    if (control && control.name === this.last) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    this.last = control?.name ?? null;
  }

  // From the address to the controls. What is no value of a filter is left out, and told.
  restore() {
    const asked = new URLSearchParams(location.search);
    const wrong = [];
    for (const name of NAMES) {
      const value = (asked.get(name) ?? "").toLowerCase();
      const known = !value || this.values(name).includes(value);
      if (!known) wrong.push(`${name} ‘${value.slice(0, 40)}’`);
      this.check(name, known ? value : "");
    }
    this.show(wrong.length ? ` Not found and left out: ${wrong.join(", ")}.` : "");
  }

  fitting(wanted) {
    return this.cards.filter((one) => NAMES.every((name) => !wanted[name] || one[name].includes(wanted[name])));
  }

  show(more = "") {
    const chosen = this.chosen();
    const found = new Set(this.fitting(chosen));
    for (const one of this.cards) one.card.hidden = !found.has(one);
    for (const day of document.querySelectorAll(".dp-changelog-day")) {
      day.hidden = !day.querySelector(".dp-changelog-card:not([hidden])");
    }
    for (const input of this.form.querySelectorAll("input")) this.count(input, chosen);
    const isFiltered = NAMES.some((name) => chosen[name]);
    this.clearing.hidden = !isFiltered;
    const all = this.cards.length;
    this.status.textContent = (!isFiltered ? `${counted(all)}.`
      : found.size ? `${found.size} of ${counted(all)}.`
        : "No entry fits. Clear a filter to see more.") + more;
  }

  // How many entries there would be with a choice, all other filters as they are.
  count(input, chosen) {
    const count = this.fitting({ ...chosen, [input.name]: input.value }).length;
    input.parentElement.querySelector("[data-count]").textContent = count;
    input.parentElement.classList.toggle("dp-changelog-none", !count);
  }
}

for (const form of document.querySelectorAll("form[data-changelog]")) new Entries(form);
