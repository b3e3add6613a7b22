// Finds in the index of a site what was meant, slips and all. The dialog loads this only where `matching.js` finds
// nothing with all words. Touches no page.

import { bestFit, exactWords, matches } from "./matching.js";

export { read } from "./matching.js";

const LETTERS = 4; // of a word that one slip needs; so many of its start say something
const MOST = 5;

// Whether two words are the same but for so many letters that are missing, wrong, too many or swapped.
function isNear(word, other, slips) {
  let same = 0;
  while (same < word.length && word[same] === other[same]) same += 1;
  const [left, right] = [word.slice(same), other.slice(same)];
  const swapped = 1 + (left[0] === right[1] && left[1] === right[0]);
  return left === right || (slips && [[1, 1], [1, 0], [0, 1], [swapped, swapped]]
    .some(([from, to]) => isNear(left.slice(from), right.slice(to), slips - 1)));
}

// The fewest slips that make one word of the other, up to `most` and to what a word of its length may have.
function slipsTo(typed, word, most) {
  for (let slips = 1; slips <= most && slips * LETTERS <= typed.length; slips += 1) {
    if (isNear(typed, word, slips)) return slips;
  }
  return 0;
}

// ---- slips ----

// The words of names and titles, and those that have synonyms there; also two in a row, which may be typed as one.
function wordsOfNames({ fields, pages, synonyms }) {
  const names = [...fields, ...pages.flatMap((page) => page.names)].map((name) => name.words.join(" "));
  const pairs = (name) => name.split(" ").flatMap((word, at, all) => [word, `${word} ${all[at + 1]}`]);
  return [...new Set([...names, ...synonyms.keys()].flatMap(pairs))];
}

// The words that were probably meant: known ones instead of slips, of which a long word may have two.
function meant(index, words) {
  const known = wordsOfNames(index);
  return words.map((word) => {
    if (bestFit(word, known) >= 0.5) return word;
    const near = known.map((term) => ({ term, slips: slipsTo(word, term, 2) })).filter(({ slips }) => slips);
    return near.sort((left, right) => left.slips - right.slips)[0]?.term ?? word;
  });
}

// ---- where nothing is found ----

// The words of a site as they are written, those of names first.
function wordsIn({ pages, fields }) {
  const texts = [...pages.map((page) => page.title), ...fields.map((field) => field.text), ...pages.map((page) => page.text)];
  return [...new Set(texts.flatMap(exactWords))].filter((word) => word.length >= LETTERS && !/\d/.test(word));
}

// How much a word is like one that is typed: by what is wrong in it, then by what both begin with.
function likeness(typed, word) {
  const slips = slipsTo(typed, word, 3);
  if (slips) return 1 - slips / 10;
  let same = 0;
  while (same < typed.length && typed[same] === word[same]) same += 1;
  return same >= LETTERS && same * 2 >= Math.max(typed.length, word.length) ? same / 100 : 0;
}

// Returns groups to go on with: words that the site has and that are like those typed, and its areas.
function instead(index, typed, links) {
  const words = wordsIn(index)
    .map((word) => ({ word, like: Math.max(...typed.map((text) => likeness(text, word))) }))
    .filter(({ like }) => like)
    .sort((left, right) => right.like - left.like)
    .slice(0, MOST);
  const near = words.map(({ word }) => ({ title: word, address: `?q=${word}` }));
  const area = [...links].map((link) => ({ title: link.text.trim(), address: link.href }));
  return Object.entries({ near, area }).map(([kind, results]) => ({ kind, results })).filter(({ results }) => results.length);
}

// Returns what `matches` does. If nothing has all words, it is for those that were probably meant, in `corrected`. If
// nothing is found at all, `instead` has groups to go on with: `links` lead to the areas of the site.
export function find(index, query, links = []) {
  const found = matches(index, query);
  if (found.isComplete) return found;
  const corrected = meant(index, found.words).join(" ");
  const best = corrected === found.words.join(" ") ? found : { ...matches(index, corrected), corrected };
  return best.groups.length ? best : { ...best, instead: instead(index, found.words, links) };
}
