"""What tells branches of a union apart."""

from devportal.reference.schema.allowed_values import AllowedValue
from devportal.reference.schema.branch_names import distinguish_branches
from devportal.reference.schema.described_values import TypeLabel
from devportal.reference.schema.fields import Field
from devportal.reference.schema.shapes import RowKind
from tests.reference.reading import field_saying

OBJECT = TypeLabel(text="object")


def branch(*fields: Field, name: str = "", type_: TypeLabel = OBJECT) -> Field:
    """Return a branch with fields."""
    return field_saying(name=name, anchor="", type=type_, kind=RowKind.BODY, fields=fields)


def member(name: str, *values: str, required: bool = False) -> Field:
    """Return a field with its allowed values."""
    return field_saying(
        name=name, anchor=name, required=required, enum=tuple(AllowedValue(value) for value in values)
    )


def test_branches_are_called_after_what_they_require() -> None:
    """Of what they require, the others require something else; what all require says nothing."""
    amount = member("amount", required=True)
    card = branch(amount, member("number", required=True), member("cvc"))
    bank = branch(amount, member("iban", required=True), member("bic", required=True))

    assert distinguish_branches((card, bank)) == (("number",), ("iban", "bic"))


def test_branches_are_called_after_a_value_that_only_one_of_them_allows() -> None:
    """A fixed value says more than names do; one that two have says nothing, and a required one counts first."""
    cash = branch(member("note", '"a"'), member("kind", '"cash"', required=True))
    gift = branch(member("kind", '"gift"', required=True), member("code", required=True))
    open_ = branch(member("kind", '"gift"', required=True), member("owner", required=True))
    free = branch(member("text", required=True))

    found = distinguish_branches((cash, gift, open_, free))

    assert found == (('kind: "cash"',), ("code",), ("owner",), ("text",))


def test_a_branch_with_less_than_another_is_called_after_what_is_not_in_all() -> None:
    """`a`, `b`, or both."""
    first, second = member("a", required=True), member("b", required=True)

    found = distinguish_branches((branch(first), branch(second), branch(first, second)))

    assert found == (("a",), ("b",), ("a", "b"))


def test_optional_fields_tell_branches_apart_that_require_the_same() -> None:
    """At most three are named."""
    id_ = member("id", required=True)
    many = branch(id_, *map(member, "abcd"))

    assert distinguish_branches((many, branch(id_, member("e")))) == (("a", "b", "c"), ("e",))


def test_branches_that_differ_already_are_not_called_after_fields() -> None:
    """A name, a page and a type are enough, and nothing tells two of the same apart."""
    other = branch(member("a"))
    page = branch(member("b"), type_=TypeLabel(text="B", target="b.md"))
    list_ = branch(member("c"), type_=TypeLabel(text="array of object"))

    assert distinguish_branches((other, branch(member("d"), name="D"), page, list_)) == ((), (), (), ())
    assert distinguish_branches((other, branch(member("a")))) == ((), ())
