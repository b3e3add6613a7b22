// The console of one operation: a form at the left, the request as code and the answer to it at the right.

import { button, coloured, el, fresh, inLanguage, tabs } from "./dom.js";
import { LANGUAGES, codeOf } from "./languages.js";
import { sections } from "./sections.js";
import { isSandbox } from "./servers.js";
import { Trial } from "./trial.js";

const LANGUAGE = "devportal.language";
const CHECKED_AFTER_MS = 350;
const BEFORE = gettext("The response appears here: its status, its duration, and whether it conforms to the contract.");

export async function openConsole(address, answer) {
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
  const operation = await answer.json();
  const files = (direction) =>
    operation.needs[direction].map(
      (number) => new URL(`${operation.shared}/${direction}-${number}.json`, address).href,
    );
  const loaded = await Promise.all(files("sent").map(async (file) => (await fetch(file)).json()));
  const problems = new URL(`${operation.shared}/problems.json`, address).href;
  const addresses = { sent: files("sent"), received: files("received"), problems };
  return new Console(operation, Object.assign({}, ...loaded), addresses);
}

class Console {
  constructor(operation, schemas, addresses) {
    this.trial = new Trial(operation, schemas, addresses, () => this.changed());
    Object.assign(this, { language: languageBefore(), generation: 0 });
    this.dialog = this.built();
    document.body.append(this.dialog);
    addEventListener("pagehide", () => this.leave());
  }

  show() {
    if (!this.dialog.open) this.dialog.showModal();
    (this.dialog.querySelector("input[data-secret]:placeholder-shown") ?? this.go).focus();
    const { offsetLeft, parentElement } = this.code.parentElement.querySelector(":checked");
    parentElement.scrollLeft = offsetLeft - 40; // of the languages, the chosen one is in sight
    this.notice.replaceChildren();
    this.trial.revision += 1; // what was checked before it was closed is not sent
    this.refresh();
    this.sayWhatToFill();
  }

  // A body that the portal made may have places for which it knows no value.
  async sayWhatToFill() {
    const names = await this.trial.unmade();
    if (!names.length || this.isGone || this.trial.revision !== 1) return;
    const words = gettext("Fill in before you send: %(names)s. No valid example value could be generated.", {
      names: names.join(", "),
    });
    this.notice.replaceChildren(el("p", {}, words));
  }

  // Nothing stays: neither in memory, nor in fields that a browser may bring back with the page.
  leave() {
    this.trial.clear();
    this.abort?.abort();
    this.drop?.();
    for (const element of [this.left, this.code, this.result]) element.replaceChildren();
    this.dialog.remove();
    this.isGone = true;
  }

  built() {
    const { method, path, title } = this.trial.operation,
      name = fresh();
    this.code = el("pre.pre", { tabindex: "0", "aria-label": gettext("Code of the request"), role: "region" });
    this.left = el("section.form", { "aria-label": gettext("Request") });
    this.told = el("p.hidden", { role: "status" });
    this.result = el("section.answer", { "aria-label": gettext("Response") }, el("p.note", {}, BEFORE));
    this.notice = el("div.notice", { role: "alert" });
    this.go = button(gettext("Send"), () => this.submit(), { class: "dpc-send" });
    this.where = el("p.where");
    const address = path.map((part, at) => (at % 2 ? `{${part}}` : part)).join("");
    const side = { "aria-label": gettext("Code and response") };
    const dialog = el(
      "dialog.dialog",
      { "aria-labelledby": name, lang: interfaceLanguage(), close: () => this.abort?.abort() },
      el(
        "header.head",
        {},
        el("span", { class: ["dp-badge", "dp-badge--method", `dp-badge--${method.toLowerCase()}`].join(" ") }, method),
        el("h2.title", inLanguage({ id: name }), title),
        el("code.path", {}, address),
        button(gettext("Close"), () => dialog.close(), { class: "dpc-close" }),
      ),
      el("div.panes", {}, this.left, el("section.side", side, this.codeBlock(), this.result, this.told)),
      el("footer.foot", {}, this.notice, el("div.bar", {}, this.where, this.go)),
    );
    dialog.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !this.go.disabled) this.submit();
    });
    this.left.append(...sections(this.trial));
    return dialog;
  }

  codeBlock() {
    const write = () => navigator.clipboard.writeText(this.code.textContent);
    const copied = async () => {
      copy.textContent = await write().then(
        () => gettext("Copied"),
        () => gettext("Could not copy"),
      );
      setTimeout(() => {
        copy.textContent = gettext("Copy");
      }, 2000);
    };
    const copy = button(gettext("Copy"), copied, { hidden: !navigator.clipboard });
    const languages = tabs(gettext("Language"), Object.entries(LANGUAGES), this.language, (chosen) => {
      this.language = chosen;
      rememberLanguage(chosen);
      this.write();
    });
    return el("div.block", {}, el("div.bar", {}, languages, copy), this.code);
  }

  changed() {
    if (!this.dialog) return;
    this.notice.replaceChildren();
    this.refresh();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.trial.check(), CHECKED_AFTER_MS);
  }

  refresh() {
    this.write();
    const { base, chosen } = this.trial;
    const isSafe = isSandbox(chosen, base);
    this.where.replaceChildren(
      el("span.mark", { "data-safe": `${isSafe}` }, isSafe ? gettext("Sandbox") : gettext("Not a sandbox")),
      el("code", {}, base),
    );
  }

  async write() {
    const generation = (this.generation += 1);
    const text = await codeOf(this.language, this.trial.covered);
    if (generation === this.generation) this.code.replaceChildren(el("code", {}, ...coloured(text)));
  }

  // What is sent is what is there now, whatever is changed while the rest of the console is loaded.
  async submit() {
    const { taken } = this.trial;
    try {
      const { Sending } = await import("./sending.js");
      this.sending ??= new Sending(this.trial, this);
    } catch {
      this.notice.replaceChildren(el("p", {}, gettext("Part of the console could not be loaded. Choose Send again.")));
      return;
    }
    await this.sending.submit(taken);
  }
}

function languageBefore() {
  const [first] = Object.keys(LANGUAGES);
  try {
    const language = localStorage.getItem(LANGUAGE);
    return Object.hasOwn(LANGUAGES, language) ? language : first;
  } catch {
    return first;
  }
}

function rememberLanguage(language) {
  try {
    localStorage.setItem(LANGUAGE, language);
  } catch {
    // Without storage the choice lasts for this page.
  }
}
