// Shows a body as code does, twice, and counts how often its schema is looked into: reads {folder, schema, text, room}
// as JSON, prints what is shown and both counts.
import { readFileSync } from "node:fs";

const { folder, schema, text, room } = JSON.parse(readFileSync(0, "utf8"));
const { Trial } = await import(`${folder}/trial.js`);
let looks = 0;
const watched = new Proxy(schema, {
  get(target, name) {
    looks += 1;
    return target[name];
  },
});
const media = { type: "application/json", room, encodings: {}, schema: watched, examples: [{ value: text }] };
const operation = { method: "POST", security: [], servers: [{ url: "http://x" }], parameters: [], bodies: [media], path: ["/"] };
const trial = new Trial(operation, {}, {}, () => {});
const { write } = await import(`${folder}/values.js`);

const counts = [];
let body;
for (let time = 0; time < 2; time += 1) {
  body = trial.covered.body;
  counts.push(looks);
  looks = 0;
}
console.log(JSON.stringify({ kind: body.kind, text: body.value && write(body.value), counts }));
