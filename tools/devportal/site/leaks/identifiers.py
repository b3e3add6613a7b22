"""Identifiers of records, identifiers with versions, and hashes of content."""

import re
from collections.abc import Iterable, Iterator

from devportal.site.leaks.needles import Facts, Needle, Secret
from devportal.site.leaks.scene import Scene
from devportal.site.leaks.watches import Leak, in_each_case, leak_at

KINDS = frozenset({Secret.IDENTIFIER, Secret.VERSION, Secret.CONTENT})
_BEFORE = re.compile(rb"(?:[0-9A-Za-z]+-)*$")
_AFTER = re.compile(rb"(?:-[0-9A-Za-z]+)*")
_ANCHORS = frozenset({"", "rate-", "rates-", "coverage-", "row-", "id-", "record-"})
"""What an anchor may have before an identifier."""
_LONGEST = 120
"""More than an identifier of 80 characters with all that stands before and behind it in an anchor."""


class Identifiers:
    """Finds identifiers as whole ones: `no-parcel` is no leak in `no-parcel-2kg`, where that is public."""

    def __init__(self, needles: Iterable[Needle], facts: Facts) -> None:
        self._needles = {one.text: one for one in needles if one.secret in KINDS}
        self._public = facts.ids
        self._known: dict[tuple[str, str, str], bool] = {}

    def hooks(self) -> Iterable[bytes]:
        """Return each identifier in small letters and in capitals."""
        return (form for text in self._needles for form in in_each_case(text))

    def look(self, scene: Scene, start: int, end: int) -> Iterator[Leak]:
        """Yield the identifier, unless it is a part of another word or of an identifier that is public."""
        data = scene.view.data
        needle = self._needles[data[start:end].decode().lower()]
        if data[start - 1 : start].isalnum() and start:
            return
        if needle.secret is Secret.CONTENT:
            yield leak_at(needle, scene, start, end)
        elif not data[end : end + 1].isalnum():
            before = data[start - 1 : start] == b"-" and _BEFORE.search(data, max(0, start - _LONGEST), start)
            after = data[end : end + 1] == b"-" and _AFTER.match(data, end, end + _LONGEST)
            left, right = (match.group().decode().lower() if match else "" for match in (before, after))
            if not self._is_known(needle.text, left, right):
                yield leak_at(needle, scene, start, end)

    def _is_known(self, text: str, left: str, right: str) -> bool:
        """Say whether an identifier with what is written around it is none, or a public one."""
        key = (text, left, right)
        if key not in self._known:
            self._known[key] = not _stands_alone(*key) or self._is_public(*key)
        return self._known[key]

    def _is_public(self, text: str, left: str, right: str) -> bool:
        """Say whether what is written around an identifier is a public identifier that contains it."""
        starts = [left[cut:] for cut in (0, *(i + 1 for i, c in enumerate(left) if c == "-"))]
        ends = [right[:cut] for cut in (*(i for i, c in enumerate(right) if c == "-"), len(right))]
        return any(
            head + text + tail in self._public
            for head in dict.fromkeys(starts)
            for tail in dict.fromkeys(ends)
            if head or tail
        )


def _stands_alone(text: str, left: str, right: str) -> bool:
    """Say whether an identifier is meant: one of two words, `in-box`, is also in `opt-in-box`."""
    if text.count("-") > 1:
        return True
    return left in _ANCHORS and (not right or right[1:].isdigit())
