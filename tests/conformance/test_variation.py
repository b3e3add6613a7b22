"""Other valid requests for the same operation."""

from devportal.conformance.variation import fresh, key_parameter, sent_value, variants
from devportal.contract.json_schema import Direction
from tests.conformance.families.lending import library

SUBJECT = library()
ADD = next(one for one in SUBJECT.operations if one.id == "addBook")
READ = next(one for one in SUBJECT.operations if one.id == "readBook")


def test_variants_are_valid_and_differ_in_one_member() -> None:
    """Free texts come first; values of an enum stay in it, numbers within their bounds."""
    usual = SUBJECT.valid(ADD)
    assert usual is not None
    before = sent_value(usual)
    schema = ADD.request_body.content[0].schema if ADD.request_body is not None else None
    assert schema is not None

    bodies = [sent_value(one) for one in variants(SUBJECT, ADD, usual)]

    changed = [[name for name in before if one[name] != before[name]] for one in bodies]
    assert changed == [["title"], ["genre"], ["copies"]]
    assert all(SUBJECT.validator.is_valid(schema, one, Direction.REQUEST) for one in bodies)


def test_a_request_gets_a_key_of_its_own_each_time() -> None:
    """Where an operation takes keys; others stay as they are."""
    usual, reading = SUBJECT.valid(ADD), SUBJECT.valid(READ)
    assert usual is not None
    assert reading is not None

    keys = {dict(fresh(SUBJECT, ADD, usual).headers)["Idempotency-Key"] for _ in range(3)}

    assert len(keys) == 3
    assert key_parameter(SUBJECT, READ) is None
    assert fresh(SUBJECT, READ, reading) == reading


def test_a_request_without_body_has_no_variants() -> None:
    """There is no member to change."""
    reading = SUBJECT.valid(READ)
    assert reading is not None

    assert not list(variants(SUBJECT, READ, reading))
