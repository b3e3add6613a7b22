// What scripts expect before they run, ours and the theme's own: the site's scope, small accessors to the browser's
// storage, and `document$`, by which the theme's scripts tell of each page. No credential is ever stored.
document.documentElement.classList.replace("no-js", "js"); // earlier than the theme does it: nothing jumps

// An address with a filter: what the filter is about to leave out is not shown first. The page's script shows it;
// so do we, where that script is late or fails.
if (location.search) {
  const { classList } = document.documentElement;
  const show = () => classList.remove("dp-filtering");
  classList.add("dp-filtering");
  addEventListener("error", show, true);
  addEventListener("unhandledrejection", show);
  setTimeout(show, 3000);
}

window.__md_scope = new URL(document.currentScript.dataset.base, location);
window.__md_hash = (text) => [...text].reduce((hash, letter) => (hash << 5) - hash + letter.charCodeAt(0), 0);
window.__md_get = (key, storage = localStorage, scope = window.__md_scope) => {
  try {
    return JSON.parse(storage.getItem(`${scope.pathname}.${key}`));
  } catch {
    return null;
  }
};
window.__md_set = (key, value, storage = localStorage, scope = window.__md_scope) => {
  try {
    storage.setItem(`${scope.pathname}.${key}`, JSON.stringify(value));
  } catch {
    // A browser without storage forgets the choice, which is all that can be done.
  }
};
window.document$ = {
  subscribe(start) {
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", () => start(document));
    else start(document);
  },
};
