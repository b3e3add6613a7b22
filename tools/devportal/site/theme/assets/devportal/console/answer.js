// The answer: status, time, size, whether it keeps the contract, body and headers.

import { coloured, el, tabs } from "./dom.js";
import { ask } from "./judge.js";
import { essence, isJson } from "./request.js";

const MOST = 100_000; // of a longer body the first part is shown
const TEXTUAL =
  /^(text\/|application\/(.*[+/])?(json|xml|yaml|x-yaml|javascript|x-ndjson|ndjson|jsonl|graphql|x-www-form-urlencoded|problem)$)/;
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
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

// What the contract says of a status: its own words, those of its range, or the default.
export function documented(responses, status) {
  return [`${status}`, `${status}`[0] + "XX", `${status}`[0] + "xx", "default"].find((one) =>
    Object.hasOwn(responses, one),
  );
}

// The schema of a content type; ranges count where nothing closer is there.
export function mediaOf(content, type) {
  const wanted = essence(type);
  const ranges = [wanted, `${wanted.split("/")[0]}/*`, "*/*"];
  const names = Object.keys(content);
  return ranges.map((range) => names.find((one) => essence(one) === range)).find((one) => one !== undefined);
}

// What of an answer is not as documented, apart from what its body holds.
export function formalities({ method, responses }, status, type, isEmpty) {
  const found = documented(responses, status);
  if (!found)
    return {
      faults: [
        `The contract does not describe status ${status}: it has ${Object.keys(responses).join(", ") || "none"}.`,
      ],
    };
  const content = responses[found],
    names = Object.keys(content);
  if (isEmpty) {
    const isFine = method === "HEAD" || status === 204 || status === 304 || !names.length;
    return {
      faults: isFine ? [] : [`The body is empty; the contract describes one of ${names.join(", ")}.`],
    };
  }
  if (!names.length) return { faults: [`The contract describes no body for ${found}.`] };
  const media = mediaOf(content, type || "application/octet-stream");
  if (!media)
    return {
      faults: [
        `${type ? `The content type ${type}` : "A body without a content type"} is not described for ${found}: the contract has ${names.join(", ")}.`,
      ],
    };
  return { faults: [], schema: content[media] };
}

export async function showAnswer(place, operation, sent, addresses) {
  const { response, blob, isCut, firstMs, ms } = sent;
  if (response.type === "opaqueredirect") {
    place.replaceChildren(
      el("h3.title", {}, "A redirect"),
      el(
        "p",
        {},
        "The server redirects, and a browser does not tell a page where to. Credentials were sent to the chosen server only. Follow it with the code.",
      ),
    );
    return;
  }
  const type = response.headers.get("content-type") ?? "",
    name = essence(type);
  const { faults, schema } = formalities(operation, response.status, type, blob.size === 0);
  const isText = TEXTUAL.test(name) || (!name && blob.size < MOST);
  let made = { text: "" };
  if (blob.size && isText) {
    const text = await blob.text();
    const judged = isJson(name) ? schema : undefined;
    made = await ask("answer", { text, isJson: isJson(name), schema: judged, addresses, most: MOST });
    if (made.failure) made = { ...made, text: text.slice(0, MOST), isCut: text.length > MOST };
  }
  const places = made.verdict?.findings ?? [];
  const open = [
    made.failure && `The body was not checked: ${made.failure}.`,
    made.verdict &&
      !made.verdict.isWhole &&
      "Only a part of the body was checked: it is too large, or too much is wrong.",
  ];
  if (schema !== undefined && schema !== true && blob.size && !isJson(name))
    open.push(`A body of type ${name} is not checked against its schema.`);
  if (made.fault) faults.push(`The body is no JSON: ${made.fault}`);
  if (isCut) open.push("The answer is larger than 64 MB: the rest was not read.");
  place.replaceChildren(
    el(
      "div.status",
      {},
      el(
        `span.code`,
        { "data-class": `${response.status}`[0] },
        `${response.status} ${response.statusText || WORDS[response.status] || ""}`.trim(),
      ),
      el("span", { title: `${Math.round(firstMs)} ms until the headers` }, `${Math.round(ms)} ms`),
      el("span", {}, sizeOf(blob.size)),
    ),
    verdict(faults, places, open.filter(Boolean)),
    contents(response, blob, made, isText, operation),
  );
}

function verdict(faults, places, open) {
  const count = faults.length + places.length;
  if (!count)
    return el(
      "div.verdict",
      { "data-kept": open.length ? "partly" : "yes" },
      el("strong", {}, open.length ? "Nothing differs in what was checked" : "Keeps the contract"),
      ...open.map((one) => el("p", {}, one)),
    );
  return el(
    "div.verdict",
    { "data-kept": "no" },
    el("strong", {}, `Differs from the contract in ${count} place${count === 1 ? "" : "s"}`),
    el(
      "ul",
      {},
      ...faults.map((one) => el("li", {}, one)),
      ...places.map(({ at, message }) => el("li", {}, el("code", {}, pointer(at)), ` ${message}`)),
    ),
    ...open.map((one) => el("p", {}, one)),
  );
}

const pointer = (at) =>
  at.map((one) => `/${`${one}`.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("") || "the whole body";

function contents(response, blob, made, isText, operation) {
  const pane = el("div");
  const show = (chosen) =>
    pane.replaceChildren(...(chosen === "headers" ? headers(response) : body(blob, made, isText, operation)));
  show("body");
  return el(
    "div.block",
    {},
    tabs(
      "Part of the answer",
      [
        ["body", "Body"],
        ["headers", "Headers"],
      ],
      "body",
      show,
    ),
    pane,
  );
}

function headers(response) {
  const rows = [...response.headers].map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]);
  return [
    el("dl.headers", {}, ...rows.flat()),
    el(
      "p.note",
      {},
      "A page sees the headers that the server exposes to it (Access-Control-Expose-Headers); there may be more.",
    ),
  ];
}

function body(blob, made, isText, { method, path }) {
  if (!blob.size) return [el("p.note", {}, "The body is empty.")];
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
    `Save ${sizeOf(blob.size)}`,
  );
  if (!isText) return [el("p.note", {}, "The body is not text, and is not shown. ", save)];
  const shown = el(
    "pre.pre",
    { tabindex: "0", "aria-label": "Body of the answer", role: "region" },
    el("code", {}, ...coloured(made.text)),
  );
  return [shown, el("p.note", {}, made.isCut ? "This is the beginning of the body. " : "", save)];
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
