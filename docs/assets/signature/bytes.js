// Bytes as text and back: UTF-8, Base64 and hexadecimal.

const UTF8 = new TextEncoder();

export const utf8 = (text) => UTF8.encode(text);

// The text that UTF-8 bytes stand for, or undefined where they stand for none. A byte order mark stays.
export function textOf(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export const fromLatin1 = (text) => Uint8Array.from(text, (one) => one.charCodeAt(0));

export const toLatin1 = (bytes) => Array.from(bytes, (one) => String.fromCharCode(one)).join("");

export const toBase64 = (bytes) => btoa(toLatin1(bytes));

// Standard Base64 with or without its padding; undefined for anything else.
export function fromBase64(text) {
  const padded = text + "=".repeat(-text.length & 3);
  return /^[A-Za-z0-9+/]*={0,2}$/.test(padded) ? fromLatin1(atob(padded)) : undefined;
}

export const toHex = (bytes) => Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");

export function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, one) => sum + one.length, 0));
  let at = 0;
  for (const one of parts) {
    whole.set(one, at);
    at += one.length;
  }
  return whole;
}
