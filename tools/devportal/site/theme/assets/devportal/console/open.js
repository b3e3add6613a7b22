// The console of one operation: a form at the left, the request as code and the answer to it at the right.

import { button, coloured, el, fresh, tabs } from "./dom.js";
import { Form, escaped } from "./form.js";
import { ask } from "./judge.js";
import { LANGUAGES, codeOf } from "./languages.js";
import { masked } from "./masked.js";
import { bodyOf, compose, keyOf, mayHaveBody, shown, startBody, startValues } from "./request.js";
import { viewOf } from "./schema.js";
import { sections } from "./sections.js";
import { baseOf, isSandbox, remembered } from "./servers.js";
import { plain } from "./values.js";

const LANGUAGE = "devportal.language";
const CHECKED_AFTER_MS = 350;

export async function openConsole(address, answer) {
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
  const operation = await answer.json();
  const files = (direction) =>
    operation.needs[direction].map(
      (number) => new URL(`${operation.shared}/${direction}-${number}.json`, address).href,
    );
  const loaded = await Promise.all(files("sent").map(async (one) => (await fetch(one)).json()));
  return new Console(operation, Object.assign({}, ...loaded), {
    sent: files("sent"),
    received: files("received"),
  });
}

class Console {
  constructor(operation, schemas, addresses) {
    Object.assign(this, {
      operation,
      addresses,
      vaults: new Map([undefined, ...operation.security].map((one) => [one, new Map()])),
      values: startValues(operation),
      chosen: remembered(operation.servers),
      security: operation.security[0],
      body: mayHaveBody(operation.method) && operation.bodies.length ? startBody(operation) : {},
      language: languageBefore(),
      generation: 0,
      revision: 0,
    });
    this.target = (reference) =>
      schemas[
        decodeURIComponent(reference.slice("#/$defs/".length)).replaceAll("~1", "/").replaceAll("~0", "~")
      ] ?? true;
    this.form = new Form(this.target, () => this.changed());
    this.dialog = this.built();
    document.body.append(this.dialog);
    addEventListener("pagehide", () => this.leave());
  }

  show() {
    if (!this.dialog.open) this.dialog.showModal();
    (this.dialog.querySelector("input[data-secret]:placeholder-shown") ?? this.go).focus();
    this.changed();
  }

  // Each alternative has secrets of its own: two of them may call different things by one variable.
  get secrets() {
    return this.vaults.get(this.security);
  }

  // Nothing stays: neither in memory, nor in fields that a browser may bring back with the page.
  leave() {
    this.forget();
    this.abort?.abort();
    this.drop?.();
    this.dialog.remove();
    this.isGone = true;
  }

  forget() {
    for (const one of this.vaults.values()) one.clear();
    performance.clearResourceTimings();
    for (const input of this.dialog.querySelectorAll("input[data-secret]")) input.value = "";
  }

  // ---- what there is ----------------------------------------------------------------------------------------

