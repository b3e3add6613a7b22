// The credential of a request: a field for each of its secrets, and what is said where one is empty.

import { button, choices, el, fresh, section, showFault } from "./dom.js";

const KEPT = gettext("Only in memory until you leave this page. The code reads it from the variable.");

export function credentialSection(trial) {
  const { security } = trial.operation;
  if (!security.some((alternative) => Object.keys(alternative).length > 1)) return undefined;
  const fields = el("div");
  const forget = () => {
    trial.giveUp?.();
    trial.forget();
    render();
    fields.querySelector(".dpc-both:last-child > button").focus();
  };
  const render = () => {
    trial.credentials.clear();
    const rows = secretsOf(trial.security).map((variable) => row(trial, variable));
    const kept = rows.length && el("div.both", {}, el("p.hint", {}, KEPT), button(gettext("Forget"), forget)),
      { missing } = trial.security;
    const oauth = (trial.security.oauth ?? []).map(({ secret, flows }) => oauthFold(trial, secret, flows));
    fields.replaceChildren(...rows, ...oauth, rows.length ? tokenHelp(trial) : "", kept || "");
    if (missing) fields.append(el("p.hint", {}, missing));
  };
  const choose = (at) => {
    trial.security = security[at];
    render();
    trial.changed();
  };
  render();
  const options = security.map((alternative, at) => [`${at}`, alternative.label]);
  const choice = security.length > 1 && choices(options, "0", choose, { "aria-label": gettext("Credential") });
  return section(gettext("Authorization"), choice, fields);
}

// A form that gets the token, where the contract has the addresses for it.
function oauthFold(trial, variable, flows) {
  const place = el("div");
  const take = (token) => {
    const { input } = trial.credentials.get(variable);
    input.value = token;
    input.dispatchEvent(new Event("input"));
  };
  const toggle = async () => {
    if (place.childElementCount) return;
    const { tokenForm } = await import("./oauth.js");
    if (!place.childElementCount) place.append(tokenForm(trial, flows, take));
  };
  return el("details.fold", { toggle }, el("summary", {}, gettext("Get a token with OAuth 2")), place);
}

// Where a reader gets a credential, as far as the contract and the settings say so.
function tokenHelp(trial) {
  if (!trial.operation.token && !trial.security.about) return "";
  const text = el("div");
  const toggle = async () => {
    const { tokenSources } = await import("./tokens.js");
    text.replaceChildren(...tokenSources(trial));
  };
  return el("details.fold", { toggle }, el("summary", {}, gettext("Where do I get a token?")), text);
}

// The variables of the secrets of an alternative.
function secretsOf({ basic = [], headers = [], query = [], cookies = [] }) {
  const words = [...headers, ...query, ...cookies].flatMap(([, all]) => all);
  return [...basic, ...words.filter((word) => word.secret).map((word) => word.secret)];
}

// The secrets without which a request would go without its credential. None where the operation also takes
// requests that have none; cookies are no matter of a page.
export function emptySecrets({ operation, security, secrets }) {
  if (!security || operation.security.some((alternative) => Object.keys(alternative).length === 1)) return [];
  const isEmpty = (variable) => !secrets.get(variable)?.trim();
  const { basic = [], ...carried } = { ...security, cookies: [] };
  return [...(basic.every(isEmpty) ? basic.slice(0, 1) : []), ...secretsOf(carried).filter(isEmpty)];
}

// Says beside the fields of some secrets that they are empty; returns their inputs.
export function tellEmpty({ credentials }, variables) {
  return variables.map((variable) => {
    const { error, input } = credentials.get(variable);
    showFault(error, gettext("Required: this operation needs a token"));
    input.setAttribute("aria-invalid", "true");
    return input;
  });
}

function row(trial, variable) {
  const { secrets, security } = trial;
  const id = fresh();
  const error = el("p.error", { id: fresh(), hidden: true });
  const set = ({ target }) => {
    secrets.set(variable, target.value);
    trial.anonymous.delete(security);
    showFault(error);
    target.removeAttribute("aria-invalid");
    trial.changed();
  };
  const input = el("input", {
    id,
    "data-secret": "",
    "aria-describedby": error.id,
    type: "password",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: gettext("not stored"),
    value: secrets.get(variable) ?? "",
    input: set,
  });
  trial.credentials.set(variable, { input, error });
  return el("div.row", {}, el("label.label", { for: id }, el("code", {}, variable)), input, error);
}
