// Asks the worker, one thing after the other, and ends it where it takes too long: a pattern of a contract may
// never come to an end.

const LOADING_MS = 30_000;
const PATIENCE_MS = 6000;
let worker,
  last = Promise.resolve();

// `made` gives what is asked when its turn comes; nothing, if nobody waits for the answer any more.
export function ask(task, made) {
  const turn = () => {
    const given = made();
    return given ? answered(task, given) : {};
  };
  last = last.then(turn, turn);
  return last;
}

function answered(task, given) {
  return new Promise((resolve) => {
    worker ??= new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    const asked = worker;
    let timer;
    const done = (made) => {
      clearTimeout(timer);
      resolve(made);
    };
    const end = (failure) => {
      asked.terminate();
      if (worker === asked) worker = undefined;
      done({ failure });
    };
    const wait = (ms) => {
      clearTimeout(timer);
      timer = setTimeout(end, ms, gettext("it took longer than %(seconds)s seconds", { seconds: ms / 1000 }));
    };
    // The first message says that all is loaded: only then its time runs.
    asked.onmessage = ({ data: { fault, made } }) => {
      if (fault) done({ failure: fault });
      else if (made) done(made);
      else wait(PATIENCE_MS);
    };
    asked.onerror = () => end(gettext("the checker could not be loaded"));
    asked.postMessage({ task, given });
    wait(LOADING_MS);
  });
}
