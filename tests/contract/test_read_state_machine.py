"""`x-state-machine`: read beside its enum, with a finding for everything that cannot be meant."""

from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import pytest

from devportal.contract import Contract, StateMachine, Transition, check_contract
from devportal.contract.published.bundle import bundle
from tests.contract.inline import contract, write

WEBHOOKS = """\
webhooks:
  parcel.moved:
    post: {operationId: receiveMove, responses: {'204': {description: Taken.}}}
  parcel.audited:
    post: {x-internal: true, operationId: receiveAudit, responses: {'204': {description: Taken.}}}
"""
MACHINE = """\
initial: [packed]
transitions:
  - {from: packed, to: sent, on: a van takes it, event: parcel.moved}
  - {from: [packed, sent], to: lost, on: nobody finds it, description: It is *gone*.}
"""


def read(machine: str, *, enum: str = "[packed, sent, lost]", version: str = "3.1.0") -> Contract:
    """Return a contract with a schema `State` of this enum and machine, and two events."""
    schema = f"type: string\nenum: {enum}\nx-state-machine:\n{indent(dedent(machine), '  ')}"
    text = f"{WEBHOOKS}components:\n  schemas:\n    State:\n{indent(schema, '      ')}\n"
    is_first = version.startswith("3.0")
    return contract(text.replace("webhooks:", "x-webhooks:", 1) if is_first else text, version=version)


def state_machine_of(read: Contract) -> StateMachine | None:
    """Return the machine of the schema `State`."""
    state = next(schema for schema in read.api.schemas.values() if schema.name == "State")
    return read.api.resolve(state).state_machine


def messages_of(read: Contract) -> list[str]:
    """Return the messages on state machines."""
    return [finding.message for finding in read.findings if finding.rule == "contract-state-machine"]


def published_machine(read: Contract) -> Any:
    """Return the machine as it is published."""
    return bundle(read)["components"]["schemas"]["State"]["x-state-machine"]


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0", "3.2.0"])
def test_a_machine_is_read(version: str) -> None:
    """States are in the order of the enum; a list of sources is one step from each."""
    assert state_machine_of(read(MACHINE, version=version)) == StateMachine(
        states=("packed", "sent", "lost"),
        initial=("packed",),
        transitions=(
            Transition(source="packed", target="sent", on="a van takes it", event="parcel.moved"),
            Transition(source="packed", target="lost", on="nobody finds it", description="It is *gone*."),
            Transition(source="sent", target="lost", on="nobody finds it", description="It is *gone*."),
        ),
    )


def test_what_is_right_is_silent() -> None:
    """No finding, neither on reading nor as a part that is not shown."""
    assert [
        finding.message
        for finding in check_contract(read(MACHINE))
        if "state" in finding.rule + finding.message
    ] == []


def test_a_machine_in_another_file_is_read(tmp_path: Path) -> None:
    """Its events are the webhooks of the root."""
    files = {
        "api.yaml": """
            openapi: 3.0.3
            info: {title: T, version: '1'}
            paths: {}
            x-webhooks: {moved: {$ref: 'states.yaml#/moved'}}
            components: {schemas: {State: {$ref: 'states.yaml#/State'}}}
        """,
        "states.yaml": """
            moved: {post: {responses: {'204': {description: Taken.}}}}
            State:
              type: string
              enum: [a, b]
              x-state-machine: {initial: a, transitions: [{from: a, to: b, on: x, event: moved}]}
        """,
    }
    contract = write(tmp_path, files)

    assert contract.findings == ()
    assert state_machine_of(contract) == StateMachine(
        states=("a", "b"),
        initial=("a",),
        transitions=(Transition(source="a", target="b", on="x", event="moved"),),
    )
    assert published_machine(contract)["transitions"] == [
        {"from": "a", "to": "b", "on": "x", "event": "moved"}
    ]


@pytest.mark.parametrize("enum", ["[]", "[1, 2]", "packed"])
def test_a_machine_without_texts_to_be_states_is_told(enum: str) -> None:
    """States are the values of the enum beside the machine."""
    contract = read(MACHINE, enum=enum)

    assert state_machine_of(contract) is None
    assert messages_of(contract) == [
        "a state machine needs an 'enum' of texts in the same schema: its values are the states"
    ]


@pytest.mark.parametrize(
    ("written", "instead", "said"),
    [
        ("packed, sent]", "packd, sent]", "'packd' is not a state: the enum does not have it"),
        ("to: sent", "to: [sent]", "['sent'] is not a state: the enum does not have it"),
        ("initial: [packed]", "initial: [packed, 7]", "7 is not a state: the enum does not have it"),
        ("initial: [packed]", "", "this state machine has no initial state"),
        ("[packed, sent], to: lost", "packed, to: sent", "no transition mentions the state 'lost'"),
        ("initial: [packed]", "initial: [sent]", "no way leads from an initial state to 'packed'"),
        ("on: a van takes it, ", "", "this transition has no 'on'"),
        ("on: a van takes it, ", "on: '', ", "this transition has no 'on'"),
        ("from: packed, ", "", "this transition has no 'from'"),
        ("to: sent, ", "", "this transition has no 'to'"),
        ("parcel.moved", "parcel.move", "the event 'parcel.move' is not a webhook of this contract"),
        ("transitions:", "transitions:\n  - sent", "a transition is a mapping, found 'sent'"),
        (
            "transitions:",
            "transitions:\n  - {from: sent, to: lost, on: nobody   finds it}",
            "the transition from 'sent' to 'lost' is listed twice",
        ),
    ],
)
def test_what_is_wrong_with_a_machine_is_told(written: str, instead: str, said: str) -> None:
    """And the rest of the machine is read."""
    assert written in MACHINE
    contract = read(MACHINE.replace(written, instead))

    assert said in messages_of(contract)
    assert state_machine_of(contract) is not None


