// The calculator of the guide on segments: put where a page has a place for it, and kept up with the text.

import { element, partsOf, upgrade } from "../elements.js";
import { foreignIn, replaceAll } from "./characters.js";
import { PRESETS } from "./presets.js";
import { segment } from "./segments.js";
import { count, foreignRows, numbers, refusal, segmentItems, summary } from "./view.js";

const TOLD_AFTER_MS = 700; // whoever hears the result wants it once, when typing rests
const SKELETON = `
  <div class="segments__head">
    <label for="segments-text">Your text</label>
    <div class="segments__presets" role="group" aria-label="Example texts" data-part="presets"><span>Try:</span></div>
  </div>
  <textarea id="segments-text" class="segments__text" data-part="text" rows="5" dir="auto" spellcheck="false"
    autocomplete="off" aria-describedby="segments-privacy"></textarea>
  <div class="segments__tools">
    <p id="segments-privacy">Your text stays in your browser.</p>
    <span role="status" data-part="said"></span>
    <button type="button" data-part="undo" hidden>Undo</button>
    <button type="button" data-part="copy" hidden>Copy link with this text</button>
    <button type="button" data-part="clear">Clear</button>
  </div>
  <dl class="segments__numbers">
    <div><dt>Encoding</dt><dd data-part="encoding"></dd></div>
    <div><dt>Segments</dt><dd data-part="segments"></dd></div>
    <div><dt>Length</dt><dd data-part="units"></dd></div>
    <div><dt>Room left</dt><dd data-part="left"></dd></div>
  </dl>
  <p class="tool__wrong segments__refusal" data-part="refusal" hidden></p>
  <details class="segments__cost" data-part="cost">
    <summary>What it costs</summary>
    <div class="segments__fields">
      <p><label for="segments-market">Market</label>
        <select id="segments-market" data-part="market"><option value="">Select a market</option></select></p>
      <p><label for="segments-recipients">Recipients</label>
        <input id="segments-recipients" data-part="recipients" inputmode="numeric" autocomplete="off" value="1" aria-describedby="segments-cost"></p>
    </div>
    <p id="segments-cost" class="tool__note" data-part="costNote">At the public rates of this site.</p>
    <table class="segments__table segments__prices" data-part="costs" hidden>
      <caption class="dp-hidden">What the text costs</caption>
      <thead><tr><th scope="col">Network</th><th scope="col">One segment</th><th scope="col">Total</th></tr></thead>
      <tbody></tbody>
    </table>
  </details>
  <ol class="segments__list" data-part="list" aria-label="Segments"></ol>
  <p class="segments__legend" data-part="legend" hidden>
    <span class="segments__double">Marked</span> characters count twice.
  </p>
  <div class="segments__foreign" data-part="foreign" hidden>
    <div class="segments__tools" data-part="replacing">
      <p data-part="effect"></p>
      <button type="button" class="segments__main" data-part="replace">Replace all</button>
    </div>
    <div class="segments__scroll" tabindex="0" role="region" aria-labelledby="segments-caption">
      <table class="segments__table">
        <caption id="segments-caption">Characters that need UCS-2</caption>
        <thead>
          <tr><th scope="col" colspan="2">Character</th><th scope="col">Position</th><th scope="col">Replacement</th></tr>
        </thead>
        <tbody data-part="rows"></tbody>
      </table>
    </div>
  </div>
  <output class="dp-hidden" for="segments-text" aria-live="polite" data-part="told"></output>`;

class Calculator {
  constructor(place) {
    place.innerHTML = SKELETON;
    this.parts = partsOf(place);
    const { presets, text, undo, copy, clear, replace, rows, cost } = this.parts;
    for (const [name, preset] of PRESETS) {
      const button = element("button", "", name);
      button.type = "button";
      button.addEventListener("click", () => this.write(preset));
      presets.append(button);
    }
    text.addEventListener("input", () => this.typed());
    undo.addEventListener("click", () => this.write(this.before));
    clear.addEventListener("click", () => this.write(""));
    replace.addEventListener("click", () => this.replaceAll());
    rows.addEventListener("click", (event) => this.find(event.target.closest("button")));
    copy.addEventListener("click", () => this.copyLink());
    cost.addEventListener("toggle", () => this.price(), { once: true });
    copy.hidden = !navigator.clipboard; // browsers have none on pages that come over plain HTTP
    this.open(sharedText() ?? PRESETS[0][1]);
  }

