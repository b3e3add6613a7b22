// For projects that load the theme's own scripts: what these take wrongly, and what they leave out.

// They take every plain `alternate` link for another language's site and look for a sitemap there. Feeds and
// Markdown twins are no such thing: a second word in `rel` keeps their meaning and hides them.
for (const link of document.querySelectorAll("link[rel=alternate]:not([hreflang])")) link.relList.add("nofollow");

// They put tables into a region that scrolls, which those of ours are in already: the inner one would have no use.
function freeTables() {
  for (const inner of document.querySelectorAll(".md-typeset__scrollwrap .md-typeset__scrollwrap")) {
    inner.replaceWith(...inner.firstElementChild.childNodes);
  }
}

addEventListener("DOMContentLoaded", () => window.document$.subscribe(freeTables));
