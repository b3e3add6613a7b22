// What a text costs in a market: its segments, times the recipients, times each public price.

import { arithmetic, cost, grouped } from "../devportal/estimate-cost.js";
import { element } from "../elements.js";
import { loadMarkets, rateName } from "./rates.js";

const MOST_DIGITS = 9;
const SEGMENT = { noun: "message", plural: "messages", amount: { noun: "segment", plural: "segments" } };
const FAILED = "The rates could not be loaded. See the rates pages instead.";

// A number of recipients as somebody writes it: 1000, 1,000 or 1 000. Throws a RangeError for anything else.
export function recipientsOf(text) {
  const digits = text.trim().replace(/(?<=\d)[,\s](?=\d{3}(?:\D|$))/g, "");
  if (!/^\d+$/.test(digits)) throw new RangeError("Recipients: enter a whole number, such as 1000.");
  if (digits.replace(/^0+/, "").length > MOST_DIGITS) throw new RangeError("Recipients: at most 999,999,999.");
  return BigInt(digits);
}

// The cost at one rate: {name, price, total, sum, isSample}; the total is exact, for nothing is divided.
export function costAt(rate, market, segments, recipients) {
  const { price, currency } = rate;
  const leastPlaces = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits;
  const use = { price, currency, unit: SEGMENT, amount: BigInt(segments), times: recipients, leastPlaces };
  return {
    name: rateName(rate, market),
    price: `${price} ${currency}`,
    total: `${grouped(cost(use).text)} ${currency}`,
    sum: arithmetic(use),
    isSample: rate.sample,
  };
}

// The part of the calculator with market, recipients and prices. `told` hears of the result in words.
export class Cost {
  constructor({ market, recipients, costs, costNote }, told) {
    Object.assign(this, { market, recipients, costs, costNote, told, markets: [], segments: 0 });
    for (const one of [market, recipients]) one.addEventListener("input", () => { this.show(this.segments); told(this.words); });
    this.load();
  }

  async load() {
    try {
      this.markets = await loadMarkets();
    } catch {
      this.market.options[0].text = "No rates";
      this.costNote.textContent = FAILED;
      return;
    }
    this.market.append(...this.markets.map(({ name, code }) => new Option(name, code)));
    this.show(this.segments);
  }

  // Shows the cost of a text of so many segments; of none where the API refuses the text.
  show(segments) {
    this.segments = segments;
    const market = this.markets.find((one) => one.code === this.market.value);
    this.recipients.removeAttribute("aria-invalid");
    this.words = "";
    this.costs.hidden = true;
    if (market) this.showIn(market);
  }

  showIn(market) {
    try {
      this.say(this.noteOf(market));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.recipients.setAttribute("aria-invalid", "true");
      this.say(error.message);
    }
  }

  noteOf(market) {
    const recipients = recipientsOf(this.recipients.value);
    if (!market.rates.length) return `${market.name}: no published rate.`;
    if (!this.segments) return "The API rejects this text, so it costs nothing.";
    const costs = market.rates.map((rate) => costAt(rate, market, this.segments, recipients));
    this.costs.hidden = false;
    this.costs.tBodies[0].replaceChildren(...costs.map(row));
    const use = costs.length > 1 ? `${costs.length} public rates, such as ${costs[0].sum}` : costs[0].sum;
    return `${market.name}: ${use}. Excludes taxes and discounts.`;
  }

  say(words) {
    this.costNote.textContent = words;
    this.words = words;
  }
}

function row({ name, price, total, isSample }) {
  const head = element("th", "", name, ...(isSample ? [" ", element("span", "dp-badge dp-badge--beta", "Sample")] : []));
  head.scope = "row";
  return element("tr", "", head, element("td", "", price), element("td", "", element("strong", "", total)));
}
