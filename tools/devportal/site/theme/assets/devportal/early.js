// What must happen before the first paint and before the theme's bundle runs.

// The colour scheme: the one chosen before, or else the one of the system.
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

// The theme takes every plain `alternate` link for another language's site and looks for a sitemap there.
// Feeds and Markdown twins are no such thing: a second word in `rel` keeps their meaning and hides them from it.
for (const link of document.querySelectorAll("link[rel=alternate]:not([hreflang])")) link.relList.add("nofollow");
