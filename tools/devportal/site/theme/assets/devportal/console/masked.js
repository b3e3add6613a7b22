// A value as code on a page shows it: what the contract calls a password is stars.

import { viewOf } from "./schema.js";
import { isObject } from "./values.js";

const STARS = "********";

// `schemas` are all that may describe the value: of variants no one says which it is, so that each counts.
export function masked(schemas, value, target) {
  const views = viewsOf(schemas, target),
    inner = (step, one) => masked(views.map(step).filter(Boolean), one, target);
  if (Array.isArray(value))
    return value.map((one, at) => inner((view) => view.prefixItems?.[at] ?? view.items, one));
  if (isObject(value)) {
    const step =
      (name) =>
      ({ properties, additionalProperties }) =>
        Object.hasOwn(properties ?? {}, name) ? properties[name] : additionalProperties;
    return new Map([...value].map(([name, one]) => [name, inner(step(name), one)]));
  }
  return typeof value === "string" && value && views.some(({ format }) => format === "password")
    ? STARS
    : value;
}

function viewsOf(schemas, target) {
  const found = new Map(),
    open = [...schemas];
  for (const one of open) {
    const key = Object.keys(one).length === 1 && one.$ref ? one.$ref : one;
    if (found.has(key)) continue;
    found.set(key, viewOf(one, target));
    open.push(...(found.get(key).branches ?? []));
  }
  return [...found.values()];
}
