// The signature playground: verifies a delivery with each key, and has a mismatch explained. It sends nothing,
// keeps secrets in its fields alone, and empties those when the page is left.

import { element, partsOf, upgrade } from "../elements.js";
import { textOf, utf8 } from "./bytes.js";
import { PRESETS, genuine } from "./presets.js";
import { TOLERANCE_S, canSign, newSecret, parseSecret, sign, signedContent, verify } from "./signing.js";
import { NO_CRYPTO, SKELETON, ageOf, contentOf, entryItems, facts } from "./view.js";

const JUDGED_AFTER_MS = 120;
const TOLD_AFTER_MS = 700; // whoever hears the result wants it once, when typing rests
const LARGEST_FILE = 5 * 1024 * 1024;
const ROTATED = "The header has several signatures, as for 24 hours after a rotation. One match is enough. " +
  "If you have the older secret, replace it within that time.";
const FORM = "use whsec_ and the Base64 of 24 to 64 bytes";

const unixNow = () => Math.floor(Date.now() / 1000);
const lines = (field) => field.value.split("\n").filter((one) => one.trim());

class Playground {
  constructor(place) {
    if (!canSign()) {
      place.replaceChildren(element("p", "tool__wrong", NO_CRYPTO));
      return;
    }
    place.innerHTML = SKELETON;
    this.parts = partsOf(place);
    const { preset, body, file, clock, fresh, clear } = this.parts;
    for (const [group, names] of Object.entries(PRESETS)) {
      const made = element("optgroup", "", ...names.map(([key, name]) => new Option(name, key)));
      made.label = group;
      preset.append(made);
    }
    place.addEventListener("input", ({ target }) => { if (target !== preset && target !== file) this.judgeLater(); });
    body.addEventListener("input", () => { this.exact = undefined; });
    preset.addEventListener("change", () => this.open(preset.value));
    file.addEventListener("change", () => this.read(file.files[0]));
    clock.addEventListener("click", () => this.fill({ now: unixNow() }));
    fresh.addEventListener("click", () => this.fill({ secrets: newSecret() }));
    clear.addEventListener("click", () => this.clear());
    this.parts.sign.addEventListener("click", () => this.sign());
    this.start();
  }

  async start() {
    const begun = this.begun = {}; // what was begun before no longer fills the fields
    const { secret, ...delivery } = genuine(unixNow());
    this.parts.preset.value = "genuine";
    const signature = await sign(delivery, [parseSecret(secret)]);
    if (begun === this.begun) this.show(delivery, secret, signature);
  }

  async open(preset) {
    const begun = this.begun = {};
    const { prepared } = await import("./cases.js");
    const { secret, signature, ...delivery } = await prepared(preset, genuine(unixNow()));
    if (begun === this.begun) this.show(delivery, secret, signature);
  }

  show({ id, timestamp, body, now, others = "" }, secrets, signature) {
    this.fill({ id, timestamp, signature, secrets, others, now, tolerance: TOLERANCE_S, body });
  }

  // Puts values into fields. Bytes of a body stay what they are, whatever a text field makes of their line breaks.
  fill({ body, ...values }) {
    for (const [name, value] of Object.entries(values)) this.parts[name].value = value;
    if (body) {
      this.parts.body.value = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
      this.exact = body;
    }
    this.judge();
  }

  // Leaves no secret behind, neither in a field nor in what was made with it.
  clear() {
    this.begun = {};
    this.parts.preset.value = ""; // so that each can be chosen
    this.fill({ id: "", timestamp: "", signature: "", secrets: "", others: "", body: utf8("") });
  }

  async read(file) {
    this.parts.file.value = "";
    if (!file) return;
    const { begun } = this;
    if (file.size > LARGEST_FILE) this.refuse("The file is larger than 5 MB. Webhooks never are.");
    else {
      const body = new Uint8Array(await file.arrayBuffer());
      if (begun === this.begun) this.fill({ body });
    }
  }

  async sign() {
    await this.telling(async () => {
      const { begun } = this;
      const { delivery, keys } = this.values();
      const [now, id] = [unixNow(), delivery.id || "evt_1"];
      const timestamp = String(now);
      const signature = await sign({ ...delivery, id, timestamp }, keys);
      if (begun === this.begun) this.fill({ id, timestamp, now, signature });
    });
  }

