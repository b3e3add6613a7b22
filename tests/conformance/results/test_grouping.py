"""Failures of one kind are one group."""

from dataclasses import replace

from devportal.conformance.results.result import Standing
from devportal.conformance.results.wording import group_failures
from tests.conformance.values import FAILURE, LABEL, exchange


def test_the_same_title_of_a_check_is_one_failure() -> None:
    """Over operations; another title, check or code is another."""
    elsewhere = replace(FAILURE, operation="PUT /v1/parcels", count=3)
    others = (replace(FAILURE, title="x"), replace(FAILURE, check="methods"), replace(FAILURE, code="ST101"))

    groups = group_failures([FAILURE, elsewhere, *others])

    assert len(groups) == 4
    assert groups[0].operations == (LABEL, "PUT /v1/parcels")
    assert groups[0].count == 4


def test_each_other_message_is_kept_once() -> None:
    """Two places of a schema that are broken are two messages."""
    other = replace(FAILURE, message="another")

    (group,) = group_failures([FAILURE, FAILURE, other, other])

    assert [failure.message for failure in group.others] == ["another"]


def test_an_undocumented_status_is_one_failure() -> None:
    """Whoever found it, on whatever operation; another status is another."""
    ours = replace(FAILURE, check="documented-responses", title="400: undocumented status")
    theirs = replace(FAILURE, code="ST103", title="Undocumented status code", exchange=exchange(400))
    other = replace(theirs, exchange=exchange(415))

    assert [failure.members for failure in group_failures([ours, theirs, other])] == [
        (ours, theirs),
        (other,),
    ]


def test_a_wrong_body_is_one_failure() -> None:
    """Whichever check found it."""
    ours = replace(FAILURE, check="documented-responses", title="201: the body breaks its schema")
    theirs = replace(FAILURE, check="response_schema_conformance", title="Response violates schema")

    (group,) = group_failures([ours, theirs])

    assert group.members == (ours, theirs)


def test_the_shortest_reproduction_stands_for_all() -> None:
    """A list shows what a change broke; the change alone shows it too, in fewer requests."""
    listed = replace(FAILURE, operation="GET /v1/parcels", chain=(exchange(201), exchange(201)))
    changed = replace(FAILURE, operation="PATCH /v1/parcels/{parcelId}", chain=(exchange(201),))
    uncounted = replace(FAILURE, chain=(), standing=Standing.NOT_REPRODUCED)

    (group,) = group_failures([listed, changed, uncounted])

    assert group.shown is changed
    assert group.operations[0] == "GET /v1/parcels"
