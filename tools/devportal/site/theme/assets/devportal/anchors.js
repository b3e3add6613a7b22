// An anchor that is not on the page may have moved: a table says where to. Loaded when somebody follows one.
export async function follow(anchor) {
  const site = new URL("../../", import.meta.url);
  try {
    const moved = await (await fetch(new URL("redirects.json", import.meta.url))).json();
    const old = decodeURIComponent(`${location.pathname.slice(site.pathname.length)}#${anchor}`);
    if (Object.hasOwn(moved, old)) location.replace(new URL(moved[old], site));
  } catch {
    // Without the table, or with an address that cannot be decoded, the page is what there is to see.
  }
}
