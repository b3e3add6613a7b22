// Deliveries to try, made from a genuine one: loaded with the first that somebody chooses.
// A test holds each together with its explanation, for these texts and for random ones.

import { fromBase64, textOf, toBase64, toHex, utf8 } from "./bytes.js";
import { parseSecret, sign, signedContent, signer } from "./signing.js";
import { lenient } from "./variants.js";

const inText = (change) => ({ body, ...rest }) => ({ ...rest, body: utf8(change(textOf(body))) });
const withText = (from, to) => inText((text) => text.replace(from, to));
const pretty = inText((text) => JSON.stringify(JSON.parse(text), null, 2));
const escape = (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
const reversed = (event) => Object.fromEntries(Object.entries(event).reverse());
const later = (seconds) => (it) => ({ ...it, timestamp: String(Number(it.timestamp) + seconds) });
const inHeader = (change) => (it) => ({ ...it, signature: change(it.signature) });
const inDigest = (change) => inHeader((text) => `v1,${change(fromBase64(text.slice(3)))}`);
const signedBy = (keyOf) => async (it) =>
  ({ ...it, signature: `v1,${await (await signer(keyOf(it.secret)))(signedContent(it))}` });
const signedEmpty = async (it) => ({ ...it, signature: await sign({ ...it, body: utf8("") }, [parseSecret(it.secret)]) });
const rotated = async (it) => ({ ...it, signature: await sign(it, [it.other, it.secret].map(parseSecret)) });
const mistaken = (it) => ({ ...it, secret: it.other, others: it.secret });
const upper = (bytes) => toHex(bytes).toUpperCase();
const forUrls = (bytes) => toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_");

// `before` changes what is signed, `after` what was; `needs` is what the signature must have for that. `faults`
// are those that explain it, `kind` the refusal where that says it all.
export const CASES = {
  genuine: {},
  rotated: { after: rotated },
  spaced: { after: pretty, faults: ["spacing"] },
  ordered: { after: inText((text) => JSON.stringify(reversed(JSON.parse(text)))), faults: ["order"] },
  unicode: { before: withText("DELIVRD", "Délivré"), after: inText((text) => text.replace(/[\u0080-\uffff]/g, escape)), faults: ["escapes"] },
  slashes: { before: withText("DELIVRD", "DELIVRD/OK"), after: inText((text) => text.replaceAll("/", "\\/")), faults: ["slashes"] },
  newline: { after: inText((text) => `${text}\n`), faults: ["newline"] },
  crlf: { before: pretty, after: inText((text) => text.replaceAll("\n", "\r\n")), faults: ["line ends"] },
  bom: { after: inText((text) => `\ufeff${text}`), faults: ["bom"] },
  spaces: { after: inText((text) => ` ${text} `), faults: ["spaces"] },
  empty: { after: signedEmpty, faults: ["empty"] },
  character: { after: (it) => ({ ...it, body: it.body.map((one, at) => (at === 9 ? one ^ 1 : one)) }), faults: [] },
  old: { before: later(-660), kind: "old" },
  early: { before: later(600), kind: "early" },
  milliseconds: { after: (it) => ({ ...it, timestamp: `${it.timestamp}000` }), faults: ["milliseconds"] },
  attempt: { after: later(-5), faults: ["other timestamp"] },
  other: { after: mistaken, faults: ["other secret"] },
  expired: { after: mistaken, faults: ["other secret"] },
  text: { after: signedBy(utf8), faults: ["secret as text"] },
  prefix: { after: signedBy((text) => lenient(text.replace("_", "/"))), faults: ["prefix decoded"] },
  behind: { after: signedBy((text) => utf8(`${text}\n`)), faults: ["secret with spaces"] },
  hex: { after: inDigest(toHex), faults: ["hex"] },
  capitals: { after: inDigest(upper), faults: ["hex"] },
  version: { after: inHeader((text) => text.slice(3)), faults: ["version"] },
  commas: { after: async (it) => inHeader((text) => text.replace(" ", ","))(await rotated(it)), faults: ["form"] },
  url: { needs: /[+/]/, after: inDigest(forUrls), faults: ["base64url"] },
  plus: { needs: /\+/, after: inHeader((text) => text.replaceAll("+", " ")), faults: ["plus"] },
  none: { after: inHeader(() => ""), kind: "missing" },
};

const unchanged = (it) => it;

// The delivery of a case, made from a genuine one: {id, timestamp, body, signature, secret, others, now}.
export async function prepared(name, delivery) {
  const { before = unchanged, after = unchanged, needs = /v1,/ } = CASES[name];
  const sent = before(delivery);
  for (let serial = 0; ; serial += 1) {
    const id = serial ? `${sent.id}${serial}` : sent.id; // about one in two has a + and a /
    const signature = await sign({ ...sent, id }, [parseSecret(sent.secret)]);
    if (needs.test(signature)) return { others: "", ...(await after({ ...sent, id, signature })) };
  }
}
