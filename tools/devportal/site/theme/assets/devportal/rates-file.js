// The file with the rates of a page that has too many for a row each (`devportal/catalog/pages/rates_table.py` writes it).

const loading = new Map();

// Loads a file once. A failure is not kept: the next call tries again.
export function loadRates(address) {
  if (!loading.has(address)) {
    const rates = fetch(address)
      .then((response) => { if (!response.ok) throw new Error(response.status); return response.json(); })
      .then(({ rows, columns }) => ({ length: rows, text: (name, row) => columns[name][0][columns[name][1][row]] }));
    loading.set(address, rates);
    rates.catch(() => loading.delete(address));
  }
  return loading.get(address);
}
