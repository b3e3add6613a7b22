// Why no signature fits, found by trying: what is told has been signed again, and its signature is the one that
// came. Nothing is guessed.

import { joined, utf8 } from "./bytes.js";
import { signer } from "./signing.js";
import { bodies, frames, keys, otherTimes, readings, shuffled } from "./variants.js";

const LARGEST = 256 * 1024; // of a body, in bytes; beyond, trying takes too long
const LARGEST_IN_PAIRS = 16 * 1024;
const AT_ONCE = 256;

// What fits with the fewest faults: `found`, a list of {faults, body, before, timestamp}, none where nothing
// does; and how many ways to sign were `tried`. Ends early, with nothing, when `isWanted` says no.
export async function diagnose({ delivery, secrets, others = [], isWanted = () => true }) {
  const { body } = delivery;
  const offered = readings(delivery.signature);
  if (!offered.size || body.length > LARGEST) return { found: [], tried: 0, isTooLarge: body.length > LARGEST };
  const all = { bodies: [...bodies(body)], keys: await imported(secrets, others), frames: [...frames(delivery)] };
  let tried = 0;
  for (const tier of tiers(all, delivery)) {
    const found = [];
    for await (const [way, digest] of signedWays(tier)) {
      if (!isWanted()) return { found: [], tried };
      tried += 1;
      if (offered.has(digest)) found.push({ ...way, faults: [...way.faults, ...offered.get(digest)] });
    }
    if (found.length) return { found: fewest(found), tried };
  }
  return { found: [], tried };
}

async function imported(secrets, others) {
  return Promise.all([...keys(secrets, others)].map(async ({ faults, key }) => ({ faults, sign: await signer(key) })));
}

// Ways to sign, the likelier first: nothing wrong but the header, one thing, two things, and what takes long.
function* tiers({ bodies: [body, ...otherBodies], keys: allKeys, frames: [frame, ...otherFrames] }, delivery) {
  const right = allKeys.filter((one) => !one.faults.length);
  const wrong = allKeys.filter((one) => one.faults.length);
  yield ways([body], right, [frame]);
  yield [...ways(otherBodies, right, [frame]), ...ways([body], wrong, [frame]), ...ways([body], right, otherFrames)];
  yield ways([body], right, otherTimes(delivery));
  if (body.body.length > LARGEST_IN_PAIRS) return;
  yield ways(shuffled(body.body), right, [frame]);
  yield [...ways([body], wrong, otherFrames), ...ways(otherBodies, wrong, [frame]), ...ways(otherBodies, right, otherFrames)];
}

function* ways(someBodies, someKeys, someFrames) {
  const [keysOfAll, framesOfAll] = [[...someKeys], [...someFrames]];
  for (const { faults: ofBody, body } of someBodies)
    for (const { faults: ofKey, sign } of keysOfAll)
      for (const { faults: ofFrame, before, timestamp } of framesOfAll)
        yield { faults: [...ofBody, ...ofKey, ...ofFrame], body, before, timestamp, sign };
}

async function* signedWays(all) {
  let batch = [];
  for (const way of all) {
    batch.push(way);
    if (batch.length === AT_ONCE) { yield* await signedTogether(batch); batch = []; }
  }
  yield* await signedTogether(batch);
}

function signedTogether(batch) {
  return Promise.all(batch.map(async ({ sign, ...way }) => [way, await sign(joined(utf8(way.before), way.body))]));
}

// Those with the fewest faults, each set of faults once.
function fewest(found) {
  const least = Math.min(...found.map((one) => one.faults.length));
  const kept = new Map();
  for (const one of found.filter(({ faults }) => faults.length === least)) {
    const mark = [...one.faults].sort().join();
    if (!kept.has(mark)) kept.set(mark, one);
  }
  return [...kept.values()];
}
