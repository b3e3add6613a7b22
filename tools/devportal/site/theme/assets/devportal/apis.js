// Several APIs in the search dialog: which one a result is of, and a choice of one of them.

// The part of an index that is on pages whose addresses are shown.
function partOf(index, isShown) {
  const roots = [...index.roots].map(([shape, parts]) => [shape, parts.filter(({ page }) => isShown(page.address))]);
  return { pages: index.pages.filter(({ address }) => isShown(address)), roots: new Map(roots) };
}

// Puts the choice below the input, and returns what makes the name of the API of an address. A choice leaves the part
// of it in the index, and calls `update`.
export function facet(apis, index, update) {
  const whole = { ...index };
  const isOf = ({ folders }, address) => folders.some((folder) => address.startsWith(folder));
  const select = document.createElement("select");
  for (const title of [gettext("All APIs"), ...apis.map((api) => api.title)]) {
    select.append(new Option(title));
  }
  select.addEventListener("change", () => {
    const api = apis[select.selectedIndex - 1];
    index.partOf = (all) => (api ? partOf(all, (address) => isOf(api, address)) : all);
    Object.assign(index, index.partOf(whole));
    update();
  });
  const label = document.createElement("label");
  label.className = "dp-find__facet";
  label.append(...gettextNodes("API %(choice)s", { choice: select }));
  document.querySelector(".dp-find__bar").after(label);
  return (address) => {
    const titles = apis.filter((api) => isOf(api, address)).map((api) => api.title);
    if (!titles.length) return "";
    const textContent = titles.join(", ");
    return Object.assign(document.createElement("span"), { className: "dp-find__api", dir: "auto", textContent });
  };
}
