"""No page is too heavy, whatever a contract says, and nothing is lost on the way to pages below."""

import re
from typing import Any

import pytest

from devportal.markup import Page
from devportal.reference.pages.part_pages import FRAME_NODES, MAX_NODES, MIN_SPANS, ColourLimit
from devportal.reference.schema.rows_html import count_html_nodes
from tests.growth import counted_steps
from tests.reference.laws import breaches
from tests.reference.reading import api_from, pages_of, parse_html

STRING = {"type": "string"}
WHOLE = "reference/a/send.md"


def pages_with(schema: dict[str, Any], **shared: Any) -> dict[str, Page]:
    """Return the pages of a contract whose only operation takes a body."""
    body = {"content": {"application/json": {"schema": schema}}}
    send = {"operationId": "send", "summary": "Send", "requestBody": body, "responses": {}}
    return pages_of(api_from({"paths": {"/a": {"post": send}}, "components": {"schemas": shared}}))


def names(pages: dict[str, Page]) -> set[str]:
    """Return the names of all rows."""
    found = (parse_html(page.body).find("a", cls="dp-field__name") for page in pages.values())
    return {row.text for rows in found for row in rows}


def weights(pages: dict[str, Page]) -> list[int]:
    """Return how many elements each page has with the frame of the theme."""
    return [
        count_html_nodes(page.body) + count_html_nodes(page.sidebar) + FRAME_NODES for page in pages.values()
    ]


def objects(count: int, width: int, prefix: str) -> dict[str, Any]:
    """Return properties that are objects, each of so many properties."""
    return {
        f"{prefix}{number}": {
            "type": "object",
            "properties": {f"{prefix}{number}_{inner}": STRING for inner in range(width)},
        }
        for number in range(count)
    }


def object_tree(depth: int, width: int, name: str = "n") -> dict[str, Any]:
    """Return a tree of objects."""
    if not depth:
        return STRING
    below = {f"{name}{number}": object_tree(depth - 1, width, f"{name}{number}") for number in range(width)}
    return {"type": "object", "properties": below}


def nested_object(depth: int) -> dict[str, Any]:
    """Return an object in an object in an object."""
    schema: dict[str, Any] = {"type": "object", "properties": {"bottom": STRING}}
    for number in range(depth):
        schema = {"type": "object", "properties": {f"level{number}": schema, f"beside{number}": STRING}}
    return schema


HOSTILE = {
    "deep": (nested_object(60), {"bottom", "level0", "beside59"}),
    "wide": ({"properties": {f"p{number}": STRING for number in range(5_000)}}, {"p0", "p2500", "p4999"}),
    "bush": (object_tree(4, 7), {"n0", "n6666", "n3"}),
    "union": (
        {"oneOf": [{"title": f"T{n}", "properties": {f"b{n}": STRING, "c": STRING}} for n in range(500)]},
        {"b0", "b250", "b499"},
    ),
    "unions of unions": (
        {"anyOf": [{"oneOf": [{"properties": {f"x{a}_{b}": STRING}} for b in range(40)]} for a in range(40)]},
        {"x0_0", "x39_39"},
    ),
    "list of objects": ({"type": "array", "items": {"properties": objects(40, 20, "o")}}, {"o0", "o39_19"}),
    "values": ({"properties": {"v": {"enum": [f"e{number}" for number in range(4_000)]}}}, {"v"}),
    "described values": (
        {
            "properties": {
                "v": {
                    "enum": [f"e{number}" for number in range(2_000)],
                    "x-enumDescriptions": {f"e{number}": f"Is *{number}*." for number in range(2_000)},
                }
            }
        },
        {"v"},
    ),
    "described values of a whole body": (
        {
            "enum": [f"e{number}" for number in range(2_000)],
            "x-enumDescriptions": {f"e{number}": f"Is *{number}*." for number in range(2_000)},
        },
        set(),
    ),
    "examples": ({"properties": {"v": {**STRING, "examples": [f"{n:>200}" for n in range(400)]}}}, {"v"}),
}  # fmt: skip


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.deep] if number % 5 else [])
        for number, name in enumerate(HOSTILE)
    ],
)
def test_hostile_shape_makes_light_pages(name: str) -> None:
    """With little work, few bytes and lawful pages: every field is there, every page is light."""
    schema, wanted = HOSTILE[name]
    with counted_steps() as steps:
        pages = pages_with(schema)

    assert wanted <= names(pages)
    assert max(weights(pages)) <= MAX_NODES
    assert breaches(pages) == []
    assert steps.count < 15_000_000
    assert sum(len(page.body) + len(page.markdown) for page in pages.values()) < 6_000_000


