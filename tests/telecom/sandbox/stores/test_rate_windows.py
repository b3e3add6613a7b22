"""Effective windows of rate versions: never two prices for one thing on one day, and none of the past."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.telecom.sandbox.problem_names import status_and_problem
from tests.telecom.sandbox.reviewing import (
    ADA,
    BOB,
    RATES,
    VERSIONS,
    brought_to,
    draft_version,
    log_of,
    public,
    revise_version,
    status,
    step,
)

from telecom.sandbox.stores.rate_versions import RATE_VERSIONS


def test_version_whose_first_day_is_over_is_not_approved(sandbox: Any) -> None:
    """It could only hold for days that are past; on its first day it still can be."""
    version = brought_to(sandbox, "submitted")
    other = brought_to(sandbox, "submitted", "se-other", effective_from="2026-11-22")
    sandbox.clock.forward(days=1)

    assert status_and_problem(step(sandbox, version, "approve", token=BOB)) == (409, "window-conflict")
    assert step(sandbox, other, "approve", token=BOB).status_code == 200


def test_successor_replaces_the_active_version(sandbox: Any) -> None:
    """In one step there is one price before and another after; both are on the log."""
    first = brought_to(sandbox, "active")
    second = brought_to(sandbox, "active", price="0.0480")

    assert status(sandbox, first) == "superseded"
    assert [name for name in public(sandbox) if name.startswith("se-sms")] == ["se-sms@2"]
    assert log_of(sandbox, first)[-1]["action"] == "supersede"
    assert log_of(sandbox, first)[-1]["reason"] == "Replaced by rates/se-sms@2."
    assert sandbox.get(f"{VERSIONS}/{second}").json()["version"] == 2


def test_successor_waits_for_its_first_day(sandbox: Any) -> None:
    """Otherwise there would be days without a price, or with two."""
    brought_to(sandbox, "active")
    second = brought_to(sandbox, "approved", effective_from="2026-12-01")
    early = step(sandbox, second, "activate")
    sandbox.clock.forward(days=10)

    assert status_and_problem(early) == (409, "window-conflict")
    assert early.json()["detail"].endswith("Activate rates/se-sms@2 on that day, or withdraw rates/se-sms@1.")
    assert "2026-12-01" in early.json()["detail"]
    assert step(sandbox, second, "activate").status_code == 200
    assert [name for name in public(sandbox) if name.startswith("se-sms")] == ["se-sms@2"]


def test_windows_that_meet_do_not_conflict(sandbox: Any) -> None:
    """A version that ends on the day on which the next begins can be active beside it."""
    first = brought_to(sandbox, "active", effective_to="2026-12-01")
    brought_to(sandbox, "active", effective_from="2026-12-01")
    today = public(sandbox)
    sandbox.clock.forward(days=10)

    assert status(sandbox, first) == "active"
    assert ("se-sms@1" in today, "se-sms@2" in today) == (True, False)
    assert [name for name in public(sandbox) if name.startswith("se-sms")] == ["se-sms@2"]


def test_two_rates_cannot_price_one_thing(sandbox: Any) -> None:
    """Another name makes no other thing; another currency does."""
    brought_to(sandbox, "active")
    same = brought_to(sandbox, "approved", "se-sms-again")
    other = brought_to(sandbox, "approved", "se-sms-usd", currency="USD")

    assert status_and_problem(step(sandbox, same, "activate")) == (409, "window-conflict")
    assert step(sandbox, other, "activate").status_code == 200


def of_norway(sandbox: Any) -> tuple[str, dict[str, Any]]:
    """Return the name and the terms of a public rate of the project's records."""
    norway = sandbox.get(RATES, params={"network": "242010"}).json()["data"][0]
    names = ("product", "direction", "country", "network", "number_type", "unit", "currency")
    return norway["rate_id"], {name: norway[name] for name in names}


def test_rates_of_the_project_are_not_priced_twice(sandbox: Any) -> None:
    """What the project's records have active cannot be given a second price under another name."""
    _, terms = of_norway(sandbox)
    same = brought_to(sandbox, "approved", "no-sms-cheap", **terms)
    refused = step(sandbox, same, "activate")

    assert status_and_problem(refused) == (409, "window-conflict")
    assert refused.json()["detail"] == (
        "rates/no-sms-cheap@1 and rates/no-sms-fjord@2 would both hold from 2026-11-21 on for the same "
        "thing. They are versions of two rates: withdraw one of the two."
    )


def test_rates_of_the_project_get_successors(sandbox: Any) -> None:
    """The next version follows the highest of the records, and supersedes the one that is public."""
    name, terms = of_norway(sandbox)
    (before,) = sandbox.get(VERSIONS, params={"rate_id": name, "status": "active"}).json()["data"]
    shown = public(sandbox)
    after = brought_to(sandbox, "active", name, **terms, price="0.09")

    assert (f"{name}@2" in shown, f"{name}@3" in shown) == (True, False)
    assert [text for text in public(sandbox) if text.startswith(name)] == [f"{name}@3"]
    assert (status(sandbox, before["id"]), status(sandbox, after)) == ("superseded", "active")
    assert log_of(sandbox, before["id"])[-1]["reason"] == "Replaced by rates/no-sms-fjord@3."


def test_withdrawn_version_disappears_at_once(sandbox: Any) -> None:
    """The public list is right with the answer to the withdrawal."""
    version = brought_to(sandbox, "active")
    shown = "se-sms@1" in public(sandbox)
    step(sandbox, version, "withdraw")

    assert (shown, "se-sms@1" in public(sandbox)) == (True, False)


Step = tuple[str, str, int]
STEPS: st.SearchStrategy[list[Step]] = st.lists(
    st.tuples(
        st.sampled_from(["draft", "revise", "submit", "approve", "reject", "activate", "withdraw", "wait"]),
        st.sampled_from([ADA, BOB]),
        st.integers(0, 2),
    ),
    max_size=25,
)


@given(steps=STEPS)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_two_people_do_only_what_both_did_is_public(sandbox: Any, steps: list[Step]) -> None:
    """Exactly the version that one wrote, another approved, and that is active now; never two at once."""
    market = f"se-law-{sandbox.count(RATE_VERSIONS)}"
    terms = {"prefixes": [f"46{sandbox.count(RATE_VERSIONS)}"]}
    versions = [brought_to(sandbox, "submitted", market, **terms, effective_from=today(sandbox))]
    for action, token, position in steps:
        version = versions[position % len(versions)]
        match action:
            case "wait":
                sandbox.clock.forward(hours=8)
            case "draft":
                versions.append(draft_version(sandbox, market, **terms, effective_from=today(sandbox)))
            case "revise":
                revise_version(sandbox, version, token=token, **terms, effective_from=today(sandbox))
            case _:
                step(sandbox, version, action, token=token)

    active = set()
    for version in versions:
        now = sandbox.get(f"{VERSIONS}/{version}").json()
        entries = log_of(sandbox, version)
        writers = {entry["actor"] for entry in entries if entry["role"] == "editor"}
        assert not writers & {entry["actor"] for entry in entries if entry["action"] == "approve"}
        active |= {f"{market}@{now['version']}"} if now["status"] == "active" else set()
    assert {name for name in public(sandbox) if name.startswith(f"{market}@")} == active
    assert len(active) <= 1


def today(sandbox: Any) -> str:
    """Return the day of the sandbox's clock."""
    day: str = sandbox.clock.now.date().isoformat()
    return day
