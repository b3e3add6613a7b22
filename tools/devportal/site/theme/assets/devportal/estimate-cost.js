// What a use of a price comes to: what devportal/catalog/records/billing.py computes, in a browser.
// Amounts are BigInt and prices are text, so that no digit is ever a binary fraction. A `unit` is what the page says
// of it: `noun` and `plural` of what is priced, the `amount` that each has, and `per`, if that is billed in steps.

const PLACES = 6;
const MORE_PLACES = 2;

// What is billed of an amount, in steps such as 30/6: the first one, then each following one that is started.
export function billedAmount(amount, steps) {
  const [first, following] = steps.split("/").map(BigInt);
  if (amount <= 0n) return 0n;
  const beyond = amount > first ? amount - first : 0n;
  return first + ((beyond + following - 1n) / following) * following;
}

// The cost as text and whether it is exact. `amount` is what each has, as the unit counts it; `times` is how many
// there are. Zeros at its end are left out, down to `leastPlaces` after the point.
export function cost({ price, unit, amount, steps = "1/1", times = 1n, leastPlaces = 2 }) {
  const [whole, fraction = ""] = price.split(".");
  const own = fraction.length;
  const places = Math.max(PLACES, own + MORE_PLACES);
  const scaled = BigInt(whole + fraction) * 10n ** BigInt(places - own);
  if (!unit.per) return { text: written(scaled * amount * times, places, leastPlaces), isExact: true };
  const per = BigInt(unit.per);
  const product = scaled * billedAmount(amount, steps) * times;
  const rounded = (2n * product + per) / (2n * per);
  return { text: written(rounded, places, leastPlaces), isExact: rounded * per === product };
}

// A whole number of parts as a decimal number; zeros beyond the first `least` places are left out.
function written(parts, places, least) {
  const digits = parts.toString().padStart(places + 1, "0");
  const fraction = digits.slice(-places);
  const kept = fraction.slice(0, least) + fraction.slice(least).replace(/0+$/, "");
  return digits.slice(0, -places) + (kept && `.${kept}`);
}

const POINT = (0.5).toLocaleString(interfaceLanguage()).slice(1, 2);

// A decimal number in groups of digits, as the language of the pages writes it: 1,234.50.
export function grouped(text) {
  const [whole, fraction] = text.split(".");
  return [BigInt(whole).toLocaleString(interfaceLanguage()), fraction].filter(Boolean).join(POINT);
}

export function count(amount, { noun, plural }) {
  return `${amount.toLocaleString(interfaceLanguage())} ${amount === 1n ? noun : plural}`;
}

// The sum as a reader would write it: 2 parcels × 3 kilograms × 0.10 EUR = 0.60 EUR.
export function arithmetic({ price, currency, unit, amount, steps = "1/1", times = 1n, leastPlaces = 2 }) {
  const { text, isExact } = cost({ price, unit, amount, steps, times, leastPlaces });
  const factors = [];
  if (!unit.amount) factors.push(count(amount * times, unit));
  else if (times !== 1n) factors.push(count(times, unit));
  if (unit.per) factors.push(`${billedAmount(amount, steps).toLocaleString(interfaceLanguage())} ${unit.amount.symbol}`);
  else if (unit.amount) factors.push(count(amount, unit.amount));
  factors.push(`${price.replace(".", POINT)} ${currency}${unit.per ? ` ÷ ${unit.per.toLocaleString(interfaceLanguage())}` : ""}`);
  return `${factors.join(" × ")} ${isExact ? "=" : "≈"} ${grouped(text)} ${currency}`;
}
