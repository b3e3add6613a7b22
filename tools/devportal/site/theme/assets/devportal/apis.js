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
    const option = document.createElement("option");
    option.textContent = title;
    select.append(option);
  }
  select.addEventListener("change", () => {
    const api = apis[select.selectedIndex - 1];
    index.partOf = api && ((all) => partOf(all, (address) => isOf(api, address)));
    Object.assign(index, api ? index.partOf(whole) : whole);
    update();
  });
  const label = document.createElement("label");
  label.className = "dp-find__facet";
  label.append(...gettextNodes("API %(choice)s", { choice: select }));
  document.querySelector(".dp-find__bar").after(label);
  return (address) => {
    const titles = apis.filter((api) => isOf(api, address)).map((api) => api.title);
    if (!titles.length) return "";
    const name = document.createElement("span");
    name.className = "dp-find__api";
    name.dir = "auto";
    name.textContent = titles.join(", ");
    return name;
  };
}
