"""The number of items that a list states is the number of items that its pages hold."""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice, product

from devportal.conformance.deployment.http_connection import Unsendable
from devportal.conformance.families.filters.filtering import query_text
from devportal.conformance.families.filters.filters import enumerated_filter_values
from devportal.conformance.families.lists.child_counts import child_count_probes
from devportal.conformance.families.lists.list_sums import list_sum_probes
from devportal.conformance.families.lists.state_counts import state_count_probes
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.failures import response_location
from devportal.conformance.knowledge.paging import (
    ListTarget,
    Page,
    PageWalk,
    fill_list,
    first_page,
    first_request,
    item_keys,
    list_target,
    page_size_limits,
    read_filtered_list,
    with_query,
)
from devportal.conformance.knowledge.resources.created_resources import response_json
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Schema
from devportal.contract.body_schemas import success_schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.media_types import json_response_type
from devportal.contract.resources import Listing, object_properties
from devportal.contract.values.member_rules import ComputedMember, Count, member_rules
from devportal.documents import member_at

SMALL_PAGE = 2
SIZES = (2, 3, 5, 7)
"""Sizes of pages: the last page is not full with one of them, unless the list is very long."""
PAGES_NAMES = ("total_pages", "page_count", "number_of_pages", "pages_count", "num_pages", "pages")
COUNT_REQUESTS = ("$count", "include_count", "include_total", "with_count", "with_total", "return_total")
"""Query parameters that ask for the total of a list."""
_COUNTS_ALL = re.compile(r"\b(all|total|overall|altogether|match(?:es|ing)?)\b", re.IGNORECASE)
_NAMES_PAGE = re.compile(r"\bpages?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Total:
    """A number of items that a list states: the path of its member, or the name of its header. One that
    `may_count_page` may count the items of the page.
    """

    path: tuple[str, ...] = ()
    header: str = ""
    may_count_page: bool = False

    @property
    def name(self) -> str:
        """The name in messages."""
        return self.header or ".".join(self.path)

    def value(self, page: Page) -> int | None:
        """Return the stated number, None if the response has none."""
        if self.header:
            text = (
                page.exchange.answer.header(self.header) if page.exchange.answer is not None else None
            ) or ""
            return int(text) if text.isascii() and text.isdigit() else None
        value = member_at(response_json(page.exchange), self.path)
        return value if isinstance(value, int) and not isinstance(value, bool) else None


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each list that states how many items it has."""
    for listing in subject.listings:
        totals = tuple(_totals(subject, listing))
        if totals:
            run = partial(_check_totals, list_target(subject, listing), totals)
            yield Probe(operation=operation_label(listing.operation), run=run)
        pages = tuple(_page_totals(subject, listing)) if listing.limit is not None else ()
        if pages:
            run = partial(_check_page_totals, list_target(subject, listing), pages)
            yield Probe(operation=operation_label(listing.operation), run=run)
    yield from child_count_probes(subject)
    yield from list_sum_probes(subject)
    yield from state_count_probes(subject)


def _page_totals(subject: Subject, listing: Listing) -> Iterator[_Total]:
    """Yield the numbers of pages that the contract documents for a list with numbered pages."""
    schema = success_schema(listing.operation)
    for member in (
        object_properties(subject.api, schema) if schema is not None and listing.page is not None else ()
    ):
        inner = ((member.name, property_.name) for property_ in object_properties(subject.api, member.schema))
        for path in ((member.name,), *inner):
            if matches_any_name(path[-1], PAGES_NAMES):
                yield _Total(path=path)


def _check_page_totals(target: ListTarget, totals: tuple[_Total, ...], send: Send) -> Iterator[CheckFailure]:
    """Ask for pages of a size that leaves the last page in part empty, which counts, and of one that fills it."""
    fill_list(target, send)
    count = len(_read_unchanged(target, send, {}).items)
    smallest, largest = page_size_limits(target.listing)
    sizes = [size for size in (*SIZES, 1) if smallest <= size <= largest and size < count]
    in_part = next((size for size in sizes if count % size), None)
    if in_part is None:
        raise Unsendable("a list with so many items that its last page is not full")
    whole = next((size for size in sizes if count % size == 0), in_part)
    pages = [
        first_page(target, send, first_request(target, size)) for size in dict.fromkeys((in_part, whole))
    ]
    for total, page in product(totals, pages):
        stated, size = total.value(page), len(page.items)
        if size in (in_part, whole) and stated is not None and stated != -(-count // size):
            yield CheckFailure(
                title=f"{total.name!r} is not the number of pages",
                message=f"{total.name} is {stated}, and {count} items need {-(-count // size)} pages of {size}",
                operation=operation_label(target.listing.operation),
                promise=response_location(target.listing.operation, page.exchange),
                evidence=(page.exchange,),
            )
            return


def _totals(subject: Subject, listing: Listing) -> Iterator[_Total]:
    """Yield the numbers of items that the contract documents for a list."""
    names, page_names = subject.conventions.total, subject.conventions.page_count
    success = next(success for success in listing.operation.successes if json_response_type(success.content))
    for header in success.headers:
        if matches_any_name(header.name, names):
            yield _Total(header=header.name)
    media_type = json_response_type(success.content)
    members = (
        object_properties(subject.api, media_type.schema)
        if media_type is not None and media_type.schema is not None
        else ()
    )
    others = _other_numbers(subject, listing, media_type.schema if media_type is not None else None)
    for member in members:
        inner = ((member.name, property_.name) for property_ in object_properties(subject.api, member.schema))
        for path in ((member.name,), *inner) if member.name not in others else ():
            if matches_any_name(path[-1], (*names, *page_names)):
                meaning = subject.api.resolve(member.schema).description if len(path) == 1 else ""
                counts_all = _COUNTS_ALL.search(meaning) is not None and not _NAMES_PAGE.search(meaning)
                may_count_page = matches_any_name(path[-1], page_names) and not counts_all
                yield _Total(path=path, may_count_page=may_count_page)


def _other_numbers(subject: Subject, listing: Listing, schema: Schema | None) -> frozenset[str]:
    """Return the members of a response that are another number than that of its items: those that the contract
    computes otherwise, such as the price of a cart, and those of a resource that has items, unless they are called
    counts: a job may have fewer results than it will have in total.
    """
    if schema is None:
        return frozenset()
    rules = [rule for rule in member_rules(subject.api, schema) if isinstance(rule, ComputedMember)]
    computed = {rule.name for rule in rules if not isinstance(rule.formula, Count)}
    is_resource = any(listing.operation is resource.read for resource in subject.resources)
    others = (
        property_.name
        for property_ in object_properties(subject.api, schema)
        if is_resource and "count" not in property_.name.lower()
    )
    return frozenset((*computed, *others))


def _check_totals(target: ListTarget, totals: tuple[_Total, ...], send: Send) -> Iterator[CheckFailure]:
    """Compare the totals of each page with the items of all pages, and those of a filtered list with its own."""
    fill_list(target, send)
    counting = _counting_query(target)
    whole = _read_unchanged(target, send, counting)
    pages = list(whole.pages)
    if target.listing.limit is not None:
        size = max(page_size_limits(target.listing)[0], SMALL_PAGE)
        pages.append(first_page(target, send, with_query(first_request(target, size), counting)))
    correct = []
    for total in totals:
        failure = next(_wrong_totals(target, total, pages, len(whole.items)), None)
        if failure is None:
            correct.append(total)
        else:
            yield failure
    for name, value in _filters(target) if correct else ():
        with suppress(Unsendable):
            filtered = _read_unchanged(target, send, {**counting, name: value})
            if len(filtered.items) < len(whole.items):
                for total in correct:
                    yield from islice(_wrong_totals(target, total, filtered.pages, len(filtered.items)), 1)
                return


def _counting_query(target: ListTarget) -> dict[str, str]:
    """Return the parameter without which a list does not state its total (OData 4.01 §11.2.6.5)."""
    parameters = (
        parameter
        for parameter in target.listing.operation.parameters
        if matches_any_name(parameter.name, COUNT_REQUESTS)
        and parameter.schema is not None
        and "boolean" in target.subject.api.resolve(parameter.schema).types
    )
    return {parameter.name: "true" for parameter in parameters}


def _filters(target: ListTarget) -> Iterator[tuple[str, str]]:
    for parameter in target.listing.operation.parameters:
        for value in enumerated_filter_values(target, parameter):
            yield parameter.name, query_text(value)


def _read_unchanged(target: ListTarget, send: Send, query: dict[str, str]) -> PageWalk:
    """Read a whole list twice. Raises Unsendable if it is long, or changes meanwhile."""
    first, second = (read_filtered_list(target, send, query) for _ in range(2))
    keys = [list(item_keys(page_walk.items, target.key)) for page_walk in (first, second)]
    if not (first.is_complete and second.is_complete) or keys[0] != keys[1]:
        raise Unsendable("a list that is short enough to be read to its end, and stays the same meanwhile")
    return first


def _wrong_totals(
    target: ListTarget, total: _Total, pages: Sequence[Page], count: int
) -> Iterator[CheckFailure]:
    for page in pages:
        stated = total.value(page)
        allowed = {count, len(page.items)} if total.may_count_page else {count}
        if stated is not None and stated not in allowed:
            yield CheckFailure(
                title=f"{total.name!r} is not the number of items",
                message=f"{total.name} is {stated}, and the pages of the list hold {count} items",
                operation=operation_label(target.listing.operation),
                promise=response_location(target.listing.operation, page.exchange),
                evidence=(page.exchange,),
            )


FAMILY = Family(
    name="list-totals",
    summary="totals count the items",
    words=CheckDescription(
        promise="The total that a list states, in its body or in a header such as `X-Total-Count`, is the "
        "number of items on all its pages, with a filter too. A number that counts what belongs to a resource, such "
        "as the invoices of a customer, or adds up one of their members, follows creations and deletions.",
        test="Each list with a documented total is read to its end, in large pages and in a small one, and "
        "with one filter. `count` may also be the number of items on the page, unless it counts all by its "
        "description. `totalPages` is compared with pages of a size that leaves the last one in part empty. Lists "
        "that are too long or change meanwhile are skipped. Resources are created for two "
        "parents: the count of one rises by one, and falls again when its own is deleted. So does a number that is "
        "“the sum of the `bytes` of its files” by its description, by their values. If a list below the resource "
        "shows these, its items are added up: `balance` with “the sum of the `amount` of all entries”, and so "
        "are those in some states: “the number of orders that are `open`”, after each action on one. The settings can "
        "name other totals under `conventions`.",
        remedy="Count with the query that selects the items, without its limit.",
        sources=("OAS 3.0.3 §4.7.24",),
    ),
    needs="a list that documents its number of items, such as `total` or `X-Total-Count`, or a resource with a number "
    "of what belongs to it, such as `invoice_count`",
    probes=probes,
    about_state=True,
)
