// Whether an answer keeps the contract: its status, its content type, its headers and its body; and what of
// it could not be looked at.

import { ask } from "./judge.js";
import { essence, isJson } from "./request.js";

const XML = /[/+]xml$/;
const SAFE = /^(cache-control|content-(language|length|type)|expires|last-modified|pragma)$/i;
const HIDDEN = /^set-cookie2?$/i;

const ENDS = {
  large: gettext("The response is larger than 64 MB. The rest was not read, and the body was not checked."),
  stopped: gettext("You stopped the response. What arrived before is shown, and the body was not checked."),
  lost: gettext("The connection ended before the response was complete. The body was not checked."),
};

// What differs, each with its place if it has one, what was not checked, and the headers that were. `text` is
// the body, if it is one; of it `most` characters are laid out, as `made`.
export async function verdictOf(operation, response, { size, end, text }, { addresses, most }) {
  const type = response.headers.get("content-type") ?? "",
    name = essence(type);
  const { found, faults, schema } = formalities(operation, response.status, type, size === 0 && !end);
  const headers = await headersOf(operation.headers?.[found] ?? [], response, addresses);
  const whole = end ? undefined : schema;
  const body = text === undefined ? { text: "" } : await bodyOf(text, name, whole, { addresses, most });
  const { findings = [], isWhole = true } = body.verdict ?? {};
  return {
    made: body,
    headers: headers.checked,
    faults: [
      ...faults,
      ...headers.faults,
      ...(body.fault && !end ? [gettext("The body is not valid JSON: %(fault)s", { fault: body.fault })] : []),
    ],
    places: [...headers.places, ...findings.map(({ at, message }) => ({ place: pointer(at), message }))],
    open: [
      ...headers.open,
      body.failure && gettext("The body was not checked: %(reason)s.", { reason: body.failure }),
      !isWhole && gettext("Only part of the body was checked: it is too large or has too many errors."),
      size > 0 && unread(name, schema, text),
      ENDS[end],
    ].filter(Boolean),
  };
}

const pointer = (at) =>
  at.map((key) => `/${`${key}`.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("") || gettext("the whole body");

// Why a body was not looked at.
function unread(name, schema, text) {
  if (XML.test(name)) return gettext("XML bodies are not checked.");
  return (
    schema !== undefined &&
    schema !== true &&
    (text === undefined || !isJson(name)) &&
    gettext("Bodies of type %(type)s are not checked against a schema.", { type: name })
  );
}

async function bodyOf(text, name, schema, { addresses, most }) {
  const judged = isJson(name) ? schema : undefined;
  const body = await ask("answer", () => ({
    text,
    isJson: isJson(name),
    schema: judged,
    addresses: judged === undefined ? [] : addresses,
    most,
  }));
  return body.failure ? { ...body, text: text.slice(0, most), isCut: text.length > most } : body;
}

// A page sees of another origin's answer the headers that its server exposes: one that it does not see may be
// there.
async function headersOf(rules, response, addresses) {
  const seen = rules.filter(({ name }) => response.headers.has(name));
  const isVisible = ({ name }) => !HIDDEN.test(name) && (response.type === "basic" || SAFE.test(name));
  const absent = rules.filter((rule) => rule.required && !seen.includes(rule));
  const missing = absent.filter(isVisible),
    unseen = absent.filter((rule) => !isVisible(rule)).map(({ name }) => name);
  const texts = seen.map((rule) => ({ ...rule, text: response.headers.get(rule.name) }));
  const found = seen.length ? await ask("headers", () => ({ headers: texts, addresses })) : [];
  return {
    checked: found.failure ? [] : seen.map(({ name }) => name),
    faults: missing.map(({ name }) => gettext("The required header %(name)s is missing.", { name })),
    places: found.failure ? [] : found.map(({ name, message }) => ({ header: name, message })),
    open: [
      found.failure && gettext("The headers were not checked: %(reason)s.", { reason: found.failure }),
      unseen.length &&
        gettext(
          "Required but not visible to this page: %(headers)s. The server did not send or expose it " +
            "(Access-Control-Expose-Headers).",
          { headers: unseen.join(", ") },
        ),
    ].filter(Boolean),
  };
}

// What the contract says of a status: its own words, those of its range, or the default.
export function documented(responses, status) {
  return [`${status}`, `${status}`[0] + "XX", `${status}`[0] + "xx", "default"].find((key) =>
    Object.hasOwn(responses, key),
  );
}

// The schema of a content type; ranges count where nothing closer is there. Of those that differ in parameters
// it is the one with the most that the answer has too.
export function mediaOf(content, type) {
  const [wanted, ...given] = partsOf(type);
  const rank = (candidate) => {
    const own = partsOf(candidate).slice(1);
    return own.every((part) => given.includes(part)) ? -own.length : 1;
  };
  return [wanted, `${wanted.split("/")[0]}/*`, "*/*"].flatMap((range) =>
    Object.keys(content)
      .filter((candidate) => essence(candidate) === range)
      .sort((candidate, other) => rank(candidate) - rank(other)),
  )[0];
}

const partsOf = (type) => type.toLowerCase().replace(/["\s]/g, "").split(";");

// What of an answer is not as documented, apart from what its body holds.
export function formalities({ method, responses }, status, type, isEmpty) {
  const found = documented(responses, status);
  const known = Object.keys(responses).join(", ");
  if (!found)
    return {
      faults: [
        known
          ? gettext("The contract does not describe status %(status)s. It describes %(known)s.", { status, known })
          : gettext("The contract does not describe status %(status)s. It describes none.", { status }),
      ],
    };
  const content = responses[found],
    names = Object.keys(content);
  if (isEmpty) {
    const isFine = method === "HEAD" || status === 204 || status === 304 || !names.length;
    return {
      found,
      faults: isFine ? [] : [gettext("The body is empty. The contract describes %(types)s.", { types: names.join(", ") })],
    };
  }
  if (!names.length) return { found, faults: [gettext("The contract does not describe a body for %(status)s.", { status: found })] };
  const media = mediaOf(content, type || "application/octet-stream");
  const types = names.join(", ");
  const fault = type
    ? gettext("The content type %(type)s is not described for %(status)s. The contract describes %(types)s.", {
        type,
        status: found,
        types,
      })
    : gettext("A body without a content type is not described for %(status)s. The contract describes %(types)s.", {
        status: found,
        types,
      });
  return media ? { found, faults: [], schema: content[media] } : { found, faults: [fault] };
}
