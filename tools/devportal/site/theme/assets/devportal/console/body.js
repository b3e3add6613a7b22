// The body on the form of a console. A tree has two views, a form and JSON; a text is written as it is, a
// file is chosen.

import { choices, el, fresh, section, tabs } from "./dom.js";
import { jsonText, kindOf, startBody } from "./request.js";
import { blank, viewOf } from "./schema.js";
import { parse } from "./values.js";

export function bodySection(trial) {
  const { needsBody } = trial.operation,
    inside = el("div"),
    view = el("div.bar");
  const place = (input) => {
    const error = el("p.error", { hidden: true, id: fresh() });
    input.setAttribute("aria-describedby", error.id);
    inside.replaceChildren(input, error);
    trial.form.fields.set("/body", { row: inside, input, error });
  };
  const set = (value) => {
    trial.body.value = value;
    trial.changed();
  };
  const slot = { get: () => trial.body.value, set };
  const render = (way) => {
    const { media, kind, type } = trial.body;
    trial.isBroken = false;
    trial.form.fields.forEach((_, path) => {
      if (path.startsWith("/body")) trial.form.fields.delete(path);
    });
    if (!media) inside.replaceChildren();
    else if (kind === "text") place(raw((text) => set(text), `${trial.body.value ?? ""}`, type));
    else if (kind === "file")
      place(
        el("input", {
          type: "file",
          "aria-label": "File to send",
          change: ({ target }) => set(target.files[0]),
        }),
      );
    else if (way === "json") inside.replaceChildren(json(trial, set));
    else
      place(
        trial.form.control({ ...viewOf(media.schema, trial.target) }, slot, {
          id: fresh(),
          name: "body",
          path: "/body",
          required: true,
          mayHaveFiles: kind === "multipart",
          files: media.files,
        }),
      );
    const isTree = media && (kind === "json" || kind === "form" || kind === "multipart");
    const hasForm = isTree && viewOf(media.schema, trial.target).kind !== "any";
    view.replaceChildren(
      ...bodyChoices(trial, render),
      hasForm && kind !== "multipart"
        ? tabs(
            "View of the body",
            [
              ["form", "Form"],
              ["json", "JSON"],
            ],
            way,
            render,
          )
        : "",
    );
    if (isTree && !hasForm && way !== "json") render("json");
  };
  render("form");
  return section(needsBody ? "Body" : "Body (optional)", view, inside);
}

function bodyChoices(trial, render) {
  const { bodies, needsBody } = trial.operation,
    { media } = trial.body;
  const start = (at, example) => {
    trial.body = at < 0 ? {} : startBody(trial.operation, at, example);
    if (at >= 0 && example < 0)
      trial.body = {
        media: bodies[at],
        kind: kindOf(bodies[at], bodies[at].examples[0]),
        type: bodies[at].type,
        value: empty(trial, bodies[at]),
      };
    render("form");
    trial.changed();
  };
  const types = [...bodies.map((one, at) => [`${at}`, one.type]), ...(needsBody ? [] : [["-1", "No body"]])];
  const at = bodies.indexOf(media),
    made = [];
  if (types.length > 1)
    made.push(
      choices(
        types,
        `${at}`,
        (chosen) => {
          trial.example = 0;
          start(Number(chosen), 0);
        },
        { "aria-label": "Media type" },
      ),
    );
  const examples = (media?.examples ?? []).map((one, number) => [`${number}`, one.label || "Example"]);
  if (examples.length && media.examples.some((one) => one.value !== undefined)) {
    made.push(
      choices(
        [...examples, ["-1", "Empty"]],
        `${trial.example ?? 0}`,
        (chosen) => {
          trial.example = Number(chosen);
          start(at, trial.example);
        },
        { "aria-label": "Start from" },
      ),
    );
  }
  return made;
}

function empty(trial, media) {
  const view = viewOf(media.schema, trial.target);
  return view.kind === "any" ? new Map() : blank(view, trial.target);
}

function raw(set, value, type) {
  return el("textarea.raw", {
    value,
    rows: 8,
    spellcheck: "false",
    "aria-label": `Body, ${type}`,
    input: ({ target }) => set(target.value),
  });
}

function json(trial, set) {
  const error = el("p.error", { hidden: true, id: fresh() });
  const field = el("textarea.raw", {
    value: trial.body.value === undefined ? "" : jsonText(trial.body.value),
    rows: 14,
    spellcheck: "false",
    "aria-label": "Body as JSON",
    "aria-describedby": error.id,
  });
  field.addEventListener("input", () => {
    try {
      set(field.value.trim() ? parse(field.value) : undefined);
      trial.isBroken = false;
    } catch (fault) {
      trial.isBroken = true;
      error.textContent = fault.message;
    }
    error.hidden = !trial.isBroken;
    field.setAttribute("aria-invalid", `${trial.isBroken}`);
  });
  trial.form.fields.set("/body", { row: field, input: field, error });
  return el("div.row", {}, field, error);
}
