// The fields of single values: texts, numbers, choices, files and free JSON.

import { button, choices, el } from "./dom.js";
import { scalarOf } from "./schema.js";
import { Numeral, parse, write } from "./values.js";

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const LONG = 200;
const PROTECTED = /^(idempotency-key|x-request-id|x-idempotency-key)$/i;
const PLACEHOLDERS = {
  "date-time": "2026-11-22T10:00:00Z",
  date: "2026-11-22",
  uri: "https://",
  email: "name@example.com",
};

export const calledAs = ({ name, isItem }) => (isItem ? gettext("Item %(number)s", { number: Number(name) + 1 }) : name);

// A body, and the text or number of a variant, have no label beside them.
function attributes(said) {
  const { id, told, required, path, choices: within } = said;
  return {
    id,
    "aria-label": within ? gettext("Value of %(name)s", { name: calledAs(said) }) : path === "/body" ? gettext("Body") : undefined,
    "aria-describedby": told,
    "aria-required": required ? "true" : undefined,
    autocomplete: "off",
    spellcheck: "false",
  };
}

function input(view, slot, said, read = (text) => text) {
  const value = slot.get();
  // A field of one line drops the breaks of a text with the first key.
  const hasBreaks = /[\r\n]/.test([value, said.example, view.example, view.default]);
  const isLong =
    said.isLong ??
    (view.kind === "text" &&
      (hasBreaks ? view.format !== "password" : !view.format && !view.pattern && view.maxLength > LONG));
  const given = {
    ...attributes(said),
    value: value === undefined || value === null ? "" : `${value}`,
  };
  given.placeholder =
    value === null
      ? "null"
      : (said.example ??
        (view.example === undefined ? (view.default ?? PLACEHOLDERS[view.format]) : view.example));
  if (typeof given.placeholder === "object") given.placeholder = JSON.stringify(given.placeholder);
  given.input = ({ target }) => {
    slot.set(target.value === "" && !said.isItem ? undefined : read(target.value));
  };
  if (!isLong && view.format === "password") given.type = "password";
  return isLong ? el("textarea", { ...given, rows: 2 }) : el("input", given);
}

function text(view, slot, said) {
  const made = input(view, slot, said);
  if (view.format !== "uuid" && !PROTECTED.test(said.name)) return made;
  const fill = () => {
    made.value =
      crypto.randomUUID?.() ??
      "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (one) =>
        (one ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (one / 4)))).toString(16),
      );
    slot.set(made.value);
  };
  const beside = button(gettext("New UUID"), fill, {
    "aria-label": gettext("Fill %(name)s with a new UUID", { name: said.name }),
  });
  const both = el("div.both", {}, made, beside);
  both.input = made;
  return both;
}

function number(view, slot, said) {
  const made = input(view, slot, said, (text) =>
    NUMBER.test(text.trim()) ? new Numeral(text.trim()) : text,
  );
  made.inputMode = "decimal";
  return made;
}

function choice(view, slot, said) {
  const values = [...new Set([...view.enum, ...(view.nullable ? [null] : [])])].map(scalarOf),
    now = slot.get();
  const at = now === undefined ? -1 : values.findIndex((one) => write(one) === write(now));
  const none = said.isItem ? [] : [["", view.default === undefined ? "–" : `– (${view.default})`]];
  const options = [...none, ...values.map((one, number) => [`${number}`, one === null ? "null" : `${one}`])];
  return choices(
    options,
    at < 0 ? "" : `${at}`,
    (chosen) => slot.set(chosen === "" ? undefined : values[chosen]),
    attributes(said),
  );
}

function fixed(view, slot, said) {
  return choice({ ...view, enum: [view.const] }, slot, said);
}

function boolean(view, slot, said) {
  return choice({ ...view, enum: [true, false] }, slot, said);
}

function file(view, slot, said) {
  const change = ({ target }) => slot.set(target.multiple ? [...target.files] : target.files[0]);
  return fileInput(slot.get(), { ...attributes(said), multiple: view.kind === "list", change });
}

// With the files that were chosen before.
export function fileInput(value, properties) {
  const made = el("input", { ...properties, type: "file" });
  const kept = new DataTransfer();
  for (const one of [value].flat()) if (one instanceof File) kept.items.add(one);
  if (kept.files.length) made.files = kept.files;
  return made;
}

// Free JSON; what is none is a text.
export function json(view, slot, said) {
  const value = slot.get();
  const read = (text) => {
    try {
      return parse(text);
    } catch {
      return text;
    }
  };
  const shown = value === undefined ? "" : typeof value === "string" ? value : write(value, { indent: 2 });
  const made = input(
    { kind: "text" },
    { get: () => shown, set: slot.set },
    { ...said, isLong: true, example: said.example ?? "JSON" },
    read,
  );
  return made;
}

export function nullButton(slot, field, name) {
  const empty = () => {
    slot.set(null);
    field.value = "";
    field.placeholder = "null";
  };
  return button("null", empty, { "aria-label": gettext("Set %(name)s to null", { name }) });
}

// By the kind of a view.
export const FIELDS = { text, number, enum: choice, const: fixed, boolean, file, any: json };
