"""How values of parameters are written, as far as it depends on their style."""

import pytest

from devportal.differ.pairs.parameter_pair import ValueKind, is_array, is_scalar, kinds_of, serialise_alike
from tests.differ.building import form_of


@pytest.mark.parametrize(
    ("kind", "old", "new", "alike"),
    [
        (ValueKind.SCALAR, ("form", True), ("deepObject", True), True),
        (ValueKind.SCALAR, ("simple", False), ("label", False), False),
        (ValueKind.ARRAY, ("form", True), ("spaceDelimited", True), True),
        (ValueKind.ARRAY, ("form", False), ("spaceDelimited", False), False),
        (ValueKind.ARRAY, ("simple", False), ("simple", True), True),
        (ValueKind.OBJECT, ("simple", False), ("simple", True), False),
        (ValueKind.OBJECT, ("deepObject", False), ("deepObject", True), True),
        (ValueKind.ARRAY, ("matrix", False), ("matrix", True), False),
    ],
)
def test_what_is_written_alike(
    kind: ValueKind,
    old: tuple[str, bool],
    new: tuple[str, bool],
    alike: bool,  # noqa: FBT001 - a plain fact
) -> None:
    """Two styles are alike for a kind of values where the texts are the same."""
    assert serialise_alike(frozenset({kind}), old[0], new[0], old_explode=old[1], new_explode=new[1]) is alike


def test_no_value_is_written_differently() -> None:
    """Where no kind of value is allowed in both contracts, the style makes no difference."""
    assert serialise_alike(frozenset(), "form", "label", old_explode=True, new_explode=False)


def test_kinds_follow_from_types() -> None:
    """Without a type all kinds are allowed; a list of one item is written as the item."""
    assert kinds_of(form_of({})) == frozenset(ValueKind)
    assert kinds_of(form_of({"type": ["integer", "null"]})) == {ValueKind.SCALAR}
    assert kinds_of(form_of({"type": "array", "maxItems": 1})) == {ValueKind.SCALAR}
    assert is_scalar(form_of({"type": "boolean"}))
    assert is_array(form_of({"type": "array"}))
    assert not is_scalar(form_of({}))
