// Samples for curl, in POSIX shell.

import { fullUrl, jsonText } from "../request.js";
import { lengthOf, quote } from "../serialise.js";
import { CERTIFICATE, KEY, isSecret } from "./words.js";

const METHODS = { GET: "", HEAD: " --head" };
const WIDTH = 60;

const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`);

function word(words) {
  if (words.length === 1 && !isSecret(words[0])) return quoted(words[0]);
  if (words.every((one) => isSecret(one) || /^[^\\"$`!\x00-\x1f]*$/.test(one))) {
    return `"${words.map((one, at) => (isSecret(one) ? variable(one, words[at + 1]) : one)).join("")}"`;
  }
  return words.map((one) => (isSecret(one) ? `"$${one.secret}"` : one && quoted(one))).join("");
}

const variable = ({ secret }, after) =>
  /^[\p{L}\p{N}_]/u.test(isSecret(after ?? "") ? "" : (after ?? "")) ? `\${${secret}}` : `$${secret}`;
const header = (name, value) =>
  value.join("") ? `--header ${word([`${name}: `, ...value])}` : `--header ${quoted(`${name};`)}`;

function body({ kind, type, value, text, pairs, parts, name }) {
  if (kind === "form") return pairs.map(field);
  if (kind === "multipart") return parts.map(part);
  const option =
    kind === "file"
      ? `--data-binary ${quoted(`@${name}`)}`
      : `--data-raw ${quoted(kind === "json" ? jsonText(value) : text)}`;
  return [header("Content-Type", [type]), option];
}

// curl encodes the value, but no shell can hand it NUL.
function field([key, value]) {
  const pair = (text) => quoted(`${quote(key, "[]")}=${text}`);
  return value.includes("\0") ? `--data-raw ${pair(quote(value, "/"))}` : `--data-urlencode ${pair(value)}`;
}

function part({ name, value, isFile, type }) {
  const kind = type ? `;type=${type}` : "";
  const marked = `"${value.replace(/["\\]/g, "\\$&")}"`;
  if (isFile) return `--form ${quoted(`${name}=@${/[,;"]|^\s|\s$/.test(value) ? marked : value}${kind}`)}`;
  if (!kind) return `--form-string ${quoted(`${name}=${value}`)}`;
  return `--form ${quoted(`${name}=${marked}${kind}`)}`;
}

export function write(request) {
  const command = `curl${METHODS[request.method] ?? ` --request ${quoted(request.method)}`}`,
    query = request.query.filter(([, value]) => !value.some(isSecret)),
    address = word(fullUrl({ ...request, query }));
  const lines = lengthOf(command + address) < WIDTH ? [`${command} ${address}`] : [command, address];
  // As the environment has it, a value is not percent-encoded; curl does that from 7.87 on.
  for (const [name, value] of request.query)
    if (value.some(isSecret)) lines.push(`--url-query ${word([`${quote(name)}=`, ...value])}`);
  if (request.basic)
    lines.push(`--user ${word([{ secret: request.basic[0] }, ":", { secret: request.basic[1] }])}`);
  if (request.certificate) lines.push(`--cert ${CERTIFICATE} --key ${KEY}`);
  lines.push(
    ...request.headers.map(([name, value]) => header(name, value)),
    ...(request.body ? body(request.body) : []),
  );
  return lines.join(" \\\n  ");
}
