// The parameters in the address of a page. Filters and the estimator share them.

// Sets parameters and keeps the others; an empty value removes its parameter. `step` adds a step to the history.
export function setParameters(values, { step = false } = {}) {
  const parameters = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(values)) {
    parameters.delete(name);
    if (value) parameters.set(name, value);
  }
  const address = `${location.pathname}${parameters.size ? `?${parameters}` : ""}${location.hash}`;
  history[step ? "pushState" : "replaceState"](null, "", address);
  showAddress();
}

// Writes the filter to the address at the head of a hand-out.
export function showAddress() {
  for (const place of document.querySelectorAll(".dp-print-head span")) {
    place.dataset.address ??= place.textContent;
    place.textContent = `${place.dataset.address}${location.search}`;
  }
}
