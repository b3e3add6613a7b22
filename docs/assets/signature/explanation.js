// Why a delivery is refused, with the proof: loaded when it is first needed.

import { element } from "../elements.js";
import { toHex, toLatin1 } from "./bytes.js";
import { diagnose } from "./diagnosis.js";
import { NAMES } from "./view.js";
import { OF_KINDS, explained } from "./words.js";

const BEFORE = 8;
const AFTER = 12;
const FRAMES = ["body alone", "no id", "no timestamp", "dots", "swapped", "milliseconds", "other timestamp"];

// What to show and what to say; `isWanted` tells whether the reader still waits for it.
export async function explanation({ delivery, secrets, others }, { kind, fits }, isWanted) {
  if (kind === "missing") return { shown: [paragraph(OF_KINDS.missing)], said: [] };
  const { found, tried, isTooLarge } = fits.length
    ? { found: inMilliseconds(delivery) }
    : await diagnose({ delivery, secrets, others, isWanted });
  const told = found.map((one) => ({ ...one, ...explained(one.faults) }));
  const shown = told.flatMap((one) => finding(one, delivery.body));
  if ((fits.length || kind === "malformed") && !told.length) shown.push(paragraph(OF_KINDS[kind]));
  if (isTooLarge) shown.push(paragraph("The body is larger than 256 KB, so common mistakes were not tried."));
  else if (!fits.length && !told.length) shown.push(...unexplained(tried));
  return { shown, said: told.map((one) => one.title) };
}

// A sender that signs milliseconds as they stand is refused for the form of its timestamp alone.
function inMilliseconds({ timestamp, body }) {
  return /^[0-9]{13}$/.test(timestamp) ? [{ faults: ["milliseconds"], body }] : [];
}

const paragraph = (...words) => element("p", "", ...words);

function finding({ title, advice, body, before, faults }, came) {
  const shown = [element("p", "signature__found", title), ...compared(came, body)];
  if (before !== undefined && faults.some((one) => FRAMES.includes(one)))
    shown.push(paragraph("Signed before the body: ", element("code", "", before || "nothing")));
  return [...shown, paragraph(advice.join(" "))];
}

function unexplained(tried) {
  const ways = tried.toLocaleString("en-GB");
  return [
    element("p", "signature__found", "No common mistake explains this signature."),
    paragraph(tried
      ? `Tried ${ways} variants of the body, secret, content and header. None produces this signature.`
      : "The header contains no Base64 or hexadecimal of 32 bytes."),
    paragraph("Check for another secret (add it to \"Other secrets\"), a body with different content, or headers of another event. " +
      "A signature cannot show where the body differs."),
  ];
}

// Two bodies where they begin to differ.
function compared(came, signed) {
  const at = firstDifference(came, signed);
  if (at === undefined) return [];
  return [element("dl", "signature__bytes",
    ...side("Received", came, at), ...side("Signed", signed, at)),
  element("p", "tool__note", `They differ from byte ${(at + 1).toLocaleString("en-GB")} on.`)];
}

function side(name, bytes, at) {
  const start = Math.max(0, at - BEFORE);
  const [same, here, rest] = [bytes.slice(start, at), bytes.slice(at, at + 1), bytes.slice(at + 1, at + AFTER)];
  const spelled = (some, write) => [write(same), element("mark", "", some.length ? write(some) : "end"), write(rest)];
  const hex = (some) => toHex(some).replace(/../g, "$& ");
  const text = (some) => Array.from(toLatin1(some), (one) => NAMES[one] ?? (/[ -~]/.test(one) ? one : ".")).join("");
  return [
    element("dt", "", `${name}, ${bytes.length.toLocaleString("en-GB")} bytes`),
    element("dd", "", element("code", "", ...spelled(here, hex))),
    element("dd", "", element("code", "", ...spelled(here, text))),
  ];
}

// Where two runs of bytes begin to differ; undefined where they do not.
function firstDifference(one, other) {
  const shorter = Math.min(one.length, other.length);
  for (let at = 0; at < shorter; at += 1) if (one[at] !== other[at]) return at;
  return one.length === other.length ? undefined : shorter;
}
