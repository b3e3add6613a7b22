// Whether an answer keeps the contract: its status, its content type, its headers and its body; and what of
// it could not be looked at.

import { ask, partly } from "./judge.js";
import { essence, isJson } from "./request.js";

const XML = /[/+]xml$/;
const SAFE = /^(cache-control|content-(language|length|type)|expires|last-modified|pragma)$/i;
const HIDDEN = /^set-cookie2?$/i;

const ENDS = {
  large: "The response is larger than 64 MB. The rest was not read, and the body was not checked.",
  stopped: "You stopped the response. What arrived before is shown, and the body was not checked.",
  lost: "The connection ended before the response was complete. The body was not checked.",
};

// What differs, each with its place if it has one, what was not checked, and the headers that were. `text` is
// the body, if it is one; of it `most` characters are laid out, as `made`.
export async function verdictOf(operation, response, { size, end, text }, { addresses, most }) {
  const type = response.headers.get("content-type") ?? "",
    name = essence(type);
  const { found, faults, schema } = formalities(operation, response.status, type, size === 0 && !end);
  const headers = await headersOf(operation.headers?.[found] ?? [], response, addresses);
  const whole = end ? undefined : schema;
  const made = text === undefined ? { text: "" } : await bodyOf(text, name, whole, { addresses, most });
  const { findings = [], isWhole = true } = made.verdict ?? {};
  return {
    made,
    headers: headers.checked,
    faults: [
      ...faults,
      ...headers.faults,
      ...(made.fault && !end ? [`The body is not valid JSON: ${made.fault}`] : []),
    ],
    places: [...headers.places, ...findings.map(({ at, message }) => ({ place: pointer(at), message }))],
    open: [
      ...headers.open,
      made.failure && `The body was not checked: ${made.failure}.`,
      !isWhole && partly("body"),
      size > 0 && unread(name, schema, text),
      ENDS[end],
    ].filter(Boolean),
  };
}

const pointer = (at) =>
  at.map((one) => `/${`${one}`.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("") || "the whole body";

// Why a body was not looked at.
function unread(name, schema, text) {
  if (XML.test(name)) return "XML bodies are not checked.";
  return (
    schema !== undefined &&
    schema !== true &&
    (text === undefined || !isJson(name)) &&
    `Bodies of type ${name} are not checked against a schema.`
  );
}

async function bodyOf(text, name, schema, { addresses, most }) {
  const judged = isJson(name) ? schema : undefined;
  const made = await ask("answer", () => ({
    text,
    isJson: isJson(name),
    schema: judged,
    addresses: judged === undefined ? [] : addresses,
    most,
  }));
  return made.failure ? { ...made, text: text.slice(0, most), isCut: text.length > most } : made;
}

// A page sees of another origin's answer the headers that its server exposes: one that it does not see may be
// there.
async function headersOf(rules, response, addresses) {
  const seen = rules.filter(({ name }) => response.headers.has(name));
  const isVisible = ({ name }) => !HIDDEN.test(name) && (response.type === "basic" || SAFE.test(name));
  const absent = rules.filter((one) => one.required && !seen.includes(one));
  const missing = absent.filter(isVisible),
    unseen = absent.filter((one) => !isVisible(one)).map(({ name }) => name);
  const texts = seen.map((one) => ({ ...one, text: response.headers.get(one.name) }));
  const found = seen.length ? await ask("headers", () => ({ headers: texts, addresses })) : [];
  return {
    checked: found.failure ? [] : seen.map(({ name }) => name),
    faults: missing.map(({ name }) => `The required header ${name} is missing.`),
    places: found.failure ? [] : found.map(({ name, message }) => ({ header: name, message })),
    open: [
      found.failure && `The headers were not checked: ${found.failure}.`,
      unseen.length &&
        `Required but not visible to this page: ${unseen.join(", ")}. The server did not send or expose it ` +
          "(Access-Control-Expose-Headers).",
    ].filter(Boolean),
  };
}

// What the contract says of a status: its own words, those of its range, or the default.
export function documented(responses, status) {
  return [`${status}`, `${status}`[0] + "XX", `${status}`[0] + "xx", "default"].find((one) =>
    Object.hasOwn(responses, one),
  );
}

// The schema of a content type; ranges count where nothing closer is there. Of those that differ in parameters
// it is the one with the most that the answer has too.
export function mediaOf(content, type) {
  const [wanted, ...given] = partsOf(type);
  const rank = (one) => {
    const own = partsOf(one).slice(1);
    return own.every((part) => given.includes(part)) ? -own.length : 1;
  };
  return [wanted, `${wanted.split("/")[0]}/*`, "*/*"].flatMap((range) =>
    Object.keys(content)
      .filter((one) => essence(one) === range)
      .sort((one, other) => rank(one) - rank(other)),
  )[0];
}

const partsOf = (type) => type.toLowerCase().replace(/["\s]/g, "").split(";");

// What of an answer is not as documented, apart from what its body holds.
export function formalities({ method, responses }, status, type, isEmpty) {
  const found = documented(responses, status);
  const known = Object.keys(responses).join(", ");
  if (!found)
    return {
      faults: [`The contract does not describe status ${status}. It describes ${known || "none"}.`],
    };
  const content = responses[found],
    names = Object.keys(content);
  if (isEmpty) {
    const isFine = method === "HEAD" || status === 204 || status === 304 || !names.length;
    return {
      found,
      faults: isFine ? [] : [`The body is empty. The contract describes ${names.join(", ")}.`],
    };
  }
  if (!names.length) return { found, faults: [`The contract does not describe a body for ${found}.`] };
  const media = mediaOf(content, type || "application/octet-stream");
  const kind = type ? `The content type ${type}` : "A body without a content type";
  const fault = `${kind} is not described for ${found}. The contract describes ${names.join(", ")}.`;
  return media ? { found, faults: [], schema: content[media] } : { found, faults: [fault] };
}
