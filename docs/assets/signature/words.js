// The words for each mistake: what was signed, or how it was written; and what to do.

const BYTES = "Verify the raw bytes, before anything parses, decodes or logs them.";
const KEY = "The key is the Base64-decoded part of the secret after whsec_.";
const CONTENT = "The signed content is webhook-id, a dot, webhook-timestamp, a dot, and the body.";
const HEADER = "Each entry is v1, and padded standard Base64. One space separates entries.";
const PARSED = "Something parsed and re-serialized the body. ";

export const FAULTS = {
  empty: ["an empty body", "Something read the body first. " + BYTES],
  object: ["[object Object] instead of the body", "A parsed object was joined to a string. " + BYTES],
  newline: ["the body with a line break added or removed at its end", "An editor, echo or a log changed it. " + BYTES],
  "line ends": ["the body with CRLF and LF line endings swapped", "A text mode or an upload changed them. " + BYTES],
  charset: ["the body with Latin-1 and UTF-8 swapped", BYTES],
  bom: ["the body with a byte order mark added or removed", "An editor added it, or a decoder removed it. " + BYTES],
  spaces: ["the body without surrounding spaces", BYTES],
  quoted: ["the body as a JSON string, or the content of that string", "The body was encoded twice. " + BYTES],
  spacing: ["the same JSON with different spaces or line breaks", PARSED + BYTES],
  escapes: ["the same JSON with different escapes", PARSED + BYTES],
  slashes: ["the same JSON with / and \\/ swapped", "Something parsed and re-serialized the body, as PHP does. " + BYTES],
  order: ["the same JSON with its keys in another order", PARSED + BYTES],
  numbers: ["the same JSON with numbers formatted as JavaScript does", PARSED + BYTES],
  "other secret": ["one of the other secrets", "Use the secret of this endpoint and environment. After a rotation, the older secret signs for 24 hours only."],
  "secret as text": ["the text of the secret as the key", KEY],
  "prefix decoded": ["the Base64 of the whole secret, whsec_ included, as the key", KEY + " Remove the prefix first."],
  "secret with spaces": ["the text of the secret with a trailing space or line break as the key", "Trim what you read from a file or a variable. " + KEY],
  "secret as hex": ["the secret decoded as hexadecimal", KEY],
  "secret decoded twice": ["the secret decoded twice", KEY],
  "body alone": ["the body alone", CONTENT],
  "no id": ["the timestamp and the body, without webhook-id", CONTENT],
  "no timestamp": ["webhook-id and the body, without the timestamp", CONTENT],
  dots: ["the same content without the dots", CONTENT],
  swapped: ["the timestamp before webhook-id", CONTENT],
  milliseconds: ["the timestamp in milliseconds instead of seconds, or the reverse", "webhook-timestamp is in Unix seconds. Sign its text as you received it."],
  "other timestamp": ["another timestamp", "Each attempt has a new timestamp: take both headers from the same one."],
  version: ["the correct one without v1, in front", HEADER],
  form: ["the correct one in another format", HEADER + " A proxy can join headers with commas, and a log can quote them."],
  plus: ["the correct one with spaces instead of +", "It was decoded as a form or a URL. " + HEADER],
  padding: ["the correct one without = at its end", HEADER],
  base64url: ["the correct one in URL-safe Base64", HEADER],
  hex: ["the correct one in hexadecimal", HEADER],
};

const OF_HEADER = ["version", "form", "plus", "padding", "base64url", "hex"];

// One sentence of what was found, and what to do about it: each advice once.
export function explained(faults) {
  const said = (some) => some.map((one) => FAULTS[one][0]).join(", and ");
  const written = faults.filter((one) => OF_HEADER.includes(one));
  const signed = faults.filter((one) => !OF_HEADER.includes(one));
  const parts = [signed.length ? `was made with ${said(signed)}` : "", written.length ? `is ${said(written)}` : ""];
  return {
    title: `The signature ${parts.filter(Boolean).join(", and ")}.`,
    advice: [...new Set(faults.map((one) => FAULTS[one][1]))],
  };
}

// What explains a refusal by itself.
export const OF_KINDS = {
  missing: "A header is missing. Verification needs all three.",
  malformed: "A header is malformed: webhook-timestamp must be whole seconds, webhook-id must not contain a dot, and webhook-signature must be ASCII.",
  old: "The signature matches, but the timestamp is too old. The request is a replay or was delayed, or the receiver's clock is fast.",
  early: "The signature matches, but the timestamp is in the future. The receiver's clock is slow, or local time was taken for UTC.",
};
