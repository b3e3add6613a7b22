"""The search of a site from a command line. It ranks as the site's own search does (`matching.js`).

What is called exactly what was asked for comes first: an operation by its id or its path, a page by its title, a
field by its name. Then come the entries with most of the words, names before texts.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from unicodedata import category, normalize

from devportal.docs.search_index import FieldPlace, IndexEntry, UnpackedIndex

_KIND_POINTS = {
    "operation": 60, "event": 40, "error": 10, "schema": 20, "access": 14, "group": 6, "page": 0, "term": -400,
}  # fmt: skip
_EXACT, _ALMOST = 300.0, 0.8
_SECONDARY = -100.0
_MAX_FIELDS, _MAX_PLACES = 40, 400
_METHOD = re.compile(r"^\s*(get|put|post|delete|options|head|patch|trace|query)\s+(?=\S)", re.IGNORECASE)
_HUMP = re.compile(r"([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"\w+")
_VERBS = {
    "GET": "get list read retrieve fetch search filter", "POST": "create add update", "PUT": "replace update",
    "PATCH": "change update", "DELETE": "remove cancel", "event": "webhook callback event",
}  # fmt: skip
"""What people say for methods, and for events."""
_SMALL_TEXT = """a about all an and any are as at be by can could did do does find for from give has have how i if in
is it its just long many me mean much my need of often on or our please should show tell the there this to want we
what when where which why will with would you your"""
_SMALL = frozenset(_SMALL_TEXT.split())
"""Words that say little."""
_LETTERS_PER_SLIP, _MAX_SLIPS = 4, 2
"""How long a word is for each letter in it that may be wrong, and how many may be."""
_LONG_WORD = 5
"""How long a word is that is taken for another one although something has the other words of the question: of shorter
ones many are like each other, such as `kick` and `nick`."""
_WITHOUT_BLANKS = "\u0e00"
"""Words of scripts without blanks between them sort behind this. They are found anywhere in a word."""
_SCRIPT_RUN = re.compile(r"[\u3041-\u309f]+|[\u30a1-\u30ff]+|[\u3400-\u9fff]+")
"""The words of a question in Japanese, or nearly so: a change of script is mostly one of words."""
_HIRAGANA = re.compile(r"[\u3041-\u309f]+")
"""Particles and endings, which say little."""
_MAX_PHRASE = 4
"""The most words of a phrase that has synonyms."""
MAX_EXCERPT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """A result. `address` is below the root of the site, perhaps with an anchor; `excerpt` is plain text."""

    kind: str
    title: str
    code: str
    address: str
    excerpt: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Name:
    """A name: its words, and all of them in one."""

    text: str
    words: tuple[str, ...]

    @property
    def whole(self) -> str:
        return "".join(self.words)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    text: str
    words: tuple[str, ...]
    """Those that say something."""
    whole: str
    also: Mapping[str, tuple[tuple[str, ...], ...]]
    """Other forms of a word, and its synonyms, which may be several words."""
    method: str
    segments: tuple[str, ...]
    """Those of a path."""


@dataclass(frozen=True, slots=True)
class _Ranked:
    hits: int
    score: float
    result: SearchResult = field(compare=False)


def search(index: UnpackedIndex, query: str, *, most: int = 10) -> tuple[SearchResult, ...]:
    """Return the best results for a query, the best first. If nothing has all words, they are those for the words
    that were probably meant, as in `find.js`.
    """
    question = _question(index, query)
    if not question.words and not question.segments:
        return ()
    best = _rank(index, question)
    if not best or best[0].hits < len(question.words):
        meant = " ".join(_meant_words(index, question.words, shortest=_LONG_WORD if best else 0))
        if meant != " ".join(question.words):
            best = _rank(index, _question(index, meant))
    return tuple(ranked.result for ranked in best[:most])


def _rank(index: UnpackedIndex, question: _Question) -> list[_Ranked]:
    """Return what has at least half of the words, the best first; what has most of them if nothing has half."""
    ranked = [*_ranked_entries(index, question)]
    if (
        not any(hit.score >= _EXACT and hit.result.kind == "operation" for hit in ranked)
        or not question.segments
    ):
        ranked += _ranked_fields(index, question)
    best = sorted(ranked, key=lambda item: (-item.hits, -item.score, item.result.address))
    least = min(len(question.words) / 2, best[0].hits) if best else 0
    return [ranked for ranked in best if ranked.hits and ranked.hits >= least]


# ---- words ----


@lru_cache(maxsize=65_536)
def _words(text: str) -> tuple[str, ...]:
    """Return the words of a text or name in lower case, singular, without accents."""
    spaced = _HUMP.sub(r"\g<0> ", text).replace("_", " ")
    plain = "".join(character for character in normalize("NFKD", spaced) if category(character)[0] != "M")
    return tuple(map(_singular, _WORD.findall(plain.lower())))


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if re.search(r"(?:ss|x|sh|ch)es$", word):
        return word[:-2]
    return word[:-1] if len(word) > 3 and re.search(r"[^su]s$", word) else word


def _stems(word: str) -> tuple[str, ...]:
    """Return what a word may be a form of: `retried` of `retry`, `pricing` of `price`."""
    if len(word) <= 5:
        return ()
    stem = re.sub(r"(?:ing|ed)$", "", re.sub(r"ied$", "y", word))
    return () if stem == word else (stem, f"{stem}e", re.sub(r"(.)\1$", r"\1", stem))


def _question(index: UnpackedIndex, query: str) -> _Question:
    all_words = _words(_SCRIPT_RUN.sub(r"\g<0> ", query))
    phrases: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for group in index.synonyms:
        forms = [_words(text) for text in group]
        for form in forms:
            phrases.setdefault(form, []).extend(other for other in forms if other != form)
    also: dict[str, list[tuple[str, ...]]] = {}
    in_phrases: set[str] = set()
    for start in range(len(all_words)):
        for size in range(1, _MAX_PHRASE + 1):
            phrase = all_words[start : start + size]
            others = phrases.get(phrase, []) if len(phrase) == size else []
            if others and size > 1:
                in_phrases.update(phrase)
            for word in phrase:
                also.setdefault(word, []).extend(others)
        word = all_words[start]
        for stem in _stems(word):
            also.setdefault(word, []).extend([(stem,), *phrases.get((stem,), [])])
    large = tuple(dict.fromkeys(word for word in all_words if not _is_small(word) or word in in_phrases))
    method = _METHOD.match(query)
    path = re.sub(r"[?#].*", "", re.sub(r"^\s*[a-z][\w+.-]*://[^/]*", "", _METHOD.sub("", query)))
    return _Question(
        text=query.strip(),
        words=large or tuple(dict.fromkeys(all_words)),
        whole="".join(all_words),
        also={word: tuple(dict.fromkeys(others)) for word, others in also.items()},
        method=method.group(1).upper() if method else "",
        segments=tuple(filter(None, path.strip().lower().split("/"))) if "/" in path else (),
    )


def _is_small(word: str) -> bool:
    return word in _SMALL or _HIRAGANA.fullmatch(word) is not None


def _meant_words(index: UnpackedIndex, words: Sequence[str], *, shortest: int) -> Iterator[str]:
    """Yield the words that were probably meant: for one of at least this many letters that no name has, the nearest
    word of names.
    """
    names = [name.words for entry in index.entries for name in _names(entry)]
    names += [_words(index.fields.name(number)) for number in range(len(index.fields.lines))]
    names += [_words(text) for group in index.synonyms for text in group]
    known = dict.fromkeys(word for name in names for word in name)
    for word in words:
        if len(word) < shortest or any(_fit(word, other) >= 0.5 for other in known):
            yield word
            continue
        near = {other: slips for other in known if (slips := _slips(word, other))}
        yield min(near, key=lambda other: near[other]) if near else word


def _slips(typed: str, word: str) -> int:
    """Return the fewest letters that are missing, wrong, too many or swapped; 0 if they are more than a word of
    this length may have.
    """
    most = min(_MAX_SLIPS, len(typed) // _LETTERS_PER_SLIP)
    if abs(len(typed) - len(word)) > most:
        return 0
    return next((slips for slips in range(1, most + 1) if _is_near(typed, word, slips)), 0)


def _is_near(word: str, other: str, slips: int) -> bool:
    """Say whether two words are the same but for this many slips."""
    same = next((at for at, pair in enumerate(zip(word, other, strict=False)) if pair[0] != pair[1]), -1)
    if same < 0:  # one begins with the other
        return abs(len(word) - len(other)) <= slips
    left, right = word[same:], other[same:]
    swapped = 2 if left[1:2] == right[0] and left[0] == right[1:2] else 1
    steps = ((1, 1), (1, 0), (0, 1), (swapped, swapped))
    return slips > 0 and any(_is_near(left[first:], right[second:], slips - 1) for first, second in steps)


def _fit(typed: str, word: str) -> float:
    """Return how well a typed word fits one that is there, from 0 to 1."""
    if word == typed:
        return 1.0
    if word.startswith(typed):
        start = 0.6 if len(typed) > 2 else 0.3 if typed > _WITHOUT_BLANKS else 0.1
        return start + 0.3 * len(typed) / len(word)
    if len(word) > 3 and len(typed) - len(word) < 4 and typed.startswith(word):
        return 0.5
    return 0.3 if (len(typed) > 3 or typed > _WITHOUT_BLANKS) and typed in word else 0.0


def _asked_fit(question: _Question, typed: str, words: Sequence[str]) -> float:
    """Return the best fit of a word of the question, or of another form of it."""
    if typed in words:
        return 1.0
    best = max((_fit(typed, word) for word in words), default=0.0)
    is_synonym = best < _ALMOST and any(
        all(text in words for text in other) for other in question.also.get(typed, ())
    )
    return _ALMOST if is_synonym else best


def _whole_points(name: _Name, question: _Question, points: float) -> float:
    """Return the points of a name that was asked for, best as it is written."""
    if name.whole and name.whole == question.whole:
        exact = 15 + 125 * (len(name.words) > 1) if name.text.casefold() == question.text.casefold() else 0
        return points + exact
    is_part = len(question.whole) > 2 and name.whole.startswith(question.whole)
    return 40.0 if is_part else 0.0


def _coverage(name: _Name, question: _Question) -> float:
    """Return the share of a name that was asked for."""
    own = set(name.words)
    asked = {word for word in own if any(_fit(typed, word) >= 0.5 for typed in question.words)}
    return len(asked) / (len(own) or 1)


# ---- entries ----


def _ranked_entries(index: UnpackedIndex, question: _Question) -> Iterator[_Ranked]:
    fits = [_entry_fits(entry, question) for entry in index.entries]
    sums = [sum(fit[at] for fit in fits) for at in range(len(question.words))]
    # What few entries have says more than what many have.
    weights = [math.log(2 + len(fits) / (1 + total)) ** 2 for total in sums]
    for entry, fit in zip(index.entries, fits, strict=True):
        yield _ranked_entry(entry, fit, weights, question, index.secondary)


def _names(entry: IndexEntry) -> list[_Name]:
    return [
        _Name(text, _words(text)) for text in dict.fromkeys((entry.title, entry.code, *entry.names)) if text
    ]


def _verbs(entry: IndexEntry) -> str:
    return _VERBS.get(entry.method or entry.kind, "")


def _entry_fits(entry: IndexEntry, question: _Question) -> tuple[float, ...]:
    names = _names(entry)
    text = frozenset(_words(f"{entry.text} {_verbs(entry)}"))
    return tuple(
        max(
            *(_asked_fit(question, word, name.words) for name in names),
            0.5 * _text_fit(question, word, text),
            0.0,
        )
        for word in question.words
    )


def _text_fit(question: _Question, typed: str, words: frozenset[str]) -> float:
    if typed in words:
        return 1.0
    if any(words.issuperset(other) for other in question.also.get(typed, ())):
        return _ALMOST
    if typed > _WITHOUT_BLANKS:
        return 0.6 if any(typed in word for word in words) else 0.0
    return 0.6 if len(typed) > 3 and any(word.startswith(typed) for word in words) else 0.0


def _ranked_entry(
    entry: IndexEntry,
    fits: Sequence[float],
    weights: Sequence[float],
    question: _Question,
    secondary: Sequence[str],
) -> _Ranked:
    names = _names(entry)
    path = _path_points(
        tuple(filter(None, entry.code.partition("/")[2].lower().split("/"))), question.segments
    )
    exact = max((_whole_points(name, question, _EXACT) for name in names), default=0.0) + path
    covered = max((_coverage(name, question) for name in names), default=0.0)
    method = (30.0 if entry.method == question.method else -30.0) if question.method and entry.method else 0.0
    is_secondary = any(entry.address.startswith(text) for text in secondary)
    extra = method + _KIND_POINTS.get(entry.kind, 0) - 5 * ("#" in entry.address)
    extra += _SECONDARY if is_secondary else 0.0
    return _Ranked(
        hits=len(question.words) if exact >= _EXACT / 2 else sum(fit > 0 for fit in fits),
        score=exact + _weighted_fit(fits, weights) + 40 * covered + extra,
        result=SearchResult(
            kind=entry.kind,
            title=entry.title,
            code=entry.code,
            names=entry.names,
            address=entry.address,
            excerpt=_excerpt(entry, question),
        ),
    )


def _weighted_fit(fits: Sequence[float], weights: Sequence[float]) -> float:
    total = sum(weights)
    return (
        100 * sum(fit * weight for fit, weight in zip(fits, weights, strict=True)) / total if total else 0.0
    )


def _path_points(there: Sequence[str], typed: Sequence[str]) -> float:
    """Return the points of a path: best if all of it was typed, perhaps behind the base path of a server."""
    if not typed or not there:
        return 0.0
    for rest in (typed[start:] for start in range(len(typed))):
        if len(rest) > len(there):
            continue
        for start in (0, len(there) - len(rest)):
            fits = [_segment_fit(first, other) for first, other in zip(there[start:], rest, strict=False)]
            if all(fits) and any("{" not in text for text in there[start : start + len(rest)]):
                points = 400 if len(rest) == len(there) else 250
                skipped = len(typed) - len(rest) + len(there) - len(rest)
                return points * sum(fits) / len(fits) - 20 * skipped
    return 0.0


def _segment_fit(there: str, typed: str) -> float:
    if there == typed:
        return 1.0
    if there.startswith("{"):
        return 0.95 if typed.startswith("{") else 0.8
    return 0.0


def _excerpt(entry: IndexEntry, question: _Question) -> str:
    """Return the line that has most of the words that the title does not have."""
    title = frozenset(_words(entry.title))
    lines = [line for line in entry.text.split("\n") if line]
    wanted = [word for word in question.words if word not in title]
    best = max(lines, key=lambda line: sum(text in _words(line) for text in wanted), default="")
    return best if len(best) <= MAX_EXCERPT else f"{best[: MAX_EXCERPT - 1]}…"


# ---- fields ----


def _ranked_fields(index: UnpackedIndex, question: _Question) -> Iterator[_Ranked]:
    """Yield the places of fields whose names were asked for, each page once."""
    fields = index.fields
    leaves = []
    for number in range(len(fields.lines)):
        name = _Name(fields.name(number), _words(fields.name(number)))
        exact = _whole_points(name, question, 200 if len(name.words) > 1 else 45)
        fits = [_asked_fit(question, word, name.words) for word in question.words]
        if exact > 40 or sum(fits) > 0:
            leaves.append((exact + sum(fits), number, name, exact, fits))
    left = _MAX_FIELDS
    for _, number, name, exact, fits in sorted(leaves, key=lambda leaf: (-leaf[0], leaf[1])):
        shown = set()
        for place, way in fields.places(number, _MAX_PLACES):
            if left <= 0:
                return
            if place.entry.address in shown:
                continue
            path = tuple(map(fields.name, way))
            said = (*path[:-1], place.words, place.entry.title, _verbs(place.entry))
            around = [word for text in said for word in _words(text)]
            all_fits = [
                fit or 0.6 * _asked_fit(question, word, around)
                for fit, word in zip(fits, question.words, strict=True)
            ]
            if not all(all_fits):
                continue
            shown.add(place.entry.address)
            left -= 1
            covered = _coverage(name, question)
            yield _ranked_field(index, place, way, exact=exact, fits=all_fits, covered=covered)


def _ranked_field(
    index: UnpackedIndex,
    place: FieldPlace,
    way: tuple[int, ...],
    *,
    exact: float,
    fits: Sequence[float],
    covered: float,
) -> _Ranked:
    entry = place.entry
    steps = (place.anchor, *map(index.fields.anchor_step, way))
    anchor = ".".join(filter(None, steps))
    part = 0 if entry.kind == "schema" else -6 if "esponse" in place.words else -2
    return _Ranked(
        hits=len(fits),
        score=exact + 100 * sum(fits) / len(fits) + 40 * covered + part - 4 * len(way),
        result=SearchResult(
            kind="response" if place.anchor.rpartition(".")[2] == "response" else "field",
            title=".".join(map(index.fields.name, way)),
            code="",
            address=f"{entry.address}#{anchor}" if "#" not in entry.address else entry.address,
            excerpt=" of ".join(filter(None, (place.words, entry.title))),
        ),
    )
