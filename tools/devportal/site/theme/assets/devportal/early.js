// The colour scheme, from the first paint on: the one chosen before, or else the one of the system. It is stored
// where the theme's own scripts store it, so that a project may load those instead of ours. An element
// that follows the choices in the page sets it: the page is read no further before that has run.
customElements.define("dp-scheme", class extends HTMLElement {
  connectedCallback() {
    const KEY = "__palette";
    const inputs = [...document.querySelectorAll("[data-md-component=palette] input")];
    const ofSystem = () => inputs.find(({ dataset }) =>
      dataset.mdColorMedia !== "(prefers-color-scheme)" && matchMedia(dataset.mdColorMedia).matches);
    const colorOf = ({ dataset }) => ({
      media: dataset.mdColorMedia,
      scheme: dataset.mdColorScheme,
      primary: dataset.mdColorPrimary,
      accent: dataset.mdColorAccent,
    });

    // Shows a choice: its colours, and the button that leads to the next one.
    const show = (input) => {
      const isAuto = input.dataset.mdColorMedia === "(prefers-color-scheme)";
      const color = colorOf((isAuto && ofSystem()) || input);
      for (const name of ["scheme", "primary", "accent"]) document.body.setAttribute(`data-md-color-${name}`, color[name]);
      input.checked = true;
      for (const candidate of inputs) {
        if (candidate.nextElementSibling?.localName === "label") candidate.nextElementSibling.hidden = candidate !== input;
      }
    };
    const chosen = () => inputs[window.__md_get(KEY)?.index];
    const follow = () => {
      const input = chosen() ?? ofSystem() ?? inputs[0];
      if (input) show(input);
    };

    follow();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", follow);
    addEventListener("change", ({ target }) => {
      if (!inputs.includes(target)) return;
      window.__md_set(KEY, { index: inputs.indexOf(target), color: colorOf(target) });
      show(target);
    });
  }
});
