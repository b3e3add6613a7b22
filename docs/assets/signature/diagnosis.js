// Why no signature fits, found by trying: what is told has been signed again, and its signature is the one that
// came. Nothing is guessed.

import { joined, utf8 } from "./bytes.js";
import { signer } from "./signing.js";
import { bodies, frames, keys, otherTimes, readings, shuffled } from "./variants.js";

const LARGEST = 256 * 1024; // of a body, in bytes; beyond, trying takes too long
const LARGEST_IN_PAIRS = 16 * 1024;
const AT_ONCE = 256;
const MOMENT_MS = 12; // so long the page waits

// What fits with the fewest faults: `found`, a list of {faults, body, before, timestamp}, none where nothing
// does; and how many ways to sign were `tried`. Ends early, with nothing, when `isWanted` says no.
export async function diagnose({ delivery, secrets, others = [], isWanted = () => true }) {
  const { body } = delivery;
  const offered = readings(delivery.signature);
  if (!offered.size || body.length > LARGEST) return { found: [], tried: 0, isTooLarge: body.length > LARGEST };
  const all = { bodies: bodies(body), keys: await imported(secrets, others), frames: [...frames(delivery)] };
  let tried = 0;
  for (const tier of tiers(all, delivery)) {
    const found = [];
    for await (const signed of signedTogether(tier)) {
      if (!isWanted()) return { found: [], tried };
      tried += signed.length;
      for (const [way, digest] of signed)
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
function* tiers({ bodies: made, keys: allKeys, frames: [frame, ...otherFrames] }, delivery) {
  const body = made.next().value;
  const others = [];
  const right = allKeys.filter((one) => !one.faults.length);
  const wrong = allKeys.filter((one) => one.faults.length);
  yield [ways([body], right, [frame])];
  yield [ways(made, right, [frame], others), ways([body], wrong, [frame]), ways([body], right, otherFrames)];
  yield [ways([body], right, [...otherTimes(delivery)])];
  if (body.body.length > LARGEST_IN_PAIRS) return;
  yield [ways(shuffled(body.body), right, [frame])];
  yield [ways([body], wrong, otherFrames), ways(others, wrong, [frame]), ways(others, right, otherFrames)];
}

// Each body goes to `known` as well.
function* ways(someBodies, someKeys, someFrames, known = []) {
  for (const one of someBodies) {
    if (!one) { yield undefined; continue; }
    known.push(one);
    for (const { faults: ofKey, sign } of someKeys)
      for (const { faults: ofFrame, before, timestamp } of someFrames)
        yield { faults: [...one.faults, ...ofKey, ...ofFrame], body: one.body, before, timestamp, sign };
  }
}

// Lists of ways with their digests, between which the page sees to what else happens.
async function* signedTogether(tier) {
  let [batch, since] = [[], performance.now()];
  for (const some of tier) {
    for (const way of some) {
      if (way) batch.push(signed(way));
      if (batch.length < AT_ONCE && performance.now() - since < MOMENT_MS) continue;
      await new Promise((go) => { setTimeout(go); });
      yield await Promise.all(batch);
      [batch, since] = [[], performance.now()];
    }
  }
  yield await Promise.all(batch);
}

const signed = async ({ sign, ...way }) => [way, await sign(joined(utf8(way.before), way.body))];

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
