// Runs the worker of the console as a browser does: reads {folder, schemas, asked} as JSON, prints what it posts for
// each of what it is asked, and which formats it knows then.
import { readFileSync } from "node:fs";

const { folder, schemas, asked } = JSON.parse(readFileSync(0, "utf8"));
const posted = [];
let heard;
globalThis.addEventListener = (_, listener) => {
  heard = listener;
};
globalThis.postMessage = (data) => posted.push(data);
globalThis.fetch = async (address) => ({ ok: address in schemas, status: 404, json: async () => schemas[address] });
await import(`${folder}/worker.js`);
const { FORMATS } = await import(`${folder}/validate.js`);

const answers = [];
for (const [task, given] of asked) {
  await heard({ data: { task, given } });
  answers.push({ posted: posted.splice(0), formats: Object.keys(FORMATS) });
}
console.log(JSON.stringify(answers));
