// Sets the colour scheme before the first paint: the one chosen before, or else the one of the system.
{
  const chosen = window.__md_get("__palette");
  const inputs = [...document.querySelectorAll("[data-md-component=palette] input")];
  const ofSystem = inputs.find((input) => matchMedia(input.dataset.mdColorMedia).matches);
  const color = chosen?.color ?? (ofSystem && {
    scheme: ofSystem.dataset.mdColorScheme,
    primary: ofSystem.dataset.mdColorPrimary,
    accent: ofSystem.dataset.mdColorAccent,
  });
  for (const [name, value] of Object.entries(color ?? {})) document.body.setAttribute(`data-md-color-${name}`, value);
}
