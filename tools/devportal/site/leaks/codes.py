"""Codes of groups that the rate book declares, such as those of a depot or a network."""

import re
from collections.abc import Iterable, Iterator

from devportal.catalog.book.book import Book, DigitsForm, Field, GroupForm, Part
from devportal.site.leaks.needles import Needle, Secret
from devportal.site.leaks.scene import Scene
from devportal.site.leaks.watches import Leak, in_each_case, leak_at

Code = tuple[str, ...]
"""The parts of a code."""

_BETWEEN = ("-", "/", " ", "_", ".", ",", ";", "|", "\t", '"', "'", "<", "&", "\\", ":", "+", "%", "")
"""What may follow a part of digits where the next one comes."""
_GAP = rb"(?:[^0-9A-Za-z<>{}]|<[^<>]{0,200}>|%s|data-|\\u00[0-9a-f]{2}|&\w{2,6};){0,40}?"
_AROUND = 120
"""How many bytes before a code may tell that it is one."""


def codes_of(
    needles: Iterable[Needle], book: Book, public: frozenset[tuple[str, Code]]
) -> Iterator["Codes | SingleCodes"]:
    """Yield what finds the codes of each group that the book declares; `public` are those anybody may see."""
    found = [one for one in needles if one.secret is Secret.CODES]
    for field in book.groups:
        own = [one for one in found if one.group is not None and one.group.name == field.name]
        form = field.form
        if own and isinstance(form, GroupForm):
            seen = frozenset(code for name, code in public if name == field.name)
            is_digits = all(isinstance(part.form, DigitsForm) for part in form.code)
            is_chain = is_digits and len(form.code) > 1
            yield Codes(own, field, form, seen) if is_chain else SingleCodes(own, field, form)


def _telling(field: Field, form: GroupForm) -> re.Pattern[bytes]:
    """Return what finds the words by which texts speak of a group."""
    titles = (word for title in (field.title, field.name) for word in re.split(r"[\W_]+", title))
    words = {*titles, *(part.name for part in form.code), *field.known_as}
    return re.compile(b"|".join(sorted(re.escape(word.lower().encode()) for word in words)), re.IGNORECASE)


class Codes:
    """Finds codes of several parts of digits that no public version has.

    `242-010` is a code by itself; `242010`, `242,010` and the like are numbers of any text, and count where
    something before them speaks of the group, or their market is near.
    """

    def __init__(
        self, needles: Iterable[Needle], field: Field, form: GroupForm, public: frozenset[Code]
    ) -> None:
        self._needles = {one.code: one for one in needles}
        for code, needle in tuple(self._needles.items()):
            bare = (code[0], *map(_unpadded, code[1:], form.code[1:]))
            if bare not in public:
                self._needles.setdefault(bare, needle)  # a zero that was taken for padding
        self._pattern = _pattern(form.code)
        self._keys = tuple(part.name.encode() for part in form.code[1:])
        self._telling = _telling(field, form)

    def hooks(self) -> Iterable[bytes]:
        """Return each code as one number, and each first part with what may stand between it and the next."""
        for code in self._needles:
            yield from ((code[0] + between).encode() for between in _BETWEEN if between)
            yield "".join(code).encode()

    def look(self, scene: Scene, start: int, end: int) -> Iterator[Leak]:  # noqa: ARG002 - as Watch has it
        """Yield the code that starts at a hook."""
        data = scene.view.data
        if data[start - 1 : start].isdigit() and start:
            return
        match = self._pattern.match(data, start)
        needle = self._needles.get(tuple(one.decode() for one in match.groups()[::2])) if match else None
        if match is None or needle is None or _is_number(data, start, match):
            return
        if self._is_code(scene, match, needle):
            yield leak_at(needle, scene, start, match.end())

    def _is_code(self, scene: Scene, match: re.Match[bytes], needle: Needle) -> bool:
        gaps = zip(match.groups()[1::2], self._keys, strict=True)
        if all(gap in (b"-", b"/") or key in gap.lower() for gap, key in gaps):
            return not scene.view.is_binary
        return _is_told(scene, match.start(), match.end(), needle, self._telling)


class SingleCodes:
    """Finds codes of one part, or of parts that are more than digits, that no public version has.

    They count as whole words, where something before them speaks of the group, or their market is near.
    """

    def __init__(self, needles: Iterable[Needle], field: Field, form: GroupForm) -> None:
        self._needles = {one.text.lower(): one for one in needles}
        self._telling = _telling(field, form)

    def hooks(self) -> Iterable[bytes]:
        """Return each code in small letters and in capitals."""
        return (form for text in self._needles for form in in_each_case(text))

    def look(self, scene: Scene, start: int, end: int) -> Iterator[Leak]:
        """Yield the code, unless it is a part of another word or number."""
        data = scene.view.data
        needle = self._needles.get(data[start:end].decode(errors="replace").lower())
        if needle is None or data[start - 1 : start].isalnum() & bool(start) or data[end : end + 1].isalnum():
            return
        if _is_told(scene, start, end, needle, self._telling):
            yield leak_at(needle, scene, start, end)


def _is_told(scene: Scene, start: int, end: int, needle: Needle, telling: re.Pattern[bytes]) -> bool:
    """Say whether a text speaks of the group before a place, or of the needle's market near it."""
    before = scene.view.data[max(0, start - _AROUND) : start]
    if not scene.view.is_binary and telling.search(before):
        return True
    return scene.belonging(start, end, frozenset({needle.market})) is not None


def _pattern(parts: tuple[Part, ...]) -> re.Pattern[bytes]:
    """Return what finds the parts of a code, with what stands between them."""
    pieces: list[bytes] = []
    for part in parts:
        digits = (
            part.form
            if isinstance(part.form, DigitsForm)
            else DigitsForm(least=1, most=9, leading_zeros=True)
        )
        if pieces:
            pieces.append(b"(" + _GAP % re.escape(part.name.encode()) + b")")
        pieces.append(rb"(\d{%d,%d})" % (digits.least, digits.most))
    return re.compile(b"".join(pieces) + rb"(?!\d)(?!-\d)", re.IGNORECASE)


def _unpadded(text: str, part: Part) -> str:
    least = part.form.least if isinstance(part.form, DigitsForm) else 1
    return text.lstrip("0").rjust(least, "0")


def _is_number(data: bytes, start: int, match: re.Match[bytes]) -> bool:
    """Say whether a code is a part of a longer number, date or word."""
    before, after = data[max(0, start - 2) : start], data[match.end() : match.end() + 2]
    if before[-1:].isalpha() and before != b"\\n":
        return True
    return bool(re.fullmatch(rb"\d[-.]", before) or re.match(rb"[A-Za-z]|\.\d", after))
