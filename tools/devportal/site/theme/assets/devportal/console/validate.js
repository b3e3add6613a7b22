// Values against JSON Schema 2020-12, as the build writes schemas of a contract. Bounded in depth, findings
// and time.

const DEEPEST = 200;
const MOST = 100;
const ASKED_EVERY = 2000;

// Whether a text is of a format, by its name: what formats.js knows, where it is loaded.
export const FORMATS = {};

const patterns = new Map();

// A pattern that this browser cannot read is none.
function pattern(source) {
  if (!patterns.has(source)) {
    let expression = null;
    try {
      expression = new RegExp(source, "u");
    } catch {
      // It is one of another language.
    }
    patterns.set(source, expression);
  }
  return patterns.get(source);
}

export function typeOf(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
}

const hasType = (value, name) => typeOf(value) === name || (name === "number" && typeof value === "number");

// Equal values have equal keys: members in one order.
function key(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(key)}]`;
  return `{${Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${key(value[name])}`)}}`;
}

export function quoted(value) {
  const text =
    value !== null && typeof value === "object"
      ? Array.isArray(value)
        ? gettext("an array of %(length)s", { length: value.length })
        : gettext("an object")
      : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

const listed = (all) => [...all.slice(0, 12).map(quoted), ...(all.length > 12 ? ["…"] : [])].join(", ");
const KINDS = {
  array: gettext("an array"),
  boolean: gettext("a boolean"),
  integer: gettext("an integer"),
  number: gettext("a number"),
  object: gettext("an object"),
  string: gettext("a string"),
};
const a = (type) => KINDS[type] ?? type;
const own = (value, name) => (Object.hasOwn(value, name) ? value[name] : undefined);

export class Validator {
  // `pickAt` gives the branches that somebody picked at a place, which count before others.
  constructor(shared = {}, { budget = 3000, now = () => performance.now() } = {}) {
    Object.assign(this, { shared, now, pickAt: () => [], end: now() + budget, asked: 0 });
  }

  // What a value breaks, each with the path of the place in it. `isWhole` says whether all of it was looked
  // at.
  check(schema, value) {
    const findings = [];
    try {
      this.apply(schema, value, [], findings, null, 0);
    } catch (error) {
      if (error !== this) throw error;
      return { findings: findings.slice(0, MOST), isWhole: false };
    }
    return { findings: findings.slice(0, MOST), isWhole: findings.length <= MOST };
  }

  isValid(schema, value, depth = 0, seen = null) {
    const findings = [];
    this.apply(schema, value, [], findings, seen, depth + 1);
    return findings.length === 0;
  }

  target(reference) {
    const name = decodeURIComponent(reference.slice("#/$defs/".length))
      .replaceAll("~1", "/")
      .replaceAll("~0", "~");
    return own(this.shared, name) ?? true;
  }

  // `seen` gathers the members that were looked at, for unevaluatedProperties and unevaluatedItems.
  apply(schema, value, at, out, seen, depth) {
    this.asked += 1;
    if (depth > DEEPEST || (this.asked % ASKED_EVERY === 0 && this.now() > this.end)) throw this;
    if (schema === true || schema === undefined) return;
    const say = (keyword, message, where = at) => {
      out.push({ at: where, keyword, message });
    };
    if (schema === false) {
      say("false", gettext("is not allowed"));
      return;
    }
    const inner =
      schema.unevaluatedProperties === undefined && schema.unevaluatedItems === undefined ? seen : new Set();
    if (schema.$ref) this.apply(this.target(schema.$ref), value, at, out, inner, depth + 1);
    if (schema.type && ![schema.type].flat().some((type) => hasType(value, type))) {
      say("type", gettext("%(value)s is not %(types)s", {
        value: quoted(value),
        types: [schema.type].flat().map(a).join(gettext(" or ")),
      }));
    }
    if (schema.enum && !schema.enum.some((item) => key(item) === key(value))) {
      say("enum", gettext("%(value)s is not one of %(values)s", { value: quoted(value), values: listed(schema.enum) }));
    }
    if ("const" in schema && key(schema.const) !== key(value))
      say("const", gettext("%(value)s is not %(other)s", { value: quoted(value), other: quoted(schema.const) }));
    if (typeof value === "number") number(schema, value, say);
    else if (typeof value === "string") string(schema, value, say);
    else if (Array.isArray(value)) this.list(schema, value, at, out, inner, depth, say);
    else if (value !== null && typeof value === "object")
      this.object(schema, value, at, out, inner, depth, say);
    this.combined(schema, value, at, out, inner, depth, say);
    if (inner !== seen) this.rest(schema, value, at, out, inner, seen, depth);
  }

  list(schema, value, at, out, seen, depth, say) {
    const { prefixItems = [], items, contains, minContains = 1, maxContains = Infinity } = schema;
    value.forEach((item, index) => {
      const rule = index < prefixItems.length ? prefixItems[index] : items;
      if (rule === undefined) return;
      seen?.add(index);
      if (out.length <= MOST) this.apply(rule, item, [...at, index], out, seen && new Set(), depth + 1);
    });
    if (value.length < schema.minItems)
      say("minItems", ngettext("has %(number)s item, needs at least %(least)s", "has %(number)s items, needs at least %(least)s", value.length, { least: schema.minItems }));
    if (value.length > schema.maxItems)
      say("maxItems", ngettext("has %(number)s item, allows at most %(most)s", "has %(number)s items, allows at most %(most)s", value.length, { most: schema.maxItems }));
    if (schema.uniqueItems && new Set(value.map(key)).size < value.length)
      say("uniqueItems", gettext("contains the same item twice"));
    if (contains === undefined) return;
    const fitting = value.flatMap((item, index) => (this.isValid(contains, item, depth) ? [index] : []));
    fitting.forEach((index) => seen?.add(index));
    if (fitting.length < minContains || fitting.length > maxContains) {
      say(
        fitting.length < minContains ? "contains" : "maxContains",
        ngettext("contains %(number)s item of the required kind", "contains %(number)s items of the required kind", fitting.length),
      );
    }
  }

  object(schema, value, at, out, seen, depth, say) {
    const names = Object.keys(value);
    const { properties = {}, patternProperties = {}, additionalProperties, propertyNames } = schema;
    const forms = Object.entries(patternProperties).map(([source, rule]) => [pattern(source), rule]);
    const isRead = forms.every(([form]) => form); // if not, any name may be one of those
    for (const name of schema.required ?? []) {
      if (!Object.hasOwn(value, name)) say("required", gettext("is required"), [...at, name]);
    }
    for (const name of names) {
      const rules = forms.filter(([form]) => form?.test(name)).map(([, rule]) => rule);
      if (Object.hasOwn(properties, name)) rules.push(properties[name]);
      const isFurther = !rules.length && isRead && additionalProperties !== undefined;
      if (isFurther && additionalProperties === false)
        say("additionalProperties", gettext("is not a known field"), [...at, name]);
      else if (isFurther) rules.push(additionalProperties);
      if (rules.length || isFurther || !isRead) seen?.add(name);
      if (out.length <= MOST)
        for (const rule of rules)
          this.apply(rule, value[name], [...at, name], out, seen && new Set(), depth + 1);
      if (propertyNames !== undefined && !this.isValid(propertyNames, name, depth))
        say("propertyNames", gettext("is not an allowed name"), [...at, name]);
      for (const other of own(schema.dependentRequired ?? {}, name) ?? []) {
        if (!Object.hasOwn(value, other))
          say("dependentRequired", gettext("is required if %(name)s is present", { name: quoted(name) }), [...at, other]);
      }
      const depending = own(schema.dependentSchemas ?? {}, name);
      if (depending !== undefined) this.apply(depending, value, at, out, seen, depth + 1);
    }
    if (names.length < schema.minProperties)
      say(
        "minProperties",
        ngettext("has %(number)s field, needs at least %(least)s", "has %(number)s fields, needs at least %(least)s", names.length, { least: schema.minProperties }),
      );
    if (names.length > schema.maxProperties)
      say(
        "maxProperties",
        ngettext("has %(number)s field, allows at most %(most)s", "has %(number)s fields, allows at most %(most)s", names.length, { most: schema.maxProperties }),
      );
  }

  combined(schema, value, at, out, seen, depth, say) {
    for (const branch of schema.allOf ?? []) this.apply(branch, value, at, out, seen, depth + 1);
    for (const keyword of ["anyOf", "oneOf"]) {
      if (schema[keyword]) this.choice(keyword, schema[keyword], value, at, out, seen, depth, say);
    }
    if (schema.not !== undefined && this.isValid(schema.not, value, depth))
      say("not", gettext("%(value)s is not allowed", { value: quoted(value) }));
    if (schema.if === undefined) return;
    const met = new Set();
    const holds = this.isValid(schema.if, value, depth, met);
    if (holds) met.forEach((index) => seen?.add(index));
    this.apply(holds ? schema.then : schema.else, value, at, out, seen, depth + 1);
  }

  choice(keyword, branches, value, at, out, seen, depth, say) {
    const tried = branches.map((branch) => {
      const findings = [],
        met = seen && new Set();
      this.apply(branch, value, at, findings, met, depth + 1);
      return { findings, met };
    });
    const fitting = tried.filter((outcome) => !outcome.findings.length);
    for (const { met } of fitting) met?.forEach((index) => seen.add(index));
    if (keyword === "oneOf" && fitting.length > 1)
      say("oneOf", ngettext("matches %(number)s variant, must match exactly one", "matches %(number)s variants, must match exactly one", fitting.length));
    const [picked] = this.pickAt(at).flatMap(({ branch, isChosen }) => {
      const index = isChosen || !fitting.length ? branches.findIndex((candidate) => key(candidate) === key(branch)) : -1;
      return index < 0 ? [] : [tried[index].findings];
    });
    if (picked) out.push(...picked);
    if (picked || fitting.length) return;
    const possible = tried.filter(({ findings }) => !findings.some((finding) => rulesOut(finding, at)));
    if (possible.length === 1) out.push(...possible[0].findings);
    else say(keyword, ngettext("%(value)s matches none of %(number)s variant", "%(value)s matches none of %(number)s variants", branches.length, { value: quoted(value) }));
  }

  rest(schema, value, at, out, met, seen, depth) {
    const keyword = Array.isArray(value) ? "unevaluatedItems" : "unevaluatedProperties";
    const rule = schema[keyword];
    const isMade = rule !== undefined && value !== null && typeof value === "object";
    for (const [name, item] of isMade ? Object.entries(value) : []) {
      const index = Array.isArray(value) ? Number(name) : name;
      if (met.has(index)) continue;
      if (rule === false) out.push({ at: [...at, index], keyword, message: gettext("is not a known field") });
      else this.apply(rule, item, [...at, index], out, null, depth + 1);
      met.add(index);
    }
    met.forEach((index) => seen?.add(index));
  }
}

// Whether a finding shows that a value is of another kind: another type, or another value of what tells kinds
// apart.
function rulesOut({ keyword, at }, place) {
  return (
    (keyword === "type" && at.length === place.length) ||
    (/const|enum/.test(keyword) && at.length === place.length + 1)
  );
}

function number(schema, value, say) {
  if (value < schema.minimum) say("minimum", gettext("%(value)s is less than %(bound)s", { value, bound: schema.minimum }));
  if (value > schema.maximum) say("maximum", gettext("%(value)s is more than %(bound)s", { value, bound: schema.maximum }));
  if (value <= schema.exclusiveMinimum)
    say("exclusiveMinimum", gettext("%(value)s is not more than %(bound)s", { value, bound: schema.exclusiveMinimum }));
  if (value >= schema.exclusiveMaximum)
    say("exclusiveMaximum", gettext("%(value)s is not less than %(bound)s", { value, bound: schema.exclusiveMaximum }));
  if (schema.multipleOf && !isMultiple(value, schema.multipleOf))
    say("multipleOf", gettext("%(value)s is not a multiple of %(factor)s", { value, factor: schema.multipleOf }));
}

// Decimals have no exact double: the last bits of a quotient may differ.
function isMultiple(value, factor) {
  if ([value, factor].every(Number.isSafeInteger)) return value % factor === 0;
  const times = value / factor;
  return Math.abs(times - Math.round(times)) <= 4 * Number.EPSILON * Math.abs(times);
}

function string(schema, value, say) {
  const { minLength, maxLength } = schema;
  if (minLength !== undefined || maxLength !== undefined) {
    const length = [...value].length;
    if (length < minLength)
      say("minLength", ngettext("has %(number)s character, needs at least %(least)s", "has %(number)s characters, needs at least %(least)s", length, { least: minLength }));
    if (length > maxLength)
      say("maxLength", ngettext("has %(number)s character, allows at most %(most)s", "has %(number)s characters, allows at most %(most)s", length, { most: maxLength }));
  }
  if (schema.pattern !== undefined && pattern(schema.pattern)?.test(value) === false)
    say("pattern", gettext("%(value)s does not match %(pattern)s", { value: quoted(value), pattern: schema.pattern }));
  if (own(FORMATS, schema.format ?? "")?.(value) === false)
    say("format", gettext("%(value)s is not a valid %(format)s", { value: quoted(value), format: schema.format }));
}
