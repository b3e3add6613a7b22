// The parts of the form of a console: server, credential, parameters and body. Each changes what is tried.

import { bodySection } from "./body.js";
import { credentialSection } from "./credentials.js";
import { choices, el, folded, fresh, section, showFault } from "./dom.js";
import { escaped } from "./groups.js";
import { keyOf } from "./request.js";
import { isUsable, otherServer, remember, valueOf } from "./servers.js";

const PLACES = { path: "Path", query: "Query", querystring: "Query", header: "Headers", cookie: "Cookies" };
const FEW = 3;
const OTHER = "other";
const NO_ADDRESS = "Enter an address that starts with http:// or https://, without a user name, ? or #.";
const OTHER_HINT =
  "The API has to allow requests from this page (CORS), and the policy of this site requests to the API " +
  "(Content-Security-Policy: connect-src).";

export function sections(trial) {
  const { parameters } = trial.operation;
  const places = Object.entries(PLACES)
    .map(([place, words]) => [words, parameters.filter((one) => one.in === place)])
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
  const choose = (url) => {
    take(url === OTHER ? otherServer("") : { server: servers.find((one) => one.url === url), values: {} });
    variables();
    fields.querySelector("input[type=url]")?.focus();
  };
  const variable = (one) => {
    const set = (value) =>
      take({ server: trial.chosen.server, values: { ...trial.chosen.values, [one.name]: value } });
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
  const variables = () => {
    const { server } = trial.chosen;
    fields.replaceChildren(...(server.other ? [otherAddress(server.url, take)] : (server.variables ?? []).map(variable)));
  };
  variables();
  const options = servers.map((one) => [one.url, one.label ? `${one.label}: ${one.url}` : one.url]);
  const { server } = trial.chosen;
  return section(
    "Server",
    choices([...options, [OTHER, "Other address…"]], server.other ? OTHER : server.url, choose, {
      "aria-label": "Server",
    }),
    fields,
  );
}

// The field for an address that is none of the contract's. What is no address is neither kept nor sent to.
function otherAddress(url, take) {
  const [id, wrong] = [fresh(), fresh()];
  const error = el("p.error", { id: wrong, hidden: true });
  const set = ({ target }) => {
    const chosen = otherServer(target.value);
    showFault(error, isUsable(chosen) ? "" : NO_ADDRESS);
    if (isUsable(chosen)) target.removeAttribute("aria-invalid");
    else target.setAttribute("aria-invalid", "true");
    take(chosen);
  };
  const input = el("input", {
    type: "url",
    value: url,
    placeholder: "https://api.example.com",
    "aria-label": "Address",
    "aria-describedby": `${id} ${wrong}`,
    autocomplete: "off",
    spellcheck: "false",
    input: set,
  });
  return el("div.row", {}, input, error, el("p.hint", { id }, OTHER_HINT));
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