  // Shows a text that the page came with: nobody typed over it yet, so there is nothing to undo.
  open(text) {
    this.parts.text.value = text;
    this.show();
  }

  typed() {
    this.say("");
    this.show();
    this.tell();
  }

  // Puts a text in the place of the reader's own, which one button brings back.
  write(text, said = "") {
    this.before = this.parts.text.value;
    this.parts.text.value = text;
    this.show();
    this.tell();
    this.say(said, { canUndo: this.before !== "" });
  }

  replaceAll() {
    const text = this.parts.text.value;
    this.write(replaceAll(text), "Replaced.");
    this.parts.text.focus(); // the button goes when there is nothing left to replace
  }

  say(text, { canUndo = false } = {}) {
    this.parts.said.textContent = text;
    this.parts.undo.hidden = !canUndo;
  }

  // Has the result read aloud, once typing rests.
  tell() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.parts.told.value = this.told; }, TOLD_AFTER_MS);
  }

  show() {
    const text = this.parts.text.value;
    let result;
    try {
      result = segment(text);
    } catch (error) {
      this.showUncountable(`The API rejects this text: ${error.message}.`);
      this.showCost(0);
      return;
    }
    const foreign = foreignIn(text);
    this.showNumbers(numbers(text, result));
    this.showRefusal(refusal(result));
    this.parts.list.replaceChildren(...segmentItems(result));
    this.parts.legend.hidden = result.encoding !== "GSM-7" || result.units === [...text].length;
    this.showForeign(text, result, foreign);
    this.showCost(refusal(result) ? 0 : result.segments.length);
    this.told = [summary(result, foreign), refusal(result), this.cost?.words].filter(Boolean).join(" ");
  }

  showUncountable(words) {
    this.showNumbers({ encoding: ["–", ""], segments: ["–", ""], units: ["–", ""], left: ["–", ""] });
    this.showRefusal(words);
    this.parts.list.replaceChildren();
    this.parts.legend.hidden = true;
    this.parts.foreign.hidden = true;
    this.told = words;
  }

  // Prices are loaded with the first look at them: most readers count, and no more.
  async price() {
    const { Cost } = await import("./cost.js");
    this.cost = new Cost(this.parts, (words) => { this.told = words; this.tell(); });
    this.showCost(this.billed);
  }

  // The cost of so many segments; of none if the API rejects the text.
  showCost(segments) {
    this.billed = segments;
    this.cost?.show(segments);
  }

  showNumbers(shown) {
    for (const [name, [value, words]] of Object.entries(shown)) {
      this.parts[name].replaceChildren(element("strong", "", value), element("span", "", words));
    }
  }

  showRefusal(words) {
    this.parts.refusal.textContent = words;
    this.parts.refusal.hidden = !words;
  }

  showForeign(text, result, foreign) {
    const { rows, replacing, effect } = this.parts;
    this.parts.foreign.hidden = foreign.length === 0;
    rows.replaceChildren(...foreignRows(foreign));
    replacing.hidden = foreign.every((one) => one.replacement === undefined);
    effect.textContent = replacing.hidden ? "" : effectOf(segment(replaceAll(text)), result);
  }

  // Selects the next occurrence of a character behind the cursor, or the first.
  find(button) {
    if (!button) return;
    const { text } = this.parts;
    const { character } = button.dataset;
    const next = text.value.indexOf(character, text.selectionEnd);
    const start = next < 0 ? text.value.indexOf(character) : next;
    text.focus();
    text.setSelectionRange(start, start + character.length);
  }

  async copyLink() {
    const link = new URL(location.href);
    link.hash = new URLSearchParams({ text: this.parts.text.value });
    try {
      await navigator.clipboard.writeText(link.href);
      this.say("Link copied. It contains your text.");
    } catch {
      this.say("The link could not be copied.");
    }
  }
}

function effectOf({ encoding, segments }, before) {
  const stays = encoding === before.encoding ? `stays ${encoding}` : `becomes ${encoding}`;
  const now = count(segments.length, "segment");
  const were = before.segments.length;
  const change = segments.length === were ? `still ${now}` : `${now} instead of ${were}`;
  return `With these replacements, the text ${stays}: ${change}.`;
}

// The text in the address of the page: part of a link that somebody copied. A browser does not send it anywhere.
function sharedText() {
  return new URLSearchParams(location.hash.slice(1)).get("text");
}

const calculator = upgrade(".segments", (place) => new Calculator(place));

addEventListener("hashchange", () => {
  const text = sharedText();
  if (text !== null) calculator()?.open(text);
});
