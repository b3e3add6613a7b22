// Responses that come in parts, shown as they come; and the text of a response, by its charset.

import { el } from "./dom.js";
import { essence } from "./request.js";

const STREAMS = /^(text\/event-stream|application\/(.*\+)?(x-ndjson|ndjson|jsonl|x-jsonlines|jsonlines|json-lines|json-seq|stream\+json))$/;
const MOST = 100_000;

export const typeOf = (response) => essence(response.headers.get("content-type") ?? "");
export const isStream = (response) => STREAMS.test(typeOf(response));

// By the label of the Encoding standard, which a browser knows; UTF-8 for one that it does not.
export function decoderOf(response) {
  const [, label = "utf-8"] = /;\s*charset="?([^";\s]+)/i.exec(response.headers.get("content-type") ?? "") ?? [];
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

// Puts the body below what is there, and returns what adds a piece to it. A reader of the screen hears that it
// begins, not each piece.
export function liveBody(response, place, status) {
  const decoder = decoderOf(response),
    code = el("code"),
    shown = el("pre.pre", { tabindex: "0", "aria-label": gettext("Body of the response"), role: "region" }, code);
  let left = MOST;
  place.append(el("div.block", {}, shown));
  status.textContent = gettext("%(status)s. Receiving the response. Choose Stop to end it and keep what has arrived.", {
    status: response.status,
  });
  return (chunk) => {
    const text = decoder.decode(chunk, { stream: true }).slice(0, left),
      isAtEnd = shown.scrollHeight - shown.scrollTop - shown.clientHeight < 40;
    left -= text.length;
    code.append(text);
    if (isAtEnd) shown.scrollTop = shown.scrollHeight;
  };
}
