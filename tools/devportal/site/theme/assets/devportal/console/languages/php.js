// Samples for PHP, with its own streams.

import { fullUrl, joined, jsonText } from "../request.js";
import { quote } from "../serialise.js";
import { Numeral, isObject } from "../values.js";
import { CERTIFICATE, KEY, areSeen, code, disposition, isBeyond, isSecret, isSeen, typeOf } from "./words.js";

const LARGEST = 2n ** 63n - 1n;
const ESCAPES = { "\\": "\\\\", '"': '\\"', $: "\\$", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function literal(text) {
  if (isSeen(text)) return `'${text.replace(/[\\']/g, "\\$&")}'`;
  return `"${[...text].map((one) => ESCAPES[one] ?? (isSeen(one) ? one : `\\u{${code(one)}}`)).join("")}"`;
}

function lines(text) {
  if (!text.includes("\n") || !areSeen(text) || text.includes("TEXT")) return literal(text);
  return ["<<<'TEXT'", ...[...text.split("\n"), "TEXT"].map((line) => `    ${line}`)].join("\n");
}

const environment = (variable) => `getenv('${variable}')`;

function expression(words, inAddress = false) {
  const secret = ({ secret: name }) => (inAddress ? `urlencode(${environment(name)})` : environment(name));
  return (
    words
      .filter((one) => one)
      .map((one) => (isSecret(one) ? secret(one) : literal(one)))
      .join(" . ") || "''"
  );
}

function listed(items, depth = 1) {
  return `[\n${items.map((one) => `${"    ".repeat(depth + 1)}${one},\n`).join("")}${"    ".repeat(depth)}]`;
}

function written(value, depth = 1) {
  if (isObject(value)) {
    const cast = [...value.keys()].every((name, at) => name === `${at}`) ? "(object) " : "";
    return value.size
      ? cast +
          listed(
            [...value].map(([name, one]) => `${literal(name)} => ${written(one, depth + 1)}`),
            depth,
          )
      : "new stdClass()";
  }
  if (Array.isArray(value))
    return value.length
      ? listed(
          value.map((one) => written(one, depth + 1)),
          depth,
        )
      : "[]";
  return value instanceof Numeral ? value.text : typeof value === "string" ? literal(value) : `${value}`;
}

function form(pairs) {
  if (new Set(pairs.map(([name]) => name)).size === pairs.length) {
    return `http_build_query(${listed(pairs.map((pair) => pair.map(literal).join(" => ")))})`;
  }
  return `implode('&', ${listed(pairs.map(([name, value]) => `${literal(`${quote(name, "/")}=`)} . urlencode(${literal(value)})`))})`;
}

const file = (name) => `file_get_contents(${literal(name)})`;

function multipart(parts) {
  const part = (one) =>
    `    [${literal(disposition(one))}, ${literal(typeOf(one))}, ${one.isFile ? file(one.value) : literal(one.value)}],`;
  return [
    "$parts = [",
    ...parts.map(part),
    "];",
    "$boundary = bin2hex(random_bytes(16));",
    "$body = '';",
    "foreach ($parts as [$disposition, $type, $content]) {",
    '    $body .= "--$boundary\\r\\nContent-Disposition: $disposition\\r\\n";',
    "    $body .= $type ? \"Content-Type: $type\\r\\n\" : '';",
    '    $body .= "\\r\\n$content\\r\\n";',
    "}",
    '$body .= "--$boundary--\\r\\n";',
    "",
  ];
}

// The lines before the call, the body, and its media type.
function body({ kind, type, value, text, pairs, parts, name }) {
  if (kind === "json")
    return [[], isBeyond(value, LARGEST) ? lines(jsonText(value)) : `json_encode(${written(value)})`, type];
  if (kind === "text") return [[], lines(text), type];
  if (kind === "form") return [[], form(pairs), type];
  if (kind === "multipart") return [multipart(parts), "$body", "multipart/form-data"];
  return [[], file(name), type];
}

export function write(request) {
  const [before, content, type] = request.body ? body(request.body) : [[], "", ""];
  const { basic } = request;
  const headers = request.headers.map(([name, value]) => expression(joined([`${name}: `, ...value])));
  if (basic)
    headers.unshift(
      `'Authorization: Basic ' . base64_encode(${environment(basic[0])} . ':' . ${environment(basic[1])})`,
    );
  if (content === "$body") headers.push(`"Content-Type: ${type}; boundary=$boundary"`);
  else if (type) headers.push(literal(`Content-Type: ${type}`));
  const options = [["method", literal(request.method)]];
  if (headers.length) options.push(["header", listed(headers)]);
  if (!request.headers.some(([name]) => name.toLowerCase() === "user-agent"))
    options.push(["user_agent", "'PHP'"]);
  if (content) options.push(["content", content]);
  const certificate = [
    "], 'ssl' => [",
    `    'local_cert' => ${literal(CERTIFICATE)},`,
    `    'local_pk' => ${literal(KEY)},`,
  ];
  return [
    "<?php",
    "",
    ...before,
    "$context = stream_context_create(['http' => [",
    ...options.map(([name, value]) => `    '${name}' => ${value},`),
    ...(request.certificate ? certificate : []),
    "]]);",
    `$response = file_get_contents(${expression(fullUrl(request), true)}, false, $context);`,
    "if ($response === false) {",
    "    exit(1); // PHP has said why",
    "}",
    "echo $response;",
  ].join("\n");
}
