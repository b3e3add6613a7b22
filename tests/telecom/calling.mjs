// Calls functions of modules: reads [module, name, ...arguments] of each as JSON, and answers in order.
// Bytes are written as {"base64": …} in both directions, and large integers as {"integer": …}.
import { readFileSync } from "node:fs";

const [folder] = process.argv.slice(2);
function revive(_, value) {
  if (typeof value?.base64 === "string") return new Uint8Array(Buffer.from(value.base64, "base64"));
  return typeof value?.integer === "string" ? BigInt(value.integer) : value;
}

function write(_, value) {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString("base64") };
  return typeof value === "bigint" ? { integer: String(value) } : value;
}

async function answer(found, values) {
  if (typeof found === "function") {
    const result = await found(...values);
    return typeof result?.next === "function" ? [...result] : result;
  }
  return found?.[Symbol.iterator] ? [...found] : found;
}

const answers = [];
for (const [module, name, ...values] of JSON.parse(readFileSync(0, "utf8"), revive)) {
  const found = (await import(`${folder}/${module}.js`))[name];
  try {
    answers.push({ value: await answer(found, values) });
  } catch (error) {
    answers.push({ error: `${error.name}: ${error.message}` });
  }
}
console.log(JSON.stringify(answers, write));
