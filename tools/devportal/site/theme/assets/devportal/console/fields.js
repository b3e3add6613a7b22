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
function attributes(field) {
  const { id, told: describedBy, required, path, choices: within } = field;
  return {
    id,
    "aria-label": within ? gettext("Value of %(name)s", { name: calledAs(field) }) : path === "/body" ? gettext("Body") : undefined,
    "aria-describedby": describedBy,
    "aria-required": required ? "true" : undefined,
    autocomplete: "off",
    spellcheck: "false",
  };
}

function input(view, slot, field, read = (text) => text) {
  const value = slot.get();
  // A field of one line drops the breaks of a text with the first key.
  const hasBreaks = /[\r\n]/.test([value, field.example, view.example, view.default]);
  const isLong =
    field.isLong ??
    (view.kind === "text" &&
      (hasBreaks ? view.format !== "password" : !view.format && !view.pattern && view.maxLength > LONG));
  const given = {
    ...attributes(field),
    value: value === undefined || value === null ? "" : `${value}`,
  };
  given.placeholder =
    value === null
      ? "null"
      : (field.example ??
        (view.example === undefined ? (view.default ?? PLACEHOLDERS[view.format]) : view.example));
  if (typeof given.placeholder === "object") given.placeholder = JSON.stringify(given.placeholder);
  given.input = ({ target }) => {
    slot.set(target.value === "" && !field.isItem ? undefined : read(target.value));
  };
  if (!isLong && view.format === "password") given.type = "password";
  return isLong ? el("textarea", { ...given, rows: 2 }) : el("input", given);
}

function text(view, slot, field) {
  const control = input(view, slot, field);
  if (view.format !== "uuid" && !PROTECTED.test(field.name)) return control;
  const fill = () => {
    control.value =
      crypto.randomUUID?.() ??
      "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) =>
        (digit ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (digit / 4)))).toString(16),
      );
    slot.set(control.value);
  };
  const beside = button(gettext("New UUID"), fill, {
    "aria-label": gettext("Fill %(name)s with a new UUID", { name: field.name }),
  });
  const both = el("div.both", {}, control, beside);
  both.input = control;
  return both;
}

function number(view, slot, field) {
  const control = input(view, slot, field, (text) =>
    NUMBER.test(text.trim()) ? new Numeral(text.trim()) : text,
  );
  control.inputMode = "decimal";
  return control;
}

function choice(view, slot, field) {
  const values = [...new Set([...view.enum, ...(view.nullable ? [null] : [])])].map(scalarOf),
    now = slot.get();
  const at = now === undefined ? -1 : values.findIndex((value) => write(value) === write(now));
  const none = field.isItem ? [] : [["", view.default === undefined ? "–" : `– (${view.default})`]];
  const options = [...none, ...values.map((value, number) => [`${number}`, value === null ? "null" : `${value}`])];
  return choices(
    options,
    at < 0 ? "" : `${at}`,
    (chosen) => slot.set(chosen === "" ? undefined : values[chosen]),
    attributes(field),
  );
}

function fixed(view, slot, field) {
  return choice({ ...view, enum: [view.const] }, slot, field);
}

function boolean(view, slot, field) {
  return choice({ ...view, enum: [true, false] }, slot, field);
}

function file(view, slot, field) {
  const change = ({ target }) => slot.set(target.multiple ? [...target.files] : target.files[0]);
  return fileInput(slot.get(), { ...attributes(field), multiple: view.kind === "list", change });
}

// With the files that were chosen before.
export function fileInput(value, properties) {
  const control = el("input", { ...properties, type: "file" });
  const kept = new DataTransfer();
  for (const item of [value].flat()) if (item instanceof File) kept.items.add(item);
  if (kept.files.length) control.files = kept.files;
  return control;
}

// Free JSON; what is none is a text.
export function json(view, slot, field) {
  const value = slot.get();
  const read = (text) => {
    try {
      return parse(text);
    } catch {
      return text;
    }
  };
  const shown = value === undefined ? "" : typeof value === "string" ? value : write(value, { indent: 2 });
  const control = input(
    { kind: "text" },
    { get: () => shown, set: slot.set },
    { ...field, isLong: true, example: field.example ?? "JSON" },
    read,
  );
  return control;
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
