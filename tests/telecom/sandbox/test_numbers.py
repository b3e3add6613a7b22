"""Numbers in the sandbox: searched, listed, and nobody's in the real world."""

import re
from typing import Any

import pytest

from devportal.contract import Api, ParameterLocation
from telecom.numbers import OFFERED_NUMBERS, NumberFeature, NumberType

from .conftest import ADA, BOB, UNSCOPED

FICTION = re.compile(
    r"\+(1[2-9][0-9]{2}55501[0-9]{2}|18005550199|441134960[0-9]{3}|441314960[0-9]{3}|443069990[0-9]{3}"
    r"|448081570[0-9]{3}|6125550[0-9]{4}|6118009757(0[7-9]|1[01]))"
)


def available_numbers(sandbox: Any, query: str) -> list[str]:
    response = sandbox.get("/v1/available-numbers" + query)
    assert response.status_code == 200, response.text
    return [item["number"] for item in response.json()["data"]]


def own_numbers(sandbox: Any, query: str = "", *, token: str = ADA) -> list[dict[str, Any]]:
    response = sandbox.get("/v1/numbers" + query, token=token)
    assert response.status_code == 200, response.text
    numbers: list[dict[str, Any]] = response.json()["data"]
    return numbers


def examples(api: Api, operation_id: str) -> dict[str, Any]:
    operation = next(operation for operation in api.operations if operation.id == operation_id)
    return {example.name: example.value for example in operation.successes[0].content[0].examples}


def test_search_stays_in_its_country(sandbox: Any) -> None:
    """A country without numbers has an empty page, which is no error."""
    british = available_numbers(sandbox, "?country=GB&limit=100")

    assert british
    assert all(number.startswith("+44") for number in british)
    assert available_numbers(sandbox, "?country=NO") == []


@pytest.mark.parametrize("kind", NumberType)
def test_each_kind_is_offered(sandbox: Any, kind: NumberType) -> None:
    """Local, national and toll-free, as documented."""
    page = sandbox.get(f"/v1/available-numbers?country=GB&type={kind.value}").json()["data"]

    assert {item["type"] for item in page} == {kind}
    assert all((item["region"] is None) == (kind is not NumberType.LOCAL) for item in page)


def test_digits_are_found_anywhere(sandbox: Any) -> None:
    """At the start, at the end, and never the plus sign."""
    assert available_numbers(sandbox, "?country=US&contains=1202") == [
        f"+1202555010{n}" for n in (3, 2, 1, 0)
    ]
    assert available_numbers(sandbox, "?country=US&contains=50107") == ["+14155550107", "+12125550107"]
    assert available_numbers(sandbox, "?country=US&contains=99999") == []


def test_every_feature_has_to_be_there(sandbox: Any) -> None:
    """A repeated parameter asks for more, not for one of them."""
    both = sandbox.get("/v1/available-numbers?country=US&feature=voice&feature=mms&limit=100").json()["data"]
    voice = available_numbers(sandbox, "?country=US&feature=voice&limit=100")

    assert all({"voice", "mms"} <= set(item["features"]) for item in both)
    assert 0 < len(both) < len(voice)


def test_pages_show_each_number_once(sandbox: Any) -> None:
    """Though all of them were offered at the same time."""
    seen, query = [], "?country=GB&limit=7"
    while query:
        page = sandbox.get("/v1/available-numbers" + query).json()
        seen += [item["number"] for item in page["data"]]
        query = f"?country=GB&limit=7&cursor={page['next_cursor']}" if page["next_cursor"] else ""

    assert (
        len(seen)
        == len(set(seen))
        == sum(offered_number.country == "GB" for offered_number in OFFERED_NUMBERS)
    )


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?country=us",
        "?country=US&contains=%2B1",
        "?country=US&type=mobile",
        "?country=US&feature=fax",
        "?country=US&feature=voice&feature=voice",
        "?country=US&kind=local",
    ],
)
def test_wrong_search_is_refused(sandbox: Any, query: str) -> None:
    """A parameter that is missing, unknown or wrong does not widen the search."""
    response = sandbox.get("/v1/available-numbers" + query)

    assert response.status_code == 400
    assert response.json()["type"].endswith("/invalid-parameter/")


@pytest.mark.parametrize("path", ["/v1/available-numbers?country=US", "/v1/numbers"])
def test_scope_is_needed(sandbox: Any, path: str) -> None:
    """Both lists are read with the same scope."""
    response = sandbox.get(path, token=UNSCOPED)

    assert response.status_code == 403
    assert 'scope="numbers:read"' in response.headers["WWW-Authenticate"]


def test_each_account_has_the_numbers_of_the_contract(sandbox: Any, api: Api) -> None:
    """After every start, once each."""
    sandbox.restart()

    assert (
        own_numbers(sandbox)
        == own_numbers(sandbox, token=BOB)
        == examples(api, "listNumbers")["numbers"]["data"]
    )


def test_own_numbers_are_filtered(sandbox: Any) -> None:
    """By country and kind."""
    assert {number["country"] for number in own_numbers(sandbox, "?country=GB")} == {"GB"}
    assert [number["number"] for number in own_numbers(sandbox, "?country=US&type=toll_free")] == [
        "+18005550199"
    ]
    assert own_numbers(sandbox, "?country=AU") == []


def test_example_of_the_search_is_what_the_sandbox_finds(sandbox: Any, api: Api) -> None:
    """The parameters that the reference shows have the answer that it shows."""
    operation = next(operation for operation in api.operations if operation.id == "searchAvailableNumbers")
    query = {
        parameter.name: parameter.examples[0].value
        for parameter in operation.parameters
        if parameter.location_in is ParameterLocation.QUERY and parameter.name not in {"cursor", "limit"}
    }

    response = sandbox.get("/v1/available-numbers", params=query)

    assert response.json() == examples(api, "searchAvailableNumbers")["washington"]


def test_numbers_belong_to_nobody(api: Api) -> None:
    """Each is in a range that a regulator keeps free for fiction."""
    shown = [item["number"] for item in examples(api, "listNumbers")["numbers"]["data"]]
    numbers = [*shown, *(offered_number.number for offered_number in OFFERED_NUMBERS)]

    assert all(FICTION.fullmatch(number) for number in numbers)
    assert len(numbers) == len(set(numbers))


def test_closed_sets_are_those_of_the_contract(api: Api) -> None:
    """Kinds and features are the same words here and there."""
    enums = {place.pointer[-1]: list(schema.enum) for place, schema in api.schemas.items()}

    assert enums["NumberType"] == list(NumberType)
    assert enums["NumberFeature"] == list(NumberFeature)
