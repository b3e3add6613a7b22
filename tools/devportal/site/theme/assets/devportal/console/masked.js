// A value as code on a page shows it: what the contract calls a password is stars.

import { isObject } from "./values.js";

const STARS = "********";
const places = new WeakMap(); // of values as a whole, by their schemas

// Of variants no one says which it is, so that each counts. No pattern of a contract is tried on the page: each
// may be that of any name.
export function masked(schema, value, target) {
  const key = Object(schema); // a schema may be true
  if (!places.has(key)) places.set(key, placeOf([key], target));
  return covered(places.get(key), value);
}

function covered(place, value) {
  if (Array.isArray(value))
    return value.map((item, at) => covered(place.below(itemsOf, Math.min(at, place.first)), item));
  if (isObject(value))
    return new Map([...value].map(([name, member]) => [name, covered(place.below(membersOf, name), member)]));
  return typeof value === "string" && value && place.isSecret ? STARS : value;
}

// All that may describe the values at one place, references followed, and the places below it that were asked for.
function placeOf(schemas, target) {
  const parts = new Set(schemas.filter(Boolean)),
    found = new Map();
  for (const { $ref, allOf, anyOf, oneOf, dependentSchemas = {}, ...schema } of parts) {
    const others = [$ref && target($ref), allOf, anyOf, oneOf, schema.then, schema.else];
    for (const each of [...others, Object.values(dependentSchemas)].flat()) if (each) parts.add(each);
  }
  const below = (step, name) => {
    if (!found.has(name))
      found.set(
        name,
        placeOf(
          [...parts].flatMap((schema) => step(schema, name)),
          target,
        ),
      );
    return found.get(name);
  };
  return {
    below,
    isSecret: [...parts].some(({ format }) => format === "password"),
    first: Math.max(...[...parts].map(({ prefixItems = [] }) => prefixItems.length)), // those after it are alike
  };
}

const itemsOf = ({ prefixItems = [], items, contains, unevaluatedItems }, at) => [
  prefixItems[at] ?? items,
  contains,
  unevaluatedItems,
];

function membersOf(schema, name) {
  const { properties = {}, patternProperties = {}, additionalProperties, unevaluatedProperties } = schema;
  const further = Object.hasOwn(properties, name)
    ? [properties[name]]
    : [additionalProperties, unevaluatedProperties];
  return [...further, ...Object.values(patternProperties)];
}
