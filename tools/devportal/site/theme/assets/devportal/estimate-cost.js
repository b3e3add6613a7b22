// What a use of a price comes to: what devportal/catalog/billing.py computes, in a browser.
// Amounts are BigInt and prices are text, so that no digit is ever a binary fraction.

const SECONDS = 60n;
const PLACES = 6;
const MORE_PLACES = 2;
const USES = {
  segment: ["message", "segment"],
  message: ["message", ""],
  minute: ["call", ""],
  month: ["number", "month"],
};

// The seconds billed for whole seconds of talk, under an increment such as 30/6.
export function billedSeconds(duration, increment) {
  const [initial, subsequent] = increment.split("/").map(BigInt);
  if (duration <= 0n) return 0n;
  const beyond = duration > initial ? duration - initial : 0n;
  return initial + ((beyond + subsequent - 1n) / subsequent) * subsequent;
}

// The cost as text and whether it is exact. `amount` is what one message, call or number has: segments,
// messages, months, or seconds of talk where the price is per minute; `times` is how many there are. Zeros at
// its end are left out, down to `leastPlaces` after the point.
export function cost({ price, unit, amount, increment = "1/1", times = 1n, leastPlaces = 2 }) {
  const [whole, fraction = ""] = price.split(".");
  const own = fraction.length;
  const places = Math.max(PLACES, own + MORE_PLACES);
  const scaled = BigInt(whole + fraction) * 10n ** BigInt(places - own);
  if (unit !== "minute") return { text: written(scaled * amount * times, places, leastPlaces), isExact: true };
  const product = scaled * billedSeconds(amount, increment) * times;
  const rounded = (2n * product + SECONDS) / (2n * SECONDS);
  return { text: written(rounded, places, leastPlaces), isExact: rounded * SECONDS === product };
}

// A whole number of parts as a decimal number; zeros beyond the first `least` places are left out.
function written(parts, places, least) {
  const digits = parts.toString().padStart(places + 1, "0");
  const fraction = digits.slice(-places);
  const kept = fraction.slice(0, least) + fraction.slice(least).replace(/0+$/, "");
  return digits.slice(0, -places) + (kept && `.${kept}`);
}

// A decimal number in groups of three digits, as the pages write it: 1,234.50.
export function grouped(text) {
  const [whole, fraction] = text.split(".");
  return [BigInt(whole).toLocaleString("en-GB"), fraction].filter(Boolean).join(".");
}

export function count(amount, noun) {
  return `${amount.toLocaleString("en-GB")} ${noun}${amount === 1n ? "" : "s"}`;
}

// The sum as a reader would write it: 2 messages × 3 segments × 0.10 EUR = 0.60 EUR.
export function arithmetic({ price, currency, unit, amount, increment = "1/1", times = 1n, leastPlaces = 2 }) {
  const { text, isExact } = cost({ price, unit, amount, increment, times, leastPlaces });
  const [each, part] = USES[unit];
  const factors = times === 1n && unit !== "message" ? [] : [count(unit === "message" ? amount * times : times, each)];
  if (part) factors.push(count(amount, part));
  if (unit === "minute") factors.push(`${billedSeconds(amount, increment).toLocaleString("en-GB")} s`);
  factors.push(`${price} ${currency}${unit === "minute" ? " ÷ 60" : ""}`);
  return `${factors.join(" × ")} ${isExact ? "=" : "≈"} ${grouped(text)} ${currency}`;
}
