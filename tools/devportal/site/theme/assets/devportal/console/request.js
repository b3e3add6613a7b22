// From what is filled in to a request as a value, which is sent, or written as code. A text with secrets is a
// list of texts and `{ secret: VARIABLE }`: no request holds a credential.

import {
  cookiePairs,
  encodedQuery,
  fieldValue,
  formPairs,
  headerText,
  isLonger,
  lengthOf,
  partName,
  pathText,
  queryPairs,
  quote,
  scalar,
  token,
  wholeQuery,
} from "./serialise.js";
import { Numeral, isObject, parse, write } from "./values.js";

const FILE = "file.bin";
const JSON_TYPE = "application/json";
const ROOM = 20_000;
const BINARY = /^(application\/(octet-stream|pdf|zip)|image\/|audio\/|video\/)/;
const BODILESS = ["GET", "HEAD", "TRACE"];

export const essence = (type) => type.split(";")[0].trim().toLowerCase();
export const isJson = (type) => /[/+]json$/.test(essence(type)) || essence(type) === "json";

// `values` are those of parameters, by `in` and name; what is not there is not sent. `gaps` are the names in the
// path that have no value: code shows them in its place, which no server knows.
export function compose(operation, { base, security, values, body }) {
  const query = [],
    headers = [...(security?.headers ?? [])],
    cookies = [...(security?.cookies ?? [])],
    gaps = [];
  let url = base + pathOf(operation, values, gaps);
  for (const parameter of operation.parameters) {
    const value = values.get(keyOf(parameter));
    if (value === undefined || parameter.in === "path") continue;
    if (parameter.in === "header") headers.push([token(parameter.name), [headerText(parameter, value)]]);
    else if (parameter.in === "cookie") {
      for (const [name, text] of cookiePairs(parameter, value)) cookies.push([token(name), [fieldValue(text)]]);
    } else if (parameter.in === "querystring")
      url += (url.includes("?") ? "&" : "?") + wholeQuery(parameter, value);
    else {
      const written = encodedQuery(parameter, value);
      if (written) url += (url.includes("?") ? "&" : "?") + written;
      else query.push(...queryPairs(parameter, value).map(([name, text]) => [name, [text]]));
    }
  }
  if (cookies.length) {
    const words = cookies.flatMap(([name, value], number) => [`${number ? "; " : ""}${name}=`, ...value]);
    headers.push(["Cookie", joined(words)]);
  }
  const { basic, certificate, missing } = security ?? {};
  return {
    method: operation.method,
    url,
    gaps,
    query: [...query, ...(security?.query ?? [])],
    headers: headers.filter(([name]) => name),
    basic,
    certificate,
    missingCredential: missing,
    isStream: operation.isStream,
    body,
  };
}

export const keyOf = (parameter) => `${parameter.in} ${parameter.name}`;

function pathOf({ path, parameters }, values, gaps) {
  return path
    .map((part, number) => {
      if (number % 2 === 0) return part;
      const parameter = parameters.find((candidate) => candidate.in === "path" && candidate.name === part);
      const value = parameter && values.get(keyOf(parameter));
      const text = value === undefined ? value : pathText(parameter, value);
      if (!text) gaps.push(part);
      return text ?? quote(part);
    })
    .join("");
}

export const isSecret = (word) => typeof word !== "string";

// What the program of a language knows about a request.
export function contextOf(request) {
  const { query, basic, body } = request,
    hasSecret = ([, words]) => words.some(isSecret);
  return {
    kind: body?.kind ?? "",
    body: { ...body, text: body?.kind === "json" ? jsonText(body.value) : body?.text },
    request: {
      ...request,
      basic: basic && { username: { secret: basic[0] }, password: { secret: basic[1] } },
      plainUrl: fullUrl({ ...request, query: query.filter((pair) => !hasSecret(pair)) }),
      secretQuery: query.filter(hasSecret),
    },
  };
}

// Neighbouring texts put together.
export function joined(words) {
  const merged = [];
  for (const word of words) {
    if (typeof word === "string" && typeof merged.at(-1) === "string") merged.push(merged.pop() + word);
    else merged.push(word);
  }
  return merged;
}

export function fullUrl({ url, query }) {
  const words = [url];
  let joint = url.includes("?") ? "&" : "?";
  for (const [name, value] of query) {
    words.push(
      `${joint}${quote(name)}=`,
      ...value.map((part) => (typeof part === "string" ? quote(part, ",:@") : part)),
    );
    joint = "&";
  }
  return joined(words);
}

// What kind of body a media type has, if `start` does not say.
export function kindOf(media, start) {
  const type = essence(media.type);
  if (start?.file) return "file";
  if (start?.text !== undefined) return "text";
  if (isJson(type) || start?.type === JSON_TYPE) return "json";
  if (type === "application/x-www-form-urlencoded") return "form";
  if (type === "multipart/form-data") return "multipart";
  return BINARY.test(type) ? "file" : "text";
}

