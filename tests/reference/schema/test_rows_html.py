"""Fields as HTML: each piece, and nothing live whatever the texts."""

from dataclasses import replace
from typing import Any

import pytest

from devportal.contract import ExternalDocs, Stability
from devportal.reference.context import RenderContext
from devportal.reference.links import DescriptionLinks
from devportal.reference.markup import external_link
from devportal.reference.reference import reference_of
from devportal.reference.schema.allowed_values import AllowedValue
from devportal.reference.schema.described_values import TypeLabel
from devportal.reference.schema.examples import ExampleView
from devportal.reference.schema.fields import Field, SharedFields, UnionView
from devportal.reference.schema.rows_html import body_html, count_html_nodes, count_own_nodes, fields_html
from devportal.reference.schema.rows_markdown import body_markdown, fields_markdown
from devportal.reference.schema.rules_html import (
    MAX_INLINE_ENUM,
    MAX_INLINE_EXAMPLES,
    MAX_OPEN_ENUM,
    example_html,
    facts_html,
)
from devportal.reference.schema.shapes import RowKind
from devportal.reference.wording import ConstraintFact
from tests.reference.reading import Element, api_from, field_saying, parse_html

API = api_from({"paths": {}, "webhooks": {"e": {"post": {}}}})
PLACE = RenderContext(source="reference/a.md", below=3, links=DescriptionLinks(reference_of(API)))
EVIL = "<script>alert(1)</script>\"'&` [a](javascript:alert(1)) <img src=x onerror=alert(1)>"


def field(**values: Any) -> Field:
    """Return a field; a name, an anchor and a type are there unless given."""
    return field_saying(**{"name": "a", "anchor": "a", "type": TypeLabel(text="string"), **values})


def row(**values: Any) -> Element:
    """Return the only row of a list."""
    (found,) = parse_html(fields_html((field(**values),), PLACE)).find("li", cls="dp-field")
    return found


def test_row_has_name_type_and_flags_on_one_line() -> None:
    """The name is the permalink; stable is no flag, and a badge of the end is the only one."""
    whole = row(required=True, read_only=True, write_only=True, deprecated=True, stability=Stability.BETA)
    (head,) = whole.find(cls="dp-field__head")

    assert head.text == "a string required read only write only deprecated"
    assert whole.find(cls="dp-details")[0].text == "Detailsbeta"
    assert head.find("a", cls="dp-field__name")[0].attributes["href"] == "#a"
    assert row(stability=Stability.STABLE).text == "a string"
    assert row(stability=Stability.BETA).text == "a string beta"


@pytest.mark.parametrize(
    ("text", "is_linking"), [("Plain.", False), ("See [it](#operation/getA).", True), ("`href=`", False)]
)
def test_links_in_rows_that_pages_share_lead_from_each_page(text: str, is_linking: bool) -> None:  # noqa: FBT001
    """Rows without links are the same text on all pages; a link of an author is resolved on each."""
    api = api_from({"paths": {"/a": {"get": {"operationId": "getA"}}}})
    links = DescriptionLinks(reference_of(api))
    pages = [
        RenderContext(source=uri, below=3, links=links) for uri in ("reference/b.md", "reference/c/d.md")
    ]
    inside = SharedFields((field(anchor="a.b", description=text),))
    rows = (field(fields=inside), field(name="c", anchor="c"))

    for write in (fields_html, fields_markdown):
        alone = [write((field(fields=tuple(inside)), rows[1]), page) for page in pages]
        shared = [[write(rows, page) for page in pages] for _ in range(2)]
        assert shared == [alone, alone]
        assert (alone[0] != alone[1]) is is_linking


def test_a_row_that_pages_share_has_its_own_anchor_and_links() -> None:
    """What is rendered once for all pages has no link: one in a text or type leads from where it stands."""
    api = api_from({"paths": {"/a": {"get": {"operationId": "getA"}}}})
    links = DescriptionLinks(reference_of(api))
    linking = field(description="See [it](#operation/getA).")
    typed = field(type=TypeLabel(text="B", target="reference/b.md"))
    pages = [
        RenderContext(source=uri, below=3, links=links) for uri in ("reference/b.md", "reference/c/d.md")
    ]

    plain = [fields_html((field(anchor=page.source),), page) for page in pages]
    rows = [parse_html(fields_html((linking, typed), page)) for page in pages]

    assert plain[1] == plain[0].replace(pages[0].source, pages[1].source)
    assert [[a.attributes["href"] for a in element.find("a")] for element in rows] == [
        ["#a", "../a/get-a/", "#a"],
        ["#a", "../../a/get-a/", "#a", "../../b/"],
    ]


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"required": True, "deprecated": True, "description": "Text.\n\n- one\n- two"},
        {"kind": RowKind.PATTERN, "facts": (ConstraintFact(label="≥ 1"),), "default": "1"},
        {"more": (TypeLabel(text="B", target="b.md"),), "stability": Stability.BETA},
        {"combines": (TypeLabel(text="B", target="b.md"),), "type": TypeLabel(text="C", target="c.md")},
    ],
)
def test_a_row_has_as_many_elements_as_are_counted(values: dict[str, Any]) -> None:
    """The list around it is one more."""
    counted = count_own_nodes(field(**values), PLACE)

    assert count_html_nodes(fields_html((field(**values),), PLACE)) == counted + 1


