"""One pass over the bytes of each file for all needles, and what leaks as findings."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from ahocorasick_rs import BytesAhoCorasick, Implementation

from devportal.catalog import Catalog, Published, Records
from devportal.catalog.book.book import Book, DigitsForm, Field, GroupForm, Part
from devportal.errors import Place
from devportal.findings import Finding, Level
from devportal.site.leaks.file_bytes import View, smoothings, view_of
from devportal.site.leaks.markets import Markets
from devportal.site.leaks.needles import Facts, Needle, Secret, facts_of, needles_of
from devportal.site.leaks.phrases import Phrases
from devportal.site.leaks.prices import Prices
from devportal.site.leaks.surrounding_context import NEAR, Scene
from devportal.site.leaks.unpacking import Budget, Unread, views_of
from devportal.site.leaks.watches import Leak, Watch, in_each_case, leak_at
from devportal.site.leaks.words import breaking_hooks, breaks_in, said_in

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
            bare = (code[0], *map(_strip_padding, code[1:], form.code[1:]))
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


def _strip_padding(text: str, part: Part) -> str:
    least = part.form.least if isinstance(part.form, DigitsForm) else 1
    return text.lstrip("0").rjust(least, "0")


def _is_number(data: bytes, start: int, match: re.Match[bytes]) -> bool:
    """Say whether a code is a part of a longer number, date or word."""
    before, after = data[max(0, start - 2) : start], data[match.end() : match.end() + 2]
    if before[-1:].isalpha() and before != b"\\n":
        return True
    return bool(re.fullmatch(rb"\d[-.]", before) or re.match(rb"[A-Za-z]|\.\d", after))


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


_DEEPEST = 3
"""How often text may be escaped: `&amp;#52;` is twice."""


class Search:
    """Searches files for needles."""

    def __init__(
        self, needles: Iterable[Needle], records: Records, public: Published, *, facts: Facts | None = None
    ) -> None:
        """Take the needles, and what public records say; `facts` as for `needles_of`."""
        facts = facts or facts_of(public)
        needles = tuple(needles)
        self._markets = Markets(records)
        watches: tuple[Watch, ...] = (
            Identifiers(needles, facts),
            Prices(needles, facts, records.book.units),
            *codes_of(needles, records.book, facts.codes),
            Phrases(needles, facts),
        )
        owners: defaultdict[bytes, list[Watch]] = defaultdict(list)
        for watch in watches:
            for hook in dict.fromkeys(watch.hooks()):
                owners[hook].append(watch)
        self._is_idle = not owners
        for hook in breaking_hooks():
            owners[hook] += ()
        self._owners = tuple(tuple(found) for found in owners.values())
        self._automaton = BytesAhoCorasick(owners, implementation=Implementation.DFA)

    def folder(self, site: Path) -> Iterator[Leak | Unread]:
        """Yield what leaks in the files below a folder, in the order of their names."""
        budget = Budget()
        if self._is_idle:
            return
        for path in sorted(site.rglob("*")):
            if path.is_file():
                yield from self.file(path.relative_to(site).as_posix(), path.read_bytes(), budget)

    def file(self, name: str, data: bytes, budget: Budget | None = None) -> Iterator[Leak | Unread]:
        """Yield what leaks in a file and in its name, each value once."""
        seen: set[tuple[object, ...]] = set()
        found = [*self._name(name), *self._content(name, data, budget or Budget())]
        for one in found:
            key = (one.file, one.ref, one.secret) if isinstance(one, Leak) else (one,)
            if key not in seen:
                seen.add(key)
                yield one

    def _name(self, name: str) -> Iterator[Leak]:
        return self._view(view_of(name, name.encode(errors="replace")))

    def _content(self, name: str, data: bytes, budget: Budget) -> Iterator[Leak | Unread]:
        for one in views_of(name, data, budget):
            if isinstance(one, Unread):
                yield one
            else:
                yield from sorted(self._view(one), key=lambda leak: leak.offset)

    def _view(self, view: View) -> Iterator[Leak]:
        scene = Scene(view, self._markets)
        breaks: list[tuple[int, int]] = []
        for number, start, end in self._automaton.find_matches_as_indexes(view.data, overlapping=True):
            owners = self._owners[number]
            for watch in owners:
                yield from watch.look(scene, start, end)
            if not owners:
                breaks.append((start, end))
        if breaks and view.level < _DEEPEST and not view.is_binary:
            for start, end in breaks_in(view.data, breaks):
                low, _ = scene.record(max(0, start - NEAR), start)
                for smooth in smoothings(view, low, min(end + NEAR, len(view.data))):
                    yield from self._view(smooth)


_SHOWN = 160
"""How many characters of a value and of what is around it are shown."""
_HELP = {
    Secret.NOTE: "take it out: notes are never published",
    Secret.REASON: "take it out: the audit log is never published",
}
_NOT_PUBLIC = (
    "take it out of the page that says it: this file, or the one it is made from, where it is generated; "
    "pages of records show public versions only, so in these it is a chance hit: see docs/toolkit/leaks.md"
)


def find_leaks(
    site: Path, catalog: Catalog, public: Published, *, sources: Iterable[Path] = ()
) -> tuple[Finding, ...]:
    """Return a finding for each value in a site that only versions have that are not public.

    `sources` are hand-written pages and contract: restrictions and reasons that stand there are public.
    """
    said = said_in("\n".join(_text(path) for path in sources))
    facts = facts_of(public)
    needles = needles_of(catalog.records, catalog.audit, public, said=said, facts=facts)
    return tuple(_findings(Search(needles, catalog.records, public, facts=facts).folder(site)))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _findings(found: Iterable[Leak | Unread]) -> Iterator[Finding]:
    for one in found:
        if isinstance(one, Unread):
            yield _unread(one)
        else:
            whose = "" if one.secret in _HELP else ", which is not public,"
            yield _finding(
                "leak",
                one.file,
                f"the {one.what} {_truncate(one.text)!r} of {one.ref}{whose} stands at byte {one.offset}: "
                f"{_truncate(one.excerpt)!r}",
                _HELP.get(one.secret, _NOT_PUBLIC),
            )


def _unread(one: Unread) -> Finding:
    if one.is_partial:
        message = f"this file cannot be searched as a whole for what is not public: {one.why}"
        found = _finding("leak-unread", one.name, message, "read it before it is published")
        return replace(found, level=Level.WARNING)
    message = f"this file is not searched for what is not public: {one.why}"
    return _finding("leak-unread", one.name, message, "leave it out, or pack it as gzip, bzip2, xz or zip")


def _finding(rule: str, file: str, message: str, help: str) -> Finding:  # noqa: A002 - Finding's word
    return Finding(rule=rule, level=Level.ERROR, place=Place(file=file), message=message, help=help)


def _truncate(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
