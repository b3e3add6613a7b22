"""Searches each file for all private values in one pass, and reports leaks as findings."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from ahocorasick_rs import BytesAhoCorasick, Implementation

from devportal.catalog import Catalog, Published, Records
from devportal.catalog.book.book import Book, DigitsForm, Field, GroupForm, Part
from devportal.errors import Place
from devportal.findings import Finding, Level
from devportal.parallel import run_tasks
from devportal.site.leaks.detectors import Detector, Leak, case_variants, leak_at
from devportal.site.leaks.file_bytes import View, decoded_views, view_of
from devportal.site.leaks.markets import Markets
from devportal.site.leaks.phrases import Phrases
from devportal.site.leaks.prices import Prices
from devportal.site.leaks.private_values import (
    PrivateValue,
    PublicValues,
    ValueKind,
    collect_public_values,
    find_private_values,
)
from devportal.site.leaks.searched_files import SearchedFiles
from devportal.site.leaks.surrounding_context import NEAR, FileContext
from devportal.site.leaks.unpacking import TOTAL_BYTES, Budget, UnreadableFile, views_of
from devportal.site.leaks.words import breaking_hooks, breaks_in, phrase_filter

Code = tuple[str, ...]
"""The parts of a code."""

_SEPARATORS = ("-", "/", " ", "_", ".", ",", ";", "|", "\t", '"', "'", "<", "&", "\\", ":", "+", "%", "")
"""What may separate the first part of a code from the next."""
_GAP = rb"(?:[^0-9A-Za-z<>{}]|<[^<>]{0,200}>|%s|data-|\\u00[0-9a-f]{2}|&\w{2,6};){0,40}?"
_FIELD_WORDS_DISTANCE = 120
"""How many bytes before a code are searched for words of its field."""


def code_detectors(
    values: Iterable[PrivateValue], book: Book, public: frozenset[tuple[str, Code]]
) -> Iterator["Codes | SingleCodes"]:
    """Yield detectors of the codes of each group that the book declares; `public` are the public codes."""
    code_values = [value for value in values if value.kind is ValueKind.CODES]
    for field in book.groups:
        field_values = [
            code_value
            for code_value in code_values
            if code_value.group is not None and code_value.group.name == field.name
        ]
        form = field.form
        if field_values and isinstance(form, GroupForm):
            public_codes = frozenset(code for name, code in public if name == field.name)
            is_digits = all(isinstance(part.form, DigitsForm) for part in form.code)
            is_chain = is_digits and len(form.code) > 1
            yield (
                Codes(field_values, field, form, public_codes)
                if is_chain
                else SingleCodes(field_values, field, form)
            )


def _field_words_pattern(field: Field, form: GroupForm) -> re.Pattern[bytes]:
    """Return the pattern of the words that texts use for a group."""
    titles = (word for title in (field.title, field.name) for word in re.split(r"[\W_]+", title))
    words = {*titles, *(part.name for part in form.code), *field.known_as}
    return re.compile(b"|".join(sorted(re.escape(word.lower().encode()) for word in words)), re.IGNORECASE)


class Codes:
    """Finds private codes that have several parts of digits.

    `242-010` is always a code. `242010`, `242,010` and the like may be any number: they count only if a word
    of the field precedes them or their market is near.
    """

    def __init__(
        self, values: Iterable[PrivateValue], field: Field, form: GroupForm, public: frozenset[Code]
    ) -> None:
        self._values = {value.code: value for value in values}
        for code, value in tuple(self._values.items()):
            unpadded = (code[0], *map(_strip_padding, code[1:], form.code[1:]))
            if unpadded not in public:
                self._values.setdefault(unpadded, value)  # a zero that was taken for padding
        self._pattern = _code_pattern(form.code)
        self._keys = tuple(part.name.encode() for part in form.code[1:])
        self._field_words = _field_words_pattern(field, form)

    def hooks(self) -> Iterable[bytes]:
        """Return each code as one number, and each first part with every separator."""
        for code in self._values:
            yield from ((code[0] + between).encode() for between in _SEPARATORS if between)
            yield "".join(code).encode()

    def check_hook(self, context: FileContext, start: int, end: int) -> Iterator[Leak]:  # noqa: ARG002 - as Detector has it
        """Yield a leak if a private code starts at a hook."""
        data = context.view.data
        if data[start - 1 : start].isdigit() and start:
            return
        match = self._pattern.match(data, start)
        value = self._values.get(tuple(group.decode() for group in match.groups()[::2])) if match else None
        if match is None or value is None or _is_part_of_number(data, start, match):
            return
        if self._is_code(context, match, value):
            yield leak_at(value, context, start, match.end())

    def _is_code(self, context: FileContext, match: re.Match[bytes], value: PrivateValue) -> bool:
        gaps = zip(match.groups()[1::2], self._keys, strict=True)
        if all(gap in (b"-", b"/") or key in gap.lower() for gap, key in gaps):
            return not context.view.is_binary
        return _is_field_or_market_near(context, match.start(), match.end(), value, self._field_words)


class SingleCodes:
    """Finds private codes that have one part, or parts that are more than digits.

    They count as whole words, if a word of the field precedes them or their market is near.
    """

    def __init__(self, values: Iterable[PrivateValue], field: Field, form: GroupForm) -> None:
        self._values = {value.text.lower(): value for value in values}
        self._field_words = _field_words_pattern(field, form)

    def hooks(self) -> Iterable[bytes]:
        """Return each code in lower and upper case."""
        return (form for text in self._values for form in case_variants(text))

    def check_hook(self, context: FileContext, start: int, end: int) -> Iterator[Leak]:
        """Yield a leak, unless the code is part of another word or number."""
        data = context.view.data
        value = self._values.get(data[start:end].decode(errors="replace").lower())
        if value is None or data[start - 1 : start].isalnum() & bool(start) or data[end : end + 1].isalnum():
            return
        if _is_field_or_market_near(context, start, end, value, self._field_words):
            yield leak_at(value, context, start, end)


def _is_field_or_market_near(
    context: FileContext, start: int, end: int, value: PrivateValue, field_words: re.Pattern[bytes]
) -> bool:
    """Say whether a word of the field precedes a position, or the market of the value is near it."""
    before = context.view.data[max(0, start - _FIELD_WORDS_DISTANCE) : start]
    if not context.view.is_binary and field_words.search(before):
        return True
    return context.match_market(start, end, frozenset({value.market})) is not None


def _code_pattern(parts: tuple[Part, ...]) -> re.Pattern[bytes]:
    """Return the pattern of a code: its parts, and what may separate them."""
    patterns: list[bytes] = []
    for part in parts:
        digits = (
            part.form
            if isinstance(part.form, DigitsForm)
            else DigitsForm(least=1, most=9, leading_zeros=True)
        )
        if patterns:
            patterns.append(b"(" + _GAP % re.escape(part.name.encode()) + b")")
        patterns.append(rb"(\d{%d,%d})" % (digits.least, digits.most))
    return re.compile(b"".join(patterns) + rb"(?!\d)(?!-\d)", re.IGNORECASE)


def _strip_padding(text: str, part: Part) -> str:
    least = part.form.least if isinstance(part.form, DigitsForm) else 1
    return text.lstrip("0").rjust(least, "0")


def _is_part_of_number(data: bytes, start: int, match: re.Match[bytes]) -> bool:
    """Say whether a code is part of a longer number, date or word."""
    before, after = data[max(0, start - 2) : start], data[match.end() : match.end() + 2]
    if before[-1:].isalpha() and before != b"\\n":
        return True
    return bool(re.fullmatch(rb"\d[-.]", before) or re.match(rb"[A-Za-z]|\.\d", after))


IDENTIFIER_KINDS = frozenset({ValueKind.IDENTIFIER, ValueKind.VERSION, ValueKind.CONTENT})
_PARTS_BEFORE = re.compile(rb"(?:[0-9A-Za-z]+-)*$")
_PARTS_AFTER = re.compile(rb"(?:-[0-9A-Za-z]+)*")
_ANCHORS = frozenset({"", "rate-", "rates-", "coverage-", "row-", "id-", "record-"})
"""What an anchor may have before an identifier."""
_MAX_ANCHOR_BYTES = 120
"""More bytes than an identifier of 80 characters has with everything around it in an anchor."""


class Identifiers:
    """Finds whole identifiers: `no-parcel` is not a leak in `no-parcel-2kg` if that one is public."""

    def __init__(self, values: Iterable[PrivateValue], public_values: PublicValues) -> None:
        self._values = {value.text: value for value in values if value.kind in IDENTIFIER_KINDS}
        self._public = public_values.ids
        self._harmless: dict[tuple[str, str, str], bool] = {}

    def hooks(self) -> Iterable[bytes]:
        """Return each identifier in lower and upper case."""
        return (form for text in self._values for form in case_variants(text))

    def check_hook(self, context: FileContext, start: int, end: int) -> Iterator[Leak]:
        """Yield a leak, unless the identifier is part of another word or of a public identifier."""
        data = context.view.data
        value = self._values[data[start:end].decode().lower()]
        if data[start - 1 : start].isalnum() and start:
            return
        if value.kind is ValueKind.CONTENT:
            yield leak_at(value, context, start, end)
        elif not data[end : end + 1].isalnum():
            before = data[start - 1 : start] == b"-" and _PARTS_BEFORE.search(
                data, max(0, start - _MAX_ANCHOR_BYTES), start
            )
            after = data[end : end + 1] == b"-" and _PARTS_AFTER.match(data, end, end + _MAX_ANCHOR_BYTES)
            left, right = (match.group().decode().lower() if match else "" for match in (before, after))
            if not self._is_harmless(value.text, left, right):
                yield leak_at(value, context, start, end)

    def _is_harmless(self, text: str, left: str, right: str) -> bool:
        """Say whether the text around an identifier makes it another word, or a public identifier."""
        key = (text, left, right)
        if key not in self._harmless:
            self._harmless[key] = not _is_identifier(*key) or self._is_public(*key)
        return self._harmless[key]

    def _is_public(self, text: str, left: str, right: str) -> bool:
        """Say whether the text around an identifier makes it a public identifier that contains it."""
        starts = [left[cut:] for cut in (0, *(i + 1 for i, c in enumerate(left) if c == "-"))]
        ends = [right[:cut] for cut in (*(i for i, c in enumerate(right) if c == "-"), len(right))]
        return any(
            head + text + tail in self._public
            for head in dict.fromkeys(starts)
            for tail in dict.fromkeys(ends)
            if head or tail
        )


def _is_identifier(text: str, left: str, right: str) -> bool:
    """Say whether text is used as an identifier: `in-box`, of two words, also occurs in `opt-in-box`."""
    if text.count("-") > 1:
        return True
    return left in _ANCHORS and (not right or right[1:].isdigit())


_MAX_ESCAPE_DEPTH = 3
"""How many levels of escapes are undone: `&amp;#52;` has two."""


FileOutcome = tuple[tuple[Leak | UnreadableFile, ...], int]
"""What was found in a file, and how many bytes of it had to be unpacked."""


class Search:
    """Searches files for private values."""

    def __init__(
        self,
        values: Iterable[PrivateValue],
        records: Records,
        public: Published,
        *,
        public_values: PublicValues | None = None,
    ) -> None:
        """Take the private values and what is public; `public_values` as for `find_private_values`."""
        public_values = public_values or collect_public_values(public)
        values = tuple(values)
        self._markets = Markets(records)
        detectors: tuple[Detector, ...] = (
            Identifiers(values, public_values),
            Prices(values, public_values, records.book.units),
            *code_detectors(values, records.book, public_values.codes),
            Phrases(values, public_values),
        )
        detectors_by_hook: defaultdict[bytes, list[Detector]] = defaultdict(list)
        for detector in detectors:
            for hook in dict.fromkeys(detector.hooks()):
                detectors_by_hook[hook].append(detector)
        self._is_empty = not detectors_by_hook
        for hook in breaking_hooks():
            detectors_by_hook[hook] += ()
        self._detectors = tuple(tuple(detectors_of_hook) for detectors_of_hook in detectors_by_hook.values())
        self._automaton = BytesAhoCorasick(detectors_by_hook, implementation=Implementation.DFA)

    def search_folder(
        self, site: Path, *, processes: int = 1, searched: SearchedFiles[FileOutcome] | None = None
    ) -> Iterator[Leak | UnreadableFile]:
        """Yield the leaks in the files below a folder, in the order of their names.

        They are the same for any number of processes, and for files that were `searched` before.
        """
        if self._is_empty:
            return

        def search_each(names: Sequence[str]) -> Iterable[FileOutcome]:
            return run_tasks([partial(self._search_alone, site, name) for name in names], processes)

        outcomes = (searched or SearchedFiles()).search(site, search_each)
        if sum(unpacked for _, unpacked in outcomes) <= TOTAL_BYTES:
            yield from (result for results, _ in outcomes for result in results)
            return
        budget = Budget()
        for path in sorted(site.rglob("*")):
            if path.is_file():
                yield from self.search_file(path.relative_to(site).as_posix(), path.read_bytes(), budget)

    def _search_alone(self, site: Path, name: str) -> FileOutcome:
        """Return the results of a file that may use the whole budget, and how many bytes of it were used."""
        budget = Budget()
        results = tuple(self.search_file(name, (site / name).read_bytes(), budget))
        return results, TOTAL_BYTES - budget.total

    def search_file(
        self, name: str, data: bytes, budget: Budget | None = None
    ) -> Iterator[Leak | UnreadableFile]:
        """Yield the leaks in a file and in its name, each value once."""
        seen: set[tuple[object, ...]] = set()
        results = [*self._search_name(name), *self._search_content(name, data, budget or Budget())]
        for result in results:
            key = (result.file, result.ref, result.kind) if isinstance(result, Leak) else (result,)
            if key not in seen:
                seen.add(key)
                yield result

    def _search_name(self, name: str) -> Iterator[Leak]:
        return self._search_view(view_of(name, name.encode(errors="replace")))

    def _search_content(self, name: str, data: bytes, budget: Budget) -> Iterator[Leak | UnreadableFile]:
        for view in views_of(name, data, budget):
            if isinstance(view, UnreadableFile):
                yield view
            else:
                yield from sorted(self._search_view(view), key=lambda leak: leak.offset)

    def _search_view(self, view: View) -> Iterator[Leak]:
        context = FileContext(view, self._markets)
        breaks: list[tuple[int, int]] = []
        for number, start, end in self._automaton.find_matches_as_indexes(view.data, overlapping=True):
            detectors = self._detectors[number]
            for detector in detectors:
                yield from detector.check_hook(context, start, end)
            if not detectors:
                breaks.append((start, end))
        if breaks and view.escape_depth < _MAX_ESCAPE_DEPTH and not view.is_binary:
            for start, end in _parts_around(context, breaks_in(view.data, breaks)):
                for decoded in decoded_views(view, start, end):
                    yield from self._search_view(decoded)


def _parts_around(context: FileContext, breaks: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the parts of a view around breaks, each with the record that it begins in, without overlaps.

    Nothing is searched twice, and what is found in a part has the same surroundings as in the file.
    """
    low = high = -1
    for start, end in breaks:
        record_start, _ = context.record_bounds(max(0, start - NEAR), start)
        if record_start <= high:
            low, high = min(low, record_start), end + NEAR
            continue
        if high >= 0:
            yield low, high
        low, high = record_start, end + NEAR
    if high >= 0:
        yield low, high