@pytest.mark.parametrize(
    ("written", "instead", "advice"),
    [
        ("packed, sent]", "packd, sent]", "did you mean 'packed'?"),
        ("to: sent", "to: gone", "one of 'packed', 'sent', 'lost'"),
        ("parcel.moved", "parcel.move", "did you mean 'parcel.moved'?"),
    ],
)
def test_findings_say_what_could_be_meant(written: str, instead: str, advice: str) -> None:
    """The nearest name, or all there are."""
    contract = read(MACHINE.replace(written, instead))

    assert advice in [finding.help for finding in contract.findings]


@pytest.mark.parametrize(
    "machine", ["- packed", "7", "{initial: [packed]}", "{initial: [packed], transitions: []}"]
)
def test_what_is_no_machine_is_told(machine: str) -> None:
    """It is left out, and nothing stops."""
    contract = read(machine)

    assert state_machine_of(contract) is None
    assert len(messages_of(contract)) == 1


def test_findings_have_the_place_of_what_is_wrong() -> None:
    """Line and column of the state, not of the schema."""
    contract = read(MACHINE.replace("[packed, sent]", "[packed, snt]"))

    (finding,) = [finding for finding in contract.findings if finding.rule == "contract-state-machine"]
    line = (finding.place.line or 0) - 1
    text = contract.source.documents()[""].text.splitlines()[line]
    assert text[(finding.place.column or 0) - 1 :].startswith("snt]")


def test_an_unknown_field_is_told() -> None:
    """With the one that was meant."""
    messages = [
        finding.message + finding.help for finding in check_contract(read(MACHINE.replace("event:", "evnt:")))
    ]

    assert "'evnt' is not a field of a transition, so it is not showndid you mean 'event'?" in messages


def test_an_internal_event_is_not_named() -> None:
    """Neither by the model nor by what is published; what becomes of the step is told."""
    contract = read(MACHINE.replace("parcel.moved", "parcel.audited"))

    machine = state_machine_of(contract)
    assert machine is not None
    assert {transition.event for transition in machine.transitions} == {""}
    assert published_machine(contract)["transitions"][0] == {
        "from": "packed",
        "to": "sent",
        "on": "a van takes it",
    }
    assert [finding.message for finding in contract.findings] == [
        "the event 'parcel.audited' is internal, so it is not shown"
    ]


def test_texts_that_name_an_internal_event_are_told() -> None:
    """Prose stays as its author wrote it, here as in descriptions."""
    contract = read(MACHINE.replace("a van takes it", "parcel.audited says so"))

    assert [finding.message for finding in contract.findings] == [
        "this text names 'parcel.audited', which is internal"
    ]


@pytest.mark.parametrize(
    ("machine", "steps"),
    [
        (MACHINE.replace("{from: packed", "{x-internal: true, from: packed"), ["lost", "lost"]),
        (f"x-internal: true\n{MACHINE}", None),
    ],
)
def test_what_is_internal_is_not_read(machine: str, steps: list[str] | None) -> None:
    """A step, or the whole machine: it is in the model as little as in what is published."""
    contract = read(machine)

    one = state_machine_of(contract)
    assert (None if one is None else [step.target for step in one.transitions]) == steps
    assert "van" not in str(bundle(contract))


def test_states_that_lead_to_an_internal_schema_are_not_told() -> None:
    """Where they are values of a discriminator: they go from the enum, and with them the steps."""
    read = contract(
        """\
        components:
          schemas:
            Parcel:
              type: object
              properties: {state: {$ref: '#/components/schemas/State'}}
              discriminator:
                propertyName: state
                mapping: {sent: '#/components/schemas/Sent', seized: '#/components/schemas/Seized'}
            Sent: {type: object}
            Seized: {type: object, x-internal: true}
            State:
              type: string
              enum: [sent, seized, lost]
              x-state-machine:
                initial: [sent]
                transitions:
                  - {from: sent, to: seized, on: it is stopped}
                  - {from: [sent, seized], to: lost, on: nobody finds it}
        """
    )

    left = Transition(source="sent", target="lost", on="nobody finds it")
    assert state_machine_of(read) == StateMachine(
        states=("sent", "lost"), initial=("sent",), transitions=(left,)
    )
    assert published_machine(read) == {
        "initial": ["sent"],
        "transitions": [{"from": ["sent"], "to": "lost", "on": "nobody finds it"}],
    }
