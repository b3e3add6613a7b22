"""What a mock understands of a contract, and what it says that it does not."""

import pytest

from devportal.mock.plan import Role, make_plan
from devportal.mock.startup import limit_lines, resource_lines
from tests.mock.contracts import api_of


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        (
            "orders",
            [
                (
                    "  /orders/{order_id}: list, create, read, replace, update, delete, actions: place "
                    "(states of 'status' follow x-state-machine)"
                ),
                "  /orders/{order_id}/lines/{line_id}: list, create, read",
                "  /settings: read, replace",
            ],
        ),
        ("fastapi", ["  /items/{item_id}: list, create, read, replace, delete"]),
        ("journal", ["  /entries/{slug}: list, read, replace, delete"]),
    ],
)
def test_resources_are_named_with_what_can_be_done(name: str, lines: list[str]) -> None:
    """By paths, links and schemas."""
    assert list(resource_lines(make_plan(api_of(name)))) == lines


def test_what_answers_examples_is_said() -> None:
    """No guess is hidden."""
    lines = list(limit_lines(make_plan(api_of("orders"))))

    assert lines == ["  GET /status: answers with an example: nothing says which resource it belongs to"]


def test_each_operation_has_a_role() -> None:
    """None is forgotten."""
    for name in ("orders", "fastapi", "shop", "journal"):
        api = api_of(name)
        plan = make_plan(api)

        assert {plan.assignment(one).role for one in api.operations} <= set(Role)
