// The parts of the form of a console: server, credential, parameters and body. Each changes what is tried.

import { bodySection } from "./body.js";
import { credentialSection } from "./credentials.js";
import { choices, el, folded, section } from "./dom.js";
import { escaped } from "./groups.js";
import { keyOf } from "./request.js";
import { otherServer, remember, valueOf } from "./servers.js";

const PLACES = {
  path: gettext("Path"),
  query: gettext("Query"),
  querystring: gettext("Query"),
  header: gettext("Headers"),
  cookie: gettext("Cookies"),
};
const FEW = 3;
const OTHER = "other";

export function sections(trial) {
  const { parameters } = trial.operation;
  const places = Object.entries(PLACES)
    .map(([place, words]) => [words, parameters.filter((parameter) => parameter.in === place)])
    .filter(([, all]) => all.length);
  return [
    serverSection(trial),
    credentialSection(trial),
    ...places.map(([words, all]) => parameterSection(trial, words, all)),
    trial.body.media && bodySection(trial),
  ].filter(Boolean);
}

function serverSection(trial) {
  const { servers } = trial.operation,
    fields = el("div.both");
  const take = (chosen) => {
    trial.chosen = chosen;
    remember(chosen);
    trial.changed();
  };
  const choose = async (url) => {
    take(url === OTHER ? otherServer("") : { server: servers.find((entry) => entry.url === url), values: {} });
    await variables();
    fields.querySelector("input[type=url]")?.focus();
  };
  const variable = (parameter) => {
    const set = (value) =>
      take({ server: trial.chosen.server, values: { ...trial.chosen.values, [parameter.name]: value } });
    const now = valueOf(parameter, trial.chosen.values);
    const input = parameter.enum.length
      ? choices(
          parameter.enum.map((value) => [value, value || '""']),
          now,
          set,
        )
      : el("input", { value: now ?? "", input: ({ target }) => set(target.value), autocomplete: "off" });
    return el("label.label", {}, el("code", {}, parameter.name), input);
  };
  const variables = async () => {
    const { server } = trial.chosen;
    fields.replaceChildren(...(server.variables ?? []).map(variable));
    if (!server.other) return;
    const { addressField } = await import("./address.js");
    if (trial.chosen.server === server) fields.replaceChildren(addressField(server.url, take));
  };
  variables();
  const options = servers.map((entry) => [entry.url, entry.label ? `${entry.label}: ${entry.url}` : entry.url]);
  const { server } = trial.chosen;
  return section(
    gettext("Server"),
    choices([...options, [OTHER, gettext("Other address…")]], server.other ? OTHER : server.url, choose, {
      "aria-label": gettext("Server"),
    }),
    fields,
  );
}

// The required ones first; of many, the rest is behind a fold.
function parameterSection(trial, words, all) {
  const row = (parameter) => {
    const key = keyOf(parameter),
      slot = {
        get: () => trial.values.get(key),
        set: (value) => {
          value === undefined ? trial.values.delete(key) : trial.values.set(key, value);
          trial.changed();
        },
      };
    return trial.form.row(parameter.schema, slot, {
      name: parameter.name,
      path: `/${escaped(key)}`,
      required: parameter.required ?? false,
      hint: parameter.hint,
      example: parameter.example,
      deprecated: parameter.deprecated,
    });
  };
  const sorted = [...all].sort((parameter, other) => Boolean(other.required) - Boolean(parameter.required));
  const few = Math.max(FEW, sorted.filter((parameter) => parameter.required).length);
  const rest = sorted.length > few + 1 ? sorted.slice(few) : [];
  const first = sorted.slice(0, sorted.length - rest.length);
  return section(
    words,
    ...first.map(row),
    rest.length ? folded(ngettext("%(number)s more", "%(number)s more", rest.length), () => rest.map(row)) : "",
  );
}
