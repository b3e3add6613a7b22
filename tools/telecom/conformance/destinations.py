"""Do messages to the numbers of the sandbox end as the guide says? Runs only if the settings call it a
sandbox."""

from collections.abc import Iterator, Mapping
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract.wording import quote_value
from telecom.conformance.event_log import LIST_EVENTS, READ_EVENT, events_about
from telecom.conformance.sending import (
    DEFAULT_WAIT_S,
    READ_MESSAGE,
    SEND_MESSAGE,
    JsonObject,
    accepted_json,
    follow_messages,
    message_request,
    missing_operations,
    operation_of,
    refusal_mismatch,
    require_operation,
    response_failure,
    send_message,
    wait_until,
)
from telecom.conformance.settings import missing_sandbox
from telecom.magic_numbers import DESTINATIONS, Destination, final_outcome
from telecom.receipts import MESSAGE_STATE_MACHINE, RECEIPT
from telecom.states import StateMachines

LOG_TIMEOUT_S = 5.0
"""How long the receipts of a message that has ended may take: some come late, or again."""
ENDING_DESTINATIONS = {
    number: destination
    for number, destination in DESTINATIONS.items()
    if destination.refusal is None and not destination.response_delay_s
}
"""The numbers that accept messages and respond before a run gives up."""
REFUSING_DESTINATIONS = {
    number: destination for number, destination in DESTINATIONS.items() if destination.refusal is not None
}


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for the numbers that accept messages, and one for those that refuse them."""
    yield Probe(
        operation=operation_label(require_operation(subject, READ_MESSAGE)),
        run=partial(_check_accepted_destinations, subject),
    )
    yield Probe(
        operation=operation_label(require_operation(subject, SEND_MESSAGE)),
        run=partial(_check_refusing_destinations, subject),
    )


def _check_accepted_destinations(subject: Subject, send: Send) -> Iterator[CheckFailure]:
    sent = {number: send_message(subject, send, channel="sms", to=number) for number in ENDING_DESTINATIONS}
    accepted = {number: exchange for number, exchange in sent.items() if accepted_json(exchange) is not None}
    machines = StateMachines.read(subject.api)
    documents = follow_messages(
        subject,
        send,
        accepted,
        lambda number, shown: (
            shown.get("status") == final_outcome(machines, ENDING_DESTINATIONS[number]).status
        ),
    )
    if refused := [number for number in sent if number not in accepted]:
        text = f"{refused[0]} gets {sent[refused[0]].status}, but the guide says it accepts messages"
        yield response_failure(
            require_operation(subject, SEND_MESSAGE),
            "a sandbox number rejects messages",
            text,
            sent[refused[0]],
        )
    yield from _final_status_failures(subject, machines, accepted, documents)
    if operation_of(subject, LIST_EVENTS) is not None and operation_of(subject, READ_EVENT) is not None:
        yield from _receipt_failures(subject, send, machines, documents)


def _final_status_failures(
    subject: Subject,
    machines: StateMachines,
    sent: Mapping[str, Exchange],
    documents: Mapping[str, JsonObject],
) -> Iterator[CheckFailure]:
    for number, exchange in sent.items():
        expected, document = final_outcome(machines, ENDING_DESTINATIONS[number]), documents.get(number, {})
        status, error = document.get("status"), document.get("error_code")
        if status != expected.status or error != (expected.error.value if expected.error else None):
            text = (
                f"{number} is {quote_value(status)} ({error}) after at most {DEFAULT_WAIT_S:g} s; the guide says "
                f"{str(expected.status)!r} ({expected.error})"
            )
            yield response_failure(
                require_operation(subject, READ_MESSAGE),
                "a number of the sandbox ends otherwise",
                text,
                exchange,
            )
            return


def _receipt_failures(
    subject: Subject, send: Send, machines: StateMachines, documents: Mapping[str, JsonObject]
) -> Iterator[CheckFailure]:
    """Yield a failure if other receipts came than the guide lists, or in another order."""
    for number, document in documents.items():
        expected = [
            receipt.value for receipt in final_outcome(machines, ENDING_DESTINATIONS[number]).receipts
        ]
        message_id, received = str(document.get("id")), list[object]()

        def receipts_arrived(
            message_id: str = message_id, received: list[object] = received, expected: list[str] = expected
        ) -> bool:
            newest_first = (
                logged_event
                for logged_event in events_about(subject, send, message_id)
                if logged_event.type == RECEIPT
            )
            received[:] = [logged_event.data.get("status") for logged_event in newest_first][::-1]
            return received == expected

        if not wait_until(subject, send, receipts_arrived, LOG_TIMEOUT_S):
            text = f"the receipts for {number} are {received}; the guide says {expected}"
            yield response_failure(
                require_operation(subject, LIST_EVENTS), "a number of the sandbox has other receipts", text
            )
            return


def _check_refusing_destinations(subject: Subject, send: Send) -> Iterator[CheckFailure]:
    operation = require_operation(subject, SEND_MESSAGE)
    for number, destination in REFUSING_DESTINATIONS.items():
        for channel in sorted(destination.refused_channels):
            # `at_once` does not wait after a 429, which is expected here.
            (exchange,) = send.at_once(
                operation, [message_request(subject, to=number, channel=channel.value)]
            )
            if mismatch := _refusal_mismatch(subject, destination, exchange):
                text = f"{channel.value} to {number} {mismatch}"
                yield response_failure(operation, "a sandbox number is rejected differently", text, exchange)
                return


def _refusal_mismatch(subject: Subject, destination: Destination, exchange: Exchange) -> str:
    return refusal_mismatch(subject, exchange, destination.refusal) if destination.refusal is not None else ""


def _missing_requirement(subject: Subject) -> str:
    if missing := missing_sandbox(subject):
        return missing
    if MESSAGE_STATE_MACHINE not in StateMachines.read(subject.api).by_schema:
        return f"the state machine {MESSAGE_STATE_MACHINE} in the contract"
    return missing_operations(SEND_MESSAGE, READ_MESSAGE)(subject)


FAMILY = Family(
    name="sandbox-destinations",
    summary="sandbox numbers behave as documented",
    words=CheckDescription(
        promise="Messages to the sandbox numbers end with the status, error code and receipts from the guide,"
        " or are rejected with its problem.",
        test="One message is sent to each number and read until it ends, for at most 20 seconds; its "
        "receipts are read from the event log. If the sandbox clock can be moved, `clock` in the "
        "settings says how, and no time is spent waiting. The number with a response time of 35 "
        "seconds is skipped: a run treats it as no response. Only if the settings declare a sandbox.",
        remedy="Compare the deployment's table of numbers with the guide.",
        sources=("the guide to the sandbox",),
    ),
    probes=probes,
    lacks=_missing_requirement,
    about_state=True,
)
