"""Calls as the sandbox lets them go."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.contract import Api
from devportal.contract.validate.json_schema import Direction
from devportal.contract.validate.validator import Validator
from telecom.calls import (
    CALL_OUTCOMES,
    RATE_LIMITED_NUMBER,
    AnsweredBy,
    CallStatus,
    EndCause,
    MachineDetection,
    plan_call,
    step_seconds,
)
from telecom.states import StateMachines

ANYBODY = "+12025550123"
SAYS = {"action": "say", "text": "x" * 30}


def request(**changes: Any) -> dict[str, Any]:
    return {"to": ANYBODY, "from": "+12025550140", "flow": [SAYS], **changes}


def steps(**changes: Any) -> list[tuple[str, int]]:
    return [(step.status.value, step.after_s) for step in plan_call(request(**changes)).steps]


def schema_values(api: Api, name: str) -> list[Any]:
    return list(next(s for place, s in api.schemas.items() if place.pointer[-1] == name).enum)


def test_answered_call_lasts_as_long_as_its_flow() -> None:
    """Each step has its length, and the call ends after the last one."""
    flow = [
        SAYS,
        {"action": "play", "url": "https://media.example.com/a.mp3"},
        {"action": "pause", "seconds": 7},
    ]

    course = plan_call(request(flow=flow))

    assert course.talk_s == 2 + 10 + 7
    assert course.cause is EndCause.FLOW_ENDED
    assert steps(flow=flow) == [("initiated", 1), ("ringing", 2), ("in_progress", 4), ("completed", 23)]


@pytest.mark.parametrize(("length", "seconds"), [(1, 1), (15, 1), (16, 2), (1000, 67)])
def test_text_is_said_at_one_speed(length: int, seconds: int) -> None:
    """15 characters take a second, and a started second counts."""
    assert step_seconds({"action": "say", "text": "x" * length}) == seconds


def test_transfer_depends_on_who_picks_up() -> None:
    """A connection lasts; a number that does not answer costs a moment."""
    assert step_seconds({"action": "transfer", "to": ANYBODY}) == 20
    assert step_seconds({"action": "transfer", "to": "+12125550171"}) == 5


def test_step_that_the_contract_lacks_is_a_fault() -> None:
    """A new step in the contract is not passed over in silence."""
    with pytest.raises(ValueError, match="'sing'"):
        step_seconds({"action": "sing"})


@pytest.mark.parametrize(
    ("number", "expected", "cause", "sip_code"),
    [
        ("+12125550171", [("initiated", 1), ("busy", 2)], "busy", 486),
        ("+12125550172", [("initiated", 1), ("ringing", 2), ("no_answer", 32)], "no_answer", 487),
        ("+12125550173", [("initiated", 1), ("ringing", 2), ("rejected", 4)], "rejected", 603),
        ("+12125550174", [("failed", 1)], "no_route", None),
        ("+12125550175", [("initiated", 1), ("failed", 2)], "unknown_number", 404),
        ("+12125550176", [("initiated", 1), ("failed", 2)], "unreachable", 480),
    ],
)
def test_call_in_vain(number: str, expected: list[tuple[str, int]], cause: str, sip_code: int | None) -> None:
    """The number decides, and nothing is talked."""
    course = plan_call(request(to=number, machine_detection="report"))

    assert steps(to=number) == expected
    assert (course.cause, course.sip_code, course.talk_s) == (cause, sip_code, 0)
    assert course.answered_by is None


def test_ring_time_is_the_one_asked_for() -> None:
    """It counts from the first ring."""
    assert steps(to="+12125550172", ring_timeout_s=5)[-1] == ("no_answer", 7)


@pytest.mark.parametrize(
    ("number", "detection", "talk_s", "cause", "by"),
    [
        (ANYBODY, "off", 2, EndCause.FLOW_ENDED, None),
        (ANYBODY, "report", 2, EndCause.FLOW_ENDED, AnsweredBy.HUMAN),
        (ANYBODY, "hang_up", 5, EndCause.FLOW_ENDED, AnsweredBy.HUMAN),
        ("+12125550177", "off", 2, EndCause.FLOW_ENDED, None),
        ("+12125550177", "report", 2, EndCause.FLOW_ENDED, AnsweredBy.MACHINE),
        ("+12125550177", "hang_up", 3, EndCause.MACHINE_DETECTED, AnsweredBy.MACHINE),
    ],
)
def test_machine_detection(
    number: str, detection: str, talk_s: int, cause: EndCause, by: AnsweredBy | None
) -> None:
    """It takes three seconds where it decides, tells nothing where it is off."""
    course = plan_call(request(to=number, machine_detection=detection))

    assert (course.talk_s, course.cause, course.answered_by) == (talk_s, cause, by)


def test_impatient_callee_hangs_up() -> None:
    """After two seconds, unless the flow is over by then."""
    long = plan_call(request(to="+12125550178", flow=[{"action": "pause", "seconds": 3}]))
    short = plan_call(request(to="+12125550178"))

    assert (long.talk_s, long.cause) == (2, EndCause.CALLEE_HUNG_UP)
    assert (short.talk_s, short.cause) == (2, EndCause.FLOW_ENDED)


FLOWS = st.lists(
    st.one_of(
        st.fixed_dictionaries({"action": st.just("say"), "text": st.text(min_size=1, max_size=1000)}),
        st.fixed_dictionaries({"action": st.just("pause"), "seconds": st.integers(1, 60)}),
        st.just({"action": "play", "url": "https://media.example.com/a.mp3"}),
        st.fixed_dictionaries(
            {"action": st.just("transfer"), "to": st.sampled_from([*CALL_OUTCOMES, ANYBODY])}
        ),
    ),
    min_size=1,
    max_size=20,
)


@given(
    st.sampled_from([*CALL_OUTCOMES, ANYBODY]), FLOWS, st.sampled_from(MachineDetection), st.integers(5, 120)
)
def test_every_course_is_a_way_through_the_contract(
    api: Api, to: str, flow: list[Any], detection: MachineDetection, ring_timeout_s: int
) -> None:
    """From queued to a final status, step by step, later and later, and never longer than allowed."""
    machines = StateMachines.read(api)
    course = plan_call(
        request(to=to, flow=flow, machine_detection=detection.value, ring_timeout_s=ring_timeout_s)
    )
    status, after_s = "queued", 0
    for step in course.steps:
        status = machines.step("CallStatus", status, step.status.value)
        assert step.after_s > after_s
        after_s = step.after_s

    assert machines.is_final("CallStatus", status)
    assert (course.talk_s > 0) == (status == CallStatus.COMPLETED)
    assert course.talk_s <= 14_400


def test_closed_sets_are_those_of_the_contract(api: Api) -> None:
    """Statuses, causes and detection are the same words here and there, in the same order."""
    assert schema_values(api, "CallStatus") == list(CallStatus)
    assert schema_values(api, "EndCause") == [*EndCause, None]
    assert schema_values(api, "AnsweredBy") == [*AnsweredBy, None]
    assert schema_values(api, "MachineDetection") == list(MachineDetection)


def test_numbers_with_an_outcome_are_of_fiction() -> None:
    """Manhattan's 555-0100 to 555-0199: nobody has them, and messages use others."""
    assert all(
        number.startswith("+121255501") and len(number) == 12
        for number in (*CALL_OUTCOMES, RATE_LIMITED_NUMBER)
    )
    assert RATE_LIMITED_NUMBER not in CALL_OUTCOMES


def test_examples_tell_what_the_sandbox_does(api: Api) -> None:
    """The calls that the contract shows as ended are what becomes of those it shows as requested."""
    asked = next(operation for operation in api.operations if operation.id == "startCall")
    shown = next(operation for operation in api.operations if operation.id == "retrieveCall")
    assert asked.request_body is not None
    requests = {example.name: example.value for example in asked.request_body.content[0].examples}
    queued = {example.name: example.value for example in asked.successes[0].content[0].examples}
    ended = {example.value["id"]: example.value for example in shown.successes[0].content[0].examples}
    validator = Validator(api)

    assert requests.keys() == queued.keys()
    for name, body in requests.items():
        schema = asked.request_body.content[0].schema
        assert schema is not None
        assert validator.is_valid(schema, body, Direction.REQUEST)
        course, call = plan_call(body), ended[queued[name]["id"]]
        assert {key: call[key] for key in ("from", "to", "reference")} == {
            key: body.get(key) for key in ("from", "to", "reference")
        }
        assert (call["duration_s"], call["end_cause"], call["sip_code"], call["answered_by"]) == (
            course.talk_s,
            course.cause,
            course.sip_code,
            course.answered_by,
        ), name