  // What the fields hold, headers as a receiver reads them. Throws a RangeError that names the field.
  values() {
    const { secrets, others, now, tolerance } = this.parts;
    for (const one of [secrets, others, now, tolerance]) one.removeAttribute("aria-invalid");
    const [id, timestamp, signature] = ["id", "timestamp", "signature"].map((one) => this.parts[one].value.trim());
    const keys = this.checked(secrets);
    this.checked(others);
    if (!keys.length) this.wrong(secrets, FORM);
    const body = this.exact ?? utf8(this.parts.body.value);
    return {
      delivery: { id, timestamp, signature, body }, keys, secrets: lines(secrets), others: lines(others),
      now: this.number(now), tolerance: this.number(tolerance),
    };
  }

  checked(field) {
    return lines(field).map((one) => {
      try {
        return parseSecret(one);
      } catch ({ message }) {
        return this.wrong(field, `${message}; ${FORM}`);
      }
    });
  }

  number(field) {
    return /^[0-9]{1,12}$/.test(field.value.trim()) ? Number(field.value) : this.wrong(field, "enter whole seconds, such as 300");
  }

  wrong(field, words) {
    field.setAttribute("aria-invalid", "true");
    throw new RangeError(`${field.labels[0].textContent}: ${words}.`);
  }

  judgeLater() {
    clearTimeout(this.waiting);
    this.run = undefined; // what runs is about what was there before
    this.waiting = setTimeout(() => this.judge(), JUDGED_AFTER_MS);
  }

  async judge() {
    const run = this.run = {}; // a newer one takes its place
    const isWanted = () => run === this.run;
    await this.telling(async () => {
      const asked = this.values();
      const judged = await verify(asked.delivery, asked.keys, asked.now, asked.tolerance);
      const expected = await Promise.all(asked.keys.map((key) => sign(asked.delivery, [key])));
      if (!isWanted()) return;
      this.showDelivery(asked, expected);
      this.showVerdict(asked, judged);
      if (judged.kind) await this.explain(asked, judged, isWanted);
    });
  }

  // Does what may find a field that is wrong, and tells that.
  async telling(work) {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.refuse(error.message);
    }
  }

  showDelivery({ delivery, now }, expected) {
    const { parts } = this;
    const isAsShown = textOf(delivery.body) === parts.body.value;
    parts.facts.textContent = facts(delivery.body) + (isAsShown ? "" : "; the field cannot show them all");
    parts.age.textContent = ageOf(delivery.timestamp, now);
    const content = signedContent(delivery);
    parts.signedSize.textContent = `Signed content: ${content.length.toLocaleString("en-GB")} bytes`;
    parts.signed.textContent = contentOf(content);
    parts.expected.replaceChildren(
      ...expected.map((one, at) => element("li", "", `Signature of secret ${at + 1}: `, element("code", "", one))));
  }

  showVerdict({ delivery }, judged) {
    const { verdict, entries, why } = this.parts;
    const { kind, refusal } = judged;
    verdict.dataset.kind = kind ? "refused" : "genuine";
    this.showFault("");
    verdict.textContent = kind ? `Rejected: ${refusal}` : "Genuine";
    entries.replaceChildren(...(delivery.signature ? entryItems(judged) : []));
    why.replaceChildren(...(!kind && judged.entries.length > 1 ? [element("p", "", ROTATED)] : []));
    this.tell(verdict.textContent);
  }

  async explain(asked, judged, isWanted) {
    const { explanation } = await import("./explanation.js");
    const { shown, said } = await explanation(asked, judged, isWanted);
    if (!isWanted()) return;
    this.parts.why.replaceChildren(...shown);
    this.tell([`${this.parts.verdict.textContent}.`, ...said].join(" "));
  }

  // What describes a field is read also where it is hidden: of no fault there are no words.
  showFault(words) {
    const { wrong } = this.parts;
    wrong.textContent = words;
    wrong.hidden = !words;
  }

  refuse(message) {
    const { verdict, entries, why, expected, signed, signedSize } = this.parts;
    this.showFault(message);
    for (const one of [verdict, entries, why, expected, signed, signedSize]) one.replaceChildren();
    this.tell(message);
  }

  tell(words) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.parts.told.value = words; }, TOLD_AFTER_MS);
  }
}

const current = upgrade(".signature", (place) => new Playground(place));
addEventListener("pagehide", () => current()?.parts && current().clear());
addEventListener("pageshow", ({ persisted }) => persisted && current()?.parts && current().start());
