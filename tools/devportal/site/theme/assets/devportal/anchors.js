// A row that ends with `*` is for all anchors that begin so; they keep their names on the page that it leads to.
function targetOf(moved, page, anchor) {
  const old = `${page}#${anchor}`;
  if (Object.hasOwn(moved, old)) return moved[old];
  const fits = (row) => row.endsWith("*") && old.startsWith(row.slice(0, -1));
  const [row] = Object.keys(moved).filter(fits).sort((path, other) => other.length - path.length);
  const to = moved[row];
  return to === undefined || to.includes("#") ? to : `${to}#${encodeURIComponent(anchor)}`;
}

// An anchor that is not on the page may have moved: a table says where to. Loaded when somebody follows one.
export async function follow(anchor) {
  const site = new URL("../../", import.meta.url);
  try {
    const moved = await (await fetch(new URL("redirects.json", import.meta.url))).json();
    const page = decodeURIComponent(location.pathname.slice(site.pathname.length));
    const to = targetOf(moved, page, decodeURIComponent(anchor));
    if (to !== undefined) location.replace(new URL(to, site));
  } catch {
    // Without the table, or with an address that cannot be decoded, the page is what there is to see.
  }
}