@pytest.mark.parametrize("name", ["described values", "described values of a whole body"])
def test_moved_values_are_all_there(name: str) -> None:
    """The values of an enum with descriptions, over several pages, each with its words."""
    pages = pages_with(HOSTILE[name][0])

    assert described_values(pages) == {str(number) for number in range(2_000)}


def test_values_of_a_shared_schema_make_light_pages() -> None:
    """An enum with a page of its own has no row around it that could move."""
    shared = HOSTILE["described values of a whole body"][0]
    pages = pages_with({"$ref": "#/components/schemas/Code"}, Code=shared)

    assert max(weights(pages)) <= MAX_NODES
    assert breaches(pages) == []
    assert described_values(pages) == {str(number) for number in range(2_000)}


def described_values(pages: dict[str, Page]) -> set[str]:
    """Return the numbers in the descriptions of the values of the enums above."""
    return set(re.findall(r"Is <em>(\d+)</em>\.", "".join(page.body for page in pages.values())))


@pytest.mark.parametrize(
    "example",
    [{"k": "v" * 150_000}, pytest.param({f"k{n}": n for n in range(30_000)}, marks=pytest.mark.deep)],
)
def test_example_of_any_length_makes_light_pages(example: dict[str, Any]) -> None:
    """In a schema as anywhere: it is there once with the fields, and not in every language."""
    schema = {"type": "object", "example": example}
    pages = pages_with({**schema, "properties": {"inside": schema}})

    assert max(weights(pages)) <= MAX_NODES
    assert breaches(pages) == []
    assert max(len(page.body) for page in pages.values()) < 200_000
    assert any(f"{[*example.values()][-1]}" in page.markdown for page in pages.values())


@pytest.mark.deep
@pytest.mark.parametrize("keyword", ["default", "const"])
def test_value_of_any_length_makes_light_pages(keyword: str) -> None:
    """What is too long for a page is whole in its twin."""
    pages = pages_with(
        {"properties": {"v": {"type": "object", keyword: {f"k{n}": n for n in range(30_000)}}}}
    )

    assert "more characters" in pages[WHOLE].body
    assert '"k29999": 29999}' in pages[WHOLE].markdown
    assert max(len(page.body) for page in pages.values()) < 200_000


SMALL = {"content": {"application/json": {"schema": {"properties": {"a": STRING, "b": STRING}}}}}
CROWDED: dict[str, dict[str, Any]] = {
    "parameters": {"parameters": [{"name": f"p{n}", "in": "query", "schema": STRING} for n in range(900)]},
    "headers": {"responses": {"200": {"description": "x", "headers": {f"X-{n}": SMALL for n in range(500)}}}},
    "examples": {
        "requestBody": {
            "content": {
                "text/plain": {"schema": STRING, "examples": {f"e{n}": {"value": n} for n in range(700)}}
            }
        }
    },
    "responses": {"responses": {str(200 + n): {"description": f"Is {n}.", **SMALL} for n in range(350)}},
    "media types": {
        "requestBody": {"content": {f"text/x{n}": SMALL["content"]["application/json"] for n in range(80)}}
    },
}


def headers(count: int) -> dict[str, Any]:
    """Return headers with words, none of which has anything inside."""
    one = {"description": "Says *something*.", "schema": {"type": "integer", "minimum": 0}}
    return {"headers": {f"X-{number}": one for number in range(count)}}


