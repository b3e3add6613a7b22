// What the tools on hand-written pages share: elements whose texts are never read as HTML, and their start.

export function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

// The elements with a `data-part` below a place, by its value.
export function partsOf(place) {
  return Object.fromEntries([...place.querySelectorAll("[data-part]")].map((one) => [one.dataset.part, one]));
}

// Makes a tool of each place of a page, once. Some themes replace pages without a reload: `document$` tells of each.
export function upgrade(selector, make) {
  const made = new WeakMap();
  const all = () => {
    for (const place of document.querySelectorAll(selector)) if (!made.has(place)) made.set(place, make(place));
  };
  if (window.document$) window.document$.subscribe(all);
  else all();
  return () => made.get(document.querySelector(selector));
}
