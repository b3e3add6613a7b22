// The parts of the form of a console: server, credential, parameters and body. Each changes the state of the
// console, and says that it has.

import { button, choices, el, folded, fresh, tabs } from "./dom.js";
import { escaped } from "./form.js";
import { jsonText, keyOf, kindOf, startBody } from "./request.js";
import { blank, viewOf } from "./schema.js";
import { remember, valueOf } from "./servers.js";
import { parse } from "./values.js";

const PLACES = { path: "Path", query: "Query", querystring: "Query", header: "Headers", cookie: "Cookies" };
const FEW = 3;

export function sections(trial) {
  const { parameters } = trial.operation;
  const places = Object.entries(PLACES)
    .map(([place, words]) => [words, parameters.filter((one) => one.in === place)])
    .filter(([, all]) => all.length);
  return [
    serverSection(trial),
    securitySection(trial),
    ...places.map(([words, all]) => parameterSection(trial, words, all)),
    trial.body.media && bodySection(trial),
  ].filter(Boolean);
}

function section(words, ...children) {
  return el("section.part", {}, el("h3.title", {}, words), ...children);
}

function serverSection(trial) {
  const { servers } = trial.operation,
    fields = el("div.both");
  const choose = (url) => {
    trial.chosen = { server: servers.find((one) => one.url === url), values: {} };
    variables();
    remember(trial.chosen);
    trial.changed();
  };
  const variable = (one) => {
    const set = (value) => {
      trial.chosen = { server: trial.chosen.server, values: { ...trial.chosen.values, [one.name]: value } };
      remember(trial.chosen);
      trial.changed();
    };
    const now = valueOf(one, trial.chosen.values);
    const input = one.enum.length
      ? choices(
          one.enum.map((value) => [value]),
          now,
          set,
        )
      : el("input", { value: now, input: ({ target }) => set(target.value), autocomplete: "off" });
    return el("label.label", {}, el("code", {}, one.name), input);
  };
  const variables = () => fields.replaceChildren(...(trial.chosen.server.variables ?? []).map(variable));
  variables();
  const options = servers.map((one) => [one.url, one.label ? `${one.label}: ${one.url}` : one.url]);
  return section(
    "Server",
    choices(options, trial.chosen.server.url, choose, { "aria-label": "Server" }),
    fields,
  );
}

function securitySection(trial) {
  const { security } = trial.operation;
  if (!security.some((one) => Object.keys(one).length > 1)) return undefined;
  const fields = el("div");
  const variables = () => {
    const words = [
      ...(trial.security.headers ?? []),
      ...(trial.security.query ?? []),
      ...(trial.security.cookies ?? []),
    ].flatMap(([, all]) => all);
    return [...(trial.security.basic ?? []), ...words.filter((one) => one.secret).map((one) => one.secret)];
  };
  const render = () =>
    fields.replaceChildren(
      ...variables().map((variable) => {
        const id = fresh();
        const input = el("input", {
          id,
          "data-secret": "",
          type: "password",
          autocomplete: "off",
          spellcheck: "false",
          placeholder: "not stored",
          value: trial.secrets.get(variable) ?? "",
          input: ({ target }) => trial.secrets.set(variable, target.value),
        });
        return el("div.row", {}, el("label.label", { for: id }, el("code", {}, variable)), input);
      }),
      variables().length
        ? el(
            "div.both",
            {},
            el(
              "p.hint",
              {},
              "Kept in the memory of this page until you leave it. Code reads it from the variable.",
            ),
            button("Forget", () => trial.forget()),
          )
        : "",
    );
  render();
  const options = security.map((one, at) => [`${at}`, one.label]);
  const choice =
    security.length > 1 &&
    choices(
      options,
      "0",
      (at) => {
        trial.security = security[at];
        render();
        trial.changed();
      },
      { "aria-label": "Credential" },
    );
  return section("Authorization", choice, fields);
}

// The required ones first; of many, the rest is behind a fold.
function parameterSection(trial, words, all) {
  const row = (one) => {
    const key = keyOf(one),
      slot = {
        get: () => trial.values.get(key),
        set: (value) => {
          value === undefined ? trial.values.delete(key) : trial.values.set(key, value);
          trial.changed();
        },
      };
    return trial.form.row(one.schema, slot, {
      name: one.name,
      path: `/${escaped(key)}`,
      required: one.required ?? false,
      hint: one.hint,
      example: one.example,
      deprecated: one.deprecated,
    });
  };
  const sorted = [...all].sort((one, other) => Boolean(other.required) - Boolean(one.required));
  const few = Math.max(FEW, sorted.filter((one) => one.required).length);
  const rest = sorted.length > few + 1 ? sorted.slice(few) : [];
  const first = sorted.slice(0, sorted.length - rest.length);
  return section(
    words,
    ...first.map(row),
    rest.length ? folded(`${rest.length} more`, () => rest.map(row)) : "",
  );
}

// A body of a tree has two views, a form and JSON; a text is written as it is, a file is chosen.
function bodySection(trial) {
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
