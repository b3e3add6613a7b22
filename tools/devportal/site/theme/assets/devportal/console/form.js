// The fields of a form, made from schemas. A field reads and writes one place of the value that is sent;
// fields of what is optional are made when somebody opens them.

import { blank, fit, isFurther, nameOf, scalarOf, typeName, valuesOf, variantsOf, viewOf } from "./schema.js";
import { button, choices, el, folded, fresh } from "./dom.js";
import { Numeral, isObject, parse, write } from "./values.js";

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const LONG = 200;
const FEW = 2; // so many optional fields are shown beside others
const MANY = 8; // and so many by themselves
const MOST_CHOICES = 8; // of a variant, within one another at one place
const PLACEHOLDERS = {
  "date-time": "2026-11-22T10:00:00Z",
  date: "2026-11-22",
  uri: "https://",
  email: "name@example.com",
};
const PROTECTED = /^(idempotency-key|x-request-id|x-idempotency-key)$/i;

// `target` follows references, `changed` is called after each change. `fields` holds the place of each
// field's error.
export class Form {
  constructor(target, changed) {
    Object.assign(this, { target, changed, fields: new Map() });
  }

  // A row for one place: `slot` gets and sets it, `said` has its name, path and whether it is required.
  row(schema, slot, said) {
    const view = viewOf(schema, this.target),
      id = fresh(),
      wrong = fresh(),
      told = fresh();
    const input = this.control(view, slot, { ...said, id, told: `${wrong} ${told}` });
    const isGroup = input.matches(".dpc-group"),
      name = said.isItem ? calledAs(said) : el("code", {}, said.name);
    const type = el(
      "span.type",
      { id: told },
      [said.type ?? typeName(view), (said.deprecated || view.deprecated) && "deprecated"]
        .filter(Boolean)
        .join(", "),
    );
    const label = el(
      "div.label",
      {},
      isGroup ? el("span", { id: `${id}-label` }, name) : el("label", { for: id }, name),
      type,
      said.required && el("span.required", {}, "required"),
    );
    if (isGroup) input.setAttribute("aria-labelledby", `${id}-label`);
    const error = el("p.error", { id: wrong, hidden: true });
    const hint = said.hint ?? view.description,
      words = hint && el("p.hint", {}, hint);
    const mayBeNull = view.nullable && (view.kind === "text" || view.kind === "number");
    const line = el(
      "div.line",
      {},
      label,
      mayBeNull && nullButton(slot, input.input ?? input, said.name),
      said.remove,
    );
    const row = el("div.row", {}, line, ...(isGroup ? [words, input, error] : [input, error, words]));
    this.fields.set(said.path, { row, input, error });
    return row;
  }

  control(view, slot, said) {
    const kind = said.isFile || (view.format === "binary" && said.mayHaveFiles) ? "file" : view.kind;
    if (slot.get() instanceof Map && !["object", "union"].includes(kind)) return this.json(view, slot, said);
    return this[kind](view, slot, said);
  }

  // A body, and the text or number of a variant, have no label beside them.
  attributes(said) {
    const { id, told, required, path, choices: within } = said;
    return {
      id,
      "aria-label": within ? `Value of ${calledAs(said)}` : path === "/body" ? "Body" : undefined,
      "aria-describedby": told,
      "aria-required": required ? "true" : undefined,
      autocomplete: "off",
      spellcheck: "false",
    };
  }