def test_stability_has_a_badge_if_it_promises_less_than_what_is_around() -> None:
    """In a beta operation, beta is among the details; what is inside a beta field needs no badge either."""
    inside = field(name="b", anchor="b", stability=Stability.BETA)
    beta = field(stability=Stability.BETA, fields=(inside,))

    shown = [
        parse_html(fields_html((beta,), replace(PLACE, usual=item)))
        for item in (Stability.STABLE, Stability.BETA)
    ]

    assert [len(element.find(cls="dp-badge--beta")) for element in shown] == [1, 0]
    assert [len(element.find(cls="dp-details")) for element in shown] == [1, 2]


def test_rules_that_few_look_for_are_among_the_details() -> None:
    """The line below the description has limits, default and example; the control is named after the field."""
    found = row(
        facts=(ConstraintFact(label="matches", code="^a$", is_quiet=True), ConstraintFact(label="≥ 1"))
    )

    (details,) = found.find("details")
    assert details.text == "Detailsmatches ^a$"
    assert details.find("summary")[0].attributes["aria-label"] == "Details of a"
    assert [element.text for element in found.find("ul", cls="dp-facts")] == ["≥ 1"]


def test_end_of_a_field_is_said_whether_or_not_it_is_deprecated() -> None:
    """The date stands in the mark of deprecation, or makes a mark of its own."""
    assert row(deprecated=True, sunset="2030-01-31").text == "a string deprecated, sunset 2030-01-31"
    assert row(sunset="2030-01-31").text == "a string sunset 2030-01-31"


def test_marks_of_a_body_stand_above_its_fields() -> None:
    """Its type is told by the fields, but that it is deprecated is not."""
    whole = field(kind=RowKind.BODY, deprecated=True, type=TypeLabel(text="object"), fields=(field(),))
    found = parse_html(body_html(whole, PLACE)).find(cls="dp-body-type")

    assert [element.text for element in found] == ["deprecated"]


def test_type_leads_to_its_page_unless_that_is_here() -> None:
    """A link to the page that one reads would be a trap."""
    there = row(type=TypeLabel(text="B", target="reference/b.md"))
    here = row(type=TypeLabel(text="A", target="reference/a.md"))

    assert there.find("a", cls="dp-type")[0].attributes["href"] == "../b/"
    assert here.find("span", cls="dp-type")[0].text == "A"


def test_rules_are_in_the_order_facts_default_examples() -> None:
    """Long examples are opened, short ones stand on the line."""
    found = row(
        facts=(ConstraintFact(label="matches", code="^a$"), ConstraintFact(label="no item twice")),
        default="1",
        examples=(ExampleView(text="2"), ExampleView(text="3" * 200, label="long")),
    )

    assert [element.text for element in found.find("ul", cls="dp-facts")[0].find("li")] == [
        "matches ^a$", "no item twice", "default 1", "example 2",
    ]  # fmt: skip
    assert [element.text for element in found.find("summary")] == ["Example: long"]


def test_titles_that_are_names_of_types_are_no_headings() -> None:
    """Some generators give each object one."""
    named, titled = row(title="delivery_options_param"), row(title="How it is sent")

    assert [element.text for element in named.find(cls="dp-named")] == ["delivery_options_param"]
    assert named.find("strong") == titled.find(cls="dp-named") == []
    assert [element.text for element in titled.find("strong")] == ["How it is sent"]
    assert [element.text for element in row(title="eSIM").find("strong")] == ["eSIM"]


def test_many_short_examples_open_with_a_click() -> None:
    """Some contracts have one for each call that was recorded; one alone is not worth a click."""
    few, many = (
        row(examples=tuple(ExampleView(text=str(number)) for number in range(count)))
        for count in (MAX_INLINE_EXAMPLES + 1, MAX_INLINE_EXAMPLES + 2)
    )

    assert [len(element.find("li")) for element in few.find("ul", cls="dp-facts")] == [
        MAX_INLINE_EXAMPLES + 1
    ]
    assert [element.text for element in many.find("summary")] == ["2 more examples"]
    assert [len(element.find("li")) for element in many.find("ul", cls="dp-facts")] == [
        MAX_INLINE_EXAMPLES,
        2,
    ]


