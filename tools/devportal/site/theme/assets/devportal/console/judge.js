// Asks the worker, one thing after the other, and ends it where it takes too long: a pattern of a contract may
// never come to an end.

const LOADING_MS = 30_000;
const PATIENCE_MS = 6000;
let worker,
  last = Promise.resolve();

// `prepare` gives what is asked when its turn comes; nothing, if nobody waits for the answer any more.
export function ask(task, prepare) {
  const turn = () => {
    const given = prepare();
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
    const done = (result) => {
      clearTimeout(timer);
      resolve(result);
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
    asked.onmessage = ({ data: { fault, made: result } }) => {
      if (fault) done({ failure: fault });
      else if (result) done(result);
      else wait(PATIENCE_MS);
    };
    asked.onerror = () => end(gettext("the checker could not be loaded"));
    asked.postMessage({ task, given });
    wait(LOADING_MS);
  });
}
