// Filters the entries of the changelog in place, keeps the filter in the address, and points the feeds of "Subscribe"
// to it. Without this script each choice is a page of its own (`devportal/changelog/pages/filters.py`).

const NAMES = ["api", "impact", "action"];

// The feeds of a list: the one of exactly this filter, or the closest one that has all of its entries.
class Feeds {
  constructor(menu) {
    this.folders = new Set(menu.dataset.feeds.split(" "));
    this.name = menu.querySelector("[data-feed-name]");
    this.links = [...menu.querySelectorAll("a[type]")];
    this.files = this.links.map((link) => link.getAttribute("href").split("/").pop());
  }

  // `chosen` has the values of the filter, `label` returns the words of each.
  follow({ api, impact, action }, label) {
    const part = impact || (action && "action-required");
    const candidates = [{ api, part }, { api }, { part }].map((choice) => ({ ...choice, folder: this.folder(choice, impact) }));
    const found = candidates.find((candidate) => this.folders.has(candidate.folder)) ?? { folder: "" };
    const changes = found.part ? label(impact ? "impact" : "action") : gettext("All changes");
    this.name.textContent = found.folder
      ? gettext("%(api)s: %(changes)s", { api: found.api ? label("api") : gettext("All APIs"), changes }) : changes;
    for (const [number, link] of this.links.entries()) {
      link.href = [found.folder, this.files[number]].filter(Boolean).join("/");
    }
  }

  folder({ api = "", part = "" }, impact) {
    const first = api ? `api/${api}` : part && impact ? "impact" : "";
    return [first, part].filter(Boolean).join("/");
  }
}

class Entries {
  constructor(form) {
    this.form = form;
    this.controls = NAMES.map((name) => form.elements[name]).filter(Boolean);
    this.status = document.querySelector("[data-changelog-status]");
    this.clearing = form.querySelector("button");
    const menu = document.querySelector("[data-subscribe]");
    this.feeds = menu && new Feeds(menu);
    this.cards = [...document.querySelectorAll(".dp-changelog-card[data-impact]")].map((card) => ({
      card,
      api: card.dataset.apis.split(" "),
      impact: [card.dataset.impact, ...(card.dataset.otherImpacts ?? "").split(" ")],
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

  chosen() {
    return Object.fromEntries(this.controls.map((control) =>
      [control.name, control.type === "checkbox" && !control.checked ? "" : control.value]));
  }

  choose(control) {
    this.write(control);
    this.show();
  }

  // Whether the control has that value to choose.
  set(control, value) {
    if (control.type === "checkbox") {
      control.checked = value === control.value;
      return !value || control.checked;
    }
    const isKnown = [...control.options].some((option) => option.value === value);
    control.value = isKnown ? value : "";
    return isKnown;
  }

  clear() {
    for (const control of this.controls) this.set(control, "");
    this.write();
    this.show();
    this.controls[0].focus();
  }

  // One step of the history for a control, however many of its choices the keyboard goes through.
  write(control = null) {
    const asked = new URLSearchParams(Object.entries(this.chosen()).filter(([, value]) => value));
    const address = `${location.pathname}${asked.size ? `?${asked}` : ""}`;
    if (control && control.name === this.last) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    this.last = control?.name ?? null;
  }

  // From the address to the controls. A value that no filter has is ignored, and reported.
  restore() {
    const asked = new URLSearchParams(location.search);
    const unknown = [];
    for (const control of this.controls) {
      const value = (asked.get(control.name) ?? "").toLowerCase();
      if (!this.set(control, value)) unknown.push(`${control.name} ‘${value.slice(0, 40)}’`);
    }
    this.show(unknown.length ? ` ${gettext("Unknown filter ignored: %(filters)s.", { filters: unknown.join(", ") })}` : "");
  }

  fitting(wanted) {
    return this.cards.filter((card) => NAMES.every((name) => !wanted[name] || card[name].includes(wanted[name])));
  }

  show(more = "") {
    const chosen = this.chosen();
    const found = new Set(this.fitting(chosen));
    for (const card of this.cards) card.card.hidden = !found.has(card);
    for (const day of document.querySelectorAll(".dp-changelog-day")) {
      day.hidden = !day.querySelector(".dp-changelog-card:not([hidden])");
    }
    for (const control of this.controls) this.count(control, chosen);
    const isFiltered = Object.values(chosen).some(Boolean);
    this.clearing.hidden = !isFiltered;
    const all = this.cards.length;
    this.status.textContent = (!isFiltered ? ngettext("%(number)s entry.", "%(number)s entries.", all)
      : found.size ? ngettext("%(found)s of %(number)s entry.", "%(found)s of %(number)s entries.", all, { found: found.size })
        : gettext("No entry matches. Clear a filter, or subscribe to get the first one.")) + more;
    this.feeds?.follow(chosen, (name) => this.label(name));
  }

  // The words of what is chosen.
  label(name) {
    const control = this.form.elements[name];
    return control.selectedOptions?.[0].dataset.label ?? control.parentElement.textContent.trim();
  }

  // How many entries there would be with each choice, all other filters as they are.
  count(control, chosen) {
    for (const option of control.options ?? []) {
      const count = this.fitting({ ...chosen, [control.name]: option.value }).length;
      option.textContent = `${option.dataset.label} (${count})`;
    }
  }
}

for (const form of document.querySelectorAll("form[data-changelog]")) new Entries(form);

// A menu closes with Escape, and by a click beside it.
const menus = () => document.querySelectorAll(".dp-changelog-menu[open]");
document.addEventListener("click", (event) => {
  for (const menu of menus()) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of menus()) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
