"""Filters by a text that work as their descriptions say: "that starts with this text", "contains this text", "case does
not matter".
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.filters.filtering import (
    FilterExpectation,
    check_filter,
    filter_parameters,
    read_filtered_list,
)
from devportal.conformance.families.filters.text_filters import is_searchable, is_text_filter
from devportal.conformance.family import CheckFailure, Probe, Send
from devportal.conformance.knowledge.paging import ListTarget, list_target, read_filled_list
from devportal.conformance.knowledge.request_variants import is_allowed_value
from devportal.conformance.knowledge.test_target import Subject, operation_label
from devportal.conformance.knowledge.varied_resources import create_varied
from devportal.contract import Parameter
from devportal.contract.conventions import filtered_member
from devportal.contract.wording import one_line_sentences

SHORTEST = 4
"""How many characters a text needs to have a part that others hardly have."""
_TEXT = r"(?:this|that|it|(?:the|a)\s+(?:given\s+)?(?:text|value|string|term|prefix))\b"
_STARTS = re.compile(rf"\b(?:starts?|starting|begins?|beginning)\s+with\s+{_TEXT}", re.IGNORECASE)
_CONTAINS = re.compile(
    rf"\bcontain(?:s|ing)?\s+{_TEXT}|\b(?:this|the)\s+(?:text|value|string)\s+(?:occurs|is\s+contained)\b",
    re.IGNORECASE,
)
_IGNORES_CASE = re.compile(
    r"\bcase[- ]insensitiv\w*|\bnot\s+case[- ]sensitive\b|\bignor\w+\s+(?:the\s+)?case\b|\bcase\s+is\s+ignored\b|"
    r"\bcase\s+does\s+not\s+matter\b|\bregardless\s+of\s+case\b",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*")
_EXCEPTIONS = re.compile(
    r"\b(?:unless|except|if|when|may|might|or|not\s+(?:start|begin|contain))\b", re.IGNORECASE
)


class _Kind(StrEnum):
    """How a filter compares its text with that of an item."""

    WHOLE = "is the text"
    START = "starts with the text"
    PART = "contains the text"


@dataclass(frozen=True, slots=True, kw_only=True)
class _TextFilter:
    """A filter by a text, and how it compares texts by its description."""

    parameter: Parameter
    kind: _Kind
    ignores_case: bool

    def matches(self, value: str, item: Any, *, folds: bool) -> bool | None:
        """Return whether an item has what a value looks for, None if it shows no text."""
        shown = item.get(filtered_member(self.parameter.name)) if isinstance(item, dict) else None
        if not isinstance(shown, str):
            return None
        text, sought = (shown.casefold(), value.casefold()) if folds else (shown, value)
        match self.kind:
            case _Kind.WHOLE:
                return text == sought
            case _Kind.START:
                return text.startswith(sought)
            case _Kind.PART:
                return sought in text

    def expectation(self, value: str) -> FilterExpectation:
        """Return the items that a value should find."""
        return FilterExpectation(
            parameter=self.parameter,
            value=value,
            is_inside=lambda item: self.matches(value, item, folds=self.ignores_case) is True,
            is_outside=lambda item: self._is_outside(value, item),
        )

    def _is_outside(self, value: str, item: Any) -> bool:
        """Return whether an item surely does not have what a value looks for. A filter that does not say how it
        compares may find parts.
        """
        known = replace(self, kind=_Kind.PART) if self.kind is _Kind.WHOLE else self
        return known.matches(value, item, folds=True) is False

    def values(self, text: str) -> Iterator[str]:
        """Yield values that show how a filter compares texts, made of that of an item."""
        half = len(text) // 2
        match self.kind:
            case _Kind.START:
                yield from (text[:half].strip(), text[1:].strip())
            case _Kind.PART:
                yield text[1:-1].strip()
        if self.ignores_case and text.swapcase() != text:
            yield (text[:half].strip() if self.kind is _Kind.START else text).swapcase()


def described_text_probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each list with filters by a text whose descriptions say how they compare."""
    for listing in subject.listings:
        found = (
            _described_filter(parameter)
            for parameter in filter_parameters(subject.api, listing.operation)
            if is_text_filter(subject, listing, parameter)
        )
        filters = tuple(each for each in found if each is not None)
        if filters:
            run = partial(_check_filters, list_target(subject, listing), filters)
            yield Probe(operation=operation_label(listing.operation), run=run)


def _described_filter(parameter: Parameter) -> _TextFilter | None:
    """Return how a filter compares texts, None if its description does not say."""
    sentences = one_line_sentences(parameter.description)
    plain = [sentence for sentence in sentences if not _EXCEPTIONS.search(sentence)]
    ignores_case = any(map(_IGNORES_CASE.search, plain))
    for kind, pattern in ((_Kind.START, _STARTS), (_Kind.PART, _CONTAINS)):
        if any(map(pattern.search, plain)):
            return _TextFilter(parameter=parameter, kind=kind, ignores_case=ignores_case)
    is_free = any(pattern.search(sentence) for pattern in (_STARTS, _CONTAINS) for sentence in sentences)
    if not ignores_case or is_free:
        return None
    return _TextFilter(parameter=parameter, kind=_Kind.WHOLE, ignores_case=True)


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
        for value in each.values(text) if text else ():
            if not is_allowed_value(target.subject, each.parameter, value):
                continue
            with suppress(Unsendable):  # rejected: it may require another parameter
                found = list(check_filter(target, unfiltered, each.expectation(value), send))
                is_compared = True
                yield from found
                if found:
                    break
    if not is_compared:
        names = ", ".join(f"`{each.parameter.name}`" for each in filters)
        raise Unsendable(f"list items with {names}, which the run cannot create")


def _texts(text_filter: _TextFilter, items: Iterable[Any]) -> Iterator[str]:
    """Yield the beginnings of texts of items, of words of letters and digits, those with both cases first. A filter
    that does not say how it compares needs a whole text of one word.
    """
    name = filtered_member(text_filter.parameter.name)
    shown = dict.fromkeys(item.get(name) for item in items if isinstance(item, dict))
    words = (_WORDS.match(text) for text in shown if isinstance(text, str))
    texts = [found.group() for found in words if found is not None and len(found.group()) >= SHORTEST]
    if text_filter.kind is _Kind.WHOLE:
        texts = [text for text in texts if text in shown and is_searchable(text)]
    yield from sorted(texts, key=lambda text: text.swapcase() == text)
