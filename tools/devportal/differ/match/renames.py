"""Renames: which removed and added parts are the same part under another name, and the evidence for it.

Two parts with the same schema are not enough: most strings look alike. A rename is declared by `x-renamed-from`
or the policy. Otherwise it is only possible, and needs a similar name, or the same description or example.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, TypeVar

from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.phrase import phrase
from devportal.differ.rule import quote_value

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedPart(Generic[Part]):
    """A part that only one contract has, with everything that may be evidence of a rename."""

    part: Part
    name: str
    description: str = ""
    examples: tuple[Any, ...] = ()
    members: tuple[str, ...] = ()
    """The names of the properties of a shared schema: objects with the same ones are likely the same."""
    renamed_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rename:
    """The names of one part in both contracts. `is_declared` holds if the contract or the policy states the rename."""

    old: str
    new: str
    is_declared: bool = False

    def reason(self, *, is_removed: bool) -> str:
        """Return the end of the sentence about the removed part, or about the added one."""
        name = quote_value(self.new if is_removed else self.old)
        match is_removed, self.is_declared:
            case True, True:
                return phrase("renamed to %(name)s", name=name)
            case True, False:
                return phrase("possibly renamed to %(name)s", name=name)
            case False, True:
                return phrase("renamed from %(name)s", name=name)
        return phrase("possibly renamed from %(name)s", name=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Renames:
    """The renames of one place, by the old and by the new name."""

    by_old: Mapping[str, Rename] = field(default_factory=dict)
    by_new: Mapping[str, Rename] = field(default_factory=dict)

    @classmethod
    def of(cls, renames: Sequence[Rename]) -> "Renames":
        """Return renames by their names."""
        return cls(
            by_old={rename.old: rename for rename in renames},
            by_new={rename.new: rename for rename in renames},
        )

    def of_names(self, old: str, new: str) -> Rename | None:
        """Return the rename that a removed or an added part belongs to; the other name is empty."""
        if old and new:
            return None
        return self.by_old.get(old) if old else self.by_new.get(new)


MAX_PAIRS = 2_000
"""How many pairs of names of one place are compared: beyond, only declared renames count."""


def find_renames(
    removed: Sequence[NamedPart[Part]],
    added: Sequence[NamedPart[Part]],
    declared: Mapping[str, str],
    is_alike: Callable[[Part, Part], bool],
) -> Renames:
    """Return the renames between removed and added parts, each part in one at most.

    `declared` are the new names by the old ones, from the policy. `is_alike` says whether two parts have the
    same values: only such parts are possible renames.
    """
    if not removed or not added:
        return Renames()
    left, right = {named_part.name: named_part for named_part in removed}, {item.name: item for item in added}
    renames: list[Rename] = []
    for old, new in _declared_names(removed, added, declared):
        if old in left and new in right:
            del left[old], right[new]
            renames.append(Rename(old=old, new=new, is_declared=True))
    if len(left) * len(right) <= MAX_PAIRS:
        for first, other in _likely_pairs(tuple(left.values()), tuple(right.values())):
            if first.name in left and other.name in right and is_alike(first.part, other.part):
                del left[first.name], right[other.name]
                renames.append(Rename(old=first.name, new=other.name))
    return Renames.of(renames)


def _declared_names(
    removed: Sequence[NamedPart[Part]], added: Sequence[NamedPart[Part]], declared: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    yield from ((old, new.name) for new in added for old in new.renamed_from)
    yield from (
        (named_part.name, declared[named_part.name]) for named_part in removed if named_part.name in declared
    )


def _likely_pairs(
    removed: Sequence[NamedPart[Part]], added: Sequence[NamedPart[Part]]
) -> Iterator[tuple[NamedPart[Part], NamedPart[Part]]]:
    """Yield the pairs with evidence, the strongest first."""
    pairs = [(named_part, other) for named_part in removed for other in added]
    yield from (pair for pair in pairs if _joined_words(pair[0].name) == _joined_words(pair[1].name))
    for evidence in (_description_key, _example_keys, _members_key):
        keys = [[key for named_part in side for key in evidence(named_part)] for side in (removed, added)]
        counts = [*map(Counter, keys)]
        unique = {key for key, count in counts[0].items() if count == counts[1][key] == 1}
        if unique:
            yield from (pair for pair in pairs if unique & {*evidence(pair[0])} & {*evidence(pair[1])})
    yield from (pair for pair in pairs if are_similar_names(pair[0].name, pair[1].name))


_MIN_DESCRIPTION_WORDS = 3


def _description_key(named_part: NamedPart[Any]) -> tuple[str, ...]:
    """Return the description if it says more than most: "The id." stands in too many places."""
    words = named_part.description.casefold().split()
    return (" ".join(words),) if len(words) >= _MIN_DESCRIPTION_WORDS else ()


def _members_key(named_part: NamedPart[Any]) -> tuple[str, ...]:
    return (canonical_json(sorted(named_part.members)),) if named_part.members else ()


_MIN_EXAMPLE_LENGTH = 5


def _example_keys(named_part: NamedPart[Any]) -> tuple[str, ...]:
    """Return the examples as text, without short ones such as 1, true or "a", which many parts share."""
    texts = map(canonical_json, named_part.examples)
    return tuple(dict.fromkeys(text for text in texts if len(text.strip('"[]{}')) >= _MIN_EXAMPLE_LENGTH))


_WORD = re.compile(r"[^\W\d_]+|\d+")
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SMALL_WORDS = frozenset({"a", "an", "at", "by", "has", "in", "is", "of", "on", "the", "x"})
_MIN_SHARED_WORDS = 2 / 3


@cache
def _words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name in lower case: `recipientName` and `recipient_name` have the same."""
    return tuple(item.casefold() for item in _WORD.findall(_WORD_START.sub(" ", name)))


