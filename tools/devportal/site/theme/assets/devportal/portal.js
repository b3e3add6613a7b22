// Small comforts on top of pages that are complete without any script.

import { centreTab, target } from "./places.js";

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

const TAB = "[role=tab]";

const element = (tag, properties) => Object.assign(document.createElement(tag), properties);

// The radio buttons of the languages become tabs, in front of their panels.
function makeTabs(set) {
  const list = element("div", { className: "dp-tabs__list", role: "tablist", ariaLabel: gettext("Language") });
  for (const input of set.querySelectorAll("input")) {
    const label = input.nextElementSibling;
    const { textContent } = label;
    list.append(element("button", { value: input.value, textContent, role: "tab" }));
    Object.assign(label.nextElementSibling, { role: "tabpanel", ariaLabel: textContent });
    input.remove();
    label.remove();
  }
  set.firstElementChild.replaceWith(list);
  showTab(list.firstElementChild);
}

function showTab(tab) {
  const list = tab.parentElement;
  [...list.children].forEach((button, at) => {
    button.ariaSelected = button === tab;
    button.tabIndex = (button === tab) - 1;
    list.parentElement.children[at + 1].hidden = button !== tab;
  });
}

// The chosen sample language holds for all samples of the page, and for the next pages.
function chooseLanguage(language) {
  const tabs = document.querySelectorAll(`${TAB}[value="${CSS.escape(language)}"]`);
  tabs.forEach(showTab);
  tabs.forEach(centreTab);
}

// A link to a field inside closed details opens them.
function reveal(anchor) {
  if (!anchor) return;
  const field = target(anchor);
  if (!field) {
    import("./anchors.js").then(({ follow }) => follow(anchor));
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
  chooseLanguage(remembered());
  reveal(location.hash.slice(1));
  showWhereWeAre();
}

document.addEventListener("change", ({ target: changed }) => {
  if (changed.matches(".dp-pick select")) import("./examples.js").then((module) => module.chooseExample(changed));
});
document.addEventListener("click", ({ target: clicked }) => {
  if (!clicked.matches(TAB)) return;
  remember(clicked.value);
  chooseLanguage(clicked.value);
});
document.addEventListener("keydown", ({ key, target: tab }) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (!step || !tab.matches(TAB)) return;
  const tabs = [...tab.parentElement.children];
  const next = tabs.at((tabs.indexOf(tab) + step) % tabs.length);
  next.click();
  next.focus();
});
// A script of the site may take over from here, as with a form of its own: it prevents the default of this event.
document.addEventListener("click", (click) => {
  const link = click.target.closest?.(".dp-page-links__feedback");
  if (!link) return;
  const detail = { url: location.href, title: document.querySelector("h1")?.textContent.trim() ?? "" };
  const event = new CustomEvent("x-feedback", { bubbles: true, cancelable: true, detail });
  if (!link.dispatchEvent(event)) click.preventDefault();
});
addEventListener("hashchange", () => reveal(location.hash.slice(1)));

// The theme replaces pages without a reload where `navigation.instant` is on; `document$` tells of each.
if (window.document$) window.document$.subscribe(enhance);
else enhance();
