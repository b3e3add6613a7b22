"""Members of pages such as `has_more` and `last` say whether more items follow."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.family import CheckFailure
from devportal.conformance.knowledge.paging import ListTarget, Page, PageWalk, item_keys
from devportal.conformance.knowledge.resources.created_resources import response_json
from devportal.conformance.knowledge.subject import operation_label
from devportal.contract import Location, Schema
from devportal.contract.body_schemas import success_schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.resources import object_properties
from devportal.documents import member_at

_MORE = (
    "has_more", "has_next", "has_next_page", "has_more_items", "has_more_pages", "has_more_results", "has_more_data",
    "more_available", "is_more",
)  # fmt: skip
_LAST = ("last", "is_last", "is_last_page", "last_page")
_DEPTH = 3
"""How deep in a response such a member is: `page.last`, `meta.pagination.has_more`."""
_STATES_MORE = re.compile(r"\b(?:more|further|another|next|last)\b", re.IGNORECASE)
_HEDGES = re.compile(r"\b(?:may|might|could|possibly|perhaps|probably|likely|estimate\w*)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreMark:
    """A boolean of a page that says whether it `is_last`, or else whether more follow."""

    path: tuple[str, ...]
    is_last: bool
    description: str
    location: Location
    has_first: bool = False
    """Whether a boolean `first` stands beside it, as in Spring Data: then its name says what it is."""

    @property
    def is_promise(self) -> bool:
        """Return whether its description or its place says without doubt what it is."""
        return (self.has_first and self.is_last and not self.description) or (
            bool(_STATES_MORE.search(self.description)) and not _HEDGES.search(self.description)
        )

    def has_more(self, page: Page) -> bool | None:
        """Return what a page says, None if it says nothing."""
        value = member_at(response_json(page.exchange), self.path)
        return value is not self.is_last if isinstance(value, bool) else None


def more_marks(target: ListTarget) -> Iterator[MoreMark]:
    """Yield the members of the response to a list that say whether more items follow."""
    schema = success_schema(target.listing.operation)
    if schema is not None:
        yield from _marks_in(target, schema, ())


def _marks_in(target: ListTarget, schema: Schema, path: tuple[str, ...]) -> Iterator[MoreMark]:
    api = target.subject.api
    members = tuple(object_properties(api, schema)) if len(path) < _DEPTH else ()
    has_first = any(
        member.name == "first" and "boolean" in api.resolve(member.schema).types for member in members
    )
    for member in members:
        resolved, here = api.resolve(member.schema), (*path, member.name)
        is_last = matches_any_name(member.name, _LAST)
        if "boolean" in resolved.types and (is_last or matches_any_name(member.name, _MORE)):
            yield MoreMark(
                path=here,
                is_last=is_last,
                description=member.schema.description or resolved.description,
                location=member.schema.location,
                has_first=has_first and member.name == "last",
            )
        elif here == target.listing.items or "array" in resolved.types:
            continue
        elif not _is_another_list(target, member.schema, here):
            yield from _marks_in(target, member.schema, here)


def _is_another_list(target: ListTarget, schema: Schema, path: tuple[str, ...]) -> bool:
    """Return whether an object beside the items has a list too, whose marks are about that: `related.has_more`."""
    api, has_items = target.subject.api, target.listing.items[: len(path)] == path
    return not has_items and any(
        "array" in api.resolve(member.schema).types for member in object_properties(api, schema)
    )


def more_mark_failures(target: ListTarget, walk: PageWalk, known: Sequence[object]) -> Iterator[CheckFailure]:
    """Yield a failure for a page that is marked as the last and is not, or as having more and has not. Only `known`
    items count as more: others may be new.
    """
    if not walk.is_complete:
        return
    known_keys = set(item_keys(known, target.key))
    for mark in more_marks(target):
        yield from _mark_failures(target, walk, mark, known_keys)


def _mark_failures(
    target: ListTarget, walk: PageWalk, mark: MoreMark, known_keys: set[str]
) -> Iterator[CheckFailure]:
    shown: set[str] = set()
    for number, page in enumerate(walk.pages):
        later = walk.pages[number + 1 :]
        shown |= set(item_keys(page.items, target.key))
        later_keys = {key for each in later for key in item_keys(each.items, target.key)}
        has_more, name = mark.has_more(page), ".".join(mark.path)
        evidence = tuple(each.exchange for each in (page, *later[:1]))
        value = "true" if has_more is not mark.is_last else "false"
        if has_more is False and later_keys & known_keys - shown:
            message = (
                f"'{name}' is {value} on page {number + 1}, and later pages have {len(later_keys)} more items"
            )
            yield _failure(target, "a page that others follow is marked as the last", message, mark, evidence)
            return
        if has_more and mark.is_promise and not any(each.items for each in later):
            message = f"'{name}' is {value} on page {number + 1}, and no item follows"
            yield _failure(target, "the last page is marked as having more", message, mark, evidence)
            return


def _failure(
    target: ListTarget, title: str, message: str, mark: MoreMark, evidence: tuple[Exchange, ...]
) -> CheckFailure:
    return CheckFailure(
        title=title,
        message=message,
        operation=operation_label(target.listing.operation),
        promise=mark.location,
        evidence=evidence,
        member=".".join(mark.path),
    )
