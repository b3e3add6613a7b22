// The body on the form of a console. A tree has two views, a form and JSON; a text is written as it is, a
// file is chosen. What is typed is kept: as a draft while it is no JSON, and by media type while another one
// is looked at.

import { choices, el, fresh, section, showFault, tabs } from "./dom.js";
import { fileInput } from "./fields.js";
import { jsonText, kindOf, startBody } from "./request.js";
import { blank, viewOf } from "./schema.js";
import { parse } from "./values.js";

const TREES = ["json", "form", "multipart"];
const VIEWS = [
  ["form", gettext("Form")],
  ["json", "JSON"],
];

export function bodySection(trial) {
  const inside = el("div"),
    bar = el("div.bar");
  const render = (asked) => {
    const { media, kind } = trial.body,
      isTree = media && TREES.includes(kind);
    const hasForm = isTree && viewOf(media.schema, trial.target).kind !== "any";
    const view = isTree && (!hasForm || trial.isBroken) ? "json" : asked;
    for (const path of [...trial.form.fields.keys()])
      if (path.startsWith("/body")) trial.form.fields.delete(path);
    trial.form.pick("/body", 0);
    inside.replaceChildren(media ? (view === "json" ? json(trial) : placed(trial, control(trial))) : "");
    const views = hasForm && kind !== "multipart" && tabs(gettext("View of the body"), VIEWS, view, turn);
    bar.replaceChildren(...bodyChoices(trial, render), views || "");
  };
  // A form of a text that is no JSON would show something else, and lose the text.
  const turn = (view) => {
    if (!trial.isBroken) {
      render(view);
      return;
    }
    bar.querySelector("input[value=json]").checked = true;
    const { error } = trial.form.fields.get("/body");
    error.textContent = gettext("The form supports only JSON. Fix %(fault)s", { fault: trial.body.draft.fault });
    toFault(trial);
  };
  render("form");
  return section(trial.operation.needsBody ? gettext("Body") : gettext("Body (optional)"), bar, inside);
}

// Puts the cursor to what is no JSON.
export function toFault(trial) {
  const { input } = trial.form.fields.get("/body"),
    { at } = trial.body.draft;
  input.focus();
  input.setSelectionRange(at, at);
}

function set(trial, value) {
  trial.body.value = value;
  trial.changed();
}

function control(trial) {
  const { media, kind, type, value } = trial.body;
  if (kind === "text")
    return raw(value, { "aria-label": gettext("Body, %(type)s", { type }), input: ({ target }) => set(trial, target.value) });
  if (kind === "file")
    return fileInput(value, {
      "aria-label": gettext("File to send"),
      change: ({ target }) => set(trial, target.files[0]),
    });
  const slot = { get: () => trial.body.value, set: (content) => set(trial, content) };
  const field = {
    id: fresh(),
    name: "body",
    path: "/body",
    required: true,
    mayHaveFiles: kind === "multipart",
    files: media.files,
  };
  return trial.form.control({ ...viewOf(media.schema, trial.target) }, slot, field);
}

// With the place of what is wrong with the whole.
function placed(trial, input) {
  const error = el("p.error", { hidden: true, id: fresh() });
  (input.input ?? input).setAttribute("aria-describedby", error.id);
  const row = el("div", {}, input, error);
  trial.form.fields.set("/body", { row, input, error });
  return row;
}

const raw = (value = "", properties = {}) =>
  el("textarea.raw", { value: `${value}`, rows: 14, spellcheck: "false", ...properties });

function json(trial) {
  const { draft, value } = trial.body;
  const field = raw(draft?.text ?? (value === undefined ? "" : jsonText(value)), {
    "aria-label": gettext("Body as JSON"),
  });
  const row = placed(trial, field);
  const tell = () => {
    const { error } = trial.form.fields.get("/body");
    showFault(error, trial.body.draft?.fault);
    field.setAttribute("aria-invalid", `${trial.isBroken}`);
  };
  field.addEventListener("input", () => {
    const text = field.value;
    try {
      const content = text.trim() ? parse(text) : undefined;
      trial.body.draft = undefined;
      set(trial, content);
    } catch (fault) {
      trial.body.draft = { text, fault: fault.message, at: fault.at };
      trial.changed(); // what waits to be confirmed is no longer what is there
    }
    tell();
  });
  if (trial.isBroken) tell();
  return row;
}

function bodyChoices(trial, render) {
  const { bodies, needsBody } = trial.operation,
    { media, example = 0 } = trial.body;
  const begin = (body) => {
    trial.body = body;
    render("form");
    trial.changed();
  };
  const turnTo = (at) => {
    trial.bodies.set(media, trial.body);
    begin(trial.bodies.get(bodies[at]) ?? startBody(trial.operation, at));
  };
  const startFrom = (number) => {
    const body =
      number < 0 ? emptyBody(trial, media) : startBody(trial.operation, bodies.indexOf(media), number);
    begin({ ...body, example: number });
  };
  const types = [...bodies.map((body, at) => [`${at}`, body.type]), ...(needsBody ? [] : [["-1", gettext("No body")]])];
  const examples = (media?.examples ?? []).map((sample, number) => [`${number}`, sample.label || gettext("Example")]);
  const canStart = media?.examples.some((sample) => sample.value !== undefined);
  return [
    types.length > 1 &&
      choices(types, `${bodies.indexOf(media)}`, (at) => turnTo(Number(at)), { "aria-label": gettext("Media type") }),
    canStart &&
      choices([...examples, ["-1", gettext("Empty")]], `${example}`, (number) => startFrom(Number(number)), {
        "aria-label": gettext("Start from"),
      }),
  ].filter(Boolean);
}

function emptyBody(trial, media) {
  const view = viewOf(media.schema, trial.target);
  const value = view.kind === "any" ? new Map() : blank(view, trial.target);
  return { media, kind: kindOf(media, media.examples[0]), type: media.type, value };
}
