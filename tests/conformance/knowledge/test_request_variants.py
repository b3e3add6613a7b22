"""Other valid requests for the same operation."""

from devportal.conformance.knowledge.request_variants import (
    idempotency_key_parameter,
    request_json,
    request_variants,
    with_new_idempotency_key,
)
from devportal.contract.validate.json_schema import Direction
from tests.conformance.families.lending import library

SUBJECT = library()
ADD = next(operation for operation in SUBJECT.operations if operation.id == "addBook")
READ = next(operation for operation in SUBJECT.operations if operation.id == "readBook")


def test_variants_are_valid_and_differ_in_one_member() -> None:
    """Free texts come first; values of an enum stay in it, numbers within their bounds."""
    usual = SUBJECT.valid(ADD)
    assert usual is not None
    before = request_json(usual)
    schema = ADD.request_body.content[0].schema if ADD.request_body is not None else None
    assert schema is not None

    bodies = [request_json(request_variant) for request_variant in request_variants(SUBJECT, ADD, usual)]

    changed = [[name for name in before if body[name] != before[name]] for body in bodies]
    assert changed == [["title"], ["genre"], ["copies"]]
    assert all(SUBJECT.validator.is_valid(schema, body, Direction.REQUEST) for body in bodies)


def test_a_request_gets_a_key_of_its_own_each_time() -> None:
    """Where an operation takes keys; others stay as they are."""
    usual, reading = SUBJECT.valid(ADD), SUBJECT.valid(READ)
    assert usual is not None
    assert reading is not None

    keys = {dict(with_new_idempotency_key(SUBJECT, ADD, usual).headers)["Idempotency-Key"] for _ in range(3)}

    assert len(keys) == 3
    assert idempotency_key_parameter(SUBJECT, READ) is None
    assert with_new_idempotency_key(SUBJECT, READ, reading) == reading


def test_a_request_without_body_has_no_variants() -> None:
    """There is no member to change."""
    reading = SUBJECT.valid(READ)
    assert reading is not None

    assert not list(request_variants(SUBJECT, READ, reading))
