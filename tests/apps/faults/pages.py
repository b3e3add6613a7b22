"""Faults in lists: pages that repeat, lose or never end, limits and filters that do not count."""

from collections.abc import Callable
from typing import Any

from tests.apps.faults.proxy import Asked, Fault, Forward, Given, Twist
from tests.apps.faults.twists import (
    AUDIT,
    CALLS,
    CALLS_IDS,
    COVERAGE,
    ENDPOINT_IDS,
    ENDPOINTS,
    LIST,
    MESSAGES,
    RATES,
    VERSION_IDS,
    VERSIONS,
    Make,
    answer,
    request,
)

_RATES = ("listRates",)


def _pages(name: str, breaks: str, make: Make, operations: tuple[str, ...] = MESSAGES) -> Fault:
    return Fault(name=name, breaks=breaks, check="pagination", operations=operations, make=make)


def _filter(name: str, breaks: str, make: Make, operations: tuple[str, ...] = MESSAGES) -> Fault:
    return Fault(name=name, breaks=breaks, check="filters", operations=operations, make=make)


def _items(
    label: str, change: Callable[[list[Any]], list[Any]], when: Callable[[Asked], bool] = lambda _: True
) -> Make:
    return answer(label, lambda given: given.with_members(data=change(given.json["data"])), when=when)


def _is_later(asked: Asked) -> bool:
    return "cursor" in asked.params


def _drop_parameters(label: str, *names: str) -> Make:
    return request(label, lambda asked: asked.with_params(**dict.fromkeys(names)))


def _repeats_at_the_seam(label: str) -> Make:
    """Begin each later page with the last item of the one before."""

    def make() -> Twist:
        last: list[Any] = []

        async def twist(asked: Asked, forward: Forward) -> Given:
            given = await forward(asked)
            if not asked.has(label) or given.status != 200 or not given.json["data"]:
                return given
            data = given.json["data"]
            shown = [*last, *data][: len(data)] if _is_later(asked) else data
            last[:] = data[-1:]
            return given.with_members(data=shown)

        return twist

    return make


def _first_page_again(label: str) -> Make:
    return _drop_parameters(label, "cursor")


PAGES = (
    _pages("every-page-is-the-first", "a cursor goes on", _first_page_again(LIST)),
    _pages(
        "every-page-of-versions-is-the-first", "a cursor goes on", _first_page_again(VERSIONS), VERSION_IDS
    ),
    _pages("an-item-on-two-pages", "no item comes twice", _repeats_at_the_seam(LIST)),
    _pages("a-rate-on-two-pages", "no item comes twice", _repeats_at_the_seam(RATES), _RATES),
    _pages("later-pages-lose-an-item", "no item is lost", _items(LIST, lambda data: data[1:], _is_later)),
    _pages(
        "later-pages-of-calls-lose-an-item",
        "no item is lost",
        _items(CALLS, lambda data: data[1:], _is_later),
        CALLS_IDS,
    ),
    _pages(
        "no-second-page", "a list is whole", answer(LIST, lambda given: given.with_members(next_cursor=None))
    ),
    _pages(
        "no-second-page-of-rates",
        "a list is whole",
        answer(RATES, lambda given: given.with_members(next_cursor=None)),
        _RATES,
    ),
    _pages("the-limit-is-ignored", "a limit is kept", _drop_parameters(LIST, "limit")),
    _pages("the-limit-of-rates-is-ignored", "a limit is kept", _drop_parameters(RATES, "limit"), _RATES),
    _pages(
        "one-more-than-the-limit",
        "a limit is kept",
        _items(ENDPOINTS, lambda data: [*data, *data[:1]]),
        ENDPOINT_IDS,
    ),
    _pages(
        "another-order-with-every-limit",
        "the order of a list is one",
        _items(LIST, lambda data: data[::-1], lambda asked: len(asked.params.get("limit", "20")) > 1),
    ),
    _pages(
        "pages-never-end",
        "a walk ends",
        request(COVERAGE, lambda asked: asked.with_params(cursor=None), when=_is_later),
        ("listCoverage",),
    ),
    _pages(
        "entries-of-the-audit-twice",
        "no item comes twice",
        _items(AUDIT, lambda data: [*data[:1], *data[:-1]]),
        ("listAuditLog",),
    ),
    _pages(
        "a-cursor-breaks-it",
        "a cursor that was given is taken",
        answer(
            CALLS, lambda given: Given(status=500, headers=given.headers, body=given.body), when=_is_later
        ),
        CALLS_IDS,
    ),
)
FILTERS = (
    _filter("a-status-filter-does-nothing", "filters count", _drop_parameters(LIST, "status")),
    _filter("a-channel-filter-does-nothing", "filters count", _drop_parameters(LIST, "channel")),
    _filter("a-country-filter-does-nothing", "filters count", _drop_parameters(RATES, "country"), _RATES),
    _filter("a-product-filter-does-nothing", "filters count", _drop_parameters(RATES, "product"), _RATES),
    _filter(
        "a-version-status-filter-does-nothing",
        "filters count",
        _drop_parameters(VERSIONS, "status"),
        VERSION_IDS,
    ),
    _filter(
        "a-direction-filter-does-nothing", "filters count", _drop_parameters(CALLS, "direction"), CALLS_IDS
    ),
    _filter(
        "a-time-filter-does-nothing",
        "filters count",
        _drop_parameters(LIST, "created_before", "created_after"),
    ),
    _filter(
        "a-filter-hides-everything",
        "filters let through what fits",
        _items(LIST, lambda data: data[:0], lambda asked: "to" in asked.params),
    ),
)
FAULTS = (*PAGES, *FILTERS)
