"""Pages that do late what they do by themselves, to find tests that read a page too early."""

from playwright.sync_api import BrowserContext

LATE_MS = 120
_SCRIPT = """(() => {
  const wait = window.setTimeout.bind(window);
  const later = (run) => wait(run, LATE_MS);
  const own = new Set(["hashchange", "load", "message", "pageshow", "popstate", "resize", "scroll", "scrollend",
    "selectionchange", "storage", "toggle", "transitionend", "visibilitychange"]);
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  const late = new WeakMap();
  EventTarget.prototype.addEventListener = function (type, listener, options) {
    if (!listener || !(own.has(type) || (type === "change" && this instanceof MediaQueryList))) {
      return addEventListener.call(this, type, listener, options);
    }
    if (!late.has(listener)) {
      late.set(listener, function (event) {
        later(() => (listener.handleEvent ? listener.handleEvent(event) : listener.call(this, event)));
      });
    }
    return addEventListener.call(this, type, late.get(listener), options);
  };
  EventTarget.prototype.removeEventListener = function (type, listener, options) {
    removeEventListener.call(this, type, listener, options);
    if (late.has(listener)) removeEventListener.call(this, type, late.get(listener), options);
  };
  const frame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (run) => frame(() => later(() => run(performance.now())));
  window.setTimeout = (run, ms = 0, ...given) => wait(run, ms + LATE_MS, ...given);
  for (const name of ["IntersectionObserver", "ResizeObserver"]) {
    window[name] = class extends window[name] {
      constructor(run, options) {
        super((entries, observer) => later(() => run(entries, observer)), options);
      }
    };
  }
  const fetched = window.fetch;
  window.fetch = async (...given) => {
    const response = await fetched.apply(window, given);
    await new Promise(later);
    return response;
  };
})();"""


def make_late(context: BrowserContext) -> None:
    """Have each page of a context do late what it does by itself: frames, timers, responses to scripts, observers, and
    events that no input causes. What a click or a key causes comes as soon as always.
    """
    context.add_init_script(_SCRIPT.replace("LATE_MS", str(LATE_MS)))
