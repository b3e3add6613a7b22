// The credential of a request: a field for each of its secrets.

import { button, choices, el, fresh, section } from "./dom.js";

const KEPT = "Kept in the memory of this page until you leave it. Code reads it from the variable.";

export function credentialSection(trial) {
  const { security } = trial.operation;
  if (!security.some((one) => Object.keys(one).length > 1)) return undefined;
  const fields = el("div");
  const render = () => {
    trial.credentials.clear();
    const rows = secretsOf(trial.security).map((variable) => row(trial, variable));
    const kept =
      rows.length &&
      el(
        "div.both",
        {},
        el("p.hint", {}, KEPT),
        button("Forget", () => trial.forget()),
      );
    fields.replaceChildren(...rows, kept || "");
  };
  const choose = (at) => {
    trial.security = security[at];
    render();
    trial.changed();
  };
  render();
  const options = security.map((one, at) => [`${at}`, one.label]);
  const choice = security.length > 1 && choices(options, "0", choose, { "aria-label": "Credential" });
  return section("Authorization", choice, fields);
}

// The variables of the secrets of an alternative.
function secretsOf({ basic = [], headers = [], query = [], cookies = [] }) {
  const words = [...headers, ...query, ...cookies].flatMap(([, all]) => all);
  return [...basic, ...words.filter((one) => one.secret).map((one) => one.secret)];
}

function row(trial, variable) {
  const id = fresh(),
    { secrets } = trial;
  const input = el("input", {
    id,
    "data-secret": "",
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "not stored",
    value: secrets.get(variable) ?? "",
    input: ({ target }) => secrets.set(variable, target.value),
  });
  trial.credentials.set(variable, { input });
  return el("div.row", {}, el("label.label", { for: id }, el("code", {}, variable)), input);
}
