// The page of this site about the problem in a response (RFC 9457), if there is one. Loaded when a problem comes.

import { el } from "./dom.js";

const ROOT = new URL("../../../", import.meta.url); // of the site

// Nothing for a type that no page describes.
export async function problemLink(text, address) {
  try {
    const { type } = JSON.parse(text);
    const pages = await (await fetch(address)).json();
    if (typeof type !== "string" || !Object.hasOwn(pages, type)) return undefined;
    const link = el("a", { href: new URL(pages[type], ROOT), target: "_blank", rel: "noopener" }, gettext("About this problem"));
    return el("p.hint", {}, link, " ", el("code", {}, type));
  } catch {
    return undefined; // no problem, or its pages could not be loaded
  }
}