def test_long_values_are_whole_and_open_with_a_click() -> None:
    """No default and no allowed value is cut, in the page or in its twin."""
    long = f'"{"x" * 30_000}"'
    default, values = {"default": long}, {"enum": (AllowedValue('"short"'), AllowedValue(long))}

    for shown, summary in ((default, "Default"), (values, "2 allowed values")):
        found, twin = row(**shown), fields_markdown((field(**shown),), PLACE)

        assert found.find("summary")[0].text == summary
        assert long in "".join(element.text for element in found.find("pre"))
        assert long in twin


def test_values_take_as_many_elements_as_help() -> None:
    """A few in the open, more to open, a great many in one block with a line each."""
    few, more, many = (
        row(enum=tuple(AllowedValue(str(number)) for number in range(count)))
        for count in (MAX_INLINE_ENUM, MAX_INLINE_ENUM + 1, MAX_OPEN_ENUM * 10)
    )

    assert (len(few.find("details")), len(few.find(cls="dp-values")[0].find("code"))) == (0, MAX_INLINE_ENUM)
    assert [element.text for element in more.find("summary")] == [f"{MAX_INLINE_ENUM + 1} allowed values"]
    assert many.find("pre")[0].text.split() == [str(number) for number in range(MAX_OPEN_ENUM * 10)]
    assert len(list(many.all())) < 20


def test_rules_that_are_beta_say_so() -> None:
    """Each rule its own, and the closed set of values too, without a badge: that is of the whole field."""
    rule = ConstraintFact(label="at most 9 characters", is_beta=True)
    plain, described = (
        row(
            facts=(rule, ConstraintFact(label="no item twice")),
            enum=(AllowedValue("1", text),),
            enum_is_beta=True,
        )
        for text in ("", "One.")
    )

    assert [element.text for element in plain.find("ul", cls="dp-facts")[0].find("li")] == [
        "at most 9 characters (beta)", "no item twice",
    ]  # fmt: skip
    assert plain.find("p", cls="dp-values")[0].text == "Always 1 (beta)"
    assert described.find("p", cls="dp-values")[0].text == "One of these values (beta)"
    assert plain.find(cls="dp-badge") == []


@pytest.mark.parametrize(
    ("about", "count", "shown"),
    [
        ("", 3, "One of 0 1 (beta) 2"),
        ("*It*.", 2, "0It. 1 (beta)It."),
        ("", MAX_OPEN_ENUM + 1, "0 1 (beta) 2"),
    ],
)
def test_values_that_are_beta_say_so(about: str, count: int, shown: str) -> None:
    """Beside each such value, however many there are."""
    found = row(enum=tuple(AllowedValue(str(number), about, is_beta=number == 1) for number in range(count)))

    assert shown in " ".join(found.text.split())


def test_described_values_are_a_list_of_terms() -> None:
    """Each value with its words, which are CommonMark."""
    found = row(enum=(AllowedValue("1", "*One*"), AllowedValue("2")))

    assert [(child.tag, child.text) for child in found.find("dl")[0].children if isinstance(child, Element)] == [
        ("dt", "1"), ("dd", "One"), ("dt", "2"), ("dd", ""),
    ]  # fmt: skip


def test_branches_with_nothing_to_show_are_not_to_be_opened() -> None:
    """A branch is its type, or its type with all that it says below."""
    bare = field(name="", type=TypeLabel(text="integer"))
    told = field(name="", type=TypeLabel(text="B", target="reference/b.md"), fields=(field(),))
    found = parse_html(body_html(field(unions=(UnionView(words="One of", branches=(bare, told)),)), PLACE))

    assert [element.text for element in found.find(cls="dp-union__plain")] == ["integer"]
    assert [element.text for element in found.find("summary")] == ["B"]
    assert [element.text for element in found.find(cls="dp-more")] == ["See B"]


def test_link_to_a_shared_schema_has_its_name() -> None:
    """The type of an enumeration is `integer`, which says nothing of where the link leads."""
    label = TypeLabel(text="integer", target="reference/priority.md", name="Priority")
    branch = field(name="", type=label, enum=(AllowedValue("1", "One"),), more=(label,))
    found = parse_html(body_html(field(unions=(UnionView(words="One of", branches=(branch,)),)), PLACE))

    assert [element.text for element in found.find(cls="dp-more")] == ["See Priority"]
    linked = parse_html(body_html(field(more=(label,)), PLACE))
    assert [element.text for element in linked.find(cls="dp-more")] == ["Show Priority"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([(RowKind.NAMED, "a"), (RowKind.PATTERN, "^b"), (RowKind.OTHER, "")], "3 fields"),
        ([(RowKind.ITEM, "1"), (RowKind.ITEM, "2"), (RowKind.RULE, "items")], "3 items"),
        ([(RowKind.RULE, "contains")], "1 rule"),
        ([(RowKind.NAMED, "a"), (RowKind.RULE, "if"), (RowKind.RULE, "then")], "1 field and 2 rules"),
    ],
)
def test_what_is_no_field_is_not_counted_as_one(rows: list[tuple[RowKind, str]], words: str) -> None:
    """A tuple has items, and a condition is a rule."""
    inside = tuple(field(name=name, anchor=name, kind=kind) for kind, name in rows)

    (summary,) = parse_html(fields_html((field(fields=inside),), PLACE)).find("summary")
    assert summary.text == words


