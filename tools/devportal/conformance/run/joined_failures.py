"""Joins failures that several checks report for one cause: the same operation, class of status, promise and topic."""

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from devportal.conformance.results.result import Failure, Standing
from devportal.conformance.results.wording import BODY_SCHEMAS, DROPPED_QUERY, UNDOCUMENTED_STATUS
from devportal.errors import Place

_INPUTS = (
    "boundary-values",
    "query-parameters",
    "json-types",
    "whitespace",
    "odd-parameters",
    "odd-bodies",
    "media-types",
    "missing_required_header",
    "negative_data_rejection",
    "not_a_server_error",
)
_RESPONSES = (
    "documented-responses",
    "response_schema_conformance",
    "response_headers_conformance",
    "content_type_conformance",
    "status_code_conformance",
)
_PAGES = ("pagination", "filters", "sorting")
"""Checks that a link to the next page fails by dropping the query; what else they find is theirs."""
_AUTHENTICATION = ("authentication", "ignored_auth")
"""Our check sends all kinds of wrong credentials: what Schemathesis finds of them is the same failure."""
TOPICS = (
    _INPUTS,
    _RESPONSES,
    ("valid-data", "positive_data_acceptance"),
    _AUTHENTICATION,
    ("tenants", "object_level_authorization"),
    ("methods", "unsupported_method"),
    ("deleted-things", "use_after_free"),
    ("created-things", "ensure_resource_availability"),
    _PAGES,
)
"""Checks that report the same failures, by topic; the name of the first one says most."""
MALFORMED_BODIES = "odd-bodies"
_IDENTIFIER = re.compile(rb"[0-9][0-9a-fA-F:.TZ-]*|[0-9a-fA-F]{8,}")
"""What differs between two responses with the same error: numbers, times, identifiers."""
WENT_DOWN_TITLE = "the deployment went down"
_STATUS_CODES = ("ST103",)
_RANKS = {check: (topic, rank) for topic, checks in enumerate(TOPICS) for rank, check in enumerate(checks)}
_Key = tuple[int, str, int, Place | None]


def join_same_failures(failures: Sequence[Failure]) -> tuple[Failure, ...]:
    """Return the failures, with one for each cause that several checks report; it keeps those of the others.

    Two failures of one check stay separate, since the check separates them, unless both are about the schema of
    one body, as a `null` breaks both `type` and `enum`, or the same server error: its response is all that is
    known of the cause. An undocumented 5xx belongs to
    what caused it. A failure that the baseline accepts makes all that is joined with it known.
    """
    refusals = {
        (failure.operation, failure.promise) for failure in failures if failure.check in _AUTHENTICATION
    }
    groups: dict[_Key, list[list[Failure]]] = {}
    whole: list[list[Failure]] = []
    for failure in sorted(failures, key=lambda failure: _rank(failure, refusals)):
        key = _key(failure, refusals)
        if key is None:
            whole.append([failure])
            continue
        found = _group_of(groups, key, failure)
        if found is not None:
            found.append(failure)
            continue
        whole.append([failure])
        groups.setdefault(key, []).append(whole[-1])
    return tuple(_join(item) for item in whole)


def join_failures_of_last_request(failures: Sequence[Failure]) -> tuple[Failure, ...]:
    """Return the failures; if the deployment went down, those of the request that brought it down are part of
    that failure.
    """
    down = next(
        (
            failure
            for failure in failures
            if failure.title == WENT_DOWN_TITLE and failure.exchange is not None
        ),
        None,
    )
    if down is None or down.exchange is None:
        return tuple(failures)
    last = down.exchange.request
    same = [
        failure
        for failure in failures
        if failure is not down
        and failure.exchange is not None
        and not failure.exchange.answer
        and failure.exchange.request == last
    ]
    joined = replace(down, also=tuple(same))
    return tuple(joined if failure is down else failure for failure in failures if failure not in same)


_Refusals = Set[tuple[str, Place | None]]
"""The operations and promises of failures of missing credentials."""


def _position(failure: Failure, refusals: _Refusals) -> tuple[int, int] | None:
    """Return the topic of a failure, and its rank in it; None if no other check sees the same.

    An accepted request without the header of the credential is a missing refusal too.
    """
    found = _RANKS.get(failure.check)
    is_refusal = failure.promise is not None and (failure.operation, failure.promise) in refusals
    if found is not None and TOPICS[found[0]] is _INPUTS and is_refusal:
        return TOPICS.index(_AUTHENTICATION), len(_AUTHENTICATION) + found[1]
    return found


def _rank(failure: Failure, refusals: _Refusals) -> tuple[bool, tuple[int, int], bool]:
    """Return the order in which failures give a joined one its name: what counts, then what says most."""
    counts = failure.fails or failure.standing is Standing.KNOWN
    return not counts, _position(failure, refusals) or (0, 0), failure.is_pedantic


def _key(failure: Failure, refusals: _Refusals) -> _Key | None:
    """Return what failures with one cause have in common; None for a failure that stays as it is."""
    position = _position(failure, refusals)
    if failure.check in _PAGES and failure.title != DROPPED_QUERY:
        return None
    if position is None or failure.exchange is None or failure.standing is Standing.NOTE:
        return None
    return position[0], failure.operation, failure.exchange.status // 100, failure.promise


def _group_of(groups: dict[_Key, list[list[Failure]]], key: _Key, failure: Failure) -> list[Failure] | None:
    for group in groups.get(key, ()):
        if (
            failure.check == BODY_SCHEMAS
            or failure.title == DROPPED_QUERY
            or failure.is_pedantic
            or (failure.check, group[0].check) == _AUTHENTICATION[::-1]
            or all(joined.check != failure.check for joined in group)
        ):
            return group
        if any(_is_same_server_error(joined, failure) for joined in group):
            return group
    if not _is_undocumented_server_error(failure):
        return None
    causes = (
        group
        for (topic, operation, status, _), found in groups.items()
        if TOPICS[topic] is _INPUTS and (operation, status) == (failure.operation, 5)
        for group in found
    )
    return next(causes, None)


def _is_same_server_error(first: Failure, other: Failure) -> bool:
    """Return whether two failures of malformed bodies show the same server error, except for identifiers."""
    if first.check != MALFORMED_BODIES or other.check != MALFORMED_BODIES:
        return False
    answers = [each.exchange.answer for each in (first, other) if each.exchange is not None]
    texts = [_IDENTIFIER.sub(b"", each.body) for each in answers if each is not None and each.status >= 500]
    return len(texts) == 2 and texts[0] == texts[1]


def _is_undocumented_server_error(failure: Failure) -> bool:
    is_error = failure.exchange is not None and failure.exchange.status >= 500
    return is_error and (failure.code in _STATUS_CODES or failure.title.endswith(UNDOCUMENTED_STATUS))


def _join(group: Sequence[Failure]) -> Failure:
    first, *others = group
    if not others:
        return first
    known = next((failure for failure in group if failure.standing is Standing.KNOWN), None)
    digests = dict.fromkeys(digest for failure in group for digest in failure.seen_in)
    joined = replace(
        first,
        also=tuple(others),
        count=sum(failure.count for failure in group),
        seen_in=tuple(digests),
        is_pedantic=all(failure.is_pedantic for failure in group),
    )
    return replace(joined, standing=Standing.KNOWN, known=known.known) if known is not None else joined
