// What happens when a request is sent: it is checked, confirmed where that matters, sent, and its answer
// shown.

import { toFault } from "./body.js";
import { emptySecrets, tellEmpty } from "./credentials.js";
import { button, el } from "./dom.js";
import { obstacles, omissions, send } from "./send.js";
import { isSandbox, isUsable } from "./servers.js";

// `view` is the console: its dialog, the button that sends, and where to tell what.
export class Sending {
  constructor(trial, view) {
    Object.assign(this, { trial, view });
  }

  async submit(taken) {
    const { trial, view } = this;
    const stopped = isUsable(taken.chosen)
      ? obstacles(taken.request, taken.base)
      : [gettext("Enter a server address that starts with http:// or https://.")];
    if (stopped.length) {
      this.tell(stopped);
      const { wrong } = await trial.check(true);
      if (wrong?.length && view.dialog.open) focus(wrong[0].input);
      return;
    }
    const { wrong, rest, failure } = await trial.check(true);
    if (trial.revision !== taken.revision || !view.dialog.open) {
      this.tell([gettext("The request changed while it was being checked. Nothing was sent.")]);
      return;
    }
    if (trial.isBroken) {
      this.tell([gettext("The body is not valid JSON. The line and column are shown next to it.")]);
      toFault(trial);
      return;
    }
    const empty = trial.anonymous.has(trial.security) ? [] : emptySecrets(trial);
    const faults = faultsOf(wrong, rest, failure);
    const lines = [
      empty.length &&
        ngettext("%(names)s is empty.", "%(names)s are empty.", empty.length, {
          names: empty.join(gettext(" and ")),
        }),
      ...faults,
    ].filter(Boolean);
    if (!lines.length) {
      this.confirm(taken);
      return;
    }
    const agree = () => {
      if (empty.length) trial.anonymous.add(trial.security);
      this.confirm(taken);
    };
    this.tell(lines, [faults.length ? gettext("Send anyway") : gettext("Send without it"), agree]);
    const inputs = [...tellEmpty(trial, empty), ...wrong.map((field) => field.input)];
    if (inputs.length) focus(inputs[0]);
  }

  // What is sent was taken once, with the server it goes to and its credential: nothing of it is asked for
  // again.
  confirm(taken) {
    const { base, chosen, request } = taken,
      { host } = new URL(base);
    if (isSandbox(chosen, base)) {
      this.send(taken);
      return;
    }
    const act = [gettext("Send %(method)s to %(host)s", { method: request.method, host }), () => this.send(taken)];
    this.tell([gettext("%(host)s is not a sandbox. This sends a real request.", { host })], act);
  }

  tell(lines, [words, act] = []) {
    const { go, notice } = this.view;
    const clear = () => {
      notice.replaceChildren();
      go.focus();
    };
    const agree = () => {
      clear();
      act();
    };
    const yes = words && button(words, agree, { class: "dpc-send" });
    notice.replaceChildren(
      ...lines.map((line) => el("p", {}, line)),
      yes ? el("div.both", {}, yes, button(gettext("Cancel"), clear)) : "",
    );
    yes?.focus();
  }

  async send(taken) {
    const { view } = this,
      { go, left, result } = view;
    if (view.abort) return;
    view.abort = new AbortController();
    go.disabled = true;
    result.setAttribute("aria-busy", "true");
    try {
      await this.exchange(taken);
    } finally {
      result.removeAttribute("aria-busy");
      go.disabled = false;
      if (document.activeElement === document.body) go.focus(); // a button that is disabled loses the focus
      view.abort = undefined;
      if (taken.request.query.some(([, words]) => words.some((part) => part.secret))) unrecorded();
    }
    view.told.textContent = spoken(result);
    const { top } = result.getBoundingClientRect(),
      panes = left.parentElement.getBoundingClientRect();
    if (top > panes.bottom - 160 || top < panes.top) result.scrollIntoView();
  }

  async exchange({ request, secrets }) {
    const { view, trial } = this,
      { result, abort } = view;
    const { drop, showAnswer, sizeOf } = await import("./answer.js");
    const progress = el("span", {}, gettext("Sending…"));
    view.drop = drop;
    result.replaceChildren(
      el(
        "div.both",
        {},
        progress,
        button(gettext("Stop"), () => abort.abort()),
      ),
      ...omissions(request).map((text) => el("p.note", {}, text)),
    );
    const begun = async (response) => {
      const { isStream, liveBody } = await import("./stream.js");
      const show = isStream(response) && liveBody(response, result, view.told);
      return (chunk, size) => {
        progress.textContent = gettext("Receiving… %(size)s", { size: sizeOf(size) });
        show && show(chunk);
      };
    };
    const sent = await send(request, secrets, abort.signal, begun);
    if (view.isGone) return;
    if (sent.explained) result.replaceChildren(explanation(sent.explained));
    else await showAnswer(result, trial.operation, sent, trial.addresses);
  }
}

function faultsOf(wrong, rest, failure) {
  return [
    wrong.length && ngettext("One field is invalid.", "%(number)s fields are invalid.", wrong.length),
    ...rest.slice(0, 5),
    failure && gettext("The request could not be checked: %(reason)s.", { reason: failure }),
  ].filter(Boolean);
}

export function explanation({ title, lines, code }) {
  const properties = { tabindex: "0", "aria-label": gettext("What to add"), role: "region" };
  return el(
    "div.verdict",
    { "data-kept": "no" },
    el("strong", {}, title),
    ...lines.map((line) => el("p", {}, line)),
    code && el("pre.pre", properties, el("code", {}, code)),
  );
}

// A reader of the screen hears what came, not the whole of it.
function spoken(result) {
  const words = [".dpc-status", ".dpc-verdict > strong"].map(
    (selector) => result.querySelector(selector)?.innerText ?? "",
  );
  return words.join(". ").replace(/\s+/g, " ");
}

// A group has the focus in its first field.
function focus(input) {
  const field = input.input ?? input;
  const first =
    field.matches(".dpc-group") && field.querySelector("input, select, textarea, summary, button");
  (first || field).focus();
}

// A key in a query stands in the address of its request, which a browser records when all of the answer has
// come.
function unrecorded() {
  performance.clearResourceTimings();
  setTimeout(() => performance.clearResourceTimings(), 500);
}
