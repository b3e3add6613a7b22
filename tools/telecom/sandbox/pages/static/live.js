// Keeps a timeline up to date until it is at its end. Without it the page has a link that loads it again.
const EVERY_MS = 2000;

let isPaused = false;

/** Replace what has changed, and leave open what the reader has opened. */
function show(fresh) {
  const shown = document.getElementById('live');
  const open = new Set([...shown.querySelectorAll('details[open]')].map((details) => details.dataset.key));
  const focused = document.activeElement?.closest('[data-live-pause]') !== null && shown.contains(document.activeElement);
  for (const details of fresh.querySelectorAll('details')) details.open = open.has(details.dataset.key);
  shown.replaceWith(fresh);
  offerPause();
  if (focused) document.querySelector('[data-live-pause]')?.focus();
}

function offerPause() {
  const button = document.querySelector('[data-live-pause]');
  if (button === null) return;
  button.hidden = false;
  button.textContent = isPaused ? 'Go on' : 'Pause';
  button.addEventListener('click', () => {
    isPaused = !isPaused;
    button.textContent = isPaused ? 'Go on' : 'Pause';
  });
}

async function turn() {
  if (isPaused || document.hidden) return true;
  const answer = await fetch(location.href, { cache: 'no-store' });
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = page.getElementById('live');
  if (fresh === null) {
    document.querySelector('[data-live-said]').textContent = 'You are signed out, or it is gone.';
    return false;
  }
  // Compared without what scripts and the reader have changed.
  const marks = fresh.outerHTML;
  if (marks !== last) show(document.importNode(fresh, true));
  last = marks;
  return fresh.hasAttribute('data-live');
}

let last = document.getElementById('live').outerHTML;
offerPause();
for (let goesOn = true; goesOn; ) {
  await new Promise((done) => setTimeout(done, EVERY_MS));
  goesOn = await turn().catch(() => true);
}
