"""The files of a built site: what they say, what they link to, and their anchors."""

from pathlib import Path

from devportal.site.links.link import Reading
from devportal.site.links.readers import reader_for

UNREADABLE = (ValueError, RecursionError, OSError)
"""What is raised for a file that is no text, or not of the kind that its name promises."""


class Files:
    """The files of a site, each read once; of those that were looked at, anchors are kept."""

    def __init__(self, site: Path) -> None:
        self.site = site
        self.names = frozenset(
            path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()
        )
        self._read: dict[str, Reading] = {}
        self._anchors: dict[str, frozenset[str] | None] = {}

    def text(self, name: str) -> str:
        """Return what a file says. Raises one of UNREADABLE where that cannot be read."""
        return (self.site / name).read_text(encoding="utf-8-sig")

    def reading(self, name: str) -> Reading:
        """Return what is found in a file. Raises one of UNREADABLE where nobody can tell."""
        if name not in self._read:
            reader = reader_for(name)
            self._read[name] = reader(self.text(name)) if reader else Reading()
            self._anchors[name] = self._read[name].anchors
        return self._read.pop(name)

    def anchors(self, name: str) -> frozenset[str] | None:
        """Return the anchors of a file, of a twin those of its page; None if they cannot be known."""
        page = name.removesuffix(".md") + ".html"
        if name.endswith(".md"):
            return self.anchors(page) if page in self.names else None
        if name not in self._anchors:
            try:
                self._read[name] = self.reading(name)
            except UNREADABLE:
                self._anchors[name] = None
        return self._anchors[name]
