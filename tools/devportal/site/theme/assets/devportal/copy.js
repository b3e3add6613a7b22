// "Copy as Markdown": puts the page's twin into the clipboard, and says so to everybody.

const SHOWN_MS = 4000;

async function textOf(twin) {
  const answer = await fetch(twin);
  if (!answer.ok) throw new Error(`${twin} answers ${answer.status}`);
  return answer.text();
}

// The clipboard takes the promise of a text: Safari refuses to write once the click is over.
async function copy(twin) {
  if (!window.ClipboardItem) return navigator.clipboard.writeText(await textOf(twin));
  const blob = textOf(twin).then((text) => new Blob([text], { type: "text/plain" }));
  return navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.(".dp-copy");
  if (!button) return;
  const said = button.parentElement.querySelector(".dp-copy__said");
  try {
    await copy(button.parentElement.querySelector(".dp-copy__twin").href);
    said.textContent = "Copied";
  } catch {
    said.textContent = "Could not copy: open the Markdown and copy it there";
  }
  clearTimeout(button.timer);
  button.timer = setTimeout(() => { said.textContent = ""; }, SHOWN_MS);
});

// Browsers have no clipboard on pages that come over plain HTTP: then the link is what is left.
function hide() {
  for (const button of document.querySelectorAll(".dp-copy")) button.hidden = true;
}

if (!navigator.clipboard) window.document$.subscribe(hide);

// A menu that is open closes when somebody clicks beside it or presses Escape.
function close(event) {
  for (const menu of document.querySelectorAll(".dp-page-actions[open]")) {
    if (event.key === "Escape") menu.querySelector("summary").focus();
    if (event.key === "Escape" || (event.type === "click" && !menu.contains(event.target))) menu.open = false;
  }
}

document.addEventListener("click", close);
document.addEventListener("keydown", close);
