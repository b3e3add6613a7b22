"""Fields as nested Markdown lists."""

import pytest

from devportal.reference.context import RenderContext
from devportal.reference.links import DescriptionLinks
from devportal.reference.reference import reference_of
from devportal.reference.schema.allowed_values import AllowedValue
from devportal.reference.schema.described_values import TypeLabel
from devportal.reference.schema.examples import ExampleView
from devportal.reference.schema.fields import UnionView
from devportal.reference.schema.rows_markdown import (
    MAX_INLINE_ENUM,
    MAX_LINE_LENGTH,
    body_markdown,
    fields_markdown,
)
from devportal.reference.schema.shapes import RowKind
from devportal.reference.wording import ConstraintFact
from tests.reference.reading import api_from, field_saying

SOURCE = "reference/a.md"
API = api_from({"paths": {"/b": {"get": {"operationId": "readB", "responses": {}}}}})
PLACE = RenderContext(source=SOURCE, below=3, links=DescriptionLinks(reference_of(API)))


def test_row_is_an_item_with_a_line_for_each_kind_of_rule() -> None:
    """Words on the item's line, then rules, examples, what values stand for, and where the rest is."""
    page = TypeLabel(text="B", target="reference/b.md")
    field = field_saying(
        name="a",
        anchor="a",
        type=TypeLabel(text="string"),
        required=True,
        description="Some\n*words*.",
        facts=(ConstraintFact(label="matches", code="`"), ConstraintFact(label="no item twice")),
        enum=(AllowedValue("1", "One."), AllowedValue("2")),
        default="1",
        examples=(ExampleView(text="2", label="second", description="It."),),
        mapping=(("b", page),),
        more=(page,),
    )

    assert fields_markdown((field,), PLACE) == (
        "- `a` (string, required): Some\n"
        "  *words*.\n"
        "  Rules: matches `` ` ``; no item twice; one of `1` (One.), `2`; default `1`\n"
        "  Example second: `2` It.\n"
        "  `b` is [B](b.md)\n"
        "  See [B](b.md).\n"
        "\n"
    )


@pytest.mark.parametrize(
    ("title", "description", "line"),
    [
        ("An _item_", "One.", r": An \_item\_. One."),
        ("Which?", "One.", ": Which? One."),
        ("An item", "See [b](#operation/readB).", ": An item. See [b](b/read-b.md)."),
        ("An item", "", ": An item"),
    ],
)
def test_a_title_ends_before_the_description(title: str, description: str, line: str) -> None:
    """Both are on one line, and would be read as one sentence."""
    field = field_saying("a", "a", type=TypeLabel(text="string"), title=title, description=description)

    assert fields_markdown((field,), PLACE) == f"- `a` (string){line}\n\n"


def test_texts_keep_their_links_and_lists_at_any_depth() -> None:
    """Links to parts of the contract lead to their twins; what follows a paragraph stands below it."""
    leaf = field_saying("b", "b", type=TypeLabel(text="string"), description="See [b](#operation/readB).")
    field = field_saying(
        "a", "a", type=TypeLabel(text="object"), description="One of:\n\n- `x`\n- `y`", fields=(leaf,)
    )

    assert fields_markdown((field_saying("o", "o", fields=(field,)),), PLACE).splitlines() == [
        "- `o`",
        "  - `a` (object): One of:",
        "",
        "    * `x`",
        "    * `y`",
        "",
        "    - `b` (string): See [b](b/read-b.md).",
        "",
    ]


def test_what_is_inside_is_a_list_below() -> None:
    """Fields first, then branches with the words that join them; each level two spaces further in."""
    leaf = field_saying(name="", anchor="x", type=TypeLabel(text="integer"), kind=RowKind.OTHER)
    branch = field_saying(name="", anchor="y", type=TypeLabel(text="C"), fields=(leaf,))
    field = field_saying(
        name="a",
        anchor="a",
        type=TypeLabel(text="object"),
        fields=(leaf,),
        unions=(UnionView(words="One of", branches=(branch,)),),
    )

    assert fields_markdown((field,), PLACE).splitlines() == [
        "- `a` (object)",
        "  - any other name (integer)",
        "  - One of: C",
        "    - any other name (integer)",
        "",
    ]


def test_body_has_no_item_of_its_own() -> None:
    """Its type stands there where it has a page; its fields are the first level."""
    leaf = field_saying(name="b", anchor="b", type=TypeLabel(text="string"))
    field = field_saying(
        name="",
        anchor="",
        type=TypeLabel(text="A", target=SOURCE),
        facts=(ConstraintFact(label="x"),),
        fields=(leaf,),
    )

    assert body_markdown(field, PLACE) == "A\n\nRules: x\n\n- `b` (string)\n\n"


def test_values_that_are_beta_say_so() -> None:
    """Before what is said of them."""
    values = (AllowedValue("1"), AllowedValue("2", is_beta=True), AllowedValue("3", "It.", is_beta=True))

    assert "one of `1`, `2` (beta), `3` (beta: It.)" in fields_markdown(
        (field_saying("a", "a", enum=values),), PLACE
    )


def test_nothing_is_nothing() -> None:
    """No list, no empty lines."""
    assert fields_markdown((), PLACE) == ""


def test_many_values_are_broken_into_lines() -> None:
    """A few stay on the line; hundreds have lines that can be read, at any depth."""
    few = tuple(AllowedValue(f'"{number}"') for number in range(MAX_INLINE_ENUM))
    many = (*few, *(AllowedValue(f'"{"long" * number}"') for number in range(9, 12)))
    fields = tuple(
        field_saying("o", "o", fields=(field_saying("a", "a", enum=enum, default="1"),))
        for enum in (few, many)
    )

    short, long = (fields_markdown((field,), PLACE).rstrip().splitlines() for field in fields)

    assert short[2:] == [
        f"    Rules: one of {', '.join(f'`{allowed_value.code}`' for allowed_value in few)}; default `1`"
    ]
    assert [len(line) <= MAX_LINE_LENGTH + len("    Rules: one of ,") for line in long] == [True] * len(long)
    assert len(long) > 3
    assert "".join(line.strip() + " " for line in long[2:]) == (
        f"Rules: one of {', '.join(f'`{allowed_value.code}`' for allowed_value in many)}; default `1` "
    )
