// The address of a server that the contract does not name. It is loaded when somebody wants one.

import { el, fresh, showFault } from "./dom.js";
import { isUsable, otherServer } from "./servers.js";

const NO_ADDRESS = gettext("Enter an address that starts with http:// or https://, without a username, ? or #.");
const OTHER_HINT = gettext(
  "The API must allow requests from this page (CORS), and this site must allow requests to the API " +
    "(Content-Security-Policy: connect-src).",
);

// The field for it. What is no address is neither kept nor sent to.
export function addressField(url, take) {
  const [id, wrong] = [fresh(), fresh()];
  const error = el("p.error", { id: wrong, hidden: true });
  const set = ({ target }) => {
    const chosen = otherServer(target.value);
    showFault(error, isUsable(chosen) ? "" : NO_ADDRESS);
    if (isUsable(chosen)) target.removeAttribute("aria-invalid");
    else target.setAttribute("aria-invalid", "true");
    take(chosen);
  };
  const input = el("input", {
    type: "url",
    value: url,
    placeholder: "https://api.example.com",
    "aria-label": gettext("Address"),
    "aria-describedby": `${id} ${wrong}`,
    autocomplete: "off",
    spellcheck: "false",
    input: set,
  });
  return el("div.row", {}, input, error, el("p.hint", { id }, OTHER_HINT));
}
