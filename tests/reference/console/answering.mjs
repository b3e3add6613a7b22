// Judges answers as the console does, with its worker in this process: reads {folder, operation, answers} as JSON,
// prints the verdict on each.
import { readFileSync } from "node:fs";

const { folder, operation, answers } = JSON.parse(readFileSync(0, "utf8"));
let heard, worker;
globalThis.addEventListener = (_, listener) => {
  heard = listener;
};
globalThis.postMessage = (data) => worker.onmessage({ data });
globalThis.Worker = class {
  postMessage(data) {
    worker = this;
    heard({ data });
  }
};
await import(`${folder}/worker.js`);
const { verdictOf } = await import(`${folder}/verdict.js`);

const verdicts = [];
for (const { type, text, end, size } of answers) {
  const response = new Response("", { status: 200, headers: { "content-type": type } });
  const read = { size: size ?? text.length, end, text };
  const { faults, places, open } = await verdictOf(operation, response, read, { addresses: [], most: 1000 });
  verdicts.push({ faults, places, open });
}
console.log(JSON.stringify(verdicts));
process.exit(); // the clock of the last answer is no reason to wait