  input(view, slot, said, read = (text) => text) {
    const isLong =
      said.isLong ?? (view.kind === "text" && !view.format && !view.pattern && (view.maxLength ?? 0) > LONG);
    const value = slot.get();
    const given = {
      ...this.attributes(said),
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

  text(view, slot, said) {
    const made = this.input(view, slot, said);
    if (view.format !== "uuid" && !PROTECTED.test(said.name)) return made;
    const fill = () => {
      made.value =
        crypto.randomUUID?.() ??
        "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (one) =>
          (one ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (one / 4)))).toString(16),
        );
      slot.set(made.value);
    };
    const beside = button("New UUID", fill, { "aria-label": `Fill ${said.name} with a new UUID` });
    const both = el("div.both", {}, made, beside);
    both.input = made;
    return both;
  }

  number(view, slot, said) {
    const made = this.input(view, slot, said, (text) =>
      NUMBER.test(text.trim()) ? new Numeral(text.trim()) : text,
    );
    made.inputMode = "decimal";
    return made;
  }

  enum(view, slot, said) {
    const values = [...new Set([...view.enum, ...(view.nullable ? [null] : [])])].map(scalarOf),
      now = slot.get();
    const at = now === undefined ? -1 : values.findIndex((one) => write(one) === write(now));
    const none = said.isItem ? [] : [["", view.default === undefined ? "–" : `– (${view.default})`]];
    const options = [
      ...none,
      ...values.map((one, number) => [`${number}`, one === null ? "null" : `${one}`]),
    ];
    return choices(
      options,
      at < 0 ? "" : `${at}`,
      (chosen) => slot.set(chosen === "" ? undefined : values[chosen]),
      this.attributes(said),
    );
  }

  const(view, slot, said) {
    return this.enum({ ...view, enum: [view.const] }, slot, said);
  }

  boolean(view, slot, said) {
    return this.enum({ ...view, enum: [true, false] }, slot, said);
  }

  file(view, slot, said) {
    const pick = ({ target }) => slot.set(target.multiple ? [...target.files] : target.files[0]);
    return el("input", {
      ...this.attributes(said),
      type: "file",
      multiple: view.kind === "list",
      change: pick,
    });
  }

  any(view, slot, said) {
    return this.json(view, slot, said);
  }

  // Free JSON; what is none is a text.
  json(view, slot, said) {
    const value = slot.get();
    const read = (text) => {
      try {
        return parse(text);
      } catch {
        return text;
      }
    };
    const shown = value === undefined ? "" : typeof value === "string" ? value : write(value, { indent: 2 });
    const made = this.input(
      { kind: "text" },
      { get: () => shown, set: slot.set },
      { ...said, isLong: true, example: said.example ?? "JSON" },
      read,
    );
    return made;
  }

  // Members that are required or there, then the optional ones behind a fold.
  object(view, slot, said) {
    const made = el("div.group", { role: "group" });
    const known = Object.keys(view.properties ?? {});
    const render = () => {
      const value = slot.get(),
        has = (name) => isObject(value) && value.has(name);
      const member = (name, schema, remove) =>
        this.row(schema, memberOf(slot, name, said.required), {
          name,
          remove,
          path: `${said.path}/${escaped(name)}`,
          required: view.required?.includes(name) ?? false,
          mayHaveFiles: said.mayHaveFiles && said.path === "/body",
          isFile: said.files?.includes(name),
        });
      const isTold = (name) =>
        said.isOpen && has(name) && view.required?.includes(name) && isFixed(view.properties[name]); // by the variant
      const needed = known.filter((name) => (has(name) || view.required?.includes(name)) && !isTold(name)),
        others = known.filter((name) => !needed.includes(name) && !isTold(name));
      const few = others.length <= (needed.length ? FEW : MANY);
      const first = few ? [...needed, ...others] : needed,
        rest = few ? [] : others;
      const further = isObject(value) ? [...value.keys()].filter((name) => !known.includes(name)) : [];
      const drop = (name, at) =>
        button(
          "Remove",
          () => {
            memberOf(slot, name, said.required).set(undefined);
            render();
            focusOn(made, first.length + at);
          },
          { "aria-label": `Remove ${name}` },
        );
      made.replaceChildren(
        ...first.map((name) => member(name, view.properties[name])),
        ...further.map((name, at) =>
          member(name, isFurther(view) ? view.additionalProperties : {}, drop(name, at)),
        ),
        rest.length
          ? folded(`${rest.length} optional`, () => rest.map((name) => member(name, view.properties[name])))
          : "",
        isFurther(view) || (!known.length && view.additionalProperties !== false)
          ? this.adder(slot, view, render)
          : "",
      );
    };
    // A group within an optional member is there when it is opened.
    if (said.required || slot.get() !== undefined || said.isOpen) render();
    else
      made.append(
        folded("Fill in", () => {
          made.replaceChildren();
          render();
          return [];
        }),
      );
    return made;
  }

  adder(slot, view, render) {
    const name = el("input", {
      "aria-label": "Name of a new member",
      placeholder: "name",
      autocomplete: "off",
    });
    const add = () => {
      if (!name.value) {
        name.focus();
        return;
      }
      const schema = isFurther(view) ? viewOf(view.additionalProperties, this.target) : {};
      memberOf(slot, name.value).set(blank(schema, this.target) ?? "");
      render();
    };
    return el("div.both", {}, name, button("Add", add));
  }

  list(view, slot, said) {
    const made = el("div.group", { role: "group" });
    const render = (focus) => {
      const items = slot.get() ?? [];
      const set = (at, value) => {
        const now = [...(slot.get() ?? [])];
        now[at] = value;
        slot.set(now);
      };
      const without = (at) => {
        const now = [...slot.get()];
        now.splice(at, 1);
        slot.set(now.length || said.required ? now : undefined);
        render(at);
      };
      made.replaceChildren(
        ...items.map((_, at) =>
          this.row(
            view.prefixItems?.[at] ?? view.items ?? {},
            { get: () => slot.get()[at], set: (value) => set(at, value ?? "") },
            {
              name: `${at}`,
              path: `${said.path}/${at}`,
              isItem: true,
              remove: button("Remove", () => without(at), {
                "aria-label": `Remove item ${at + 1} of ${said.name}`,
              }),
            },
          ),
        ),
        button(
          "Add an item",
          () => {
            slot.set([
              ...(slot.get() ?? []),
              blank(viewOf(view.prefixItems?.[items.length] ?? view.items, this.target), this.target) ?? "",
            ]);
            render(items.length);
          },
          { "aria-label": `Add an item to ${said.name}` },
        ),
      );
      if (focus !== undefined) focusOn(made, focus);
    };
    if (Array.isArray(slot.get() ?? [])) render();
    else return this.json(view, slot, said);
    return made;
  }

  // A choice of variants; what of the value fits none is free JSON.
  union(view, slot, said) {
    if (said.choices > MOST_CHOICES) return this.json(view, slot, said);
    const made = el("div.group", { role: "group" });
    const views = variantsOf(view, this.target);
    const value = slot.get(),
      scores = views.map((one) => fit(one, value));
    let at = value === undefined ? -1 : scores.indexOf(Math.max(...scores));
    const options = view.branches.map((one, number) => [
      `${number}`,
      nameOf(one, viewOf(one, this.target), number + 1),
    ]);
    const inside = el("div");
    const render = () =>
      inside.replaceChildren(
        ...(at < 0
          ? []
          : [
              this.control(views[at], slot, {
                ...said,
                id: fresh(),
                isOpen: true,
                choices: (said.choices ?? 0) + 1,
              }),
            ]),
      );
    const choose = (chosen) => {
      at = chosen === "" ? -1 : Number(chosen);
      slot.set(
        at < 0 ? undefined : (kept(blank(views[at], this.target), slot.get(), view.properties) ?? undefined),
      );
      render();
    };
    made.append(
      choices([...(said.isItem ? [] : [["", "–"]]), ...options], `${at < 0 ? "" : at}`, choose, {
        "aria-label": `Variant of ${calledAs(said)}`,
      }),
      inside,
    );
    render();
    return made;
  }

  // Shows what is wrong beside the fields; what is in a place that is folded is told where the fold is.
  // Returns the fields, and what has no place at all.
  show(findings) {
    for (const { error, input } of this.fields.values()) {
      error.hidden = true;
      (input.input ?? input).removeAttribute("aria-invalid");
    }
    const told = new Map(),
      rest = [];
    for (const { path, message } of findings) {
      let place = path;
      while (place && !this.fields.get(place)?.row.isConnected)
        place = place.slice(0, place.lastIndexOf("/"));
      const words = place === path ? message : `${path.slice(place.length)}: ${message}`;
      if (this.fields.has(place)) told.set(place, [...(told.get(place) ?? []), words]);
      else rest.push(words.replace("/", ""));
    }
    for (const [place, words] of told) {
      const { error, input } = this.fields.get(place);
      error.textContent = words.slice(0, 5).join("; ");
      error.hidden = false;
      (input.input ?? input).setAttribute("aria-invalid", "true");
    }
    return { wrong: [...told.keys()].map((place) => this.fields.get(place)), rest };
  }
}

