// The APIs of a portal of several in the search dialog: which one a result is of, and a choice of one of them.

// Puts the choice below the input, and returns what names the API of an address. `choose` takes which addresses are shown.
export function facet(dialog, apis, choose) {
  const isOf = ({ folders }, address) => folders.some((one) => address.startsWith(one));
  const select = document.createElement("select");
  for (const title of [gettext("All APIs"), ...apis.map((one) => one.title)]) {
    const option = document.createElement("option");
    option.textContent = title;
    select.append(option);
  }
  select.addEventListener("change", () => {
    const api = apis[select.selectedIndex - 1];
    choose(api ? (address) => isOf(api, address) : undefined);
  });
  const label = document.createElement("label");
  label.className = "dp-find__facet";
  label.append(...gettextNodes("API %(choice)s", { choice: select }));
  dialog.querySelector(".dp-find__bar").after(label);
  return (address) => apis.find((one) => isOf(one, address))?.title ?? "";
}
