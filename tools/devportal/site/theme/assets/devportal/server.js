// The choice of a server: its address stands in all samples of the page, and on the next pages too.

const SERVER = "devportal.server";

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(SERVER)) ?? {};
  } catch {
    return {};
  }
}

function remember(choice) {
  try {
    localStorage.setItem(SERVER, JSON.stringify(choice));
  } catch {
    // Without storage the choice lasts for this page.
  }
}

// Nothing that a shell or a string of any language gives a meaning to: samples are there to be pasted.
function safe(address) {
  return address.replace(/[^\w.~:/@%+,=[\]-]/gu, (letter) =>
    encodeURIComponent(letter).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`));
}

// An address that is none of the contract's, as the console takes and remembers it.
const OTHER = /^https?:\/\/[^\s?#@]+$/i;

// Writes an address into all samples of the page.
function writeBases(address) {
  for (const base of document.querySelectorAll(".dp-base")) base.textContent = safe(address).replace(/\/+$/, "");
}

// Has a picker offer such an address.
function offerOther({ options }, url) {
  if ([...options].some((item) => item.value === url)) return;
  const option = new Option(gettext("Other address: %(address)s", { address: url }), url);
  option.dataset.other = "";
  options.add(option);
}

// The controls of a picker: the select of the server, and those of the variables of the chosen one.
function parts(picker) {
  const server = picker.querySelector("select[name=server]");
  const groups = [...picker.querySelectorAll("[data-server]")];
  const fields = [...groups.find((group) => group.dataset.server === server.value)?.querySelectorAll("select, input") ?? []];
  return { server, groups, fields };
}

function write(picker) {
  const { server, groups, fields } = parts(picker);
  for (const group of groups) group.hidden = group.dataset.server !== server.value;
  const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
  // An emptied field stands for its default, which can be empty.
  const filled = new Map(fields.map(({ name, value, defaultValue = "" }) => [name, value || defaultValue]));
  const address = server.value.replace(/\{([^{}]*)\}/g, (_, name) => filled.get(name) ?? name);
  writeBases(address);
  const isOther = server.selectedOptions[0]?.dataset.other !== undefined;
  return { url: server.value, values, ...(isOther && { other: true }) };
}

// Has the pickers and samples of a page show a choice: the one that was made before, where it is among the choices.
function offer({ url, values, other } = remembered()) {
  const isOther = other === true && OTHER.test(url);
  if (isOther) writeBases(url);
  for (const picker of document.querySelectorAll(".dp-server")) {
    const { server } = parts(picker);
    if (isOther) offerOther(server, url);
    if ([...server.options].some((option) => option.value === url)) {
      server.value = url;
      for (const field of parts(picker).fields) {
        const before = field.value;
        if (typeof values?.[field.name] === "string") field.value = values[field.name];
        if (field.selectedIndex === -1) field.value = before; // an option that is gone
      }
      write(picker);
    } else {
      for (const group of parts(picker).groups) group.hidden = group.dataset.server !== server.value;
    }
  }
}

// The console has its own choice of servers.
addEventListener("devportal:server", ({ detail }) => {
  offer(detail);
  writeBases(detail.base);
});
addEventListener("input", (event) => {
  const picker = event.target.closest?.(".dp-server");
  if (picker) remember(write(picker));
});

if (window.document$) window.document$.subscribe(() => offer());
else offer();
