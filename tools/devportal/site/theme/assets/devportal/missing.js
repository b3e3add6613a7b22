// On the page of an address that is not there: searches for the words of the address.

import { read, find } from "./find.js";

const MOST = 5;
const SHORT = 4; // Letters of a word that is another one with each slip.

const root = new URL("../../", import.meta.url);

// The parts of the address: `/reference/ordrs/create-order.html` has `reference`, `ordrs`, `create order`.
function parts() {
  const path = location.pathname.slice(root.pathname.length).replace(/^404\.html$/, "");
  try {
    const words = decodeURIComponent(path).replace(/\.\w{2,4}$/, "").replace(/[-_]+/g, " ");
    return words.split("/").filter(Boolean);
  } catch {
    return []; // a lone percent sign
  }
}

function item(result) {
  const link = document.createElement("a");
  link.href = new URL(result.address, root);
  link.textContent = result.title;
  const where = document.createElement("span");
  where.className = "dp-muted";
  where.textContent = result.code ? ` ${result.code}` : "";
  const line = document.createElement("li");
  line.append(link, where);
  return line;
}

// The last part says most; where nothing is like it, the part above does.
function like(index, [last, above]) {
  const { groups, corrected } = find(index, last);
  const results = corrected && last.length <= SHORT ? [] : pagesAmong(groups.flatMap((group) => group.results));
  return results.length || !above ? results : like(index, [above]);
}

// An address is that of a page, not of a field. Of pages with one name, the first is the best.
function pagesAmong(results) {
  const pages = results.filter(({ kind }) => kind !== "field" && kind !== "response");
  const names = pages.map(({ title, code }) => `${title} ${code}`);
  return pages.filter((_, at) => names.indexOf(names[at]) === at);
}

// What a release removed from this address: texts, and the addresses that they lead to.
async function showRemoved() {
  const response = await fetch(new URL("assets/devportal/redirects.json", root));
  const address = decodeURI(location.pathname.slice(root.pathname.length)).replace(/\/?(index\.html)?$/, "/");
  const notice = response.ok && (await response.json())[address];
  const line = document.getElementById("dp-removed");
  for (const [words, to] of notice || []) {
    line.append(to ? Object.assign(document.createElement("a"), { href: new URL(to, root), textContent: words }) : words);
    line.hidden = false;
  }
}

showRemoved().catch(() => {}); // a lone percent sign, or no connection
const asked = parts().reverse();
const response = asked.length && await fetch(new URL("search/search_index.json", root));
if (response?.ok) {
  const results = like(read(await response.json()), asked).slice(0, MOST);
  document.querySelector(".dp-missing__list").replaceChildren(...results.map(item));
  document.querySelector(".dp-missing").hidden = !results.length;
}