def test_body_has_no_row_of_its_own() -> None:
    """Its texts, rules and first level of fields stand in the open; the name of its type where it has one."""
    found = parse_html(
        body_html(
            field(
                type=TypeLabel(text="object"),
                description="Words.",
                docs=(ExternalDocs(url="https://a.example/", description="More"),),
                fields=(field(name="b", anchor="b"), field(name="", anchor="c", kind=RowKind.OTHER)),
            ),
            PLACE,
        )
    )

    assert found.find("details") == []
    assert [element.attributes["id"] for element in found.find("li")] == ["b", "c"]
    assert found.text == "Words. More b string any other name string"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("object", ""),
        ("any", ""),
        ("array of object", "array of object"),
        ("map of object", "map of object"),
        ("object or null", "object or null"),
    ],
)
def test_body_names_its_type_unless_its_fields_show_it(words: str, line: str) -> None:
    """The fields of an inline list or map look like those of an object."""
    body = field(type=TypeLabel(text=words), fields=(field(name="b", anchor="b"),))
    lines = [element.text for element in parse_html(body_html(body, PLACE)).find(cls="dp-body-type")]

    assert lines == [line] * bool(line)
    assert body_markdown(body, PLACE) == f"{line}\n\n" * bool(line) + "- `b` (string)\n\n"


def test_example_says_how_it_travels() -> None:
    """On the line where both texts are short, else in a block of its own."""
    short = row(examples=(ExampleView(text='["a"]', sent="x=a"),))
    long = parse_html(example_html(ExampleView(text='["a"]', label='"q"', sent="x" * 200), PLACE))

    assert short.find(cls="dp-facts")[0].text == 'example ["a"] sent as x=a'
    assert [element.attributes["aria-label"] for element in long.find("pre")] == [
        'Example "q"',
        'Example "q" as it is sent',
    ]


def test_schema_that_a_value_of_its_own_name_selects_stands_once() -> None:
    """Most discriminators have such values; others say which schema they are for."""
    cat, dog = TypeLabel(text="Cat"), TypeLabel(text="Dog")

    selected = row(mapping=(("Cat", cat), ("hound", dog), (None, cat))).find(cls="dp-facts")[0]

    assert [item.text for item in selected.find("li")] == ["Cat", "hound is Dog", "any other value is Cat"]


def test_address_that_no_browser_may_be_sent_to_is_code() -> None:
    """Only http and https make a link."""
    assert parse_html(external_link("javascript:x", "Read")).find("a") == []
    assert (
        parse_html(external_link("https://a.example/?a=1&b=2")).find("a")[0].text
        == "https://a.example/?a=1&b=2"
    )


def test_hostile_texts_stay_texts() -> None:
    """In every place where a field has a text."""
    label = TypeLabel(text=EVIL, target="reference/b.md")
    evil = field(
        name=EVIL,
        anchor="x",
        type=label,
        title=EVIL,
        description=EVIL,
        further=(EVIL,),
        docs=(ExternalDocs(url=EVIL, description=EVIL),),
        facts=(ConstraintFact(label=EVIL, code=EVIL),),
        enum=(AllowedValue(EVIL, EVIL),),
        default=EVIL,
        examples=(ExampleView(text=EVIL, label=EVIL), ExampleView(text=EVIL, description=EVIL)),
        mapping=((EVIL, label),),
        more=(label,),
    )
    whole = field(fields=(evil,), unions=(UnionView(words=EVIL, branches=(evil,)),))
    found = parse_html(body_html(whole, PLACE) + example_html(ExampleView(url=EVIL, label=EVIL), PLACE))

    assert {element.tag for element in found.all()} & {"script", "img"} == set()
    assert [element for element in found.find("a") if "javascript" in element.attributes["href"]] == []
    assert found.text.count("<script>alert(1)</script>") > 20


def test_a_rule_of_a_part_names_it_as_code() -> None:
    """Names are case-sensitive: a style sheet must not begin them with a capital."""
    fact = ConstraintFact(label="style %(value)s", code="form", part="kinds")

    assert facts_html([fact]) == (
        '<ul class="dp-facts"><li><code>kinds</code>: style <code>form</code></li></ul>\n'
    )
    assert fact.text == "kinds: style form"
