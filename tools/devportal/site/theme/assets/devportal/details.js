// Finds what only descriptions, values and examples say. The dialog loads this, and the index that has them, only where
// `matching.js` finds nothing with all words.

import { find as findMeant } from "./find.js";
import { matches, read } from "./matching.js";

const DETAILS = new URL("../../search/search_details.json", import.meta.url);

// Where links to the areas of a site are; a site with one area has those of its pages.
const AREAS = [".md-tabs__link", ".dp-side__top a", ".dp-areas a"];

let loaded;

async function fetched() {
  const response = await fetch(DETAILS);
  if (!response.ok) throw new Error(`${response.status}`);
  return read(await response.json());
}

// Returns what has all words with details, or else what `find.js` does.
export async function find(index, query) {
  if (index.details && query.trim()) {
    loaded ??= fetched();
    const all = await loaded.catch(() => {
      loaded = undefined; // The next key tries again.
      return index;
    });
    const found = matches({ ...all, ...index.partOf?.(all) }, query);
    if (found.isComplete) return found;
  }
  const links = AREAS.map((selector) => document.querySelectorAll(selector)).find(({ length }) => length);
  return findMeant(index, query, links);
}
