"""Faults that only somebody who knows messaging sees: segments, contents, published records, rate limits."""

import re
from collections.abc import Callable
from typing import Any

from tests.apps.faults.proxy import Asked, Fault, Forward, Given, Twist
from tests.apps.faults.twists import (
    COUNTRY_COVERAGE,
    COUNTRY_RATES,
    LIST,
    MESSAGES,
    RATES,
    READ,
    SEND,
    Make,
    answer,
    each_item,
)

_RATES = ("listRates", "listCountryRates")
_COVERAGE = ("listCoverage", "retrieveCountryCoverage")


def _fault(name: str, breaks: str, check: str, make: Make, operations: tuple[str, ...] = MESSAGES) -> Fault:
    return Fault(name=name, breaks=breaks, check=check, operations=operations, make=make)


def _counts(name: str, count: Callable[[str], int]) -> Fault:
    """Count segments in another way."""

    async def twist(asked: Asked, forward: Forward) -> Given:
        given = await forward(asked)
        if not asked.has(SEND) or given.status != 202 or not isinstance(asked.json, dict):
            return given
        return given.with_members(segments=count(asked.json["body"]))

    return _fault(name, "segments are counted as 3GPP says", "segments", lambda: twist)


def _is_plain(text: str) -> bool:
    return (
        all(other_text.isascii() or other_text in "\u20ac\u00e0" for other_text in text) and "`" not in text
    )


def _units(text: str) -> int:
    return len(text) + text.count("\u20ac") if _is_plain(text) else len(text.encode("utf-16-le")) // 2


def _segment_count(units: int, single: int, multi: int) -> int:
    return 1 if units <= single else -(-units // multi)


def _segment_sizes(text: str) -> tuple[int, int]:
    return (160, 153) if _is_plain(text) else (70, 67)


SEGMENTS = (
    _counts("always-one-segment", lambda _: 1),
    _counts("segments-of-160-each", lambda text: -(-_units(text) // _segment_sizes(text)[0])),
    _counts("characters-instead-of-septets", lambda text: _segment_count(len(text), *_segment_sizes(text))),
    _counts(
        "euro-signs-of-one-septet",
        lambda text: _segment_count(_units(text.replace("\u20ac", "E")), *_segment_sizes(text)),
    ),
    _counts(
        "emoji-of-one-unit",
        lambda text: _segment_count(
            len(text) if not _is_plain(text) else _units(text), *_segment_sizes(text)
        ),
    ),
    _counts("everything-as-gsm", lambda text: _segment_count(_units(text), 160, 153)),
    _counts("everything-as-ucs-2", lambda text: _segment_count(len(text.encode("utf-16-le")) // 2, 70, 67)),
    _counts("pairs-that-are-split", lambda text: _segment_count(_units(text), *_segment_sizes(text))),
    _counts("segments-by-octets", lambda text: _segment_count(len(text.encode()), 160, 153)),
    _fault(
        "always-gsm-7",
        "the encoding that is told is the one that is used",
        "segments",
        answer(READ, lambda given: given.with_members(encoding="GSM-7")),
    ),
)
CONTENTS = (
    _fault(
        "a-text-read-in-latin-1",
        "a message keeps its text",
        "message-content",
        answer(READ, lambda given: given.with_members(body=given.json["body"].encode().decode("latin-1"))),
    ),
    _fault(
        "a-text-that-is-escaped",
        "a message keeps its text",
        "message-content",
        answer(READ, lambda given: given.with_members(body=given.json["body"].replace("&", "&amp;"))),
    ),
    _fault(
        "a-text-cut-at-forty",
        "a message keeps its text",
        "message-content",
        answer(READ, lambda given: given.with_members(body=given.json["body"][:40])),
    ),
    _fault(
        "another-count-when-read",
        "a message keeps its number of segments",
        "message-content",
        answer(READ, lambda given: given.with_members(segments=given.json["segments"] + 1)),
    ),
    _fault(
        "final-from-the-beginning",
        "a message is final when nothing follows",
        "message-content",
        answer(READ, lambda given: given.with_members(final=not given.json["final"])),
    ),
)


def _set_year(member: str, year: str) -> Callable[[Any], Any]:
    return lambda item: {**item, member: f"{year}-01-01"}


def _old_versions_too(given: Given) -> Given:
    data = given.json["data"]
    return given.with_members(data=[*data, *({**item, "version": item["version"] + 1} for item in data[:1])])


def _one_fewer(member: str) -> Callable[[Given], Given]:
    return lambda given: given.with_members(**{member: given.json[member][1:]})


def _found_anyway(asked_for: str, instead: str) -> Twist:
    async def twist(asked: Asked, forward: Forward) -> Given:
        given = await forward(asked)
        if given.status == 404 and asked.has(asked_for):
            path = re.sub("[^/]+$", instead, asked.path)
            return await forward(
                Asked(method=asked.method, path=path, query="", headers=asked.headers, body=b"")
            )
        return given

    return twist


PUBLISHED = (
    _fault(
        "rates-of-the-future",
        "rates are valid today",
        "published-records",
        answer(RATES, each_item(_set_year("effective_from", "2099"))),
        _RATES,
    ),
    _fault(
        "rates-of-the-past",
        "rates are valid today",
        "published-records",
        answer(RATES, each_item(_set_year("effective_to", "2020"))),
        _RATES,
    ),
    _fault(
        "two-versions-of-a-rate",
        "one version is published",
        "published-records",
        answer(RATES, _old_versions_too),
        _RATES,
    ),
    _fault(
        "a-country-without-its-first-rate",
        "a country is what the list says",
        "published-records",
        answer(COUNTRY_RATES, _one_fewer("data")),
        _RATES,
    ),
    _fault(
        "a-country-without-its-first-channel",
        "a country is what the list says",
        "published-records",
        answer(COUNTRY_COVERAGE, _one_fewer("channels")),
        _COVERAGE,
    ),
    _fault(
        "rates-for-no-country",
        "unknown countries are not found",
        "published-records",
        lambda: _found_anyway(COUNTRY_RATES, "NO"),
        _RATES,
    ),
    _fault(
        "coverage-of-no-country",
        "unknown countries are not found",
        "published-records",
        lambda: _found_anyway(COUNTRY_COVERAGE, "NO"),
        _COVERAGE,
    ),
)


def _limit(name: str, field: str) -> Fault:
    return Fault(
        name=name,
        breaks="rate limits add up",
        check="rate-limit-fields",
        operations=MESSAGES,
        make=answer(LIST, lambda given: given.with_headers(ratelimit=field)),
        beside=("pagination",),
    )


LIMITS = (
    _limit("more-remains-than-the-quota", '"messages";r=9999999;t=10'),
    _limit("a-window-that-never-ends", '"messages";r=10;t=86400'),
    _limit("a-limit-of-no-policy", '"sms";r=10;t=10'),
)
FAULTS = (*SEGMENTS, *CONTENTS, *PUBLISHED, *LIMITS)
