"""The ids on one page: what a link to a part of it ends with. Each is there once and holds no white space."""

TABS = "__tab."
"""What the ids of tabs begin with, which templates number themselves: no anchor does."""


def anchor_text(text: str) -> str:
    """Return text as an id: white space, which an id cannot hold (HTML §3.2.6), becomes a dash."""
    return "-".join(text.split()) or "x"


class Anchors:
    """Hands out the ids of one page; a second one of the same text gets a number."""

    def __init__(self, *reserved: str) -> None:
        """Take the ids that the page has in any case."""
        self._taken = set(reserved)
        self._next: dict[str, int] = {}
        self._shown: set[str] = set()

    def take(self, wanted: str) -> str:
        """Return an id that nothing else on the page has."""
        base = anchor_text(wanted)
        base = f"x{base}" if base.startswith(TABS) else base
        made, number = base, self._next.get(base, 1)
        while made in self._taken:
            number += 1
            made = f"{base}-{number}"
        self._next[base] = number
        self._taken.add(made)
        return made

    def is_new(self, uri: str) -> bool:
        """Say whether what has a page at `uri` is asked about for the first time on this page."""
        is_new = uri not in self._shown
        self._shown.add(uri)
        return is_new
