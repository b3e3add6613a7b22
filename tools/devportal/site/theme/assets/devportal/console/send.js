// Sends a request to the chosen server, from this page, and explains why it could not be sent.

import { fullUrl, head, jsonText } from "./request.js";
import { isLoopback } from "./servers.js";

const MOST_BYTES = 64 * 1024 * 1024;
const FORBIDDEN =
  /^(accept-charset|accept-encoding|access-control-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|set-cookie|te|trailer|transfer-encoding|upgrade|via|proxy-.*|sec-.*)$/i;
const LATIN = gettext(
  "Headers allow only Latin-1 characters and no line breaks. Check the credential and the header " +
    "parameters.",
);
const BOUNDARY = `----console${Math.random().toString(36).slice(2)}`;
const REFUSED_METHODS = ["CONNECT", "TRACE", "TRACK"];

const isLocal = (url) => isLoopback(url.origin);

// What a browser will not do, before anything is sent.
export function obstacles(request, base) {
  const found = obstaclesFor(base, location.protocol);
  if (REFUSED_METHODS.includes(request.method))
    found.push(gettext("Browsers cannot send %(method)s requests. Run the code instead.", { method: request.method }));
  for (const name of request.gaps) found.push(gettext("Enter %(name)s: the path needs it.", { name }));
  if (/^[^?]*\/\.\.?([/?]|$)/.test(request.url)) found.push(gettext("Browsers cannot send a path value that consists only of dots."));
  for (const part of request.body?.parts ?? [request.body]) {
    if (part && (part.isFile || part.kind === "file") && !(part.file instanceof Blob))
      found.push(part.isFile ? gettext("Choose a file for %(name)s.", { name: part.name }) : gettext("Choose a file."));
  }
  return found;
}

export function obstaclesFor(base, protocol) {
  let url;
  try {
    url = new URL(base);
  } catch {
    return [gettext("%(address)s is not a valid address. Choose another server.", { address: base })];
  }
  if (protocol !== "https:" || url.protocol !== "http:" || isLocal(url)) return [];
  return [
    gettext(
      "This page uses https, so browsers block requests to %(origin)s, which uses http. " +
        "Choose a server with https, or run the code.",
      { origin: url.origin },
    ),
  ];
}

// What a browser leaves out: told, and sent without.
export function omissions(request) {
  const names = request.headers.map(([name]) => name).filter((name) => FORBIDDEN.test(name));
  const lines = names.map((name) =>
    gettext("Browsers do not let pages set the header %(name)s. The request is sent without it.", { name }),
  );
  return request.certificate ? [...lines, gettext("The browser presents a client certificate if it has one.")] : lines;
}

function filled(words, secrets, encode = (text) => text) {
  return words.map((part) => (typeof part === "string" ? part : encode(secrets.get(part.secret) ?? ""))).join("");
}

const isMissing = (words, secrets) => words.some((part) => part.secret && !secrets.get(part.secret));

// A credential that was pasted with its scheme (`Bearer x`) has the scheme once.
const withoutDouble = (words, text) =>
  words.length > 1 ? text.replace(/^(\S+) +\1 +/i, "$1 ") : text;

function headersOf(request, secrets) {
  const headers = new Headers();
  for (const [name, words] of request.headers) {
    if (!isMissing(words, secrets) && !FORBIDDEN.test(name))
      headers.append(name, withoutDouble(words, filled(words, secrets)));
  }
  if (request.basic && request.basic.some((part) => secrets.get(part))) {
    const bytes = new TextEncoder().encode(request.basic.map((part) => secrets.get(part) ?? "").join(":"));
    headers.set("Authorization", `Basic ${btoa(String.fromCharCode(...bytes))}`);
  }
  const { kind, type } = request.body ?? {};
  if (type) headers.set("Content-Type", kind === "multipart" ? `${type}; boundary=${BOUNDARY}` : type);
  return headers;
}

function contentOf(body) {
  if (!body) return undefined;
  if (body.kind === "json") return jsonText(body.value);
  if (body.kind === "text") return body.text;
  if (body.kind === "file") return body.file;
  if (body.kind === "form") return new URLSearchParams(body.pairs).toString();
  return body.parts.length ? new Blob([...body.parts.flatMap(written), `--${BOUNDARY}--\r\n`]) : undefined;
}

// By hand (RFC 7578): a browser's own form takes a media type only with the name of a file, and no other headers.
function written(part) {
  return [`--${BOUNDARY}\r\n${head(part)}\r\n\r\n`, part.isFile ? part.file : part.value, "\r\n"];
}

