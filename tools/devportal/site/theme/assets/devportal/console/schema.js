// A schema as a form sees it: references followed and `allOf` merged, one level at a time, so that what has
// no end is opened as far as somebody opens it.

import { Numeral, isObject } from "./values.js";

const DEEPEST = 20;

// `target` follows a reference.
export function viewOf(schema, target, depth = 0) {
  if (schema === null || typeof schema !== "object" || depth > DEEPEST) return {};
  const { $ref, allOf, anyOf, oneOf, ...rest } = schema;
  let view = $ref ? { ...rest, refs: [$ref] } : rest;
  for (const part of [...($ref ? [target($ref)] : []), ...(allOf ?? [])])
    view = merged(view, viewOf(part, target, depth + 1));
  const union = oneOf ?? anyOf ?? [];
  const branches = union.filter((branch) => !isNull(branch));
  if (branches.length === 1) view = merged(view, viewOf(branches[0], target, depth + 1));
  else if (branches.length > 1) view = { ...view, branches };
  const types = [view.type ?? []].flat();
  if (branches.length < union.length || types.includes("null")) view.nullable = true;
  const plain = types.filter((type) => type !== "null");
  if (plain.length > 1 && !view.branches && !view.enum)
    view.branches = plain.map((type) => ({ type: [type] }));
  return { ...view, kind: kindOf(view, plain, target) };
}

const isNull = (schema) => schema?.type && [schema.type].flat().every((type) => type === "null");

function merged(view, other) {
  const properties = { ...other.properties };
  for (const [name, schema] of Object.entries(view.properties ?? {})) {
    properties[name] = Object.hasOwn(properties, name) ? { allOf: [schema, properties[name]] } : schema;
  }
  const required = [...(other.required ?? []), ...(view.required ?? [])];
  return {
    ...other,
    ...view,
    ...(Object.keys(properties).length && { properties }),
    ...(required.length && { required }),
    refs: [...(view.refs ?? []), ...(other.refs ?? [])], // the references that were followed
  };
}

function kindOf(view, [type], target) {
  if ("const" in view) return "const";
  if (view.enum) return "enum";
  // Beside members of its own, a choice that only says which of them are required is none of variants.
  if (view.branches && (!view.properties || view.branches.some((branch) => isThing(branch, target))))
    return "union";
  if (type === "object" || view.properties || isFurther(view)) return "object";
  if (type === "array" || view.items) return "list";
  return { string: "text", integer: "number", number: "number", boolean: "boolean" }[type] ?? "any";
}

export const isFurther = ({ additionalProperties }) =>
  additionalProperties !== null && typeof additionalProperties === "object";

// Whether a schema describes members, as far as it can be seen without opening much of it.
function isThing(schema, target, depth = 0) {
  if (schema === null || typeof schema !== "object" || depth > 3) return false;
  const { $ref, type, properties, allOf = [], oneOf = [], anyOf = [] } = schema;
  if (properties || [type].flat().includes("object")) return true;
  return [...($ref ? [target($ref)] : []), ...allOf, ...oneOf, ...anyOf].some((part) =>
    isThing(part, target, depth + 1),
  );
}

// The variants of a view, each with the members that all have, those first. One that is made of what has the
// choice (a cat is a pet, and a pet a cat or a dog) does not ask again.
export function variantsOf({ properties, required, branches }, target) {
  const asked = new Set(branches.map(placeOf));
  return branches.map((branch) => {
    const view = viewOf(branch, target),
      isPart = properties && ["object", "union", "any"].includes(view.kind);
    const variant = isPart ? viewOf({ allOf: [branch, { properties, required }] }, target) : view;
    return variant.properties && variant.branches?.some((each) => asked.has(placeOf(each)))
      ? { ...variant, branches: undefined, kind: "object" }
      : variant;
  });
}

const placeOf = (schema) => schema?.$ref ?? schema;

// The values that a member may have, where its schema lists them.
export function valuesOf(schema) {
  if ("const" in Object(schema)) return [schema.const];
  return (
    schema?.enum ??
    (schema?.allOf ?? [])
      .map(valuesOf)
      .filter(Boolean)
      .sort((text, other) => text.length - other.length)[0]
  );
}

// What a variant is called: by the value that tells it from others, by its name, or by what it is.
export function nameOf(branch, view, number) {
  for (const [name, property] of Object.entries(view.properties ?? {})) {
    const values = valuesOf(property) ?? [];
    if (values.length === 1) return `${name}: ${values[0]}`;
  }
  if (view.title) return view.title;
  const name =
    branch.$ref &&
    decodeURIComponent(branch.$ref)
      .replace(/^#\/\$defs\/\d+-/, "")
      .replaceAll("~1", "/");
  return name || typeName(view) || gettext("Variant %(number)s", { number });
}

export function typeName(view) {
  const type = [view.type ?? []]
    .flat()
    .filter((name) => name !== "null")
    .join(gettext(" or "));
  return [
    type === "string" ? (view.format ?? "string") : type,
    view.nullable && "null",
  ]
    .filter(Boolean)
    .join(gettext(" or "));
}

// How well a value fits a variant; the best one is shown.
export function fit(view, value) {
  if (view.kind === "union") return 0;
  if (view.kind === "const" || view.kind === "enum")
    return (view.enum ?? [view.const]).some((item) => `${item}` === `${value}`) ? 3 : -9;
  if (!isObject(value)) {
    const kind = Array.isArray(value)
      ? "list"
      : value instanceof Numeral
        ? "number"
        : typeof value === "boolean"
          ? "boolean"
          : "text";
    return view.kind === kind ? 1 : view.kind === "any" ? 0 : -9;
  }
  if (view.kind !== "object") return -9;
  let score = 0;
  for (const [name, property] of Object.entries(view.properties ?? {})) {
    const values = valuesOf(property);
    if (value.has(name))
      score += values && !values.some((each) => `${each}` === `${value.get(name)}`) ? -9 : 1;
    else if (view.required?.includes(name)) score -= 3;
  }
  return score;
}

// What a new item or variant starts with: as little as its kind has.
export function blank(view, target, depth = 0) {
  if (view.default !== undefined && (view.default === null || typeof view.default !== "object"))
    return scalarOf(view.default);
  if (view.kind === "const") return scalarOf(view.const);
  if (view.kind === "enum") return scalarOf(view.enum[0]);
  if (view.kind === "list") return [];
  if (view.kind === "object") {
    const fixed = Object.entries(view.properties ?? {}).filter(([name]) => view.required?.includes(name));
    return new Map(
      fixed
        .map(([name, property]) => [name, viewOf(property, target)])
        .filter(([, property]) => property.kind === "const" || property.enum?.length === 1)
        .map(([name, property]) => [name, blank(property, target)]),
    );
  }
  return (
    { number: new Numeral("0"), boolean: false, text: "" }[view.kind] ??
    (view.kind === "union" && depth < DEEPEST ? blank(variantsOf(view, target)[0], target, depth + 1) : null)
  );
}

export const scalarOf = (value) => (typeof value === "number" ? new Numeral(`${value}`) : value);
