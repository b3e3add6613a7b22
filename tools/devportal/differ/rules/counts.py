"""Rules of counts: how long a text, how many items an array, how many properties an object has."""

from collections.abc import Iterator
from math import inf

from devportal.contract import ABSENT
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.rule import FoundChange
from devportal.differ.rules.rows import Find
from devportal.differ.schemas.effective_keywords import least_count, most_count
from devportal.differ.schemas.number_texts import lengths_as_text
from devportal.differ.schemas.pair import SchemaPair


def minimum_count_raised(keyword: str) -> Find:
    """Return a function that finds a raised minimum."""

    def find(pair: SchemaPair) -> Iterator[FoundChange]:
        old, new = pair.old.min_count(keyword), pair.new.min_count(keyword)
        if new > old and new > max(least_count(pair.old, keyword), _text_lengths(pair, pair.old, keyword)[0]):
            yield _count_change(pair, keyword, old or None, new, is_first=not old)

    return find


def minimum_count_lowered(keyword: str) -> Find:
    """Return a function that finds a lowered minimum."""

    def find(pair: SchemaPair) -> Iterator[FoundChange]:
        old, new = pair.old.min_count(keyword), pair.new.min_count(keyword)
        if new < old and old > max(least_count(pair.new, keyword), _text_lengths(pair, pair.new, keyword)[0]):
            yield _count_change(pair, keyword, old, new or None)

    return find


def maximum_count_lowered(keyword: str) -> Find:
    """Return a function that finds a lowered maximum."""

    def find(pair: SchemaPair) -> Iterator[FoundChange]:
        old, new = pair.old.counts.get(keyword), pair.new.counts.get(keyword)
        if new is None or (old is not None and new >= old):
            return
        is_effective = new < _text_lengths(pair, pair.old, keyword)[1]
        if is_effective and new < most_count(pair.new, pair.new_forms, keyword):
            yield _count_change(pair, keyword, old, new, is_first=old is None)

    return find


def maximum_count_raised(keyword: str) -> Find:
    """Return a function that finds a raised maximum."""

    def find(pair: SchemaPair) -> Iterator[FoundChange]:
        old, new = pair.old.counts.get(keyword), pair.new.counts.get(keyword)
        if old is None or (new is not None and new <= old):
            return
        is_effective = old < _text_lengths(pair, pair.new, keyword)[1]
        if is_effective and old < most_count(pair.old, pair.old_forms, keyword):
            yield _count_change(pair, keyword, old, new)

    return find


def _text_lengths(pair: SchemaPair, form: NormalSchema, keyword: str) -> tuple[float, float]:
    """Return how long the texts of a form are at least and at most that has no strings: numbers as they are written."""
    is_of_texts = keyword in ("minLength", "maxLength") and pair.position.is_text
    return lengths_as_text(form) if is_of_texts else (0, inf)


def _count_change(
    pair: SchemaPair, keyword: str, old: int | None, new: int | None, *, is_first: bool = False
) -> FoundChange:
    return FoundChange(
        keyword=keyword,
        old=ABSENT if old is None else old,
        new=ABSENT if new is None else new,
        verdict=pair.policy.first_bound if is_first and pair.is_sent else None,
    )
