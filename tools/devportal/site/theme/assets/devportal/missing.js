// On the page of an address that is not there: searches for the words of the address.

import { read, find } from "./find.js";

const MOST = 5;
const SHORT = 4; // Letters of a word that is another one with each slip.

const root = new URL("../../", import.meta.url);

const load = async (file) => (await fetch(new URL(file, root))).json();

// Adds texts, and links where they lead somewhere.
const show = (line, texts = []) => {
  line.append(...texts.map(([textContent, to]) => to
    ? Object.assign(document.createElement("a"), { href: new URL(to, root), textContent })
    : textContent));
  return line;
};

const item = ({ title, address, code }) => show(document.createElement("li"), [[title, address], [code && " " + code]]);

// The last part says most; where nothing is like it, the part above does.
function like(index, [last, above]) {
  const { groups, corrected } = find(index, last);
  const results = corrected && last.length <= SHORT ? [] : pagesAmong(groups.flatMap((group) => group.results));
  return results.length || !above ? results : like(index, [above]);
}

// An address is that of a page, not of a field. Of pages with one name, the first is the best.
const pagesAmong = (results) => {
  const pages = results.filter(({ kind }) => kind !== "field" && kind !== "response");
  const names = pages.map(({ title, code }) => title + code);
  return pages.filter((_, at) => names.indexOf(names[at]) === at);
};

// The address below the root, decoded as a query is: what cannot be decoded becomes U+FFFD, and says nothing.
const asked = new URLSearchParams(`a=${location.pathname.slice(root.pathname.length)}`).get("a");
// `reference/ordrs/create-order.html` has `reference`, `ordrs`, `create order`.
const names = asked.replace(/(^404)?\.\w{2,4}$|.*\ufffd.*/, "").replace(/[-_]+/g, " ").match(/[^/]+/g);
if (names) {
  show(document.querySelector("#dp-removed"), (await load("assets/devportal/redirects.json"))[asked]); // by a release
  const results = like(read(await load("search/search_index.json")), names.reverse()).slice(0, MOST);
  const list = document.querySelector(".dp-missing__list");
  list.append(...results.map(item));
  list.parentElement.hidden = !results.length;
}