def answering(count: int, **response: Any) -> dict[str, Any]:
    """Return an operation with so many responses of one kind, each with headers that say something else."""
    answers = {}
    for status in map(str, range(200, 200 + count)):
        told = {
            name: {**header, "description": f"Of {status}."}
            for name, header in response.get("headers", {}).items()
        }
        answers[status] = {"description": "x", **response, **({"headers": told} if told else {})}
    return {"responses": answers}


EXAMPLES = {f"e{number}": {"value": [*range(9)]} for number in range(12)}
CROWDED |= {
    "headers of responses": answering(16, **headers(10)),
    "headers and parameters": {**CROWDED["parameters"], **answering(40, **headers(5))},
    "headers and bodies": answering(40, **headers(6), **SMALL),
    "headers by hundreds": answering(3, **headers(300)),
    "examples of responses": answering(30, content={"application/json": {"examples": EXAMPLES}}),
}


@pytest.mark.parametrize(
    "name",
    [*list(CROWDED)[::2], *(pytest.param(name, marks=pytest.mark.deep) for name in list(CROWDED)[1::2])],
)
def test_crowded_operation_makes_light_pages(name: str) -> None:
    """Hundreds of parameters, headers, examples, responses, media types."""
    send: dict[str, Any] = {"operationId": "send", "responses": {}, **CROWDED[name]}
    pages = pages_of(api_from({"paths": {"/a": {"post": send}}}))

    assert max(weights(pages)) <= MAX_NODES
    assert breaches(pages) == []


_COMMON = (422, 429)
STATUSES = [
    *map(str, (*range(200, 400), *_COMMON, *(number for number in range(400, 550) if number not in _COMMON))),
]
"""The statuses of the crowded responses, in the order of a page."""


def test_responses_beyond_the_first_are_on_pages_below() -> None:
    """The page of the operation leads to each of them, and each is on one, the common errors before others."""
    pages = pages_of(api_from({"paths": {"/a": {"post": {"operationId": "send", **CROWDED["responses"]}}}}))
    bodies = {uri: parse_html(page.body) for uri, page in pages.items()}

    statuses = [element.text for body in bodies.values() for element in body.find(cls="dp-status")]
    ways = bodies[WHOLE].find("ul", cls="dp-links")[-1].find("a")
    lists = [f"reference/a/send/responses/{number}.md" for number in range(2, len(ways) + 2)]
    ends = [[element.text for element in bodies[uri].find(cls="dp-status")] for uri in lists]
    assert statuses == STATUSES
    assert [element.text for element in ways] == [f"Responses {found[0]} to {found[-1]}" for found in ends]
    assert bodies[lists[-1]].find("pre")
    assert "Is 349." in pages[lists[-1]].markdown
    assert f"[{ways[-1].text}]({lists[-1].removeprefix('reference/a/')})" in pages[WHOLE].markdown


def test_responses_to_an_event_are_divided_as_those_of_operations() -> None:
    """Each is on one page, and the page of the event leads to it."""
    event = {"operationId": "sent", **CROWDED["responses"]}
    pages = pages_of(api_from({"webhooks": {"sent": {"post": event}}}))
    bodies = {uri: parse_html(page.body) for uri, page in pages.items()}

    statuses = [element.text for body in bodies.values() for element in body.find(cls="dp-status")]
    ways = bodies["reference/events/sent.md"].find("ul", cls="dp-links")[-1].find("a")
    assert statuses == STATUSES
    assert len(ways) == sum(uri.startswith("reference/events/sent/responses/") for uri in pages)
    assert max(weights(pages)) <= MAX_NODES
    assert breaches(pages, every=20) == []


def called_back(callbacks: dict[str, Any]) -> dict[str, Page]:
    """Return the pages of a contract with an operation that has callbacks."""
    send = {"operationId": "send", "summary": "Send", "responses": {}, "callbacks": callbacks}
    return pages_of(api_from({"paths": {"/a": {"post": send}}}))


def callback(**operation: Any) -> dict[str, Any]:
    """Return a callback of one request."""
    return {"{$request.body#/url}": {"post": {"responses": {"200": {"description": "x"}}, **operation}}}


