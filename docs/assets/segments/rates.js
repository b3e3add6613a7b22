// The public prices of outbound SMS, read from the files of this site: approved and active ones, nothing else.

const FILES = [["../../rates/sms/rates-sms.json", "rates"], ["../../coverage/sms/sms.json", "coverage"]];

// The markets in the order of their names; throws where a file does not come.
export async function loadMarkets() {
  const [rates, coverage] = await Promise.all(FILES.map(async ([path, member]) => {
    const answer = await fetch(new URL(path, import.meta.url));
    if (!answer.ok) throw new Error(`${answer.status}`);
    return (await answer.json())[member];
  }));
  return marketsOf(rates, coverage);
}

// {code, name, rates} of each market that is covered or has a price. Without a public one its rates are none.
export function marketsOf(rates, coverage) {
  const markets = new Map();
  for (const { country, country_name: name } of [...coverage, ...rates])
    markets.set(country, { code: country, name, rates: [] });
  for (const one of rates)
    if (one.direction === "outbound" && one.unit === "segment") markets.get(one.country).rates.push(one);
  return [...markets.values()].sort((one, other) => one.name.localeCompare(other.name, "en"));
}

// What tells a rate from the others of its market.
export function rateName({ network, mcc, mnc, number_type: type }, { rates }) {
  const name = network ? `${network} (${mcc}-${mnc})` : "All networks";
  const isMixed = new Set(rates.map((one) => one.number_type)).size > 1;
  return isMixed && type ? `${name}, ${type.replace("_", "-")} numbers` : name;
}
