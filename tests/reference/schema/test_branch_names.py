"""What tells branches of a union apart."""

from devportal.reference.schema.branch_names import Branch, BranchMember, distinguish_branches


def branch(*members: BranchMember, title: str = "object", has_name: bool = False) -> Branch:
    """Return a branch with fields."""
    return Branch(title=title, members=members, has_name=has_name)


def member(name: str, value: str = "", *, required: bool = False) -> BranchMember:
    """Return a field."""
    return BranchMember(name=name, required=required, value=value)


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
    """A name or a type is enough, and nothing tells two of the same apart."""
    other = branch(member("a"))
    list_ = branch(member("c"), title="array of object")

    assert distinguish_branches((other, branch(member("d"), has_name=True), list_)) == ((), (), ())
    assert distinguish_branches((other, branch(member("a")))) == ((), ())
