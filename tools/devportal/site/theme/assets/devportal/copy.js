// "Copy as Markdown": puts the page's twin into the clipboard, and says so to everybody.

async function textOf(twin) {
  const answer = await fetch(twin);
  if (!answer.ok) throw new Error(answer.status);
  return answer.text();
}

// The clipboard takes the promise of a text: Safari refuses to write once the click is over.
async function copy(twin) {
  if (!window.ClipboardItem) return navigator.clipboard.writeText(await textOf(twin));
  const blob = textOf(twin).then((text) => new Blob([text], { type: "text/plain" }));
  return navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}

document.addEventListener("click", async ({ target }) => {
  const menu = target.closest?.(".dp-copy")?.parentElement;
  if (!menu) return;
  const status = menu.querySelector("[role=status]");
  status.textContent = "";
  try {
    await copy(menu.querySelector("a").href);
    status.textContent = gettext("Copied");
  } catch {
    status.textContent = gettext("Could not copy: open the Markdown and copy it there");
  }
});

// A menu that is open closes when somebody clicks beside it or presses Escape.
for (const kind of ["click", "keydown"]) {
  document.addEventListener(kind, ({ key, target }) => {
    const menu = document.querySelector(".dp-page-actions[open]");
    if (!menu || (key ? key !== "Escape" : menu.contains(target))) return;
    menu.open = false;
    if (key) menu.firstElementChild.focus();
  });
}

// Browsers have no clipboard on pages that come over plain HTTP: then the link is what is left.
if (!navigator.clipboard) window.document$.subscribe(() => document.querySelector(".dp-copy")?.remove());
