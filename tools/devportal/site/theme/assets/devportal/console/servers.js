// The server that requests go to: the one that is chosen on the page, and whether it is a sandbox.

import { quote } from "./serialise.js";

const SERVER = "devportal.server";
const OTHER = /^https?:\/\/[^\s?#@]+$/i; // no user name, query or fragment
const IPV6 = /^(\w+:\/\/)%5B([\da-f:.]+)%5D/i;
// A label by itself (speed-test is none), put before a name that is registered: test.com and api.test.io are
// called so, whatever they are. Names below `.test` are nobody's (RFC 6761, 6.2). There is no list of public
// suffixes here: a registered name has two labels, or three where the second is a usual one of a country
// (test.co.uk); of a rarer suffix it counts as a label before one (test.gob.mx, test.github.io).
const LABEL = /(^|\.)(sandbox|test|mock)\.(?!(com?|org|net|gov|edu|ac)\.\w\w\.?$)[^.]+\.[^.]|(^|\.)test$/;

export function remembered(servers) {
  try {
    const { url, values, other } = JSON.parse(localStorage.getItem(SERVER)) ?? {};
    if (other === true && isUsable(otherServer(`${url}`))) return otherServer(`${url}`);
    const server = servers.find((candidate) => candidate.url === url);
    if (server) return { server, values };
  } catch {
    // What another program left there, or no storage: the first server then.
  }
  return { server: servers[0], values: {} };
}

// A server that is none of the contract's, by the address that somebody typed. It says nothing of itself.
export const otherServer = (text) => ({ server: { url: text.trim(), other: true }, values: {} });
export const isUsable = ({ server }) => !server.other || (OTHER.test(server.url) && hostOf(server.url) !== "");

// What a contract no longer has among the values of a variable is none.
const isOf = ({ name, enum: all = [] }, values) =>
  typeof values?.[name] === "string" && (!all.length || all.includes(values[name]));
export const valueOf = (variable, values) =>
  isOf(variable, values) ? values[variable.name] : variable.default;

// Remembers the choice, and has the page follow it. An address that is none is not remembered.
export function remember(chosen) {
  const { server, values } = chosen;
  if (!isUsable(chosen)) return;
  const kept = Object.fromEntries((server.variables ?? []).map((variable) => [variable.name, valueOf(variable, values)]));
  const choice = { url: server.url, values: kept, ...(server.other && { other: true }) };
  try {
    localStorage.setItem(SERVER, JSON.stringify(choice));
  } catch {
    // Without storage the choice lasts for this page.
  }
  dispatchEvent(new CustomEvent("devportal:server", { detail: { ...choice, base: baseOf(chosen) } }));
}

export function baseOf({ server, values }) {
  // An emptied field has the default, which can be empty itself; without one, the name stands in the address.
  const filled = (_, name) => {
    const variable = server.variables?.find((candidate) => candidate.name === name) ?? {};
    const value = valueOf(variable, values);
    return value || variable.enum?.includes(value) ? value : (variable.default ?? name);
  };
  const address = server.url.replace(/\{([^{}]*)\}/g, filled).replace(/\/+$/, "");
  return quote(address, "%/:?#@!$&'()*+,;=~")
    .replace(/%(?![\dA-Fa-f]{2})/g, "%25")
    .replace(IPV6, "$1[$2]");
}

function hostOf(base) {
  try {
    return new URL(base).hostname;
  } catch {
    return "";
  }
}

export const isLoopback = (base) =>
  /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostOf(base));

// Whether a request there has no consequences. The contract's own word (`x-sandbox`) counts, for all values
// that it lists of variables; a word that somebody typed makes another address of it, which its host speaks
// for.
export function isSandbox({ server, values }, base = baseOf({ server, values })) {
  const isTyped = (server.variables ?? []).some(
    (variable) => !variable.enum?.length && valueOf(variable, values) && valueOf(variable, values) !== variable.default,
  );
  if (server.sandbox === false || (server.sandbox && !isTyped)) return server.sandbox;
  return isLoopback(base) || LABEL.test(hostOf(base));
}
