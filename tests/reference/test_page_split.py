"""What stays on a page, and what moves to pages below it."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devportal.reference.pages.field_weights import FieldWeights, count_field_nodes, field_lists
from devportal.reference.pages.page_split import MAX_GROUPS, MAX_LISTED_VALUES, MovedPart, divide_fields
from devportal.reference.schema.allowed_values import AllowedValue
from devportal.reference.schema.described_values import TypeLabel, ValueDescription
from devportal.reference.schema.fields import Field, UnionView
from devportal.reference.schema.shapes import RowKind

from .reading import field_saying

OBJECT = ValueDescription(type=TypeLabel(text="object"))


def field(name: str, *inside: Field, **values: Any) -> Field:
    """Return a row with rows inside."""
    return Field(**{"name": name, "anchor": name, "value": OBJECT, "fields": inside, **values})


def body(*inside: Field) -> Field:
    """Return a body with rows inside."""
    return field("", *inside, anchor="body", kind=RowKind.BODY)


def rows(count: int, prefix: str = "p") -> tuple[Field, ...]:
    """Return so many rows with nothing inside."""
    return tuple(field(f"{prefix}{number}") for number in range(count))


def element_count(item: Field) -> int:
    """Return four elements for a row, and one for each value of its lists."""
    return 4 + sum(len(getattr(item.value, name)) for name in MAX_LISTED_VALUES)


def cut(view: Any, room: int) -> tuple[Any, tuple[MovedPart, ...]]:
    """Return what stays and what moves, the pages of parts named by their anchors."""
    return divide_fields(view, room, FieldWeights(element_count), lambda item: f"{item.anchor}.md")


def all_below(item: Field) -> Iterator[Field]:
    """Yield what is inside a field, at any depth."""
    for below in (*item.fields, *(branch for union in item.unions for branch in union.branches)):
        yield below
        yield from all_below(below)


def shown_in_all(view: Field, room: int) -> tuple[list[str], int]:
    """Return the names on a page and on all below it, in any order, and the weight of the heaviest page."""
    light, parts = cut(view, room)
    names = [item.name for item in all_below(light) if item.kind is RowKind.NAMED]
    heaviest = count_field_nodes(light, FieldWeights(element_count))
    for part in parts:
        below, weight_below = shown_in_all(body(*part.field.fields), room)
        names += below
        heaviest = max(heaviest, weight_below)
    return names, heaviest


def test_what_fits_stays() -> None:
    """Nothing is changed."""
    view = body(field("a", *rows(3)))

    assert cut(view, 1_000) == (view, ())


def test_heaviest_goes_and_the_rest_stays() -> None:
    """One cut in a place worth a page; the row that it belonged to leads there."""
    view = body(field("small", *rows(5, "s")), field("large", *rows(60, "l")), *rows(3))

    light, parts = cut(view, 100)

    assert [part.field.name for part in parts] == ["large"]
    assert [item.name for item in light.fields] == ["small", "large", "p0", "p1", "p2"]
    assert len(light.fields[0].fields) == 5
    assert light.fields[1].fields == ()
    assert light.fields[1].more == (TypeLabel(text="60 fields", target="large.md"),)
    assert light.fields[1].anchor == "large"


def test_inside_of_a_shared_schema_needs_no_page_of_its_own() -> None:
    """It is on the page of that schema."""
    home = TypeLabel(text="A", target="schemas/a.md")
    light, parts = cut(body(field("a", *rows(60), home=home)), 100)

    assert parts == ()
    assert light.fields[0].more == (TypeLabel(text="A", target="schemas/a.md"),)


def test_wrapper_that_is_too_heavy_for_any_page_is_opened_up() -> None:
    """Its own rows stay in place, and what is inside those goes."""
    wrapped = [field(f"w{number}", *rows(90, f"w{number}-")) for number in range(3)]

    light, parts = cut(body(field("data", *wrapped)), 400)

    assert [item.name for item in light.fields[0].fields] == ["w0", "w1", "w2"]
    assert 0 < len(parts) < 3


def test_rows_with_little_inside_share_a_page() -> None:
    """A page for each of many small things would be many clicks; the links lead to the rows themselves."""
    view = body(*(field(f"a{number}", *rows(6, f"b{number}-")) for number in range(8)))

    light, parts = cut(view, 160)

    (part,) = parts
    assert part.field.name == "a4, a5 and 2 more"
    assert light.fields[4].more == (TypeLabel(text="6 fields", target="a4.and-more.md#a4"),)
    assert part.field.fields[0].fields == rows(6, "b4-")
    assert light.fields[0].fields == rows(6, "b0-")


def test_long_list_keeps_its_first_rows() -> None:
    """The others are in groups that say what they hold."""
    light, parts = cut(body(*rows(100)), 200)

    assert light.fields[:25] == rows(25)
    assert [item.name for item in light.fields[25:]] == ["50 more: p25 to p74", "25 more: p75 to p99"]
    assert [part.field.name for part in parts] == [item.name for item in light.fields[25:]]


def test_endless_list_makes_groups_of_groups() -> None:
    """No page is a list of too many links either."""
    light, _ = cut(body(*rows(20_000)), 200)

    assert len(light.fields) < 200 // 4 + MAX_GROUPS


def test_long_union_is_folded_into_unions() -> None:
    """A group of branches is a branch with a union of the same kind."""
    branches = tuple(field("", anchor=f"b{number}", kind=RowKind.BODY) for number in range(100))
    view = body()._replace(unions=(UnionView(words="Any of", branches=branches),))

    light, parts = cut(view, 200)

    groups = [branch for branch in light.unions[0].branches if branch.kind is RowKind.GROUP]
    assert groups
    assert {union.words for part in parts for union in part.field.unions} == {"Any of"}


@pytest.mark.parametrize("name", MAX_LISTED_VALUES)
def test_long_lists_of_values_are_folded(name: str) -> None:
    """Rules, described values, examples: the first stay in the row."""
    most = MAX_LISTED_VALUES[name]
    values = tuple(AllowedValue(str(number), "told") for number in range(most * 2 + 1))
    view = body(field_saying("a", "a", **{name: values}))

    light, parts = cut(view, 20)

    assert getattr(light.fields[0].value, name) == values[:most]
    moved = [getattr(item.value, name) for part in parts for item in (part.field, *all_below(part.field))]
    assert {value for item in moved for value in item} >= {*values[most:]}


def test_plain_values_are_one_block_and_stay() -> None:
    """A thousand of them take no elements of their own."""
    values = tuple(AllowedValue(str(number)) for number in range(1_000))
    light, _ = cut(field("a", value=ValueDescription(enum=values)), 50)

    assert light.value.enum == values


def test_whole_body_goes_where_its_rows_alone_are_too_many() -> None:
    """A view of several bodies may give up one."""
    light, parts = cut({"one": body(*rows(10)), "other": body(*rows(20))}, 90)

    assert [item.fields for item in light.values()] == [rows(10), ()]
    assert [len(part.field.fields) for part in parts] == [20]


def test_the_last_to_go_is_the_lightest_that_is_enough() -> None:
    """What need not go stays."""
    view = body(
        field("large", *rows(60, "l")), field("medium", *rows(20, "m")), field("small", *rows(2, "s"))
    )

    light, parts = cut(view, 300)

    assert [part.field.name for part in parts] == ["medium"]
    assert [len(item.fields) for item in light.fields] == [60, 0, 2]


def test_the_request_stays_if_bodies_of_responses_are_enough() -> None:
    """Also where rows of the request alone would do."""
    answer = field("", *rows(40, "a"), anchor="response.200.body", kind=RowKind.BODY)
    view = {"request": body(field("flow", *rows(50))), "response": answer}

    light, parts = cut(view, 260)

    assert [part.field.anchor for part in parts] == ["response.200.body"]
    assert light["request"] == view["request"]


trees = st.recursive(st.just(()), lambda inside: st.lists(inside, max_size=12).map(tuple), max_leaves=120)


def rows_of_tree(tree: Any, anchor: str) -> tuple[Field, ...]:
    """Return rows in the form of a tree."""
    return tuple(
        field(f"{anchor}.{number}", *rows_of_tree(below, f"{anchor}.{number}"))
        for number, below in enumerate(tree)
    )


@given(trees, st.integers(100, 400))
def test_nothing_is_lost_and_no_page_is_too_heavy(tree: Any, room: int) -> None:
    """Every field is on the page or on one below, with its own anchor."""
    view = body(*rows_of_tree(tree, "f"))

    names, heaviest = shown_in_all(view, room)

    assert set(names) >= {item.name for item in all_below(view)}
    assert heaviest <= room


def test_found_goes_through_any_value() -> None:
    """Tuples, dictionaries and dataclasses; a field that stands alone is a list of one."""
    one, other = field("a"), field("b")

    assert list(field_lists(({"x": (one, other)}, MovedPart(field=one, uri="u"), "text"))) == [
        (one, other),
        (one,),
    ]
