# ruff: noqa: D102, ARG002 - methods are promises or override them: their names say it all
"""Bounds: the right server is left alone, and one whose bounds are elsewhere is not."""

from collections.abc import Callable
from typing import Any

import pytest
from starlette.responses import Response

from devportal.conformance.families.validation.boundary_values import (
    FAMILY,
    INVALID_ACCEPTED,
    INVALID_BREAKS_SERVER,
    VALID_BREAKS_SERVER,
    VALID_REFUSED,
)
from devportal.conformance.results.wording import VALUE_CHANGED
from tests.conformance.families.servers.crates import (
    Crates,
    Refusal,
    failures_of,
    is_whole_number,
    number,
    text,
    titles,
)


def crates_with_rules(**rules: Callable[[Any], bool]) -> Crates:
    """Return a server with other rules for some members."""

    class Ruled(Crates):
        def rules(self) -> dict[str, Callable[[Any], bool]]:
            return {**super().rules(), **rules}

    return Ruled()


def bytes_up_to(length: int) -> Callable[[Any], bool]:
    """Return a test of lengths that counts bytes."""
    return lambda value: isinstance(value, str) and 2 <= len(value.encode()) <= length


def test_the_right_server_is_left_alone() -> None:
    """Every bound is where the contract has it."""
    assert not failures_of(FAMILY, Crates())


@pytest.mark.parametrize(
    ("rules", "place"),
    [
        ({"name": text(".{2,19}")}, "the longest text in '/name'"),
        ({"name": text(".{3,20}")}, "the shortest text in '/name'"),
        ({"code": text("C[0-9]{3,5}")}, "the longest text in '/code'"),
        ({"code": text("C[0-9]{4,6}")}, "the shortest text in '/code'"),
        ({"weight": lambda value: isinstance(value, int) and 1 <= value < 100}, "the greatest number"),
        ({"weight": lambda value: isinstance(value, int) and 1 < value <= 100}, "the least number"),
        (
            {"tags": lambda value: isinstance(value, list) and 1 <= len(value) <= 2},
            "the most items in '/tags'",
        ),
        (
            {"tags": lambda value: isinstance(value, list) and 2 <= len(value) <= 3},
            "the fewest items in '/tags'",
        ),
    ],
)
def test_a_bound_that_is_too_narrow_by_one(rules: dict[str, Any], place: str) -> None:
    """The value at the bound gets what invalid data gets, and the next one inside is accepted."""
    failures = failures_of(FAMILY, crates_with_rules(**rules))

    assert [failure.title for failure in failures if failure.title == VALID_REFUSED] == [VALID_REFUSED]
    assert place in " ".join(failure.message for failure in failures)


class UniqueNames(Crates):
    """Has one crate of each name."""

    def pack(self, data: Any) -> Response:
        names = {crate["name"] for crate in self.crates.values()}
        response = super().pack(data)
        if data["name"] in names:
            raise Refusal(409, "there is such a crate")
        return response


class LightUniqueNames(UniqueNames):
    def rules(self) -> dict[str, Callable[[Any], bool]]:
        return {**super().rules(), "weight": lambda value: is_whole_number(value) and value < 100}


class UniqueNamesOfAnyWeight(UniqueNames):
    def rules(self) -> dict[str, Callable[[Any], bool]]:
        return {**super().rules(), "weight": lambda value: isinstance(value, int) and value >= 1}


def test_what_only_one_may_have_hides_no_bound() -> None:
    """The example is there once, and all other requests have its texts: each is sent again with others."""
    assert titles(FAMILY, UniqueNamesOfAnyWeight()) == {INVALID_ACCEPTED}
    assert not failures_of(FAMILY, UniqueNames())
    assert titles(FAMILY, LightUniqueNames()) == {VALID_REFUSED}


class AcceptsAnything(Crates):
    def pack(self, data: Any) -> Response:
        return self.json({"id": "crt_9", "name": "Any"}, 201)


