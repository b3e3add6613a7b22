"""Codes of mobile networks: a mobile country code (MCC) and a mobile network code (MNC)."""

import re
from collections.abc import Iterable, Iterator

from devportal.site.leaks.needles import Needle, Secret
from devportal.site.leaks.scene import Scene
from devportal.site.leaks.watches import Leak, leak_at

_BETWEEN = ("-", "/", " ", "_", ".", ",", ";", "|", "\t", '"', "'", "<", "&", "\\", ":", "+", "%", "")
"""What may follow an MCC where an MNC comes next."""
_PAIR = re.compile(
    rb"(\d{3})(?P<between>(?:[^0-9A-Za-z<>{}]|<[^<>]{0,200}>|mnc|data-|\\u00[0-9a-f]{2}|&\w{2,6};){0,40}?)"
    rb"(\d{2,3})(?!\d)(?!-\d)",
    re.IGNORECASE,
)
_TELLING = re.compile(rb"mcc|mnc|plmn|network|operator|carrier", re.IGNORECASE)
_AROUND = 120
"""How many bytes before a pair may tell that it is one."""


class Codes:
    """Finds the codes of networks that no public version has.

    `242-010` is a pair by itself; `242010`, `242,010` and the like are numbers of any text, and count where
    something before them speaks of networks, or their market is near.
    """

    def __init__(self, needles: Iterable[Needle], public: frozenset[tuple[str, str]]) -> None:
        self._needles = {one.codes: one for one in needles if one.secret is Secret.CODES}
        for (mcc, mnc), needle in tuple(self._needles.items()):
            bare = (mcc, mnc.lstrip("0").rjust(2, "0"))
            if bare not in public:
                self._needles.setdefault(bare, needle)  # a zero that was taken for padding

    def hooks(self) -> Iterable[bytes]:
        """Return each pair as one number, and each MCC with what may stand between it and an MNC."""
        for mcc, mnc in self._needles:
            yield from ((mcc + between).encode() for between in _BETWEEN if between)
            yield (mcc + mnc).encode()

    def look(self, scene: Scene, start: int, end: int) -> Iterator[Leak]:  # noqa: ARG002 - as Watch has it
        """Yield the pair that starts at a hook."""
        data = scene.view.data
        if data[start - 1 : start].isdigit() and start:
            return
        match = _PAIR.match(data, start)
        needle = self._needles.get((match[1].decode(), match[3].decode())) if match else None
        if match is None or needle is None or _is_number(data, start, match):
            return
        if self._is_pair(scene, match, needle):
            yield leak_at(needle, scene, start, match.end())

    def _is_pair(self, scene: Scene, match: re.Match[bytes], needle: Needle) -> bool:
        between = match["between"]
        if between in (b"-", b"/") or b"mnc" in between.lower():
            return not scene.view.is_binary
        before = scene.view.data[max(0, match.start() - _AROUND) : match.start()]
        if not scene.view.is_binary and _TELLING.search(before):
            return True
        return scene.belonging(match.start(), match.end(), frozenset({needle.country})) is not None


def _is_number(data: bytes, start: int, match: re.Match[bytes]) -> bool:
    """Say whether a pair is a part of a longer number, date or word."""
    before, after = data[max(0, start - 2) : start], data[match.end() : match.end() + 2]
    if before[-1:].isalpha() and before != b"\\n":
        return True
    return bool(re.fullmatch(rb"\d[-.]", before) or re.match(rb"[A-Za-z]|\.\d", after))
