// Finds markets by name or code, whatever their accents and case.

const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").trim().toLowerCase();
const isNamed = (wanted) => ([code, name]) => fold(code) === wanted || fold(name) === wanted;
const LONGEST = 80;
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

// Whether a market fits a text: its code is the text, or a word of its name begins with it.
export function fits(text, code, name) {
  const wanted = fold(text);
  return fold(code) === wanted || ` ${fold(name).replace(/[^\p{L}\p{N}]+/gu, " ")}`.includes(` ${wanted}`);
}

// All countries that the browser knows: pairs of code and name.
function countries() {
  const names = new Intl.DisplayNames(interfaceLanguage(), { type: "region", fallback: "none" });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return codes.map((code) => [code, names.of(code)]).filter(([, name]) => name);
}

export class MarketNames {
  // Takes pairs of code and name. If markets are countries, those that the page does not list have a name as well.
  constructor(markets, { areCountries }) {
    this.markets = markets;
    this.areCountries = areCountries;
  }

  get others() {
    this.countries ??= this.areCountries ? countries() : [];
    return this.countries;
  }

  // What a reader has typed as values of the filter: a market by its code, or a text that several or no markets fit.
  typed(text) {
    const wanted = isNamed(fold(text));
    const fitting = this.markets.filter(([code, name]) => fits(text, code, name));
    const isFull = ([, name]) => fold(name) === fold(text); // "China" is not "Hong Kong SAR China"
    const found = this.markets.find(wanted) ?? this.others.find(isFull) ?? (fitting.length === 1 ? fitting[0] : null)
      ?? (fitting.length ? null : this.others.find(wanted));
    return found ? { market: found[0], find: "" } : { market: "", find: text.trim().slice(0, LONGEST) };
  }

  // The code of a market as it is written, of one in an address; undefined if there is no such market.
  codeOf(text) {
    const wanted = isNamed(fold(text));
    return (this.markets.find(wanted) ?? this.others.find(wanted))?.[0];
  }

  // The name of a market by its code.
  nameOf(code) {
    const isIt = ([candidate]) => candidate === code;
    return (this.markets.find(isIt) ?? this.others.find(isIt))?.[1];
  }

  // A filter in words: the name of the market, or the text in quotation marks.
  words({ market, find }) {
    return market ? this.nameOf(market) : gettext("“%(text)s”", { text: find });
  }
}
