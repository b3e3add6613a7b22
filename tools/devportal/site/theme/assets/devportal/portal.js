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

// The chosen sample language holds for all samples of the page, and for the next pages.
function chooseLanguage(language) {
  for (const input of document.querySelectorAll(`.dp-tabs--language > input[value="${CSS.escape(language)}"]`)) {
    input.checked = true;
  }
}

// A request example and the answer to it have the same name: choosing one shows the other.
function chooseExample(name) {
  for (const input of document.querySelectorAll(`.dp-tabs--chips > input[value="${CSS.escape(name)}"]`)) {
    input.checked = true;
  }
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
  const language = remembered();
  if (language) chooseLanguage(language);
  reveal(location.hash.slice(1));
  showWhereWeAre();
}

document.addEventListener("change", (event) => {
  const input = event.target;
  if (!(input instanceof HTMLInputElement) || input.type !== "radio") return;
  if (input.parentElement.matches(".dp-tabs--language")) {
    remember(input.value);
    chooseLanguage(input.value);
  } else if (input.parentElement.matches(".dp-tabs--chips")) {
    chooseExample(input.value);
  }
});
addEventListener("hashchange", () => reveal(location.hash.slice(1)));

// The theme replaces pages without a reload where `navigation.instant` is on; `document$` tells of each.
if (window.document$) window.document$.subscribe(enhance);
else enhance();