class ShowsNoName(Crates):
    def pack(self, data: Any) -> Response:
        super().pack(data)
        return self.json({"id": f"crt_{len(self.crates)}", "name": None}, 201)


def test_what_is_shown_is_named_as_json() -> None:
    """Readers of any language know `null`."""
    (failure,) = (failure for failure in failures_of(FAMILY, ShowsNoName()) if failure.title == VALUE_CHANGED)

    assert "(shown as null)" in failure.message


def test_what_is_accepted_is_named() -> None:
    """The words fit each kind of invalid request."""
    messages = [failure.message for failure in failures_of(FAMILY, AcceptsAnything())]

    assert "an undeclared member gets 201" in messages
    assert "an undeclared member in '/origin' gets 201" in messages


@pytest.mark.parametrize(
    ("rules", "place"),
    [
        ({"name": text(".{2,21}")}, "beyond the longest text in '/name'"),
        ({"code": text("C[0-9]{3,}")}, "beyond the longest text in '/code'"),
        ({"weight": lambda value: isinstance(value, int) and 0 <= value <= 100}, "beyond the least number"),
        ({"tags": lambda value: isinstance(value, list) and len(value) <= 3}, "beyond the fewest items"),
        ({"colour": text("[a-z-]+")}, "beyond the enumerated values in '/colour'"),
        ({"colour": text("(?i:red|green)")}, "beyond the case of the enumerated values in '/colour'"),
        ({"code": text("(?i:C)[0-9]{3,6}")}, "beyond the case of the pattern in '/code'"),
        ({"code": lambda value: isinstance(value, str) and 4 <= len(value) <= 7}, "the pattern in '/code'"),
        ({"price": lambda value: number(value) and value >= 0}, "beyond the multiples in '/price'"),
        ({"sizes": lambda value: isinstance(value, list)}, "beyond the distinct items in '/sizes'"),
        ({"grade": number}, "beyond the enumerated values in '/grade'"),
        ({"packed": text(".*")}, "beyond the format date in '/packed'"),
        ({"packed": text("[0-9-]{10}")}, "beyond the format date in '/packed'"),
        ({"labels": lambda value: isinstance(value, dict)}, "beyond the fewest members in '/labels'"),
        ({"labels": lambda value: value != {}}, "beyond the most members in '/labels'"),
        ({"origin": lambda value: "country" in value}, "an undeclared member in '/origin'"),
    ],
)
def test_a_bound_that_is_too_wide(rules: dict[str, Any], place: str) -> None:
    """What lies just outside is accepted."""
    failures = failures_of(FAMILY, crates_with_rules(**rules))

    assert {failure.title for failure in failures} == {INVALID_ACCEPTED}
    assert place in failures[0].message


def test_required_parts_and_undeclared_ones() -> None:
    """A body without what it must have is refused, and one with what it must not have."""

    class Lax(Crates):
        required = ("name", "code")

        def pack(self, data: Any) -> Response:
            known = {name: value for name, value in data.items() if name in self.rules()}
            return super().pack(known)

    failures = failures_of(FAMILY, Lax())

    assert {failure.title for failure in failures} == {INVALID_ACCEPTED}
    assert "without the required '/weight'" in failures[0].message
    assert "an undeclared member" in failures[1].message


def test_a_limit_of_a_query_that_is_not_kept() -> None:
    """A limit beyond its maximum is accepted, and one at it is a server error."""

    class Unbounded(Crates):
        def limit(self, given: str) -> int:
            if given == "1":
                raise Refusal(500, "boom")
            return int(given)

    assert titles(FAMILY, Unbounded()) == {INVALID_ACCEPTED, VALID_BREAKS_SERVER}


def test_a_server_error_beyond_a_bound() -> None:
    """What is forbidden must be refused, not break the server."""

    def breaks(value: Any) -> bool:
        if value == 101:
            raise Refusal(500, "boom")
        return isinstance(value, int) and 1 <= value <= 100

    assert titles(FAMILY, crates_with_rules(weight=breaks)) == {INVALID_BREAKS_SERVER}


