// Small comforts on top of pages that are complete without any script.

const LANGUAGE = "devportal.language";

function remembered() {
  try {
    return localStorage.getItem(LANGUAGE);
  } catch {
    return null;
  }
}

function remember(language) {
  try {
    localStorage.setItem(LANGUAGE, language);
  } catch {
    // Without storage the choice lasts for this page.
  }
}

// The samples of one example by language: radio buttons become tabs.
function makeTabs(set) {
  const list = document.createElement("div");
  list.className = "dp-tabs__list";
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", set.querySelector("legend").textContent);
  for (const input of set.querySelectorAll(":scope > input")) {
    const [label, panel] = [input.nextElementSibling, input.nextElementSibling.nextElementSibling];
    const tab = Object.assign(document.createElement("button"), { type: "button", id: input.id, value: input.value });
    tab.setAttribute("role", "tab");
    tab.textContent = label.textContent;
    panel.id = `${tab.id}-panel`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    tab.setAttribute("aria-controls", panel.id);
    input.remove();
    label.remove();
    list.append(tab);
  }
  set.querySelector("legend").replaceWith(list);
  set.setAttribute("role", "none");
  chooseTab(list.firstElementChild);
}

function chooseTab(tab) {
  for (const one of tab.parentElement.children) {
    one.setAttribute("aria-selected", one === tab);
    one.tabIndex = one === tab ? 0 : -1;
    document.getElementById(one.getAttribute("aria-controls")).hidden = one !== tab;
  }
}

// The chosen sample language holds for all samples of the page, and for the next pages.
function chooseLanguage(language) {
  document.querySelectorAll(`.dp-tabs [role=tab][value="${CSS.escape(language)}"]`).forEach(chooseTab);
}

function useTab(tab) {
  remember(tab.value);
  chooseLanguage(tab.value);
}

const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };

// As the ARIA pattern for tabs has it: arrows go around, and what they reach is chosen.
function walkTabs(event) {
  const tab = event.target.closest?.(".dp-tabs [role=tab]");
  if (!tab || !(event.key in STEPS)) return;
  const tabs = [...tab.parentElement.children];
  const [step, last] = [STEPS[event.key], tabs.length - 1];
  const at = Number.isFinite(step) ? (tabs.indexOf(tab) + step + tabs.length) % tabs.length : step < 0 ? 0 : last;
  event.preventDefault();
  useTab(tabs[at]);
  tabs[at].focus();
}

// Shows what an option of a panel stands for: of several examples the one with this name, or else the first.
function showOption(select, name) {
  const samples = [...select.closest(".dp-panel").querySelectorAll(":scope > .dp-example")];
  const chosen = samples.filter((one) => Number(one.dataset.option) === select.selectedIndex);
  const shown = chosen.find((one) => one.dataset.example === name) ?? chosen[0];
  for (const one of samples) one.open = one === shown;
  return shown.dataset.example;
}

// The choice of an example shows it, and in the other panels the response to it, which has the same name.
function chooseExample(changed) {
  const name = showOption(changed, shownExample());
  for (const select of document.querySelectorAll(".dp-pick select")) {
    const panel = select.closest(".dp-panel");
    const same = select !== changed && name
      && panel.querySelector(`:scope > .dp-example[data-example="${CSS.escape(name)}"]`);
    if (!same) continue;
    select.selectedIndex = Number(same.dataset.option);
    showOption(select, name);
  }
}

// The example that the first panel shows.
function shownExample() {
  return document.querySelector(".dp-panel > .dp-example[open]")?.dataset.example;
}

// The part of the page that an anchor names, as it is written or else decoded (HTML, 7.4.6.4).
export function target(anchor) {
  try {
    return document.getElementById(anchor) ?? document.getElementById(decodeURIComponent(anchor));
  } catch {
    return null; // Somebody mistyped an address: a lone percent sign cannot be decoded.
  }
}

// An anchor that is not on the page may have moved: a table says where to.
async function follow(anchor) {
  const site = new URL("../../", import.meta.url);
  try {
    const moved = await (await fetch(new URL("redirects.json", import.meta.url))).json();
    const old = decodeURIComponent(`${location.pathname.slice(site.pathname.length)}#${anchor}`);
    if (Object.hasOwn(moved, old)) location.replace(new URL(moved[old], site));
  } catch {
    // Without the table, or with an address that cannot be decoded, the page is what there is to see.
  }
}

// A link to a field inside closed details opens them.
function reveal(anchor) {
  if (!anchor) return;
  const field = target(anchor);
  if (!field) {
    follow(anchor);
    return;
  }
  let closed = false;
  for (let parent = field; parent; parent = parent.parentElement) {
    if (parent.tagName === "DETAILS" && !parent.open) {
      parent.open = true;
      closed = true;
    }
  }
  if (closed) field.scrollIntoView();
}

// Brings the current page into view in the left column. Only the column moves, never the page.
function showWhereWeAre() {
  const here = document.querySelector(".dp-side [aria-current=page]");
  const column = here?.closest(".md-sidebar__scrollwrap");
  if (!column) return;
  const below = here.getBoundingClientRect().top - column.getBoundingClientRect().top;
  if (below > column.clientHeight - 40) column.scrollTop += below - column.clientHeight / 2;
}

function enhance() {
  document.querySelectorAll("fieldset.dp-tabs").forEach(makeTabs);
  const language = remembered();
  if (language) chooseLanguage(language);
  reveal(location.hash.slice(1));
  showWhereWeAre();
}

document.addEventListener("change", ({ target: changed }) => {
  if (changed.matches?.(".dp-pick select")) chooseExample(changed);
});
document.addEventListener("click", ({ target: clicked }) => {
  const tab = clicked.closest?.(".dp-tabs [role=tab]");
  if (tab) useTab(tab);
});
document.addEventListener("keydown", walkTabs);
addEventListener("hashchange", () => reveal(location.hash.slice(1)));

// The theme replaces pages without a reload where `navigation.instant` is on; `document$` tells of each.
if (window.document$) window.document$.subscribe(enhance);
else enhance();