_MAX_SHOWN = 160
"""How many characters of a value and of its surroundings are shown."""
_HELP = {
    ValueKind.NOTE: "take it out: notes are never published",
    ValueKind.REASON: "take it out: the audit log is never published",
}
_NOT_PUBLIC = (
    "take it out of the page that says it: this file, or the one it is made from, where it is generated; "
    "pages of records show public versions only, so in these it is a chance hit: see docs/toolkit/leaks.md"
)


def find_leaks(
    site: Path,
    catalog: Catalog,
    public: Published,
    *,
    sources: Iterable[Path] = (),
    processes: int = 1,
    searched: SearchedFiles[FileOutcome] | None = None,
) -> tuple[Finding, ...]:
    """Return a finding for each private value in a site, searched by up to this many processes.

    `sources` are the hand-written pages and the contract: restrictions and reasons in them are public. Files that
    were `searched` before, and have not changed, are not searched again.
    """
    phrases_in_sources = phrase_filter("\n".join(_read_source(path) for path in sources))
    public_values = collect_public_values(public)
    values = find_private_values(
        catalog.records,
        catalog.audit,
        public,
        phrases_in_sources=phrases_in_sources,
        public_values=public_values,
    )
    searched = searched or SearchedFiles()
    search = searched.searcher(
        (values, public_values, catalog.records),
        lambda: Search(values, catalog.records, public, public_values=public_values),
    )
    return tuple(_findings(search.search_folder(site, processes=processes, searched=searched)))