def test_rules_that_no_schema_can_say() -> None:
    """Refusing a value near which nothing else is accepted either is a rule of the business."""
    assert not failures_of(FAMILY, crates_with_rules(code=lambda value: value == "C1234"))
    assert not failures_of(FAMILY, crates_with_rules(name=lambda value: value == "Für Ada"))


@pytest.mark.parametrize("name", ["note", "colour"])
def test_a_valid_value_that_gets_the_complaint_about_another_type(name: str) -> None:
    """A rejection that names the member, and says what it says of an object, is no rule of the business."""

    class Strict(Crates):
        def pack(self, data: Any) -> Response:
            value = data.get(name, "red") if isinstance(data, dict) else "red"
            if isinstance(value, dict) or value in (None, "green"):
                raise Refusal(422, f"{name} is wrong")
            return super().pack(data)

    failures = failures_of(FAMILY, Strict())

    assert {failure.title for failure in failures} == {VALID_REFUSED}
    assert f"'/{name}'" in failures[0].message


def test_a_rule_about_a_valid_value() -> None:
    """A rejection with its own reason is a rule of the business."""

    class Choosy(Crates):
        def pack(self, data: Any) -> Response:
            if isinstance(data, dict) and data.get("colour") == "green":
                raise Refusal(422, "colour green is sold out")
            if isinstance(data, dict) and isinstance(data.get("colour"), dict):
                raise Refusal(422, "colour is wrong")
            return super().pack(data)

    assert not failures_of(FAMILY, Choosy())


def test_a_text_that_is_truncated() -> None:
    """What is accepted is stored whole."""

    class Narrow(Crates):
        def pack(self, data: Any) -> Response:
            fits = isinstance(data, dict) and isinstance(data.get("name"), str) and len(data["name"]) <= 20
            return super().pack({**data, "name": data["name"][:15]} if fits else data)

    assert titles(FAMILY, Narrow()) == {VALUE_CHANGED}


def test_a_text_that_is_normalized() -> None:
    """Letters in another case and without whitespace around them are the same text."""

    class Shouting(Crates):
        def pack(self, data: Any) -> Response:
            is_text = isinstance(data, dict) and isinstance(data.get("name"), str)
            return super().pack({**data, "name": data["name"].upper()} if is_text else data)

    assert not failures_of(FAMILY, Shouting())


class Counting(Crates):
    """Keeps what it is sent, and refuses what `too_much` says of several members."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[dict[str, Any]] = []

    def too_much(self, data: dict[str, Any]) -> bool:
        """Return whether a rule about several members refuses a crate."""
        return False

    def pack(self, data: Any) -> Response:
        """Keep the crate before it is judged."""
        self.sent.append(data)
        if isinstance(data, dict) and self.too_much(data):
            raise Refusal(422, "that is too much at once")
        return super().pack(data)


def test_sizes_of_several_members_are_sent_at_once() -> None:
    """A size that was accepted together with others is not sent alone."""
    app = Counting()

    assert not failures_of(FAMILY, app)
    heaviest = [item for item in app.sent if isinstance(item, dict) and item.get("weight") == 100]
    assert [len(item["name"]) for item in heaviest] == [20]


def test_sizes_that_are_only_accepted_alone_are_sent_alone() -> None:
    """A rule about several members is none about each of them."""

    class RefusesAll(Counting):
        def too_much(self, data: dict[str, Any]) -> bool:
            return data.get("weight") == 100 and len(str(data.get("name"))) == 20

    app = RefusesAll()

    assert not failures_of(FAMILY, app)
    heaviest = [item for item in app.sent if isinstance(item, dict) and item.get("weight") == 100]
    assert sorted(len(str(item["name"])) for item in heaviest) == [7, 20]