def _joined_words(name: str) -> str:
    return "".join(_words_of(name))


def are_similar_names(first: str, other: str) -> bool:
    """Say whether two names may be the same name in other words.

    They are if they differ in notation (`userId`, `user_id`), in the order of words, in small words
    (`created`, `created_at`), in a third of the words that only one has (`new_order_number`, `order_number`), or
    if each word is a misspelling, a plural or an abbreviation of its counterpart (`msg_id`, `message_id`).
    Numbers must be the same (`line1`, `line2`).
    """
    words, other_words = _words_of(first), _words_of(other)
    if "".join(words) == "".join(other_words):
        return True
    if [word for word in words if word.isdigit()] != [word for word in other_words if word.isdigit()]:
        return False
    if all(map(_are_similar_words, words, other_words)) and len(words) == len(other_words):
        return True
    few, many = sorted((frozenset(words), frozenset(other_words)), key=len)
    shared = few - _SMALL_WORDS
    return bool(shared) and few <= many and len(shared) >= _MIN_SHARED_WORDS * len(many - _SMALL_WORDS)


_MIN_ABBREVIATION = 3
_LETTERS_PER_MISTAKE = 5
_VOWELS = frozenset("aeiou")


def _are_similar_words(first: str, other: str) -> bool:
    """Say whether two words are one, misspelled or abbreviated; both begin with the same letter."""
    if first == other:
        return True
    if first[0] != other[0] or first.isdigit() or other.isdigit():
        return False
    short, long = sorted((first, other), key=len)
    return _is_abbreviation(short, long) or _distance(short, long) <= len(long) // _LETTERS_PER_MISTAKE


def _is_abbreviation(short: str, long: str) -> bool:
    """Say whether a word is the beginning of another (`addr`), or some consonants of it (`msg`, `qty`)."""
    if not _MIN_ABBREVIATION <= len(short) < len(long):
        return False
    if long.startswith(short):
        return True
    letters = iter(long)
    return not _VOWELS & set(short[1:]) and all(letter in letters for letter in short)


def _distance(first: str, other: str) -> int:
    """Return how many letters to insert, remove, replace or swap with the next turn a word into another."""
    before_last: list[int] = []
    last = list(range(len(other) + 1))
    for row, (letter, previous) in enumerate(zip(first, f" {first}", strict=False), start=1):
        current = [row]
        for column, other_letter in enumerate(other, start=1):
            cost = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (letter != other_letter))
            is_swapped = column > 1 and letter == other[column - 2] and previous == other_letter
            current.append(min(cost, before_last[column - 2] + 1) if is_swapped and before_last else cost)
        before_last, last = last, current
    return last[-1]
