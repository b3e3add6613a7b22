"""What becomes of messages to certain numbers: whole, true to the contract, and disturbing nobody."""

import re
from itertools import pairwise

import pytest

from devportal.contract import Api
from telecom.magic_numbers import (
    DELIVERED_REPORT,
    DESTINATIONS,
    LATE_S,
    ORDINARY_DESTINATION,
    SENT_REPORT,
    WITHOUT_RCS_REPORT,
    Destination,
    MessageCourse,
    StatusReport,
    message_course,
)
from telecom.problems import ProblemKind
from telecom.receipts import MESSAGE_STATE_MACHINE, CarrierStatus, Channel, ErrorCode, MessageStatus
from telecom.states import StateMachines

ALL = {**DESTINATIONS, "+12025550123": ORDINARY_DESTINATION}


def statuses_in_order(reports: tuple[StatusReport, ...]) -> list[MessageStatus]:
    """Return the statuses in the order in which they came about, each once."""
    told = sorted(reports, key=lambda report: report.after_s - report.late_s)
    return list(dict.fromkeys(status_report.outcome.status for status_report in told))


def courses() -> list[MessageCourse]:
    return [
        message_course(number, channel, sms_fallback=fallback)
        for number in ALL
        for channel in Channel
        for fallback in (False, True)
    ]


def test_numbers_belong_to_nobody() -> None:
    """NANP 555-0100 to 555-0199 are reserved for fiction."""
    assert len(DESTINATIONS) > 15
    assert all(re.fullmatch(r"\+1[2-9][0-9]{2}55501[0-9]{2}", number) for number in DESTINATIONS)


@pytest.mark.parametrize("destination", ALL.values(), ids=ALL)
def test_what_happens_is_a_way_through_the_states(api: Api, destination: Destination) -> None:
    """In the order in which it happened, each status follows from the one before."""
    machine = StateMachines.read(api).of(MESSAGE_STATE_MACHINE)
    way = ["queued", *statuses_in_order(destination.reports)]

    assert all(machine.allows(source, target) for source, target in pairwise(way))
    assert way[-1] in {*machine.finals, "sent"}


def test_every_step_of_the_contract_can_be_seen(api: Api) -> None:
    """Each transition, each carrier status, each error code and each channel occurs."""
    steps = {
        step
        for course in courses()
        for step in pairwise([MessageStatus.QUEUED, *statuses_in_order(course.reports)])
    }
    outcomes = [report.outcome for course in courses() for report in course.reports]

    declared = StateMachines.read(api).of(MESSAGE_STATE_MACHINE).transitions
    assert steps == {(transition.source, transition.target) for transition in declared}
    assert {outcome.carrier for outcome in outcomes} == {*CarrierStatus, None}
    assert {outcome.error for outcome in outcomes} == {*ErrorCode, None}


def test_what_did_not_arrive_has_a_reason() -> None:
    """A code is there for each failure and for nothing else."""
    well = {MessageStatus.SENT, MessageStatus.DELIVERED}
    for course in courses():
        for report in course.reports:
            outcome = report.outcome
            assert (outcome.error is None) == (outcome.status in well), outcome


def test_each_meaning_is_told_once() -> None:
    """Two numbers that stand for the same would be one too many."""
    assert len({destination.meaning for destination in ALL.values()}) == len(ALL)


def test_rcs_goes_out_as_sms_where_it_must_and_may() -> None:
    """Only a handset without RCS changes anything, and only for RCS."""
    without = "+12025550192"

    assert message_course(without, Channel.SMS, sms_fallback=False).reports == ORDINARY_DESTINATION.reports
    assert message_course(without, Channel.RCS, sms_fallback=True) == MessageCourse(
        sent_as=Channel.SMS, reports=(SENT_REPORT, DELIVERED_REPORT)
    )
    assert message_course(without, Channel.RCS, sms_fallback=False) == MessageCourse(
        sent_as=Channel.RCS, reports=(SENT_REPORT, WITHOUT_RCS_REPORT)
    )
    assert message_course("+12025550123", Channel.RCS, sms_fallback=True).sent_as is Channel.RCS


def test_refusals_are_those_that_no_request_can_bring_about() -> None:
    """What a client can cause itself, such as a field that is missing, needs no number."""
    refusals = {destination.refusal for destination in DESTINATIONS.values()} - {None}

    assert refusals == {
        ProblemKind.UNSUPPORTED_CHANNEL,
        ProblemKind.RATE_LIMIT_EXCEEDED,
        ProblemKind.INTERNAL_ERROR,
        ProblemKind.SERVICE_UNAVAILABLE,
    }


def test_one_destination_is_answered_later_than_clients_wait() -> None:
    """Its message is one like any other, and how long the answer takes is told."""
    (late,) = [destination for destination in DESTINATIONS.values() if destination.response_delay_s]

    assert late.response_delay_s == LATE_S > 30
    assert f"{LATE_S:.0f} seconds" in late.meaning
    assert (late.reports, late.refusal) == (ORDINARY_DESTINATION.reports, None)
