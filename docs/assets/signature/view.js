// What the playground shows: elements made from bytes. Nothing that came is read as HTML.

import { element } from "../elements.js";
import { textOf, toBase64 } from "./bytes.js";

export const NAMES = { "\n": "[LF]", "\r": "[CR]", "\t": "[TAB]", "\ufeff": "[BOM]" };

export const NO_CRYPTO = "The playground needs WebCrypto, which browsers offer only over HTTPS and on localhost. " +
  "Open the page there, or use the command below.";

export const SKELETON = `
  <div class="signature__head">
    <p><label for="signature-preset">Try a case</label> <select id="signature-preset" data-part="preset"></select></p>
    <p class="signature__verdict" data-part="verdict"></p>
    <p class="tool__note">Nothing leaves your browser. Secrets stay in memory and are cleared when you leave.</p>
  </div>
  <div class="signature__sides">
    <fieldset>
      <legend>Request</legend>
      <p><label for="signature-body">Body</label>
        <textarea id="signature-body" data-part="body" rows="7" spellcheck="false" autocomplete="off" aria-describedby="signature-facts"></textarea></p>
      <p class="signature__tools"><span id="signature-facts" class="tool__note" data-part="facts"></span>
        <label class="tool__button signature__file"><input type="file" class="dp-hidden" data-part="file">Open a file</label></p>
      <div class="signature__pair">
        <p><label for="signature-id">webhook-id</label>
          <input id="signature-id" data-part="id" spellcheck="false" autocomplete="off"></p>
        <p><label for="signature-timestamp">webhook-timestamp</label>
          <input id="signature-timestamp" data-part="timestamp" inputmode="numeric" autocomplete="off" aria-describedby="signature-age">
          <span id="signature-age" class="tool__note" data-part="age"></span></p>
      </div>
      <p><label for="signature-header">webhook-signature, or what your code computed</label>
        <textarea id="signature-header" data-part="signature" rows="2" spellcheck="false" autocomplete="off"></textarea></p>
    </fieldset>
    <fieldset>
      <legend>Receiver</legend>
      <p><label for="signature-secrets">Secrets, one per line</label>
        <textarea id="signature-secrets" data-part="secrets" rows="2" spellcheck="false" autocomplete="off" aria-describedby="signature-wrong"></textarea></p>
      <p><label for="signature-others">Other secrets to try, one per line</label>
        <textarea id="signature-others" data-part="others" rows="2" spellcheck="false" autocomplete="off" aria-describedby="signature-others-why signature-wrong"></textarea>
        <span id="signature-others-why" class="tool__note">From other endpoints, or from before a rotation.</span></p>
      <div class="signature__pair">
        <p><label for="signature-now">Clock, in Unix seconds</label>
          <input id="signature-now" data-part="now" inputmode="numeric" autocomplete="off" aria-describedby="signature-wrong"></p>
        <p><label for="signature-tolerance">Tolerance, in seconds</label>
          <input id="signature-tolerance" data-part="tolerance" inputmode="numeric" autocomplete="off" aria-describedby="signature-wrong"></p>
      </div>
      <p class="signature__tools">
        <button type="button" data-part="sign">Sign with these secrets</button>
        <button type="button" data-part="clock">Set clock to now</button>
        <button type="button" data-part="fresh">New secret</button>
        <button type="button" data-part="clear">Clear</button></p>
    </fieldset>
  </div>
  <div class="signature__result">
    <p class="tool__wrong" id="signature-wrong" data-part="wrong" hidden></p>
    <ul class="signature__entries" data-part="entries" aria-label="Signatures in the header"></ul>
    <div data-part="why"></div>
    <details data-part="details"><summary data-part="signedSize"></summary><pre tabindex="0"><code data-part="signed"></code></pre>
      <ul data-part="expected" aria-label="Signature of each secret"></ul></details>
  </div>
  <output class="dp-hidden" aria-live="polite" data-part="told"></output>`;

const shown = (one) => NAMES[one] ?? `[${one.charCodeAt(0).toString(16).padStart(2, "0")}]`;

// What is signed, with nothing in it invisible; Base64 where it is no text.
export function contentOf(bytes) {
  const text = textOf(bytes)?.replace(/[^\S ]|[\0-\x1f\x7f\u200b-\u200f]/g, shown);
  return text?.replaceAll("[LF]", "[LF]\n") ?? toBase64(bytes);
}

// How far a timestamp is from the receiver's clock, both in Unix seconds.
export function ageOf(timestamp, now) {
  if (!/^[0-9]{1,12}$/.test(timestamp)) return timestamp ? "not a number of seconds" : "";
  const age = now - Number(timestamp);
  const time = new Date(timestamp * 1000);
  const written = isNaN(time) ? "" : `${time.toISOString().slice(0, 19).replace("T", " ")} UTC, `;
  return written + (age ? `${span(Math.abs(age))} ${age > 0 ? "ago" : "ahead"}` : "now");
}

function span(seconds) {
  const [unit, name] = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]].find(([one]) => seconds >= one);
  const rest = seconds % unit && unit === 60 ? ` ${seconds % unit} s` : "";
  return `${Math.floor(seconds / unit).toLocaleString("en-GB")} ${name}${rest}`;
}

// Each entry of the header, and the secrets that it fits.
export function entryItems({ entries, fits }) {
  return entries.map((entry, at) => {
    const keys = fits.filter((one) => one.entry === at).map((one) => `secret ${one.key + 1}`).join(" and ");
    const misses = entry.startsWith("v1,") ? "matches no secret" : "does not start with v1, and is ignored";
    return element("li", keys ? "signature__fits" : "", element("code", "", entry), ` ${keys ? `matches ${keys}` : misses}`);
  });
}

// What a body is made of, in few words.
export function facts(bytes) {
  const text = textOf(bytes);
  const said = [`${bytes.length.toLocaleString("en-GB")} byte${bytes.length === 1 ? "" : "s"}`];
  if (text === undefined) return [...said, "not UTF-8"].join(", ");
  if (text.startsWith("\ufeff")) said.push("byte order mark");
  if (text.includes("\r\n")) said.push("CRLF line endings");
  if (/[\r\n]$/.test(text)) said.push("ends with a line break");
  if (/[^\0-\x7f]/.test(text)) said.push("not all ASCII");
  return said.join(", ");
}