  built() {
    const { method, path, title } = this.operation,
      name = fresh();
    this.code = el("pre.pre", { tabindex: "0", "aria-label": "The request as code", role: "region" });
    this.left = el("section.form", { "aria-label": "What is sent" });
    this.told = el("p.hidden", { role: "status" });
    this.result = el(
      "section.answer",
      { "aria-label": "Answer" },
      el(
        "p.note",
        {},
        "The answer comes here: its status, how long it took, and whether it keeps the contract.",
      ),
    );
    this.notice = el("div.notice", { role: "alert" });
    this.go = button("Send", () => this.submit(), { class: "dpc-send" });
    this.where = el("p.where");
    const dialog = el(
      "dialog.dialog",
      { "aria-labelledby": name, close: () => this.abort?.abort() },
      el(
        "header.head",
        {},
        el("span", { class: `dp-badge dp-badge--${method.toLowerCase()}` }, method),
        el("h2.title", { id: name }, title),
        el("code.path", {}, path.map((one, at) => (at % 2 ? `{${one}}` : one)).join("")),
        button("Close", () => dialog.close(), { class: "dpc-close" }),
      ),
      el(
        "div.panes",
        {},
        this.left,
        el("section.side", { "aria-label": "Code and answer" }, this.codeBlock(), this.result, this.told),
      ),
      el("footer.foot", {}, this.notice, el("div.bar", {}, this.where, this.go)),
    );
    dialog.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !this.go.disabled) this.submit();
    });
    this.left.append(...sections(this));
    return dialog;
  }

  codeBlock() {
    const copy = button(
      "Copy",
      async () => {
        copy.textContent = await navigator.clipboard.writeText(this.code.textContent).then(
          () => "Copied",
          () => "Could not copy",
        );
        setTimeout(() => {
          copy.textContent = "Copy";
        }, 2000);
      },
      { hidden: !navigator.clipboard },
    );
    return el(
      "div.block",
      {},
      el(
        "div.bar",
        {},
        tabs("Language", Object.entries(LANGUAGES), this.language, (chosen) => {
          this.language = chosen;
          rememberLanguage(chosen);
          this.write();
        }),
        copy,
      ),
      this.code,
    );
  }

  // ---- what happens -----------------------------------------------------------------------------------------

  get request() {
    return this.composed((_, value) => value);
  }

  composed(seen) {
    const { media, kind, value, type } = this.body;
    const body = media && bodyOf(media, kind, seen(media.schema, value), type);
    const filled = this.operation.parameters.filter((one) => this.values.has(keyOf(one)));
    const values = new Map(filled.map((one) => [keyOf(one), seen(one.schema, this.values.get(keyOf(one)))]));
    return compose(this.operation, { base: baseOf(this.chosen), security: this.security, values, body });
  }

  changed() {
    if (!this.dialog) return;
    this.revision += 1;
    this.notice.replaceChildren();
    this.write();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), CHECKED_AFTER_MS);
    const base = baseOf(this.chosen),
      isSafe = isSandbox(this.chosen, base);
    this.where.replaceChildren(
      el("span.mark", { "data-safe": `${isSafe}` }, isSafe ? "Sandbox" : "Not a sandbox"),
      el("code", {}, base),
    );
  }

  async write() {
    const generation = (this.generation += 1),
      request = this.composed((schema, value) => masked([schema], value, this.target));
    const text = await codeOf(this.language, { ...request, body: shown(request.body) });
    if (generation === this.generation) this.code.replaceChildren(el("code", {}, ...coloured(text)));
  }

  get isWithoutBody() {
    const { bodies, method, needsBody } = this.operation,
      { media, kind, value, type } = this.body;
    return (
      needsBody &&
      bodies.length > 0 &&
      mayHaveBody(method) &&
      (!media ||
        bodyOf(media, kind, (kind === "text" && value) === "" ? undefined : value, type) === undefined)
    );
  }

  // Says beside the fields what is not as the contract has it; returns the fields, what has none, and why it
  // could not be looked at. What is missing, or wrong with the body as a whole, is told when it is sent, and
  // then until it is right.
  async check(all = false) {
    const { parameters } = this.operation,
      { media, kind, value } = this.body;
    const checks = parameters
      .filter((one) => this.values.has(keyOf(one)))
      .map((one) => ({
        path: `/${escaped(keyOf(one))}`,
        schema: one.schema,
        value: plain(this.values.get(keyOf(one))),
      }));
    if (media && ["json", "form", "multipart"].includes(kind) && value !== undefined)
      checks.push({
        path: "/body",
        schema: kind === "multipart" ? lenient(media, this.target) : media.schema,
        value: plain(value),
      });
    const found = await ask("form", { checks, addresses: this.addresses.sent });
    const missing = parameters
      .filter((one) => one.required && !this.values.has(keyOf(one)))
      .map((one) => ({ path: `/${escaped(keyOf(one))}`, message: "is required" }));
    if (this.isWithoutBody) missing.push({ path: "/body", message: "is required" });
    const isTold = ({ message, path }) =>
      all ||
      (message !== "is required" && path !== "/body") ||
      this.form.fields.get(path)?.input.matches?.("[aria-invalid]");
    if (this.isBroken) return { wrong: [this.form.fields.get("/body")], rest: [] };
    return {
      ...this.form.show([...missing, ...(found.failure ? [] : found)].filter(isTold)),
      failure: found.failure,
    };
  }

  async submit() {
    const { chosen, request, revision, secrets } = this,
      sending = { chosen, request, secrets, base: baseOf(chosen) };
    const { obstacles } = await import("./send.js");
    const stopped = obstacles(request, sending.base);
    if (stopped.length) {
      this.tell(stopped);
      return;
    }
    const { wrong, rest, failure } = await this.check(true);
    if (this.revision !== revision || !this.dialog.open) {
      this.tell(["The request was changed while it was checked: nothing was sent."]);
      return;
    }
    if (this.isBroken) {
      this.tell(["The body is no JSON: see the line and column below it."]);
      wrong[0].input.focus();
      return;
    }
    const lines = [
      wrong.length && `${wrong.length === 1 ? "One field is" : `${wrong.length} fields are`} not valid.`,
      ...rest.slice(0, 5),
      failure && `The request could not be checked: ${failure}.`,
    ].filter(Boolean);
    if (!lines.length) {
      this.confirm(sending);
      return;
    }
    this.tell(lines, ["Send all the same", () => this.confirm(sending)]);
    if (wrong.length) focus(wrong[0].input);
  }

  // What is sent was taken once, with the server it goes to and its credential: nothing of it is asked for
  // again.
  confirm(sending) {
    const {
        base,
        chosen,
        request: { method },
      } = sending,
      { host } = new URL(base);
    if (isSandbox(chosen, base)) {
      this.send(sending);
      return;
    }
    this.tell(
      [`${host} is no sandbox: this is a real request.`],
      [`Send ${method} to ${host}`, () => this.send(sending)],
    );
  }

  tell(lines, [words, act] = []) {
    const clear = () => {
      this.notice.replaceChildren();
      this.go.focus();
    };
    const yes =
      words &&
      button(
        words,
        () => {
          clear();
          act();
        },
        { class: "dpc-send" },
      );
    this.notice.replaceChildren(
      ...lines.map((one) => el("p", {}, one)),
      yes ? el("div.both", {}, yes, button("Cancel", clear)) : "",
    );
    yes?.focus();
  }

  async send(sending) {
    if (this.abort) return;
    this.abort = new AbortController();
    this.go.disabled = true;
    this.result.setAttribute("aria-busy", "true");
    try {
      await this.exchange(sending);
    } finally {
      this.result.removeAttribute("aria-busy");
      this.go.disabled = false;
      if (document.activeElement === document.body) this.go.focus(); // a button that is disabled loses the focus
      this.abort = undefined;
      if (sending.request.query.some(([, words]) => words.some((one) => one.secret))) unrecorded();
    }
    // A reader of the screen hears what came, not the whole of it.
    this.told.textContent = [".dpc-status", ".dpc-verdict > strong"]
      .map((one) => this.result.querySelector(one)?.innerText ?? "")
      .join(". ")
      .replace(/\s+/g, " ");
    const { top } = this.result.getBoundingClientRect(),
      panes = this.left.parentElement.getBoundingClientRect();
    if (top > panes.bottom - 160 || top < panes.top) this.result.scrollIntoView();
  }

  async exchange({ request, secrets }) {
    const [{ omissions, send }, { drop, showAnswer, sizeOf }] = await Promise.all([
      import("./send.js"),
      import("./answer.js"),
    ]);
    const progress = el("span", {}, "Sending…");
    this.drop = drop;
    this.result.replaceChildren(
      el(
        "div.both",
        {},
        progress,
        button("Stop", () => this.abort?.abort()),
      ),
      ...omissions(request).map((one) => el("p.note", {}, one)),
    );
    const sent = await send(request, secrets, this.abort.signal, (size) => {
      progress.textContent = `Receiving… ${sizeOf(size)}`;
    });
    if (this.isGone) return;
    if (sent.explained) this.explain(sent.explained);
    else await showAnswer(this.result, this.operation, sent, this.addresses.received);
  }

  explain({ title, lines, code }) {
    this.result.replaceChildren(
      el(
        "div.verdict",
        { "data-kept": "no" },
        el("strong", {}, title),
        ...lines.map((one) => el("p", {}, one)),
        code &&
          el("pre.pre", { tabindex: "0", "aria-label": "What to add", role: "region" }, el("code", {}, code)),
      ),
    );
  }
}

// A group has the focus in its first field.
function focus(input) {
  const field = input.input ?? input;
  (field.matches(".dpc-group")
    ? (field.querySelector("input, select, textarea, summary, button") ?? field)
    : field
  ).focus();
}

// A file is no text that a schema could say something of.
function lenient(media, target) {
  const { properties = {}, required } = viewOf(media.schema, target);
  return {
    required,
    properties: Object.fromEntries(
      Object.entries(properties).filter(([name]) => !media.files?.includes(name)),
    ),
  };
}

// A key in a query stands in the address of its request, which a browser records when all of the answer has
// come.
function unrecorded() {
  performance.clearResourceTimings();
  setTimeout(() => performance.clearResourceTimings(), 500);
}

function languageBefore() {
  try {
    const language = localStorage.getItem(LANGUAGE);
    return Object.hasOwn(LANGUAGES, language) ? language : "curl";
  } catch {
    return "curl";
  }
}

function rememberLanguage(language) {
  try {
    localStorage.setItem(LANGUAGE, language);
  } catch {
    // Without storage the choice lasts for this page.
  }
}