// What came back, or why nothing did: `{ response, blob, end, firstMs, ms }` or `{ explained }`. `end` says why
// the body is not whole: "large", "stopped" or "lost". `begun` is called with the response, and returns what is
// called with each piece of its body and the size so far.
export async function send(request, secrets, signal, begun) {
  let headers;
  try {
    headers = headersOf(request, secrets);
  } catch {
    return {
      explained: {
        title: gettext("A header cannot be sent"),
        lines: [LATIN],
      },
    };
  }
  const query = request.query.filter(([, words]) => !isMissing(words, secrets));
  const url = filled(fullUrl({ ...request, query }), secrets, encodeURIComponent);
  const start = performance.now();
  const { response, explained } = await fetchExplained(url, {
    method: request.method,
    headers,
    body: contentOf(request.body),
    signal,
  });
  if (explained) return { explained };
  const firstMs = performance.now() - start;
  const { blob, end } = await read(response, await begun(response));
  return { response, blob, end, firstMs, ms: performance.now() - start };
}

// Fetches without cookies, cache, redirects and referrer: `{ response }`, or why there is none as
// `{ explained }`.
export async function fetchExplained(url, options) {
  const blocked = [];
  const watch = (event) => {
    if (/^(connect-src|default-src)$/.test(event.effectiveDirective)) blocked.push(event);
  };
  document.addEventListener("securitypolicyviolation", watch);
  try {
    const response = await fetch(url, {
      ...options,
      credentials: "omit",
      cache: "no-store",
      redirect: "manual",
      referrerPolicy: "no-referrer",
    });
    return { response };
  } catch (error) {
    await new Promise((resolve) => {
      setTimeout(resolve, 60);
    }); // the report of a policy comes after the failure
    return { explained: explain(error, new URL(url), blocked.at(-1)) };
  } finally {
    document.removeEventListener("securitypolicyviolation", watch);
  }
}

// What came is kept, however it ended.
async function read(response, progress) {
  if (!response.body) return { blob: new Blob([]) };
  const reader = response.body.getReader(),
    parts = [];
  let size = 0;
  for (;;) {
    let chunk;
    try {
      chunk = await reader.read();
    } catch (error) {
      return { blob: new Blob(parts), end: error.name === "AbortError" ? "stopped" : "lost" };
    }
    const { done, value } = chunk;
    if (done) return { blob: new Blob(parts) };
    parts.push(value);
    size += value.length;
    progress(value, size);
    if (size > MOST_BYTES) {
      await reader.cancel();
      return { blob: new Blob(parts), end: "large" };
    }
  }
}

function explain(error, url, violation) {
  if (error.name === "AbortError")
    return { title: gettext("Stopped"), lines: [gettext("You stopped the request. The server may have received it.")] };
  if (violation) {
    return {
      title: gettext("The content security policy of this site blocks the request"),
      lines: [
        gettext(
          "Pages of this site may send requests only to the site itself. Nothing was sent to %(origin)s.",
          { origin: url.origin },
        ),
        gettext("To allow it, the publisher of this site can extend its Content-Security-Policy:"),
      ],
      code: policyWith(violation.originalPolicy, url.origin),
    };
  }
  const local = isLocal(url);
  return {
    title: gettext("No response"),
    lines: [
      gettext("Browsers do not report the cause to pages. Possible causes for %(origin)s:", { origin: url.origin }),
      local
        ? gettext("The server is not running, or it uses another port.")
        : gettext("The server cannot be reached, or its name cannot be resolved."),
      gettext(
        "The server does not allow requests from this page (CORS). It must send " +
          "Access-Control-Allow-Origin: %(origin)s or *. Its responses to OPTIONS must list the method " +
          "and the headers in Access-Control-Allow-Methods and Access-Control-Allow-Headers.",
        { origin: location.origin },
      ),
      local && location.hostname !== url.hostname
        ? gettext("You or the browser denied this page access to your local network.")
        : "",
      local && location.protocol === "https:"
        ? gettext("Some browsers, such as Safari, block all http requests of https pages, even to your own machine.")
        : "",
      gettext("If you run the code in a terminal, only the first cause applies."),
    ].filter(Boolean),
  };
}

function policyWith(policy, origin) {
  const found = policy
    .split(";")
    .map((directive) => directive.trim())
    .find((directive) => directive.startsWith("connect-src "));
  return `${found ?? "connect-src 'self'"} ${origin}`;
}
