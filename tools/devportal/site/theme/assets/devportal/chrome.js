// What surrounds a page: the drawer on phones, the header, the table of contents, copy buttons. The pages are
// complete without it. It takes the place of the theme's own scripts, which are ten times as long.

import { target } from "./places.js";

const SHOWN_MS = 2000;

// ---- the drawer on phones: a checkbox opens it, a style sheet shows it ----

function drawer() {
  const [toggle, button, panel] = ["#__drawer", ".dp-menu", ".md-sidebar--primary"].map((selector) => document.querySelector(selector));
  if (!button || !panel) {
    button?.remove();
    return;
  }
  const set = (isOpen) => {
    toggle.checked = isOpen;
    button.setAttribute("aria-expanded", isOpen);
  };
  panel.id ||= "dp-drawer";
  panel.tabIndex = -1;
  button.setAttribute("aria-controls", panel.id);
  set(false);
  button.addEventListener("click", () => {
    set(true);
    panel.focus();
  });
  toggle.addEventListener("change", () => set(toggle.checked)); // the ground beside the drawer
  panel.addEventListener("click", ({ target }) => {
    if (target.closest("a")) set(false);
  });
  panel.addEventListener("focusout", ({ relatedTarget }) => {
    if (toggle.checked && relatedTarget && !panel.contains(relatedTarget)) set(false);
  });
  addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !toggle.checked) return;
    set(false);
    button.focus();
  });
}

// ---- the header: a line below it once the page has moved, and the title of the page once that is out of sight ----

function header() {
  const mark = (watched, element, name) => {
    if (!watched || !element) return;
    new IntersectionObserver(([{ isIntersecting, boundingClientRect }]) => {
      element.classList.toggle(name, !isIntersecting && boundingClientRect.top < 100);
    }, { rootMargin: "-50px 0px 0px" }).observe(watched);
  };
  const top = document.querySelector(".md-header");
  if (!top.classList.contains("md-header--lifted")) mark(document.querySelector(".md-tabs"), top, "md-header--shadow");
  mark(document.querySelector(".md-content h1"), document.querySelector(".md-header__title"), "md-header__title--active");
}

// ---- the table of contents marks what is read: the last heading in the upper part of the window or above it ----

function contents() {
  const list = document.querySelector(".md-sidebar--secondary [data-md-component=toc]");
  const links = new Map([...list?.querySelectorAll("a") ?? []].map((link) =>
    [target(link.hash.slice(1)), link]));
  links.delete(null);
  const passed = new Set();
  let here;

  const mark = () => {
    const next = links.get([...links.keys()].findLast((heading) => passed.has(heading)));
    if (next === here) return;
    here?.removeAttribute("aria-current");
    here?.classList.remove("md-nav__link--active");
    next?.setAttribute("aria-current", "location");
    next?.classList.add("md-nav__link--active");
    here = next;
    const column = list.closest(".md-sidebar__scrollwrap");
    const middle = column.clientHeight / 2;
    if (next && column.scrollHeight > column.clientHeight) {
      column.scrollTop += next.getBoundingClientRect().top - column.getBoundingClientRect().top - middle;
    }
  };
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) passed[isIntersecting ? "add" : "delete"](target);
    mark();
  }, { rootMargin: "1000000px 0px -60%" });
  for (const heading of links.keys()) observer.observe(heading);
}

// ---- code: a button that copies it, and the keyboard reaches what scrolls ----

let timer;

function say(text) {
  const dialog = document.querySelector(".md-dialog");
  const words = dialog.firstElementChild;
  words.textContent = text;
  dialog.classList.add("md-dialog--active");
  clearTimeout(timer);
  timer = setTimeout(() => {
    dialog.classList.remove("md-dialog--active");
    words.textContent = "";
  }, SHOWN_MS);
}

// A long example is one text in two blocks, of which a reader opens the second.
function textOf(code) {
  const long = code.closest(".dp-long");
  if (long) return [...long.querySelectorAll("code")].map((part) => part.textContent).join("");
  return code.closest("[data-copy]")?.dataset.copy ?? code.innerText;
}

async function copy(code) {
  try {
    await navigator.clipboard.writeText(textOf(code).trimEnd());
    say(gettext("Copied to clipboard"));
  } catch {
    say(gettext("Could not copy: select the text instead"));
  }
}

function copyButton(code, title) {
  const button = document.createElement("button");
  button.className = "md-code__button";
  button.type = "button";
  button.title = title;
  button.dataset.mdType = "copy";
  button.addEventListener("click", () => copy(code));
  return button;
}

function copyBar(code) {
  const bar = document.createElement("div");
  bar.className = "md-code__nav";
  bar.append(copyButton(code, gettext("Copy to clipboard")));
  return bar;
}

// What readers copy into their code: the path of an operation, and addresses of servers.
function values() {
  if (!navigator.clipboard) return;
  for (const value of document.querySelectorAll(".dp-op__line > .dp-path, .dp-servers > li > code:first-child")) {
    const button = copyButton(value, gettext("Copy"));
    button.classList.add("dp-copy-value");
    value.append(button);
  }
}

function code() {
  document.querySelector(".md-dialog").firstElementChild.setAttribute("role", "status");
  // What is behind a tab gets its button once it is shown: a page of many samples stays light.
  const unseen = new ResizeObserver((entries) => {
    for (const { target } of entries.filter((entry) => entry.target.clientWidth)) {
      unseen.unobserve(target);
      const [code] = target.getElementsByTagName("code");
      code.before(copyBar(code));
    }
  });
  const watcher = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      target.toggleAttribute("tabindex", target.scrollWidth > target.clientWidth);
      if (target.hasAttribute("tabindex")) target.tabIndex = 0;
    }
  });
  for (const block of document.querySelectorAll(".md-typeset pre > code")) {
    // Browsers have no clipboard on pages that come over plain HTTP.
    if (navigator.clipboard && !block.closest(".no-copy, .dp-rest")) unseen.observe(block.parentElement);
    watcher.observe(block);
  }
}

for (const part of [drawer, header, contents, code, values]) part();
if (document.querySelector(".tabbed-set")) import("./tabbed.js");
