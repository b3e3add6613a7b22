// Where a reader gets a token: for the sandbox, if that is chosen, and for an account. It is loaded when somebody asks.

import { el, inLanguage } from "./dom.js";
import { isSandbox } from "./servers.js";

const ROOT = new URL("../../../", import.meta.url); // of the site

export function tokenSources({ base, chosen, operation: { token = {} }, security: { about } }) {
  const { page, sandbox } = token;
  const lines = [sandbox && isSandbox(chosen, base) && gettext("Sandbox: %(text)s", { text: sandbox }), about].filter(Boolean);
  const link =
    page && el("a", { href: new URL(page, ROOT), target: "_blank", rel: "noopener" }, gettext("How to get a token"));
  return [...lines.map((line) => el("p.hint", inLanguage({}), line)), ...(link ? [el("p.hint", {}, link, ".")] : [])];
}