@pytest.mark.parametrize(
    ("callbacks", "statuses"),
    [
        ({f"c{number}": callback() for number in range(300)}, ["200"] * 300),
        ({"c": callback(**CROWDED["responses"])}, STATUSES),
        ({f"c{number}": callback(requestBody=SMALL) for number in range(150)}, ["200"] * 150),
    ],
)
def test_callbacks_beyond_a_few_are_on_pages_below(callbacks: dict[str, Any], statuses: list[str]) -> None:
    """With all their answers; the page of the operation leads to each of the pages."""
    pages = called_back(callbacks)
    bodies = {uri: parse_html(page.body) for uri, page in pages.items()}

    ways = bodies[WHOLE].find("ul", cls="dp-links")[-1].find("a")
    lists = [f"reference/a/send/callbacks/{number}.md" for number in range(1, len(ways) + 1)]
    assert [f"{element.text} of Send" for element in ways] == [pages[uri].title for uri in lists]
    assert [element.text for uri in lists for element in bodies[uri].find(cls="dp-status")] == statuses
    assert {entry.title for uri in lists for entry in pages[uri].search[1:]} == set(callbacks)
    assert f"[{ways[-1].text}](send/callbacks/{len(ways)}.md)" in pages[WHOLE].markdown
    assert f"Callback: {[*callbacks][-1]}" in pages[lists[-1]].markdown
    assert max(weights(pages)) <= MAX_NODES
    assert breaches(pages) == []


def test_few_callbacks_stay_where_they_are() -> None:
    """However many fields they have: those can move."""
    body = {"content": {"application/json": {"schema": {"properties": objects(40, 4, "o")}}}}
    pages = called_back({"c": callback(requestBody=body), "d": callback()})

    assert not any("/callbacks/" in uri for uri in pages)
    assert len(parse_html(pages[WHOLE].body).find(id="callback.c")) == 1


def test_page_takes_as_many_responses_as_are_light() -> None:
    """Those of a common operation stand together; heavy ones have fewer on a page, and at last their own."""
    counts = []
    for headers_each in (0, 10, 100):
        send = {"operationId": "send", **answering(20, **headers(headers_each))}
        pages = pages_of(api_from({"paths": {"/a": {"post": send}}}))
        counts.append(len([uri for uri in pages if uri.startswith("reference/a/send/responses/")]))

    assert counts[0] == 0
    assert 0 < counts[1] < 5
    assert counts[2] >= 19


def test_part_has_its_place_below_the_page_it_belongs_to() -> None:
    """Address, title, way back, anchors, twin and what search knows."""
    pages = pages_with(
        {"properties": {"settings": {"properties": objects(60, 4, "s")}, **objects(90, 2, "o")}}
    )

    part = pages["reference/a/send/settings.md"]

    body = parse_html(part.body)
    row = parse_html(pages[WHOLE].body).find(id="body.settings")[0]
    assert part.title == "settings of Send"
    assert [element.text for element in body.find("nav")[0].find("a")] == ["API reference", "A", "Send"]
    assert row.find(cls="dp-more")[0].find("a")[0].attributes["href"] == "settings/"
    assert row.find(cls="dp-more")[0].text == "Show 60 fields"
    assert body.find(id="body.settings.s7")
    assert part.markdown.startswith("# settings of Send\n\nPart of [Send](../send.md).\n\n- `s0` (object)\n")
    assert "See [60 fields](send/settings.md)" in pages[WHOLE].markdown
    assert "s7" in part.search[0].fields
    assert "s7" not in pages[WHOLE].search[0].fields
    assert 'aria-current="true"' in part.sidebar


def test_parts_of_the_same_name_have_their_own_pages() -> None:
    """The second is named by the way to it."""
    large = {"properties": objects(45, 2, "s")}
    pair = {"properties": {"x": large, "y": large}}
    pages = pages_with({"properties": {"a": pair, "b": pair}})

    assert {"reference/a/send/y.md", "reference/a/send/body-b-y.md"} <= pages.keys()
    assert breaches(pages) == []


