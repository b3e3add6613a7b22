"""Operations and handlers: neither without the other."""

from dataclasses import replace

import pytest

from devportal.contract import Api
from devportal.errors import InvalidContract
from telecom.problems import ProblemKind, ProblemRegistry
from telecom.sandbox.api.operations import bind_handlers
from telecom.sandbox.handlers import HANDLERS


def test_each_operation_has_its_handler(api: Api) -> None:
    """Path and method lead to both."""
    bound = bind_handlers(api, HANDLERS)

    assert bound["/v1/messages", "POST"][1] is HANDLERS["sendMessage"]
    assert {operation.id for operation, _ in bound.values()} == HANDLERS.keys()


def test_operation_without_handler_stops_the_start(api: Api) -> None:
    """The message names the operation and what there is."""
    extra = replace(api.operations[0], id="sendFax", path="/v1/faxes")

    with pytest.raises(InvalidContract, match=r"'sendFax'(.|\n)*sendMessage"):
        bind_handlers(replace(api, operations=(*api.operations, extra)), HANDLERS)


def test_handler_without_operation_stops_the_start(api: Api) -> None:
    """A contract that lost an operation is not served by half."""
    handlers = {**HANDLERS, "sendFax": HANDLERS["sendMessage"]}

    with pytest.raises(InvalidContract, match="'sendFax'"):
        bind_handlers(api, handlers)


@pytest.mark.parametrize("times", [0, 2])
def test_each_problem_type_is_registered_once(api: Api, times: int) -> None:
    """A type that is missing or ambiguous is told by its name."""
    kept = [problem_type for problem_type in api.problem_types if "/not-found/" not in problem_type.uri]
    doubled = [
        problem_type for problem_type in api.problem_types if "/not-found/" in problem_type.uri
    ] * times

    with pytest.raises(InvalidContract, match=f"'not-found' {times} times"):
        ProblemRegistry.of(replace(api, problem_types=(*kept, *doubled)))


def test_problem_document_says_what_the_registry_says(api: Api) -> None:
    """Type, title and status are the contract's; long details are cut."""
    problem = ProblemRegistry.of(api).problem(ProblemKind.NOT_FOUND, "x" * 5000)

    document = problem.document("ab" * 16)

    assert document["type"] == "https://devportal.example.com/reference/errors/not-found/"
    assert (document["title"], document["status"]) == ("Nothing at this address", 404)
    assert len(document["detail"]) == 500
