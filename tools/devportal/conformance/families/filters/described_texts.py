"""Filters by a text that work as their descriptions say: "that starts with this text", "contains this text", "case does
not matter".
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.filters.filtering import (
    FilterExpectation,
    check_values,
    filter_parameters,
    named_member,
)
from devportal.conformance.families.filters.text_filters import is_searchable, is_text_filter
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.descriptions.described_filters import (
    TextComparison,
    TextKind,
    text_comparison,
)
from devportal.conformance.knowledge.paging import (
    ListTarget,
    list_target,
    read_filled_list,
    read_filtered_list,
)
from devportal.conformance.knowledge.resources.varied_resources import create_varied
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Parameter

SHORTEST = 4
"""How many characters a text needs to have a part that others hardly have."""
_WORDS = re.compile(r"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class _TextFilter:
    """A filter by a text, and how it compares texts by its description."""

    parameter: Parameter
    comparison: TextComparison

    def matches(self, value: str, item: Any, comparison: TextComparison) -> bool | None:
        """Return whether an item has what a value looks for, None if it shows no text."""
        shown = item.get(named_member(item, self.parameter.name)) if isinstance(item, dict) else None
        return comparison.matches(shown, value) if isinstance(shown, str) else None

    def expectation(self, value: str) -> FilterExpectation:
        """Return the items that a value should find. A filter that does not say how it compares may find parts, and one
        that does not mention case may ignore it.
        """
        is_whole = self.comparison.kind is TextKind.WHOLE
        widest = replace(
            self.comparison, kind=TextKind.PART if is_whole else self.comparison.kind, ignores_case=True
        )
        return FilterExpectation(
            parameter=self.parameter,
            value=value,
            is_inside=lambda item: self.matches(value, item, self.comparison) is True,
            is_outside=lambda item: self.matches(value, item, widest) is False,
        )

    def values(self, text: str) -> Iterator[str]:
        """Yield values that show how a filter compares texts, made of that of an item."""
        half, is_start = text[: len(text) // 2].strip(), self.comparison.kind is TextKind.START
        if is_start:
            yield from (half, text[1:].strip())
        elif self.comparison.kind is TextKind.PART:
            yield text[1:-1].strip()
        if self.comparison.ignores_case and text.swapcase() != text:
            yield (half if is_start else text).swapcase()


def described_text_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each list with filters by a text whose descriptions say how they compare."""
    for listing in subject.listings:
        filters = tuple(
            _TextFilter(parameter=parameter, comparison=comparison)
            for parameter in filter_parameters(subject.api, listing.operation)
            if is_text_filter(subject, listing, parameter)
            and (comparison := text_comparison(parameter.description, parameter.name)) is not None
        )
        if filters:
            run = partial(_check_filters, list_target(subject, listing), filters)
            yield Probe(operation=operation_label(listing.operation), run=run)


def _check_filters(
    target: ListTarget, filters: tuple[_TextFilter, ...], send: Send
) -> Iterator[CheckFailure]:
    unfiltered = read_filled_list(target, send)
    if not all(any(_texts(each, unfiltered.items)) for each in filters):
        create_varied(target, send)
        unfiltered = read_filtered_list(target, send, {})
    is_compared = False
    for each in filters:
        text = next(_texts(each, unfiltered.items), "")
        expectations = map(each.expectation, each.values(text) if text else ())
        is_compared |= yield from check_values(target, unfiltered, expectations, send)
    if not is_compared:
        names = ", ".join(f"`{each.parameter.name}`" for each in filters)
        raise Unsendable(f"list items with {names}, which the run cannot create")


def _texts(text_filter: _TextFilter, items: Iterable[Any]) -> Iterator[str]:
    """Yield the beginnings of texts of items, of words of letters and digits, those with both cases first. A filter
    that does not say how it compares needs a whole text without spaces, such as an e-mail address.
    """
    name = text_filter.parameter.name
    values = (item.get(named_member(item, name)) for item in items if isinstance(item, dict))
    shown = dict.fromkeys(value for value in values if isinstance(value, str))
    if text_filter.comparison.kind is TextKind.WHOLE:
        texts = [text for text in shown if len(text) >= SHORTEST and text.isascii() and is_searchable(text)]
    else:
        words = map(_WORDS.match, shown)
        texts = [found.group() for found in words if found is not None and len(found.group()) >= SHORTEST]
    yield from sorted(texts, key=lambda text: text.swapcase() == text)
