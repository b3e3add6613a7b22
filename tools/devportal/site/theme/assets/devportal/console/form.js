// The fields of a form, made from schemas. A field reads and writes one place of the value that is sent;
// fields of what is optional are made when somebody opens them.

import { button, el, fresh, hint, showFault } from "./dom.js";
import { FIELDS, calledAs, json, nullButton } from "./fields.js";
import { GROUPS } from "./groups.js";
import { blank, typeName, viewOf } from "./schema.js";
import { Numeral, isObject } from "./values.js";

// `target` follows references, `changed` is called after each change. `fields` holds the place of each
// field's error.
export class Form {
  constructor(target, changed) {
    Object.assign(this, { target, changed, fields: new Map(), picks: new Map() });
  }

  // Notes the variant that is shown at a place; of several within one another, `depth` says which.
  pick(path, depth, branch, isChosen) {
    for (const [key, pick] of this.picks)
      if (pick.path.startsWith(`${path}/`) || (pick.path === path && pick.depth >= depth)) this.picks.delete(key);
    if (branch) this.picks.set(`${depth} ${path}`, { path, depth, branch, isChosen });
  }

  // A row for one place: `slot` gets and sets it, `field` has its name, path and whether it is required.
  row(schema, slot, field) {
    const view = viewOf(schema, this.target);
    const [id, wrong, typeId, hinted] = [fresh(), fresh(), fresh(), fresh()];
    const input = this.control(view, slot, { ...field, id, told: `${wrong} ${typeId} ${hinted}` });
    const isGroup = input.matches(".dpc-group"),
      name = field.isItem ? calledAs(field) : el("code", {}, field.name);
    const type = el(
      "span.type",
      { id: typeId },
      [field.type ?? typeName(view), (field.deprecated || view.deprecated) && gettext("deprecated")]
        .filter(Boolean)
        .join(", "),
    );
    const label = el(
      "div.label",
      {},
      isGroup ? el("span", { id: `${id}-label` }, name) : el("label", { for: id }, name),
      type,
      field.required && el("span.required", {}, gettext("required")),
    );
    if (isGroup) input.setAttribute("aria-labelledby", `${id}-label`);
    const error = el("p.error", { id: wrong, hidden: true });
    const description = field.hint ?? view.description;
    const words = description && hint(hinted, description, calledAs(field));
    const mayBeNull = view.nullable && (view.kind === "text" || view.kind === "number");
    const setNull = mayBeNull
      ? nullButton(slot, input.input ?? input, calledAs(field))
      : view.nullable && view.kind in GROUPS && this.swapNull(schema, view, slot, field);
    const line = el("div.line", {}, label, setNull, field.remove);
    const row = el("div.row", {}, line, ...(isGroup ? [words, input, error] : [input, error, words]));
    this.fields.set(field.path, { row, input, error });
    return row;
  }

  // Turns a group to null, and null to a group: the row is made anew.
  swapNull(schema, view, slot, field) {
    const isNull = slot.get() === null;
    const swap = () => {
      slot.set(isNull ? (blank(view, this.target) ?? undefined) : null);
      const { row } = this.fields.get(field.path);
      const newRow = this.row(schema, slot, field);
      row.replaceWith(newRow);
      newRow.querySelector("button").focus();
    };
    const name = calledAs(field);
    return isNull
      ? button(gettext("Fill in"), swap, { "aria-label": gettext("Fill in %(name)s", { name }) })
      : button("null", swap, { "aria-label": gettext("Set %(name)s to null", { name }) });
  }

  control(view, slot, field) {
    if (slot.get() === null && field.name !== "body" && view.kind in GROUPS)
      return el("div.group", { role: "group" }, el("code", {}, "null"));
    const kind = field.isFile || (view.format === "binary" && field.mayHaveFiles) ? "file" : view.kind;
    if (!holds(kind, slot.get())) return json(view, slot, field);
    return kind in FIELDS ? FIELDS[kind](view, slot, field) : GROUPS[kind](this, view, slot, field);
  }

  // Shows what is wrong beside the fields; what is in a place that is folded is told where the fold is.
  // Returns the fields, and what has no place at all.
  show(findings) {
    for (const { error, input } of this.fields.values()) {
      showFault(error);
      (input.input ?? input).removeAttribute("aria-invalid");
    }
    const faults = new Map(),
      rest = [];
    for (const { path, message } of findings) {
      let place = path;
      while (place && !this.fields.get(place)?.row.isConnected)
        place = place.slice(0, place.lastIndexOf("/"));
      const words = place === path ? message : `${path.slice(place.length)}: ${message}`;
      if (this.fields.has(place)) faults.set(place, [...(faults.get(place) ?? []), words]);
      else rest.push(words.replace("/", ""));
    }
    for (const [place, words] of faults) {
      const { error, input } = this.fields.get(place);
      showFault(error, words.slice(0, 5).join("; "));
      (input.input ?? input).setAttribute("aria-invalid", "true");
    }
    return { wrong: [...faults.keys()].map((place) => this.fields.get(place)), rest };
  }
}

// Whether fields of a kind show all of a value. What they do not is shown as JSON: nothing of it may be lost.
function holds(kind, value) {
  if (value === undefined || value === null || ["union", "any", "file"].includes(kind)) return true;
  if (kind === "object") return isObject(value);
  if (kind === "list") return Array.isArray(value);
  return typeof value !== "object" || value instanceof Numeral;
}