const calledAs = ({ name, isItem }) => (isItem ? `Item ${Number(name) + 1}` : name);

// The row that stands in a place now, or what adds one.
function focusOn(group, at) {
  const row = group.querySelectorAll(":scope > .dpc-row")[at] ?? group.lastElementChild;
  const field = row?.matches("button")
    ? row
    : (row?.querySelector("input, select, textarea") ?? row?.querySelector("button, summary"));
  field?.focus();
}

function nullButton(slot, field, name) {
  const empty = () => {
    slot.set(null);
    field.value = "";
    field.placeholder = "null";
  };
  return button("null", empty, { "aria-label": `Set ${name} to null` });
}

const isFixed = (schema) => valuesOf(schema)?.length === 1;

// A new variant, with what was filled in of the members that all variants have.
function kept(made, before, common = {}) {
  if (!isObject(made) || !isObject(before)) return made;
  return new Map([...[...before].filter(([name]) => Object.hasOwn(common, name)), ...made]);
}

export const escaped = (name) => name.replaceAll("~", "~0").replaceAll("/", "~1");

function memberOf(slot, name, isKept = false) {
  return {
    get: () => {
      const value = slot.get();
      return isObject(value) ? value.get(name) : undefined;
    },
    set: (one) => {
      const before = slot.get(),
        value = isObject(before) ? before : new Map();
      if (one === undefined) value.delete(name);
      else value.set(name, one);
      slot.set(value.size || isKept ? value : undefined);
    },
  };
}
