// On the page at an old address: goes on to the new one and takes the anchor along, which a refresh would lose.
{
  const { to, anchors } = document.currentScript.dataset;
  let anchor = location.hash.slice(1);
  try {
    anchor = decodeURIComponent(anchor);
  } catch {
    // Somebody mistyped it: it stays as it is.
  }
  const moved = JSON.parse(anchors ?? "{}");
  const carried = to.includes("#") ? to : to + location.hash;
  location.replace(Object.hasOwn(moved, anchor) ? moved[anchor] : carried);
}
