"""Parameters of paths and queries: each by its form, and none that the contract does not have."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.contract import Api, Operation, ParameterLocation
from devportal.contract.validate.validator import Validator
from telecom.problems import ProblemKind
from telecom.sandbox.api.exchange import RequestRefused
from telecom.sandbox.api.request_reading import ParameterReader


@pytest.fixture(scope="module")
def reader(api: Api) -> ParameterReader:
    return ParameterReader(api, Validator(api))


@pytest.fixture(scope="module")
def listing(api: Api) -> Operation:
    return next(operation for operation in api.operations if operation.id == "listMessages")


@pytest.fixture(scope="module")
def retrieval(api: Api) -> Operation:
    return next(operation for operation in api.operations if operation.id == "retrieveMessage")


def refusal(reader: ParameterReader, operation: Operation, *pairs: tuple[str, str]) -> RequestRefused:
    with pytest.raises(RequestRefused) as caught:
        reader.query(operation, pairs)
    return caught.value


def read_or_kind(read: Callable[[], dict[str, Any]]) -> Any:
    """Return what is read, or the kind of problem where it is refused."""
    try:
        return read()
    except RequestRefused as refused:
        return refused.kind


def test_each_value_has_the_type_of_its_schema(reader: ParameterReader, listing: Operation) -> None:
    """Numbers become numbers; a text that looks like one stays a text."""
    read = reader.query(listing, [("limit", "50"), ("cursor", "12345"), ("to", "+12025550123")])

    assert read == {"limit": 50, "cursor": "12345", "to": "+12025550123"}


def test_what_is_not_sent_is_not_there(reader: ParameterReader, listing: Operation) -> None:
    """Defaults are for those who read the value."""
    assert reader.query(listing, []) == {}


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("stauts", "did you mean 'status'?"),
        ("createdAfter", "did you mean 'created_after'?"),
        ("Limit", "did you mean 'limit'?"),
        ("zzz", "there are channel, created_after, created_before, cursor, limit, status, to."),
        ("", "there are"),
        ("x" * 5000, "there are"),
    ],
)
def test_unknown_parameter_is_refused(
    reader: ParameterReader, listing: Operation, name: str, advice: str
) -> None:
    """A filter that is misspelt must not return everything; the answer says what was meant."""
    refused = refusal(reader, listing, (name, "sent"))

    assert refused.kind is ProblemKind.INVALID_PARAMETER
    assert advice in refused.detail
    assert len(refused.detail) < 300


def test_operation_without_parameters_says_so(reader: ParameterReader, retrieval: Operation) -> None:
    """Nothing is near enough to be meant."""
    assert "this operation has none" in refusal(reader, retrieval, ("expand", "all")).detail


@pytest.mark.parametrize(
    "pairs", [[("limit", "5"), ("limit", "6")], [("status", "sent"), ("status", "sent")]]
)
def test_parameter_that_is_there_twice_is_refused(
    reader: ParameterReader, listing: Operation, pairs: list[tuple[str, str]]
) -> None:
    """Nobody can say which was meant, not even where both are the same."""
    refused = refusal(reader, listing, *pairs)

    assert refused.kind is ProblemKind.INVALID_PARAMETER
    assert f"{pairs[0][0]!r} occurs 2 times" in refused.detail


@pytest.mark.parametrize(
    "value", ["0", "101", "-1", "5.0", "1e1", "ten", "", " 5", "٥", "5" * 400, "+5", "0x5", "1_0", "true"]
)
def test_limit_without_its_form_is_refused(reader: ParameterReader, listing: Operation, value: str) -> None:
    """Only plain digits from 1 to 100 are a limit."""
    refused = refusal(reader, listing, ("limit", value))

    assert refused.kind is ProblemKind.INVALID_PARAMETER
    assert "'limit'" in refused.detail


@pytest.mark.parametrize("value", ["1", "20", "100", "007"])
def test_limit_within_its_bounds_is_read(reader: ParameterReader, listing: Operation, value: str) -> None:
    """Both ends are part of the range."""
    assert reader.query(listing, [("limit", value)]) == {"limit": int(value)}


@pytest.mark.parametrize("value", ["queued ", "QUEUED", "lost", "", "null"])
def test_value_outside_of_its_set_is_refused(reader: ParameterReader, listing: Operation, value: str) -> None:
    """Case and spaces count."""
    assert refusal(reader, listing, ("status", value)).kind is ProblemKind.INVALID_PARAMETER


@given(value=st.text(max_size=80) | st.from_regex(r"msg_[A-Za-z0-9_-]{0,70}\n?"))
def test_path_holds_an_identifier_or_nothing_is_found(
    reader: ParameterReader, retrieval: Operation, value: str
) -> None:
    """What cannot name a message is not found, rather than wrong: the path leads nowhere."""
    read = read_or_kind(lambda: reader.path(retrieval, {"message_id": value}))

    is_identifier = re.fullmatch("msg_[A-Za-z0-9_-]{1,60}", value) is not None
    assert read == ({"message_id": value} if is_identifier else ProblemKind.NOT_FOUND)


@given(pairs=st.lists(st.tuples(st.text(max_size=12), st.text(max_size=12)), max_size=4))
def test_any_query_is_read_or_refused(
    reader: ParameterReader, listing: Operation, pairs: list[tuple[str, str]]
) -> None:
    """Whatever is sent, the answer is one of the contract."""
    names = {
        parameter.name for parameter in listing.parameters if parameter.location_in is ParameterLocation.QUERY
    }

    read = read_or_kind(lambda: reader.query(listing, pairs))

    assert read is ProblemKind.INVALID_PARAMETER or read.keys() <= names


def test_refusal_reaches_the_client(sandbox: Any) -> None:
    """The whole way: 400 with the type of its own, and the name as it was written."""
    response = sandbox.get("/v1/messages?stauts=sent")

    assert response.status_code == 400
    assert response.json()["type"].endswith("/invalid-parameter/")
    assert "'stauts'" in response.json()["detail"]
