// The groups of fields that a value of several parts has: objects, lists, and choices of variants.

import { button, choices, el, folded, fresh } from "./dom.js";
import { calledAs, json } from "./fields.js";
import { blank, fit, isFurther, nameOf, valuesOf, variantsOf, viewOf } from "./schema.js";
import { isObject } from "./values.js";

const FEW = 2; // so many optional fields are shown beside others
const MANY = 8; // and so many by themselves
const MOST_CHOICES = 8; // of a variant, within one another at one place

// Members that are required or there, then the optional ones behind a fold.
function object(form, view, slot, field) {
  const group = el("div.group", { role: "group" });
  const known = Object.keys(view.properties ?? {}),
    { refs = [] } = view,
    { within: outer = [] } = field,
    within = [...outer, ...refs];
  const isAgain = refs.some((reference) => outer.includes(reference));
  const render = () => {
    const value = slot.get(),
      has = (name) => isObject(value) && value.has(name);
    const member = (name, schema, remove) =>
      form.row(schema, memberOf(slot, name, field.required), {
        name,
        remove,
        within,
        path: `${field.path}/${escaped(name)}`,
        required: view.required?.includes(name) ?? false,
        mayHaveFiles: field.mayHaveFiles && field.path === "/body",
        isFile: field.files?.includes(name),
      });
    // What the choice of a variant says already.
    const isTold = (name) =>
      field.isOpen && has(name) && view.required?.includes(name) && isFixed(view.properties[name]);
    const needed = known.filter((name) => (has(name) || view.required?.includes(name)) && !isTold(name)),
      others = known.filter((name) => !needed.includes(name) && !isTold(name));
    const few = others.length <= (needed.length ? FEW : MANY);
    const first = few ? [...needed, ...others] : needed,
      rest = few ? [] : others;
    const further = isObject(value) ? [...value.keys()].filter((name) => !known.includes(name)) : [];
    const drop = (name, at) =>
      button(
        gettext("Remove"),
        () => {
          memberOf(slot, name, field.required).set(undefined);
          render();
          focusOn(group, first.length + at);
        },
        { "aria-label": gettext("Remove %(name)s", { name }) },
      );
    group.replaceChildren(
      ...first.map((name) => member(name, view.properties[name])),
      ...further.map((name, at) =>
        member(name, isFurther(view) ? view.additionalProperties : {}, drop(name, at)),
      ),
      rest.length
        ? folded(ngettext("%(number)s optional", "%(number)s optional", rest.length), () => rest.map((name) => member(name, view.properties[name])))
        : "",
      isFurther(view) || (!known.length && view.additionalProperties !== false)
        ? adder(form, view, slot, field, render)
        : "",
    );
  };
  // A group within an optional member is there when it is opened, and so is one that is made of itself.
  if ((field.required && !isAgain) || slot.get() !== undefined || field.isOpen) render();
  else
    group.append(
      folded(gettext("Fill in"), () => {
        group.replaceChildren();
        render();
        return [];
      }),
    );
  return group;
}

function adder(form, view, slot, field, render) {
  const name = el("input", {
    "aria-label": gettext("Name of a new field"),
    placeholder: gettext("name"),
    autocomplete: "off",
  });
  // What is there already is not made anew: it has the focus then, as what is new has.
  const add = () => {
    const member = memberOf(slot, name.value);
    if (name.value && member.get() === undefined) {
      const schema = isFurther(view) ? viewOf(view.additionalProperties, form.target) : {};
      member.set(blank(schema, form.target) ?? "");
      render();
    }
    focusIn(form.fields.get(`${field.path}/${escaped(name.value)}`)?.row ?? name.parentElement);
  };
  return el("div.both", {}, name, button(gettext("Add"), add));
}

function list(form, view, slot, field) {
  const group = el("div.group", { role: "group" });
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
      slot.set(now.length || field.required ? now : undefined);
      render(at);
    };
    group.replaceChildren(
      ...items.map((_, at) =>
        form.row(
          view.prefixItems?.[at] ?? view.items ?? {},
          { get: () => slot.get()[at], set: (value) => set(at, value === undefined ? "" : value) },
          {
            name: `${at}`,
            path: `${field.path}/${at}`,
            within: field.within,
            isItem: true,
            remove: button(gettext("Remove"), () => without(at), {
              "aria-label": gettext("Remove item %(number)s of %(name)s", { number: at + 1, name: field.name }),
            }),
          },
        ),
      ),
      button(
        gettext("Add an item"),
        () => {
          slot.set([
            ...(slot.get() ?? []),
            blank(viewOf(view.prefixItems?.[items.length] ?? view.items, form.target), form.target) ?? "",
          ]);
          render(items.length);
        },
        { "aria-label": gettext("Add an item to %(name)s", { name: field.name }) },
      ),
    );
    if (focus !== undefined) focusOn(group, focus);
  };
  render();
  return group;
}

// A choice of variants; what of the value fits none is free JSON.
function union(form, view, slot, field) {
  if (field.choices > MOST_CHOICES) return json(view, slot, field);
  const group = el("div.group", { role: "group" });
  const views = variantsOf(view, form.target);
  const value = slot.get(),
    scores = views.map((variant) => fit(variant, value));
  let at = value === undefined ? -1 : scores.indexOf(Math.max(...scores));
  const options = view.branches.map((branch, number) => [
    `${number}`,
    nameOf(branch, viewOf(branch, form.target), number + 1),
  ]);
  const inside = el("div"),
    depth = field.choices ?? 0;
  const pick = (isChosen) => form.pick(field.path, depth, view.branches[at], isChosen);
  const render = () =>
    inside.replaceChildren(
      ...(at < 0
        ? []
        : [
            form.control(views[at], slot, {
              ...field,
              id: fresh(),
              isOpen: true,
              choices: depth + 1,
            }),
          ]),
    );
  const choose = (chosen) => {
    at = chosen === "" ? -1 : Number(chosen);
    pick(true);
    slot.set(
      at < 0 ? undefined : (kept(blank(views[at], form.target), slot.get(), view.properties) ?? undefined),
    );
    render();
  };
  group.append(
    choices([...(field.isItem ? [] : [["", "–"]]), ...options], `${at < 0 ? "" : at}`, choose, {
      "aria-label": gettext("Variant of %(name)s", { name: calledAs(field) }),
    }),
    inside,
  );
  pick(false);
  render();
  return group;
}

// The row that stands in a place now, or what adds one.
function focusOn(group, at) {
  focusIn(group.querySelectorAll(":scope > .dpc-row")[at] ?? group.lastElementChild);
}

function focusIn(row) {
  const field = row?.matches("button")
    ? row
    : (row?.querySelector("input, select, textarea") ?? row?.querySelector("button, summary"));
  field?.focus();
}

const isFixed = (schema) => valuesOf(schema)?.length === 1;

// A new variant, with what was filled in of the members that all variants have.
function kept(value, before, common = {}) {
  if (!isObject(value) || !isObject(before)) return value;
  return new Map([...[...before].filter(([name]) => Object.hasOwn(common, name)), ...value]);
}

export const escaped = (name) => name.replaceAll("~", "~0").replaceAll("/", "~1");

function memberOf(slot, name, isKept = false) {
  return {
    get: () => {
      const value = slot.get();
      return isObject(value) ? value.get(name) : undefined;
    },
    set: (member) => {
      const before = slot.get(),
        value = isObject(before) ? before : new Map();
      if (member === undefined) value.delete(name);
      else value.set(name, member);
      slot.set(value.size || isKept ? value : undefined);
    },
  };
}

// By the kind of a view.
export const GROUPS = { object, list, union };