def _read_source(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _findings(results: Iterable[Leak | UnreadableFile]) -> Iterator[Finding]:
    for result in results:
        if isinstance(result, UnreadableFile):
            yield _unread_finding(result)
        else:
            whose = "" if result.kind in _HELP else ", which is not public,"
            yield _finding(
                "leak",
                result.file,
                f"the {result.label} {_truncate(result.text)!r} of {result.ref}{whose} stands at byte {result.offset}: "
                f"{_truncate(result.excerpt)!r}",
                _HELP.get(result.kind, _NOT_PUBLIC),
            )


def _unread_finding(unread: UnreadableFile) -> Finding:
    if unread.is_partial:
        message = f"this file cannot be searched as a whole for what is not public: {unread.why}"
        finding = _finding("leak-unread", unread.name, message, "read it before it is published")
        return replace(finding, level=Level.WARNING)
    message = f"this file is not searched for what is not public: {unread.why}"
    return _finding("leak-unread", unread.name, message, "leave it out, or pack it as gzip, bzip2, xz or zip")


def _finding(rule: str, file: str, message: str, help: str) -> Finding:  # noqa: A002 - Finding's word
    return Finding(rule=rule, level=Level.ERROR, place=Place(file=file), message=message, help=help)


def _truncate(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN else text[: _MAX_SHOWN - 1] + "…"
