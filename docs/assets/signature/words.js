// What is said of each fault: what was signed, or how it was written; and what to do.

const BYTES = "Verify the bytes as they came, before anything parses, decodes or logs them.";
const KEY = "The key is the bytes that the Base64 after whsec_ stands for.";
const CONTENT = "What is signed is webhook-id, a dot, webhook-timestamp, a dot, and the body.";
const HEADER = "Entries are v1, and standard Base64 with its padding, with one space between them.";

export const FAULTS = {
  empty: ["an empty body", "Something has read the body before. " + BYTES],
  object: ["[object Object] in the place of the body", "A parsed object was joined to a text. " + BYTES],
  newline: ["the body with a line break more, or less, at its end", "An editor, echo or a log has added or cut one. " + BYTES],
  "line ends": ["the body with its line ends, CRLF or LF, exchanged", "A text mode or an upload has changed them. " + BYTES],
  charset: ["the body in another character set: Latin-1 and UTF-8 are exchanged", BYTES],
  bom: ["the body with the byte order mark added, or cut", "An editor has added it, or a decoder cut it. " + BYTES],
  spaces: ["the body without the spaces around it", BYTES],
  quoted: ["the body as a JSON string, or what the string holds", "It was encoded twice. " + BYTES],
  spacing: ["the same JSON with other spaces or line breaks", "It was parsed and written again. " + BYTES],
  escapes: ["the same JSON with other escapes", "It was parsed and written again. " + BYTES],
  slashes: ["the same JSON, / and \\/ exchanged", "It was parsed and written again, as PHP does. " + BYTES],
  order: ["the same JSON with its keys in another order", "It was parsed and written again. " + BYTES],
  numbers: ["the same JSON with numbers spelled as JavaScript does", "It was parsed and written again. " + BYTES],
  "other secret": ["one of the other secrets", "Give the receiver the secret of this endpoint, and of this environment. After a rotation the older one signs for 24 hours, and then no longer."],
  "secret as text": ["the secret's text as the key", KEY],
  "prefix decoded": ["the Base64 of the whole secret, whsec_ included, as the key", KEY + " Cut the prefix first."],
  "secret with spaces": ["the secret's text with a space or line break at its end as the key", "Trim what you read from a file or a variable. " + KEY],
  "secret as hex": ["the secret read as hexadecimal", KEY],
  "secret decoded twice": ["the secret decoded twice", KEY],
  "body alone": ["the body alone", CONTENT],
  "no id": ["timestamp and body, without webhook-id", CONTENT],
  "no timestamp": ["webhook-id and body, without the timestamp", CONTENT],
  dots: ["the same, without the dots", CONTENT],
  swapped: ["the timestamp before webhook-id", CONTENT],
  milliseconds: ["the timestamp in milliseconds where seconds are due, or the other way round", "webhook-timestamp is in Unix seconds. Sign its text as it came."],
  "other timestamp": ["another timestamp", "Each attempt has a timestamp of its own: take both headers of the same one."],
  version: ["the right one, without v1, before it", HEADER],
  form: ["the right one, written otherwise", HEADER + " A proxy can join headers with commas, a log can put quotes around them."],
  plus: ["the right one, with spaces in the place of +", "It was decoded as a form or an address. " + HEADER],
  padding: ["the right one, without = at its end", HEADER],
  base64url: ["the right one, in the Base64 of URLs", HEADER],
  hex: ["the right one, in hexadecimal", HEADER],
};

const OF_HEADER = ["version", "form", "plus", "padding", "base64url", "hex"];

// One sentence of what was found, and what to do about it: each advice once.
export function explained(faults) {
  const said = (some) => some.map((one) => FAULTS[one][0]).join(", and ");
  const written = faults.filter((one) => OF_HEADER.includes(one));
  const signed = faults.filter((one) => !OF_HEADER.includes(one));
  const parts = [signed.length ? `fits ${said(signed)}` : "", written.length ? `is ${said(written)}` : ""];
  return {
    title: `The signature that came ${parts.filter(Boolean).join(", and ")}.`,
    advice: [...new Set(faults.map((one) => FAULTS[one][1]))],
  };
}

// What explains a refusal by itself.
export const OF_KINDS = {
  missing: "A header is missing. Without all three nothing can be verified.",
  malformed: "webhook-timestamp is whole seconds, webhook-id has no dot, and webhook-signature is ASCII: one of them is not.",
  old: "The signature fits, and the timestamp is too old. It is a replay, the request has waited somewhere, or the receiver's clock is ahead.",
  early: "The signature fits, and the timestamp is ahead. The receiver's clock is behind, or the time of a time zone was taken for UTC.",
};
