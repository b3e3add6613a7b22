// Calls functions of the calculator's modules: reads [module, name, ...arguments] of each as JSON, answers in order.
import { readFileSync } from "node:fs";

const [folder] = process.argv.slice(2);
const answers = [];
for (const [module, name, ...values] of JSON.parse(readFileSync(0, "utf8"))) {
  const found = (await import(`${folder}/${module}.js`))[name];
  try {
    answers.push({ value: typeof found === "function" ? found(...values) : found?.[Symbol.iterator] ? [...found] : found });
  } catch (error) {
    answers.push({ error: `${error.name}: ${error.message}` });
  }
}
console.log(JSON.stringify(answers));
