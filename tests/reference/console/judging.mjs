// Asks the judge of the console with a worker and a clock of the test: reads {folder, task, given} as JSON, prints what
// comes of it.
import { readFileSync } from "node:fs";
import { mock } from "node:test";

const { folder, task, given } = JSON.parse(readFileSync(0, "utf8"));
const workers = [];
globalThis.Worker = class extends EventTarget {
  constructor() {
    super();
    workers.push(Object.assign(this, { asked: [] }));
  }
  postMessage({ given }) {
    this.asked.push(given);
  }
  terminate() {}
  tell(type, data) {
    const event = Object.assign(new Event(type), { data });
    this[`on${type}`]?.(event);
    this.dispatchEvent(event);
  }
};
mock.timers.enable({ apis: ["setTimeout"] });
const settled = () => new Promise((resolve) => setImmediate(resolve));

// What happens to the worker that is there now, and to the clock.
const happenings = {
  pass: (seconds) => mock.timers.tick(seconds * 1000),
  ready: () => workers.at(-1).tell("message", {}),
  answer: (result) => workers.at(-1).tell("message", { made: result }),
  fault: (fault) => workers.at(-1).tell("message", { fault }),
  error: () => workers.at(-1).tell("error"),
  lateError: () => workers[0].tell("error"),
};

// The answers to what is asked, by name, and what each worker was asked.
async function asks(steps) {
  const { ask } = await import(`${folder}/judge.js`);
  const answers = {};
  const unwanted = new Set();
  Object.assign(happenings, {
    ask: (name) => {
      ask("form", () => !unwanted.has(name) && { name }).then((answer) => Object.assign(answers, { [name]: answer }));
    },
    drop: (name) => unwanted.add(name),
  });
  for (const [name, value] of steps) {
    happenings[name](value);
    await settled();
  }
  return { answers, asked: workers.map((worker) => worker.asked.map(({ name }) => name)) };
}

// What stands beside the field of a parameter after each step, and what comes of the checks.
async function fields(steps) {
  const { Trial } = await import(`${folder}/trial.js`);
  const parameter = { name: "a", in: "query", schema: {} };
  const operation = { method: "GET", security: [], servers: [{ url: "http://x" }], parameters: [parameter], bodies: [] };
  const trial = new Trial(operation, {}, { sent: [] }, () => {});
  const input = { attributes: {}, setAttribute() {}, removeAttribute() {} };
  const error = { hidden: true };
  trial.form.fields.set("/query a", { row: { isConnected: true }, input, error });
  const checked = [];
  Object.assign(happenings, {
    type: (value) => {
      trial.values.set("query a", value);
      trial.changed();
    },
    check: () => {
      trial.check(true).then(({ wrong, rest, failure }) => checked.push({ wrong: wrong?.length, rest, failure }));
    },
  });
  const shown = [];
  for (const [name, value] of steps) {
    happenings[name](value);
    await settled();
    shown.push(error.hidden ? "" : error.textContent);
  }
  return { told: shown.at(-1), ever: [...new Set(shown)], checked, asked: workers.map((worker) => worker.asked.map(({ checks }) => checks[0].value)) };
}

console.log(JSON.stringify(await { asks, fields }[task](given)));
