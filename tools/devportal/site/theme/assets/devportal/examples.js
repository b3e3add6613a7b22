// The choice of an example among the samples of an operation. Loaded with the first choice.

import { centreTab } from "./places.js";

// Shows the sample of the chosen option: of several the one with a name, or else the first.
function showOption(select, name) {
  const samples = [...select.closest(".dp-panel").querySelectorAll(".dp-example")];
  const chosen = samples.filter((sample) => Number(sample.dataset.option) === select.selectedIndex);
  const shown = chosen.find((sample) => sample.dataset.example === name) ?? chosen[0];
  for (const sample of samples) sample.open = sample === shown;
  centreTab(shown.querySelector("[aria-selected=true]"));
  return shown.dataset.example;
}

// A request example and the response to it have the same name: choosing one shows the other.
export function chooseExample(changed) {
  const name = showOption(changed, document.querySelector(".dp-example[open]").dataset.example);
  for (const select of document.querySelectorAll(".dp-pick select")) {
    const same = select.closest(".dp-panel").querySelector(`.dp-example[data-example="${CSS.escape(name)}"]`);
    if (select === changed || !same) continue;
    select.selectedIndex = same.dataset.option;
    showOption(select, name);
  }
}