def test_pages_of_schemas_are_divided_too() -> None:
    """And lead nowhere else than to themselves and below."""
    large = {
        "type": "object",
        "properties": {"settings": {"properties": objects(60, 4, "s")}, **objects(90, 2, "o")},
    }
    pages = pages_with({"$ref": "#/components/schemas/Large"}, Large=large)

    assert "reference/schemas/large/settings.md" in pages
    assert max(weights(pages)) <= MAX_NODES
    assert breaches(pages) == []


def test_shared_schemas_within_others_are_not_shown_again_and_again() -> None:
    """Thirty schemas, each made of the next one twice with something added, are not 2³⁰ rows."""

    def extended_schema(name: str) -> dict[str, Any]:
        return {"allOf": [{"$ref": f"#/components/schemas/{name}"}, {"properties": {f"own{name}": STRING}}]}

    shared = {
        f"S{n}": {
            "type": "object",
            "properties": {
                "a": extended_schema(f"S{n + 1}"),
                "b": extended_schema(f"S{n + 1}"),
                **objects(3, 6, "o"),
            },
        }
        for n in range(30)
    }
    pages = pages_with({"$ref": "#/components/schemas/S0"}, **shared, S30={"properties": {"c": STRING}})

    row = parse_html(pages["reference/schemas/s0.md"].body).find(id="a")[0]
    assert {element.text for element in row.find("a", cls="dp-field__name")} == {"a", "ownS1"}
    assert [element.text for element in row.find(cls="dp-more")] == ["Show S1"]
    assert sum(len(page.body) for page in pages.values()) < 2_000_000


def test_same_contract_is_divided_in_the_same_way() -> None:
    """Addresses of parts do not change from build to build."""
    schema = HOSTILE["bush"][0]

    assert pages_with(schema) == pages_with(schema)


def heavy_contract(*, answers: int, rows: int) -> dict[str, Any]:
    """Return a contract of one operation with a request body of so many fields, and so many answers."""
    fields = {f"f{number}": {"type": "string", "description": "x"} for number in range(rows)}
    content = {
        "application/json": {
            "schema": {"type": "object", "properties": fields},
            "example": dict.fromkeys(fields, 1),
        }
    }
    responses = {str(200 + number): {"description": "x", "content": content} for number in range(answers)}
    operation = {"operationId": "a", "requestBody": {"content": content}, "responses": responses}
    return {"paths": {"/a": {"post": operation}}}


def test_fields_of_a_request_stay_when_those_of_answers_move() -> None:
    """What most readers come for is the last that leaves the page."""
    page = pages_of(api_from(heavy_contract(answers=12, rows=30)))["reference/a/a.md"]
    ids = {element.attributes["id"] for element in parse_html(page.body).all() if "id" in element.attributes}

    assert {f"body.f{number}" for number in range(30)} <= ids
    assert any(f"response.{200 + number}.f0" not in ids for number in range(12))


def test_colours_of_samples_go_before_fields_do() -> None:
    """A page that is a little too heavy has fewer coloured words, and all its fields."""
    pages = pages_of(api_from(heavy_contract(answers=1, rows=80)))
    samples = parse_html(pages["reference/a/a.md"].body).find(cls="dp-tabs--language")[0]

    coloured = [element for element in samples.find("span") if len(element.attributes.get("class", "")) == 1]
    assert not any(uri.startswith("reference/a/a/") for uri in pages)
    assert 0 < len(coloured) <= MIN_SPANS


@pytest.mark.parametrize(
    ("excess", "kept", "saved"),
    [(40, 260, 40), (279, 21, 279), (281, MIN_SPANS, 280), (5_000, MIN_SPANS, 280)],
)
def test_only_so_many_colours_go_as_the_fields_need(excess: int, kept: int, saved: int) -> None:
    """What room is left is for colours; a few stay, however much the fields take."""
    colours = ColourLimit(lambda most: {"samples": "<span " * min(most, 300)}, 700)

    assert colours.within(excess) == (kept, saved)


def test_samples_that_take_more_than_their_share_give_it_back() -> None:
    """A sample marks its address whatever there is room for: others have as many colours fewer."""
    colours = ColourLimit(lambda most: {"samples": "<span " * min(most + 12, 300)}, 700)

    assert colours.within(100) == (188, 100)
