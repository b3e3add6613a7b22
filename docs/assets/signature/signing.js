// Signing and verifying as Standard Webhooks 1.0.0 says: what tools/telecom/signature.py does, in a browser.
// Entries are compared with `===`: a receiver on the network compares in constant time.

import { fromBase64, joined, toBase64, utf8 } from "./bytes.js";

export const TOLERANCE_S = 300;
const PREFIX = "whsec_";
const [SHORTEST, LONGEST] = [24, 64];
const HMAC = { name: "HMAC", hash: "SHA-256" };

// Pages that come over plain HTTP have no WebCrypto, unless they come from the reader's own machine.
export const canSign = () => Boolean(globalThis.crypto?.subtle);

// The key that a secret stands for. Throws a RangeError, which does not quote it.
export function parseSecret(text) {
  const trimmed = text.trim();
  const key = fromBase64(trimmed.startsWith(PREFIX) ? trimmed.slice(PREFIX.length) : trimmed);
  if (!key) throw new RangeError("the webhook secret is not Base64");
  if (key.length < SHORTEST || key.length > LONGEST) throw new RangeError(`the webhook secret has ${key.length} bytes`);
  return key;
}

export function newSecret() {
  return PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(32)));
}

// A function from bytes to the Base64 of their HMAC under a key.
export async function signer(key) {
  const imported = await crypto.subtle.importKey("raw", key, HMAC, false, ["sign"]);
  return async (bytes) => toBase64(new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytes)));
}

export const signedContent = ({ id, timestamp, body }) => joined(utf8(`${id}.${timestamp}.`), body);

// The value of `webhook-signature`: an entry for each key.
export async function sign(delivery, keys) {
  const content = signedContent(delivery);
  const entries = keys.map(async (key) => `v1,${await (await signer(key))(content)}`);
  return (await Promise.all(entries)).join(" ");
}

const REFUSED = {
  missing: "missing header",
  malformed: "malformed header",
  old: "timestamp too old",
  early: "timestamp in the future",
  wrong: "no signature matches",
};

// What a receiver does at `now` (Unix seconds): undefined where it accepts, else the kind of its refusal and
// the words for it; with every pair of an entry of the header and a key that fit, whatever the refusal.
export async function verify({ id, timestamp, signature, body }, keys, now, tolerance = TOLERANCE_S) {
  const headers = { id: id.trim(), timestamp: timestamp.trim(), signature: signature.trim() };
  const entries = headers.signature.split(" ");
  const expected = await Promise.all(keys.map((key) => sign({ ...headers, body }, [key])));
  const fits = entries.flatMap((entry, at) =>
    expected.flatMap((one, key) => (one === entry ? [{ entry: at, key }] : [])));
  const kind = refusalOf(headers, now, tolerance) ?? (fits.length ? undefined : "wrong");
  return { kind, refusal: kind && REFUSED[kind], entries, fits };
}

function refusalOf({ id, timestamp, signature }, now, tolerance) {
  if (!id || !timestamp || !signature) return "missing";
  if (/[^\0-\x7f]/.test(signature) || id.includes(".") || !/^[0-9]{1,12}$/.test(timestamp)) return "malformed";
  const age = now - Number(timestamp);
  if (age > tolerance) return "old";
  return -age > tolerance ? "early" : undefined;
}
