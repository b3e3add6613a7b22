// Tabs of hand-written pages: what is chosen once is chosen everywhere, and on the next page.

const TABS = "__tabs";

const labelOf = (input) => document.querySelector(`label[for="${CSS.escape(input.id)}"]`);
const all = [...document.querySelectorAll(".tabbed-set > input")].map((input) => [input, labelOf(input)]);
const choose = (text) => {
  for (const [input, label] of all) if (label?.textContent.trim() === text) input.checked = true;
};
for (const text of [...window.__md_get(TABS) ?? []].reverse()) choose(text);
for (const [input, label] of all) {
  input.addEventListener("change", () => {
    const text = label.textContent.trim();
    const before = label.getBoundingClientRect().top;
    choose(text);
    scrollBy({ top: label.getBoundingClientRect().top - before, behavior: "instant" });
    label.scrollIntoView({ block: "nearest", inline: "nearest" });
    window.__md_set(TABS, [...new Set([text, ...window.__md_get(TABS) ?? []])]);
  });
}
