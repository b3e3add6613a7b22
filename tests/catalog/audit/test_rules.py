"""What forbids a step, and what an activation replaces."""

from datetime import date, timedelta
from typing import Any

import pytest

from devportal.catalog import content_sha256
from devportal.catalog.audit.lifecycle import TRANSITIONS, Action, History, State
from devportal.catalog.audit.rules import (
    Objection,
    Rule,
    approval_objection,
    step_objection,
    versions_to_supersede,
)
from devportal.catalog.records.rate import RateTerms
from tests.catalog.build import COVERAGE, RATE, TODAY
from tests.catalog.own_book import BOOK, Direction, replace

NEXT = replace(RATE, version=2)
LATER = date(2026, 4, 1)


def approval(terms: RateTerms = RATE, **changes: Any) -> Objection | None:
    """Return what is said against an approval on the first day of the terms."""
    asked = {
        "actor": "omar",
        "read_sha256": content_sha256(terms),
        "today": terms.effective_from,
        **changes,
    }
    return approval_objection(terms, History(writers=frozenset({"ida"})), **asked)


@pytest.mark.parametrize("action", Action)
@pytest.mark.parametrize("state", [None, *State])
def test_a_step_starts_where_the_lifecycle_says(action: Action, state: State | None) -> None:
    """There is an objection exactly where the lifecycle has no such step, and it names the state."""
    objection = step_objection(RATE.ref, state, action)

    assert (objection is None) == (state in TRANSITIONS[action].sources)
    assert objection is None or f"{RATE.ref} is '{state or 'nothing'}'; " in objection.message


@pytest.mark.parametrize(
    ("action", "said"), [(Action.EDIT, "a change needs"), (Action.SUBMIT, "submit needs")]
)
def test_what_is_no_command_is_not_named_as_one(action: Action, said: str) -> None:
    """A step that comes with others is told in words, the others by their command."""
    objection = step_objection(RATE.ref, State.ACTIVE, action)

    assert objection is not None
    assert said in objection.message


def test_approval_by_somebody_else_who_read_it() -> None:
    """On the first day, of the content that is there, by somebody who did not write it: allowed."""
    assert approval() is None


@pytest.mark.parametrize(
    ("rule", "changes"),
    [
        (Rule.FOUR_EYES, {"actor": "ida"}),
        (Rule.CONTENT, {"read_sha256": content_sha256(NEXT)}),
        (Rule.BACKDATED, {"today": date(2026, 2, 2)}),
    ],
)
def test_approval_is_refused(rule: Rule, changes: dict[str, Any]) -> None:
    """Who wrote it, who read something else, and who comes a day too late is refused by that rule."""
    objection = approval(**changes)

    assert objection is not None
    assert objection.rule is rule


def test_the_next_version_replaces_the_one_before() -> None:
    """A version that has begun supersedes the active one of its record, and no version of another thing."""
    other = replace(RATE, id="no-sms-usd", currency="USD")

    assert versions_to_supersede(NEXT, [RATE, other], today=TODAY, book=BOOK) == ((RATE,), None)


def test_a_version_of_the_same_record_is_replaced_whatever_it_is_about() -> None:
    """A successor with other prefixes would leave the price of its predecessor beside it."""
    narrowed = replace(NEXT, prefixes=("474",))

    assert versions_to_supersede(narrowed, [RATE], today=TODAY, book=BOOK) == ((RATE,), None)


@pytest.mark.parametrize(
    ("terms", "active", "cure"),
    [
        (replace(RATE, id="no-sms-cheap"), RATE, "versions of two rates"),
        (replace(COVERAGE, id="no-sms-other"), COVERAGE, "versions of two coverage records"),
        (replace(NEXT, effective_from=LATER), RATE, "on that day"),
        (RATE, NEXT, "is the newer one"),
    ],
)
def test_an_overlap_is_refused(terms: Any, active: Any, cure: str) -> None:
    """Another record, a day that has not come, or an older version: two answers for one day."""
    replaced, objection = versions_to_supersede(terms, [active], today=TODAY, book=BOOK)

    assert replaced == ()
    assert objection is not None
    assert objection.rule is Rule.OVERLAP
    assert cure in objection.help


@pytest.mark.parametrize(
    "active",
    [
        RATE,
        replace(NEXT, effective_to=RATE.effective_from, effective_from=date(2026, 1, 1)),
        replace(RATE, id="no-sms-inbound", direction=Direction.INBOUND),
    ],
)
def test_what_does_not_overlap_stays(active: RateTerms) -> None:
    """The version itself, a window that ends on the first day, and another thing are left alone."""
    assert versions_to_supersede(RATE, [active], today=TODAY, book=BOOK) == ((), None)


def test_a_rate_is_no_rival_of_coverage() -> None:
    """Records of two kinds may have one name."""
    active: list[Any] = [replace(COVERAGE, version=2)]

    assert versions_to_supersede(RATE, active, today=TODAY, book=BOOK) == ((), None)


@pytest.mark.parametrize(("days", "is_over"), [(-1, True), (0, True), (1, False)])
def test_a_version_that_is_over_replaces_nothing(days: int, *, is_over: bool) -> None:
    """Who activates it too late would take away the price that holds, and put none in its place."""
    brief = replace(NEXT, effective_from=date(2026, 1, 1), effective_to=TODAY + timedelta(days=days))

    replaced, objection = versions_to_supersede(brief, [RATE], today=TODAY, book=BOOK)

    assert (objection is not None and objection.rule is Rule.EXPIRED) is is_over
    assert replaced == (() if is_over else (RATE,))
