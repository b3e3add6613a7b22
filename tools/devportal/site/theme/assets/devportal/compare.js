// Two lists of versions instead of links to all comparisons. A pair without a page cannot be chosen.

for (const form of document.querySelectorAll("form[data-compare]")) {
  const links = [...document.querySelectorAll("[data-compare-links] a")];
  const { old, new: newer } = form.elements;
  const status = form.querySelector("[role=status]");
  const button = form.querySelector("button");
  const found = () => links.find((link) => link.dataset.old === old.value && link.dataset.new === newer.value);

  const offer = () => {
    const offered = new Set(links.filter((link) => link.dataset.old === old.value).map((link) => link.dataset.new));
    for (const option of newer.options) option.disabled = !offered.has(option.value);
    if (!offered.has(newer.value)) newer.value = [...newer.options].find((option) => !option.disabled).value;
    button.disabled = found().hasAttribute("aria-current");
    status.textContent = button.disabled ? gettext("You are looking at this comparison.") : "";
  };
  form.addEventListener("change", offer);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    location.assign(found().href);
  });
  addEventListener("pageshow", offer); // the browser restores what was chosen
  offer();
}
