// Places on a page that several scripts look for. Only says what is where, or scrolls to it.

// Only the row of tabs moves, never the page.
export function centreTab(tab) {
  const list = tab?.parentElement;
  if (list) list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
}

// The part of the page that an anchor names, as it is written or else decoded (HTML, 7.4.6.4).
export function target(anchor) {
  try {
    return document.getElementById(anchor) ?? document.getElementById(decodeURIComponent(anchor));
  } catch {
    return null; // Somebody mistyped an address: a lone percent sign cannot be decoded.
  }
}
