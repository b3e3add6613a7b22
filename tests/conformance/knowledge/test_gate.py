"""What is said after a run, besides the failures of its checks."""

from dataclasses import replace

import pytest

from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.conformance.results.result import OperationResult
from devportal.conformance.run import gate
from devportal.conformance.schemathesis.events import SchemathesisError, SchemathesisOutcome
from devportal.contract import Contract, Operation, Stability
from devportal.contract.validate.validator import Validator
from devportal.errors import Place
from tests.conformance.values import exchange
from tests.contract.inline import contract

PARCELS = """\
paths:
  /parcels:
    get:
      operationId: listParcels
      responses: {'200': {description: Parcels}, '400': {description: No such cursor}}
    delete:
      operationId: deleteParcels
      responses: {'204': {description: Gone}}
"""
LIST, DELETE = "GET /parcels", "DELETE /parcels"


def remaining_warnings(
    kind: str, *subjects: str, statuses: tuple[tuple[int, int], ...] = ()
) -> list[tuple[tuple[str, ...], bool]]:
    """Return the subjects of each warning that is left of one, and whether it makes the run red."""
    read, subject = parcels_subject()
    exchanges = [
        exchange_of(operation, operation.method, status)
        for operation in read.api.operations
        for status, _ in statuses
    ]
    outcome = SchemathesisOutcome(
        version="4", stop_reason="completed", cases=(), errors=(), warnings=((kind, subjects),)
    )
    return [
        (schemathesis_warning.subjects, schemathesis_warning.gates)
        for schemathesis_warning in gate.schemathesis_warnings(
            subject, results(read, statuses), outcome, exchanges
        )
    ]


def parcels_subject() -> tuple[Contract, Subject]:
    read = contract(PARCELS)
    subject = Subject(
        contract=read,
        operations=read.api.operations,
        base_url="http://127.0.0.1:1",
        validator=Validator(read.api),
    )
    return read, subject


def exchange_of(operation: Operation, method: str, status: int) -> Exchange:
    """Return an exchange under the label of an operation."""
    request = Request(method=method, url=f"http://127.0.0.1:1{operation.path}")
    return replace(exchange(status, {}), operation=operation_label(operation), request=request)


def results(read: Contract, statuses: tuple[tuple[int, int], ...]) -> list[OperationResult]:
    return [
        OperationResult(
            id=operation.id,
            label=operation_label(operation),
            stability=Stability.STABLE,
            gates=True,
            place=Place(file="api.yaml"),
            cases=1,
            statuses=statuses,
            checks=(),
        )
        for operation in read.api.operations
    ]


@pytest.mark.parametrize("kind", ["validation_mismatch", "low_valid_rate"])
def test_refusals_that_the_contract_documents_are_no_warning(kind: str) -> None:
    """Made-up cursors are refused with the documented 400: nobody has to do anything about that."""
    assert remaining_warnings(kind, LIST) == []
    assert remaining_warnings(kind, LIST, DELETE) == [((DELETE,), True)]


def test_examples_that_name_nothing_are_a_warning_that_gates_nothing() -> None:
    """Whoever runs it may give better examples; whether anything succeeded at all, `some-success` says."""
    assert remaining_warnings("missing_test_data", LIST) == [((LIST,), False)]
    assert remaining_warnings("missing_test_data", DELETE) == [((DELETE,), False)]


def test_limits_of_the_tool_gate_nothing() -> None:
    """A pattern that it cannot use is no fault of the deployment."""
    assert remaining_warnings("unsupported_regex", DELETE) == [((DELETE,), False)]
    assert remaining_warnings("missing_auth", DELETE) == [((DELETE,), True)]


@pytest.mark.parametrize(
    ("title", "kind"),
    [("Serialization not possible", gate.UNWRITABLE_BODY), ("Schema Error", gate.UNUSABLE_SCHEMA)],
)
def test_errors_of_the_tool_are_no_failures_of_the_deployment(title: str, kind: str) -> None:
    """No response has caused them, and nothing in a deployment can fix them."""
    read, subject = parcels_subject()
    error = SchemathesisError(operation=DELETE, title=title, message="No way to do this.")
    outcome = SchemathesisOutcome(
        version="4", stop_reason="completed", cases=(), errors=(error, error), warnings=()
    )

    warnings = [*gate.schemathesis_warnings(subject, results(read, ()), outcome, [])]

    assert [*gate.unfinished_run_failures(outcome)] == []
    assert [(warning.kind, warning.subjects, warning.gates) for warning in warnings] == [
        (kind, (DELETE,), False)
    ]


def test_other_errors_are_failures() -> None:
    """What kept a test from its end may be anything."""
    error = SchemathesisError(operation=DELETE, title="Runtime Error", message="It broke.")
    outcome = SchemathesisOutcome(
        version="4", stop_reason="completed", cases=(), errors=(error,), warnings=()
    )

    assert [failure.title for failure in gate.unfinished_run_failures(outcome)] == ["Runtime Error"]


def test_permissions_are_not_missing_for_what_succeeded() -> None:
    """A documented 403, such as for an address that is not allowed, says nothing about the token."""
    assert remaining_warnings("missing_auth", DELETE, statuses=((201, 35), (403, 4))) == []
    assert remaining_warnings("missing_auth", DELETE, statuses=((401, 4), (403, 4))) == [((DELETE,), True)]


def test_a_base_url_below_which_something_succeeds_is_right() -> None:
    """A deployment may be reached without the path that the servers of its contract have: one operation without
    existing identifiers does not make the address wrong.
    """
    assert remaining_warnings("base_url_mismatch", DELETE, statuses=((200, 1), (404, 9))) == []
    assert remaining_warnings("base_url_mismatch", LIST, DELETE, statuses=((404, 9),)) == [
        ((LIST, DELETE), True)
    ]


def test_success_of_another_method_is_no_success_of_the_operation() -> None:
    """OPTIONS and HEAD are sent to each path under the label of its operation."""
    read, subject = parcels_subject()
    listing, deletion = read.api.operations
    exchanges = [
        exchange_of(listing, "GET", 200),
        exchange_of(deletion, "OPTIONS", 204),
        exchange_of(deletion, "DELETE", 404),
    ]

    found = list(gate.never_succeeded_failures(subject, results(read, ()), exchanges))

    assert [(failure.operation, failure.message) for failure in found] == [
        (DELETE, "204 is promised and never came; what came: 404 (1×)")
    ]


def test_success_without_a_label_is_one_of_the_operation_at_its_path() -> None:
    """A check that accepts any response may send the one request that can succeed, such as a deletion of several."""
    read, subject = parcels_subject()
    listing, deletion = read.api.operations
    unlabelled = replace(exchange_of(listing, "GET", 200), operation="")
    elsewhere = replace(unlabelled, request=replace(unlabelled.request, url="http://127.0.0.1:1/other"))

    def never_succeeded(sent: Exchange) -> set[str]:
        exchanges = [sent, exchange_of(deletion, "DELETE", 204)]
        return {
            found.operation for found in gate.never_succeeded_failures(subject, results(read, ()), exchanges)
        }

    assert never_succeeded(unlabelled) == set()
    assert never_succeeded(elsewhere) == {LIST}


@pytest.mark.parametrize("kind", sorted(gate.WARNING_MESSAGES))
def test_every_warning_says_what_to_do_or_whose_it_is(kind: str) -> None:
    """What was seen comes first, and what follows from it after a colon."""
    assert ": " in gate.WARNING_MESSAGES[kind]
