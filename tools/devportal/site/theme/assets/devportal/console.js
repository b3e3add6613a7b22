// The button of the try-it console. All the rest is loaded when somebody wants it.

const HASH = "#try";
let opened, fault;

async function open(button) {
  if (button.hasAttribute("aria-busy")) return;
  const address = new URL(button.dataset.console, document.baseURI);
  if (opened?.address !== address.href || opened.console.isGone) {
    button.setAttribute("aria-busy", "true");
    opened?.console.leave();
    opened = undefined;
    fault?.remove();
    try {
      const [{ openConsole }, answer] = await Promise.all([
        import("./console/open.js"),
        fetch(address),
        styled(),
      ]);
      const view = await openConsole(address, answer);
      if (!button.isConnected) {
        view.leave();
        return;
      } // another page came meanwhile
      opened = { address: address.href, console: view };
    } catch (error) {
      console.error(error);
      fault = Object.assign(document.createElement("p"), { role: "alert", className: "dp-panel__note" });
      fault.textContent = gettext("The console could not be loaded. Reload the page.");
      button.parentElement.after(fault);
      return;
    } finally {
      button.removeAttribute("aria-busy");
    }
  }
  opened.console.show();
}

function styled() {
  const href = new URL("./console.css", import.meta.url).href;
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return undefined;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  return new Promise((resolve) => {
    link.onload = link.onerror = resolve;
    document.head.append(link);
  });
}

function offer() {
  opened?.console.leave(); // where a theme replaces pages without a reload, a new page is a page left
  opened = undefined;
  const buttons = document.querySelectorAll(".dp-try");
  for (const button of buttons) button.hidden = false;
  if (buttons.length && location.hash === HASH) open(buttons[0]);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.(".dp-try");
  if (button) open(button);
});
addEventListener("hashchange", () => {
  if (location.hash === HASH) offer();
});

if (window.document$) window.document$.subscribe(offer);
else offer();
