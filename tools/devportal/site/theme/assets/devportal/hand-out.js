// "Share" copies the address of the page with its filter, "Print" prints it. Without this script a reader shares the
// address itself, and no button is shown.

const SHOWN_MS = 4000;

async function share(button) {
  const status = button.parentElement.querySelector("[data-shared]");
  try {
    await navigator.clipboard.writeText(location.href);
    status.textContent = gettext("Link copied");
  } catch {
    status.textContent = gettext("Copy the link from the address bar");
  }
  clearTimeout(button.timer);
  button.timer = setTimeout(() => { status.textContent = ""; }, SHOWN_MS);
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-share], [data-print]");
  if (button?.matches("[data-share]")) share(button);
  else if (button) print();
});
