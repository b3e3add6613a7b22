// What is filled in on a console: server, credential, parameters and body; the request that they make, and
// what the contract says against it.

import { Form } from "./form.js";
import { escaped } from "./groups.js";
import { ask } from "./judge.js";
import { masked } from "./masked.js";
import { bodyOf, compose, keyOf, mayHaveBody, notesOf, shown, startBody, startValues } from "./request.js";
import { viewOf } from "./schema.js";
import { baseOf, remembered } from "./servers.js";
import { plain } from "./values.js";

const REQUIRED = gettext("is required");
const PARTLY = gettext("Only part of the request was checked: it is too large or has too many errors.");

// `onChange` is called after each change.
export class Trial {
  constructor(operation, schemas, addresses, onChange) {
    const hasBody = mayHaveBody(operation.method) && operation.bodies.length;
    Object.assign(this, {
      operation,
      addresses,
      said: onChange,
      vaults: new Map([undefined, ...operation.security].map((alternative) => [alternative, new Map()])),
      values: startValues(operation),
      chosen: remembered(operation.servers),
      security: operation.security[0],
      credentials: new Map(), // the fields of secrets, by variable
      anonymous: new Set(), // the alternatives that somebody chose to go without
      bodies: new Map(), // what was filled in, by media type
      body: hasBody ? startBody(operation) : {},
      revision: 0,
    });
    this.target = (reference) => schemas[nameIn(reference)] ?? true;
    this.form = new Form(this.target, () => this.changed());
  }

  changed() {
    this.revision += 1;
    this.said();
  }

  // Whether what is typed for the body is no JSON.
  get isBroken() {
    return this.body.draft !== undefined;
  }

  get base() {
    return baseOf(this.chosen);
  }

  // Each alternative has secrets of its own: two of them may call different things by one variable.
  get secrets() {
    return this.vaults.get(this.security);
  }

  forget() {
    for (const vault of this.vaults.values()) vault.clear();
    this.anonymous.clear();
    for (const { input } of this.credentials.values()) input.value = "";
    performance.clearResourceTimings();
  }

  // Nothing of what was filled in is left, what is being checked is not sent, and no sign-in is waited for.
  clear() {
    this.forget();
    this.giveUp?.();
    this.revision += 1;
    for (const collection of [this.values, this.bodies, this.form.fields]) collection.clear();
    this.body = {};
  }

  // The request with its server and its credential, as they are now.
  get taken() {
    const { base, chosen, revision, secrets } = this;
    return { base, chosen, revision, secrets, request: this.composed((_, value) => value) };
  }

  // The request as code shows it.
  get covered() {
    const request = this.composed((schema, value) => masked(schema, value, this.target));
    return { ...request, body: shown(request.body), notes: notesOf(this.operation, this.values, this.body) };
  }

  // Of a body that is too long for code nothing is shown.
  composed(seen) {
    const { media, kind, value, type } = this.body;
    const bodyWith = (content) => bodyOf(media, kind, content, type);
    let body = media && bodyWith(value);
    if (body && (!body.isLong || body.parts)) body = bodyWith(seen(media.schema, value));
    const filled = this.operation.parameters.filter((parameter) => this.values.has(keyOf(parameter)));
    const values = new Map(filled.map((parameter) => [keyOf(parameter), seen(parameter.schema, this.values.get(keyOf(parameter)))]));
    const notes = notesOf(this.operation, this.values, this.body);
    return compose(this.operation, { base: this.base, security: this.security, values, body, notes });
  }

  // Says beside the fields what is not as the contract has it; returns the fields, what has none, and why it
  // could not be looked at: nothing of it where there are other values by then. What is missing, or wrong with
  // the body as a whole, is told when it is sent, and then until it is right.
  async check(all = false) {
    const { form, revision } = this;
    const isNow = () => this.revision === revision;
    const asked = () => isNow() && { checks: this.checks, picks: [...form.picks.values()], addresses: this.addresses.sent };
    const { findings = [], isWhole = true, failure } = await ask("form", asked);
    if (!isNow()) return {};
    if (this.isBroken) return { wrong: [form.fields.get("/body")], rest: [] };
    const isTold = ({ message, path }) =>
      all ||
      (message !== REQUIRED && path !== "/body") ||
      form.fields.get(path)?.input.matches?.("[aria-invalid]");
    const { wrong, rest } = form.show([...this.missing, ...findings].filter(isTold));
    return { wrong, rest: isWhole ? rest : [PARTLY, ...rest], failure };
  }

  // The fields of a generated body that have no valid value: none could be made for them. What is wrong is said
  // beside each.
  async unmade() {
    const { media } = this.body;
    if (!media?.generated) return [];
    const { wrong = [], rest = [] } = await this.check(true);
    return [...wrong.map(({ row }) => nameOf(row)), ...rest];
  }

  // The values that have a schema, each with the path of its field.
  get checks() {
    const { media, kind, value } = this.body;
    const checks = this.operation.parameters
      .filter((parameter) => this.values.has(keyOf(parameter)))
      .map((parameter) => ({ path: pathOf(parameter), schema: parameter.schema, value: plain(this.values.get(keyOf(parameter))) }));
    if (!media || !["json", "form", "multipart"].includes(kind) || value === undefined) return checks;
    const schema = kind === "multipart" ? lenient(media, this.target) : media.schema;
    return [...checks, { path: "/body", schema, value: plain(value) }];
  }

  get missing() {
    const { bodies, method, needsBody, parameters } = this.operation;
    const missing = parameters.filter((parameter) => parameter.required && !this.values.has(keyOf(parameter))).map(pathOf);
    const hasNone = needsBody && bodies.length > 0 && mayHaveBody(method) && isEmpty(this.body);
    return [...missing, ...(hasNone ? ["/body"] : [])].map((path) => ({ path, message: REQUIRED }));
  }
}

function nameIn(reference) {
  const name = decodeURIComponent(reference.slice("#/$defs/".length));
  return name.replaceAll("~1", "/").replaceAll("~0", "~");
}

const nameOf = (row) => row.querySelector(":scope > .dpc-line code")?.textContent ?? gettext("the body");
const pathOf = (parameter) => `/${escaped(keyOf(parameter))}`;

function isEmpty({ media, kind, value, type }) {
  if (!media || (kind === "text" && value === "")) return true;
  return bodyOf(media, kind, value, type) === undefined;
}

// A file is not text that a schema could say something of.
function lenient(media, target) {
  const { properties = {}, required } = viewOf(media.schema, target);
  const checked = Object.entries(properties).filter(([name]) => !media.files?.includes(name));
  return { required, properties: Object.fromEntries(checked) };
}
