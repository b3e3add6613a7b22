// The answer: status, time, size, whether it keeps the contract, body and headers.

import { coloured, el, tabs } from "./dom.js";
import { isJson } from "./request.js";
import { decoderOf, isStream, typeOf } from "./stream.js";
import { verdictOf } from "./verdict.js";

const MOST = 100_000; // of a longer body the first part is shown
const REDIRECT = gettext(
  "The server sent a redirect. Browsers hide its target from pages. Your credentials were sent only to " +
    "the server you chose. To follow the redirect, run the code.",
);
const EXPOSED = gettext(
  "Only headers that the server exposes (Access-Control-Expose-Headers) are listed. There may be more.",
);
const TEXTUAL =
  /^(text\/|.*\+json$|application\/(.*[+/])?(json|xml|yaml|x-yaml|javascript|x-ndjson|ndjson|jsonl|graphql|x-www-form-urlencoded|problem)$)/;
const WORDS = {
  200: "OK",
  201: "Created",
  202: "Accepted",
  204: "No Content",
  301: "Moved Permanently",
  302: "Found",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  409: "Conflict",
  410: "Gone",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

export function sizeOf(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  const [size, unit] = bytes < 1e6 ? [bytes / 1e3, "kB"] : [bytes / 1e6, "MB"];
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false };
  return `${size.toLocaleString(interfaceLanguage(), digits)} ${unit}`;
}

export async function showAnswer(place, operation, sent, addresses) {
  const { response, blob, end, firstMs, ms } = sent;
  if (response.type === "opaqueredirect") {
    place.replaceChildren(el("h3.title", {}, gettext("A redirect")), el("p", {}, REDIRECT));
    return;
  }
  const type = typeOf(response);
  const isText = TEXTUAL.test(type) || isStream(response) || (!type && blob.size < MOST);
  const text = blob.size && isText ? decoderOf(response).decode(await blob.arrayBuffer()) : undefined;
  const judged = await verdictOf(
    operation,
    response,
    { size: blob.size, end, text },
    { addresses: addresses.received, most: MOST },
  );
  const { status, statusText } = response;
  const isProblem = operation.problems && status >= 400 && text !== undefined && isJson(type) && text.length < MOST;
  const link = isProblem && (await (await import("./problems.js")).problemLink(text, addresses.problems));
  place.replaceChildren(
    el(
      "div.status",
      {},
      el(
        "span.code",
        { "data-class": `${status}`[0] },
        `${status} ${statusText || WORDS[status] || ""}`.trim(),
      ),
      el("span", { title: gettext("%(ms)s ms until the headers", { ms: Math.round(firstMs) }) }, `${Math.round(ms)} ms`),
      el("span", {}, sizeOf(blob.size)),
    ),
    verdict(judged),
    ...(link ? [link] : []),
    contents(response, blob, judged.made, isText, operation),
  );
}

function verdict({ faults, places, open, headers }) {
  const count = faults.length + places.length;
  const kept = count ? "no" : open.length ? "partly" : "yes";
  const words = {
    no: ngettext(
      "Does not conform to the contract: %(number)s difference",
      "Does not conform to the contract: %(number)s differences",
      count,
    ),
    partly: gettext("Partly checked, no differences found"),
    yes: gettext("Conforms to the contract"),
  };
  const items = [...faults.map((fault) => el("li", {}, fault)), ...places.map(placed)];
  const rest = [...open, ...(headers.length ? [gettext("Headers checked: %(headers)s.", { headers: headers.join(", ") })] : [])];
  return el(
    "div.verdict",
    { "data-kept": kept },
    el("strong", {}, words[kept]),
    count > 0 && el("ul", {}, ...items),
    ...rest.map((line) => el("p", {}, line)),
  );
}

function placed({ header, place, message }) {
  const name = el("code", {}, header ?? place);
  return header
    ? el("li", {}, ...gettextNodes("Header %(name)s %(message)s", { name, message }))
    : el("li", {}, name, ` ${message}`);
}

function contents(response, blob, layout, isText, operation) {
  const pane = el("div");
  const show = (chosen) =>
    pane.replaceChildren(...(chosen === "headers" ? headers(response) : body(blob, layout, isText, operation)));
  show("body");
  return el(
    "div.block",
    {},
    tabs(
      gettext("Part of the response"),
      [
        ["body", gettext("Body")],
        ["headers", gettext("Headers")],
      ],
      "body",
      show,
    ),
    pane,
  );
}

function headers(response) {
  const rows = [...response.headers].map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]);
  return [el("dl.headers", {}, ...rows.flat()), el("p.note", {}, EXPOSED)];
}

function body(blob, layout, isText, { method, path }) {
  if (!blob.size) return [el("p.note", {}, gettext("The body is empty."))];
  const save = el(
    "a.save",
    {
      href: keep(blob),
      download:
        `${method.toLowerCase()}${path.join("-").replace(/[^\w]+/g, "-")}.${isText ? "txt" : "bin"}`.replace(
          /-+/g,
          "-",
        ),
    },
    gettext("Save %(size)s", { size: sizeOf(blob.size) }),
  );
  if (!isText) return [el("p.note", {}, gettext("The body is not text, so it is not shown."), " ", save)];
  const shown = el(
    "pre.pre",
    { tabindex: "0", "aria-label": gettext("Body of the response"), role: "region" },
    el("code", {}, ...coloured(layout.text)),
  );
  return [shown, el("p.note", {}, layout.isCut ? `${gettext("Only the beginning of the body is shown.")} ` : "", save)];
}

// The address of what can be saved; one at a time is kept. Its type keeps a browser from showing it as a
// page.
let address;
function keep(blob) {
  drop();
  address = URL.createObjectURL(new Blob([blob], { type: "application/octet-stream" }));
  return address;
}

export function drop() {
  if (address) URL.revokeObjectURL(address);
  address = undefined;
}