// The body of a value; one that is too long for code on a page is a file there.
export function bodyOf(media, kind, value, written = media.type) {
  if (value === undefined) return undefined;
  const type = fieldValue(written);
  if (kind === "file") {
    const own = ownType(value, [essence(media.type)]);
    return { kind, type: own || type, name: value instanceof Blob ? value.name : value || FILE, file: value };
  }
  const isLong = isLonger(scalar(value), media.room);
  if (kind === "json")
    return { kind, type: isJson(type) ? type : JSON_TYPE, value, name: "body.json", isLong };
  if (kind === "text") return { kind, type, text: scalar(value), name: "body.txt", isLong };
  if (!isObject(value)) return undefined;
  if (kind === "form") {
    const pairs = formPairs(value, media.encodings);
    return pairs.length ? { kind, type: essence(type), pairs, name: "body.txt", isLong } : undefined;
  }
  const parts = [...value].flatMap(([name, member]) => partsOf(media, name, member));
  return parts.length ? { kind, type, parts, isLong } : undefined;
}

// The type that a chosen file has by itself, if the listed ones allow it.
function ownType(value, listed) {
  const type = value instanceof Blob && value.type;
  return type && listed.some((range) => ["", type, "*/*", `${type.split("/")[0]}/*`].includes(range)) && type;
}

// The parts of a field: one for each item of a list, or what its style makes of it.
function partsOf(media, name, member) {
  const { style, headers = [] } = media.encodings[name] ?? {};
  if (!style) return [member].flat().map((each) => partOf(media, name, each));
  const pairs = formPairs(new Map([[name, member]]), media.encodings);
  return pairs.map(([key, value]) => ({ name: partName(key), headers, value }));
}

function partOf(media, name, value) {
  const listed = (media.encodings[name]?.type ?? "").split(",").map((range) => range.trim());
  const type = ownType(value, listed) || fieldValue(listed.find((range) => !range.includes("*")) ?? ""),
    part = { name: partName(name), type, headers: media.encodings[name]?.headers ?? [] };
  if (value instanceof Blob) return { ...part, value: value.name, file: value, isFile: true };
  if (media.files?.includes(name) || BINARY.test(type)) return fromFile(part);
  const isJsonText = typeof value === "object" && value !== null && !(value instanceof Numeral);
  return { ...part, value: scalar(value), type: type || (isJsonText ? JSON_TYPE : "") };
}

const fileName = (name) => name.replace(/["\r\n]/g, (character) => quote(character));

export function allHeaders({ name, value, type, isFile, headers }) {
  const file = isFile ? `; filename="${fileName(value)}"` : "",
    sent = type || (isFile ? "application/octet-stream" : "");
  return [
    ["Content-Disposition", `form-data; name="${fileName(name)}"${file}`],
    ...(sent ? [["Content-Type", sent]] : []),
    ...headers,
  ];
}

export const head = (part) =>
  allHeaders(part)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\r\n");

const hasNul = (text) => text.includes("\0");
const fromFile = (part) => ({ ...part, value: FILE, isFile: true });

// The body as samples show it: a long one is sent from a file, and so is one with NUL, which no shell can
// write; of many parts the first are shown.
export function shown(body) {
  if (body?.kind === "multipart") return { ...body, parts: shownParts(body) };
  if (body?.isLong || (body?.kind === "text" && hasNul(body.text)))
    return { kind: "file", type: body.type, name: body.name };
  return body;
}

function shownParts({ parts: all, isLong }) {
  const writable = all.map((part) => (hasNul(part.value) ? fromFile(part) : part));
  if (!isLong) return writable;
  let left = ROOM;
  const parts = [];
  for (const part of writable) {
    const short = isLonger(part.value, left) ? fromFile(part) : part;
    left -= lengthOf(short.name) + lengthOf(short.value);
    if (left < 0) break;
    parts.push(short);
  }
  return parts;
}

export const mayHaveBody = (method) => !BODILESS.includes(method);
export const jsonText = (value) => write(value, { indent: 2 });

// What a console starts with: the values of the samples, without the optional files, which nobody has chosen
// yet.
export function startValues({ parameters }) {
  return new Map(
    parameters.filter((parameter) => parameter.value !== undefined).map((parameter) => [keyOf(parameter), parse(parameter.value)]),
  );
}

const begun = ({ value, text, file }) => (value !== undefined ? parse(value) : (text ?? file));

// The comments of the samples on values that are still those that a console starts with.
export const notesOf = ({ parameters }, values, body) =>
  [...parameters.map((start) => ({ start, value: values.get(keyOf(start)) })), body].flatMap(({ start, value }) =>
    start?.notes && write(begun(start)) === write(value) ? start.notes : [],
  );

export function startBody({ bodies }, at = 0, example = 0) {
  const media = bodies[at],
    start = media?.examples[example];
  if (!media) return {};
  const kind = kindOf(media, start);
  const value = start && begun(start);
  if (isObject(value)) media.optionalFiles?.forEach((name) => value.delete(name));
  return { media, start, kind, value, type: start?.type ?? media.type };
}
