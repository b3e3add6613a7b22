// Asks the worker, and ends it where it takes too long: a pattern of a contract may never come to an end.

const PATIENCE_MS = 6000;
let worker,
  last = 0;

export function ask(task, given) {
  return new Promise((resolve) => {
    const id = (last += 1);
    worker ??= new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    const asked = worker;
    const done = (made) => {
      clearTimeout(timer);
      asked.removeEventListener("message", heard);
      asked.removeEventListener("error", failed);
      resolve(made);
    };
    const heard = ({ data }) => {
      if (data.id === id) done(data.fault ? { failure: data.fault } : data.made);
    };
    const failed = () => {
      worker = undefined;
      done({ failure: "the checker could not be loaded" });
    };
    const timer = setTimeout(() => {
      asked.terminate();
      worker = undefined;
      done({ failure: `it took longer than ${PATIENCE_MS / 1000} seconds` });
    }, PATIENCE_MS);
    asked.addEventListener("message", heard);
    asked.addEventListener("error", failed);
    asked.postMessage({ id, task, given });
  });
}
