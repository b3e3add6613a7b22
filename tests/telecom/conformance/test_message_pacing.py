"""The pace of messages: what is too fast, and that a queue which paces is believed."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.apps.faults.catching import part_of_run, subject_at
from tests.apps.faults.pacing import PER_S, Queue
from tests.apps.faults.standing import Standing, standing
from tests.apps.faults.twists import MESSAGES

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.contract import Contract
from telecom.conformance.message_pacing import (
    FAMILY,
    LONGEST_TEXT,
    MAX_PACE_PER_S,
    SentMessage,
    find_fast_burst,
    find_overtaking,
)
from telecom.sandbox.stores.pacing import Throughput
from telecom.segments import MAX_SEGMENTS, split_into_segments

NOBODY = Exchange(request=Request(method="POST", url="http://a.example/"), answer=None)
BEGAN_AT = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)
AGREED = {"devportal-telecom": {"messages_per_second": PER_S}}


def messages_at(*moments_s: float) -> tuple[SentMessage, ...]:
    """Return messages of ten segments that left at these seconds."""
    return tuple(
        SentMessage(at=BEGAN_AT + timedelta(seconds=item), segments=10, exchange=NOBODY) for item in moments_s
    )


@pytest.fixture(scope="module")
def sandbox(contract: Contract, tmp_path_factory: pytest.TempPathFactory) -> Standing:
    """Return a sandbox that is prepared."""
    return standing(contract.api, tmp_path_factory.mktemp("standing"))


def test_one_second_of_the_pace_may_leave_at_once() -> None:
    """Twenty segments at 10 a second: those of one second at once, and the others a second later."""
    assert find_fast_burst(messages_at(0, 0, 1, 2), 10) is None


def test_what_leaves_at_once_beyond_a_second_is_too_fast() -> None:
    """Where the burst is does not matter, nor in which order messages are looked at."""
    assert find_fast_burst(messages_at(0, 0, 0), 10) == (30, timedelta(0))
    assert find_fast_burst(messages_at(60, 30.2, 30.1, 30, 0), 10) == (30, timedelta(seconds=0.2))


def test_who_is_overtaken_by_more_than_a_second_is_told() -> None:
    """Each moment is held against the latest before it, however many lie between."""
    first, *_, last = in_turn = messages_at(5, 4.5, 4.1, 3.9)

    assert find_overtaking(in_turn) == (first, last)
    assert find_overtaking(in_turn[:3]) is None


def test_the_text_takes_as_many_segments_as_a_message_may_have() -> None:
    """Few messages make a queue."""
    assert len(split_into_segments(LONGEST_TEXT).segments) == MAX_SEGMENTS


@pytest.mark.conformance
def test_a_queue_that_paces_is_believed(sandbox: Standing, contract: Contract, tmp_path: Path) -> None:
    """Nothing is said of a sandbox with this throughput, nor of the queue that the faults are made of."""
    paced = replace(sandbox.settings, throughput=Throughput(messages_per_s=PER_S))

    for item, twist in ((replace(sandbox, settings=paced), None), (sandbox, Queue())):
        with item.serving(tmp_path, twist) as served:
            assert part_of_run(served, contract, [FAMILY], include=MESSAGES, plugins=AGREED) == ()


@pytest.mark.conformance
def test_a_sandbox_that_agreed_on_more_is_faster(
    sandbox: Standing, contract: Contract, tmp_path: Path
) -> None:
    """Its own 1,000 a second are too fast for an account that has 10; a busy machine sends as many, too."""
    agreed = {"devportal-telecom": {"messages_per_second": 10}}
    with sandbox.serving(tmp_path) as served:
        failures = part_of_run(served, contract, [FAMILY], include=MESSAGES, plugins=agreed)

    assert [failure.title for failure in failures] == ["messages leave faster than agreed"]


def test_nothing_is_sent_unless_settings_say_what_is_agreed(contract: Contract) -> None:
    """Sixty messages of ten segments cost money; more would be needed for a faster account."""
    subject = subject_at("http://127.0.0.1:1", contract, MESSAGES)
    faster = {"devportal-telecom": {"messages_per_second": MAX_PACE_PER_S + 1}}
    assert FAMILY.lacks is not None

    assert "messages_per_second" in FAMILY.lacks(subject)
    assert "at most 200 segments" in FAMILY.lacks(replace(subject, plugins=faster))
    assert FAMILY.lacks(replace(subject, plugins=AGREED)) == ""
