// Values of parameters and forms as text, by `style` and `explode`: the rules of the samples, in this
// language.

import { Numeral, isObject, write } from "./values.js";

const RESERVED = "!$'()*,/:;=?@";
const JOINTS = { spaceDelimited: " ", pipeDelimited: "|" };

// Percent-encodes what is neither unreserved (RFC 3986 §2.3) nor among the safe ones; half of a surrogate pair stands
// for nothing.
export function quote(text, safe = "") {
  const hex = (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  const encoded = (character) => Array.from(new TextEncoder().encode(character), hex).join("");
  return [...text]
    .map((character) => (/[\w.~-]/.test(character) || safe.includes(character) ? character : encoded(character)))
    .join("");
}

// As Python counts: in code points.
export const lengthOf = (text) => [...text].length;
export const isLonger = (text, room) => text.length > 2 * room || (text.length > room && lengthOf(text) > room);
export const scalar = (value) =>
  typeof value === "string" ? value : value instanceof Blob ? value.name : write(value);

const item = (value) => quote(scalar(value), ":@");
const flatly = (value, explode) =>
  isObject(value)
    ? explode
      ? [...value].map(([key, member]) => `${item(key)}=${item(member)}`)
      : [...value].flat().map(item)
    : Array.isArray(value)
      ? value.map(item)
      : [item(value)];

export function pathText({ name, style, explode, content }, value) {
  if (content) return item(value);
  const flat = (all, joint) => flatly(value, all).join(joint);
  if (style === "label") return `.${flat(explode, explode ? "." : ",")}`;
  if (style !== "matrix") return flat(explode, ",");
  const start = explode && isObject(value) ? ";" : `;${quote(name)}=`;
  return (start + flat(explode, explode ? start : ",")).replace(/=(?=;|$)/g, "");
}

// White space as Python has it: a byte order mark is none.
const SPACE = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
const AROUND = new RegExp(`^${SPACE}|${SPACE}$`, "g");
const PRINTABLE = Array.from({ length: 0x5f }, (_, code) => String.fromCharCode(0x20 + code)).join("");

// The name of a header or cookie as the token that it has to be (RFC 9110 §5.6.2), and a value on one line:
// what they cannot hold is percent-encoded.
export const token = (name) => quote(name, "!#$%&'*+.^_`|~-");
export const fieldValue = (text) => quote(text.replace(AROUND, ""), PRINTABLE);

// The name of a part, with control characters encoded as browsers encode line breaks (HTML §4.10.22.8).
export const partName = (name) => name.replace(/[\0-\x08\x0a-\x1f\x7f]/g, (character) => quote(character));

export function headerText({ explode, content }, value) {
  let text = scalar(value);
  if (content) text = typeof value === "string" ? text : ascii(text);
  else if (Array.isArray(value)) text = value.map(scalar).join(",");
  else if (isObject(value))
    text = [...value].map(([key, member]) => key + (explode ? "=" : ",") + scalar(member)).join(",");
  return fieldValue(text);
}

// JSON in a header has escapes for what is beyond ASCII.
const ascii = (text) =>
  text.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

export function queryPairs({ name, style, explode, content }, value) {
  return content ? [[name, scalar(value)]] : styled(name, value, style, explode);
}

const COOKIE = "!#$%&'()*+-./:<=>?@[]^_`{|}~";

// A cookie as names and values, ready for the header: with style `cookie` as they are, and the commas of a list too.
export function cookiePairs(parameter, value) {
  const { name, style, explode, content } = parameter;
  const encoded = (part) => quote(scalar(part), COOKIE);
  if (style === "cookie") return queryPairs(parameter, value);
  const isTree = Array.isArray(value) || isObject(value);
  if (!content && !explode && isTree) {
    const items = isObject(value) ? [...value].flat() : value;
    return [[name, items.map(encoded).join(",")]];
  }
  return queryPairs(parameter, value).map(([key, text]) => [key, encoded(text)]);
}

const FORM = "application/x-www-form-urlencoded";

// The whole query: a form as forms are written, everything else in its media type, percent-encoded.
export function wholeQuery({ type = "" }, value) {
  const kind = type.split(";")[0].trim().toLowerCase();
  if (isObject(value) && ["", FORM].includes(kind))
    return formPairs(value, {})
      .map(([name, text]) => `${quote(name)}=${quote(text)}`)
      .join("&");
  if (typeof value === "string" && !/[/+]json$/.test(kind))
    return quote(value, ["", FORM, "text/plain"].includes(kind) ? "=&" : "");
  return quote(write(value, { joints: [",", ":"] }));
}

// A parameter that a client must not encode by itself, ready for the address; empty for others. What is
// percent-encoded already passes.
export function encodedQuery(parameter, value) {
  const { name, style, explode, content, reserved } = parameter;
  if (reserved)
    return queryPairs(parameter, value)
      .map(([key, text]) => `${quote(key)}=${quote(text, RESERVED).replace(/%25([\da-f]{2})/gi, "%$1")}`)
      .join("&");
  const size = Array.isArray(value) ? value.length - 1 : isObject(value) ? value.size : 0;
  if (content || explode || style === "deepObject" || size <= 0) return "";
  return `${quote(name)}=${flatly(value, false).join(quote(JOINTS[style] ?? ",", ","))}`;
}

export function formPairs(value, encodings) {
  return [...value].flatMap(([name, member]) => {
    const { style, explode } = encodings[name] ?? {};
    if (style) return styled(name, member, style, explode);
    return Array.isArray(member) ? member.map((each) => [name, scalar(each)]) : [[name, scalar(member)]];
  });
}

function styled(name, value, style, explode) {
  if (style === "deepObject") return deep(name, value);
  const joint = JOINTS[style] ?? ",";
  if (Array.isArray(value)) {
    const texts = value.map(scalar);
    return explode ? texts.map((text) => [name, text]) : [[name, texts.join(joint)]];
  }
  if (!isObject(value)) return [[name, scalar(value)]];
  if (!explode) return [[name, [...value].flatMap(([key, member]) => [key, scalar(member)]).join(joint)]];
  const items = (member) => (Array.isArray(member) ? member : [member]);
  return [...value].flatMap(([key, member]) => items(member).map((item) => [key, scalar(item)]));
}

function deep(name, value) {
  if (isObject(value)) return [...value].flatMap(([key, member]) => deep(`${name}[${key}]`, member));
  if (!Array.isArray(value)) return [[name, scalar(value)]];
  const nested = value.some(
    (entry) => entry !== null && typeof entry === "object" && !(entry instanceof Numeral || entry instanceof Blob),
  );
  return value.flatMap((entry, number) => deep(`${name}[${nested ? number : ""}]`, entry));
}
