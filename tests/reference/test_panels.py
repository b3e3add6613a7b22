"""The samples at the right, and the twins' text."""

import json
from html import escape
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from devportal.markup import plain_text
from devportal.project.settings import Settings
from devportal.reference.markup import (
    MAX_REST_LENGTH,
    autolink,
    code_block,
    code_span,
    commonmark_to_line,
    escape_markdown,
)
from devportal.reference.reference import reference_of
from devportal.reference.samples import LANGUAGES
from devportal.reference.samples.panels import MAX_SPANS, Panels, _mark_address
from devportal.reference.schema.examples import MAX_EXAMPLE_LENGTH, MAX_EXAMPLE_LINES
from tests.growth import counted_steps

from .laws import breaches
from .reading import Element, api_from, pages_of, parse_html

REPLACE = Settings(contract_samples="replace")


def page(operation: dict[str, Any], settings: Settings = Settings()) -> Element:
    """Return the page of the only operation of a contract."""
    api = api_from({"paths": {"/a": {"post": {"operationId": "a", "responses": {}, **operation}}}})
    return parse_html(pages_of(api, settings)["reference/a/a.md"].body)


def answers(media: dict[str, Any], name: str = "application/json") -> Element:
    """Return the column of samples for an answer."""
    operation = page({"responses": {"200": {"description": "x", "content": {name: media}}}})
    return operation.find("aside", cls="dp-op__samples")[0]


def test_samples_of_the_contract_come_before_the_generated_ones() -> None:
    """One with a label of its own is beside the generated one of its language; a plain one replaces it."""
    given = [{"lang": "Ruby", "label": "SDK", "source": "Client.new"}, {"lang": "Golang", "source": "go"}]

    samples = page({"x-codeSamples": given}).find(cls="dp-op__samples")[0]

    others = [language.label for language in LANGUAGES if language.label != "Go"]
    assert [element.text for element in samples.find("label")] == ["SDK", "Golang", *others]
    values = [
        element.attributes["value"] for element in samples.find(cls="dp-tabs--language")[0].find("input")
    ]
    assert values[:2] == ["ruby", "go"]
    assert "ruby-generated" in values
    assert len(set(values)) == len(values)


def test_samples_of_the_contract_can_be_the_only_ones() -> None:
    """With `replace`, ours are not there, and the examples are with the fields."""
    shown = page(
        {
            "x-codeSamples": [{"lang": "PHP", "source": "<?php echo 1;"}],
            "requestBody": {"content": {"application/json": {"example": {"kept": 1}}}},
        },
        REPLACE,
    )

    samples = shown.find(cls="dp-op__samples")[0]
    assert [element.text for element in samples.find("label")] == ["PHP"]
    assert "<?php echo 1;" in samples.text
    assert "kept" in shown.find(cls="dp-op__main")[0].text


def test_languages_of_the_contract_are_those_that_are_remembered() -> None:
    """Whatever a contract calls a language, its tab has the value that other pages know; no two the same."""
    given = ["Shell", "cURL", "JavaScript", "Golang", "C#", "C#"]

    shown = page({"x-codeSamples": [{"lang": text, "source": "x"} for text in given]}, REPLACE)

    tabs = shown.find(cls="dp-tabs--language")[0].find("input")
    assert [tab.attributes["value"] for tab in tabs] == ["curl", "curl-2", "node", "go", "csharp", "csharp-6"]


def test_request_has_a_sample_in_every_language() -> None:
    """In the order of the table, under their labels."""
    labels = page({}).find(cls="dp-op__samples")[0].find("label")

    assert [label.text for label in labels] == [language.label for language in LANGUAGES]


def test_a_project_chooses_the_languages_of_samples() -> None:
    """In its order; samples of the contract stay, and the first language is that of the twin."""
    api = api_from({"paths": {"/a": {"post": {"operationId": "a", "responses": {}}}}})
    settings = Settings(sample_languages=("ruby", "curl"))

    shown = pages_of(api, settings)["reference/a/a.md"]

    labels = parse_html(shown.body).find(cls="dp-op__samples")[0].find("label")
    assert [label.text for label in labels] == ["Ruby", "curl"]
    assert "```ruby" in shown.markdown


def test_a_page_of_many_examples_has_the_first_languages_of_the_project() -> None:
    """At least five, and those that have no room are named with the console, which has them."""
    chosen = ("java", "ruby", "go", "php", "csharp", "curl")
    examples = {f"e{number}": {"value": number} for number in range(9)}
    content = {"application/json": {"examples": examples}}
    api = api_from(
        {
            "paths": {
                "/a": {"post": {"operationId": "a", "requestBody": {"content": content}, "responses": {}}}
            }
        }
    )

    for has_console in (True, False):
        body = pages_of(api, Settings(sample_languages=chosen), has_console=has_console)[
            "reference/a/a.md"
        ].body
        column = parse_html(body).find(cls="dp-op__samples")[0]

        labels = [element.text for element in column.find(cls="dp-tabs--language")[-1].find("label")]
        assert labels == ["Java", "Ruby", "Go", "PHP", "C#"]
        assert ("In more languages with Try it: curl." in column.text) is has_console


def test_samples_of_many_long_examples_stay_light() -> None:
    """Each example has its sample in each language, but no page has more than so many coloured words."""
    examples = {f"e{number}": {"value": [*range(40)]} for number in range(4)}

    shown = page({"requestBody": {"content": {"application/json": {"examples": examples}}}})

    column = shown.find(cls="dp-op__samples")[0]
    assert len(column.find("pre")) == len(examples) * 6
    assert 0 < len(column.find("span")) <= MAX_SPANS


def test_answers_of_many_long_examples_stay_light() -> None:
    """The first are coloured, as far as the page has room for it."""
    examples = {f"e{number}": {"value": [*range(150)]} for number in range(8)}

    column = answers({"examples": examples})

    blocks = column.find("pre", cls="dp-code")[-8:]
    assert [bool(block.find("span")) for block in blocks] == [True, True, *[False] * 6]
    assert len({block.text for block in blocks}) == 1


def test_named_examples_can_be_chosen_and_say_what_they_are() -> None:
    """By a plain name, with a select, and without scripts by opening them; a generated one is marked."""
    column = answers(
        {
            "examples": {
                "a": {"summary": "First", "value": 1},
                "twoParts_andMore": {
                    "value": 2,
                    "summary": "The second of them. " * 3,
                    "description": "Why.",
                },
            }
        }
    )

    assert [element.text for element in column.find(cls="dp-pick--response")[0].find("option")] == [
        "200 First",
        "200 Two Parts and More",
    ]
    assert [
        ("open" in element.attributes, element.find("summary")[0].text) for element in column.find("details")
    ] == [
        (True, "200 First"),
        (False, "200 Two Parts and More"),
    ]
    assert "The second of them. The second of them. The second of them. Why." in column.text
    assert "Why." in column.text
    assert "Generated from the schema." not in column.text
    assert "Generated from the schema." in answers({"schema": {"type": "integer"}}).text


@pytest.mark.parametrize(
    ("media_type", "value", "text", "words"),
    [
        (
            "application/json",
            list(range(MAX_EXAMPLE_LINES + 601)),
            json.dumps(list(range(MAX_EXAMPLE_LINES + 601)), indent=2),
            "603 more lines",
        ),
        ("text/plain", "x" * (MAX_EXAMPLE_LENGTH + 9), "x" * (MAX_EXAMPLE_LENGTH + 9), "9 more characters"),
    ],
)
def test_the_rest_of_a_long_example_opens_below_it(
    media_type: str, value: Any, text: str, words: str
) -> None:
    """By lines, or within a line that does not end; both blocks together are the example."""
    (long,) = answers({"example": value}, media_type).find(cls="dp-long")

    assert "".join("".join(element.text for element in long.find("code")).split()) == "".join(text.split())
    assert [element.text for element in long.find("summary")] == [words]


def test_the_rest_of_an_example_that_is_too_long_for_a_page_is_in_its_twin() -> None:
    """A note says so: the page stays light."""
    text = "x" * (MAX_EXAMPLE_LENGTH + MAX_REST_LENGTH + 1)
    operation = {"responses": {"200": {"description": "x", "content": {"text/plain": {"example": text}}}}}
    api = api_from({"paths": {"/a": {"post": {"operationId": "a", **operation}}}})

    made = pages_of(api)["reference/a/a.md"]

    assert "40,001 more characters: the Markdown version of this page has the rest." in made.body
    assert text in made.markdown


def test_text_example_is_not_json() -> None:
    """A body of another type is shown as it is sent."""
    assert "<a>é</a>" in answers({"example": "<a>é</a>"}, "application/xml").find("pre")[-1].text


RAW = {
    "application/sql": 'SELECT "a"\nFROM b;',
    "text/csv": 'id,name\n1,"Ada"',
    "application/jsonl": '{"a": 1}\n{"a": 2}',
    "application/json-seq": '{"a": 1}\n{"a": 2}',
    "application/x-ndjson; charset=utf-8": '{"a": 1}\n{"a": 2}',
}


@pytest.mark.parametrize("name", RAW)
def test_text_of_a_body_is_shown_as_it_is_sent(name: str) -> None:
    """Among the samples and below the fields, on the page and in its twin; never as a string of JSON."""
    media = {"schema": {"type": "string"}, "example": RAW[name]}
    content = {"content": {"application/json": {"example": 1}, name: media}}
    operation = {"requestBody": content, "responses": {"200": {"description": "x", **content}}}
    given = [{"lang": "PHP", "source": "<?php echo 1;"}]
    api = api_from({"paths": {"/a": {"post": {"operationId": "a", "x-codeSamples": given, **operation}}}})

    page_ = pages_of(api, REPLACE)["reference/a/a.md"]

    shown = [code.text for code in parse_html(page_.body).find("pre")]
    assert shown.count(" ".join(RAW[name].split())) == 2
    assert page_.markdown.count(f"```text\n{RAW[name]}\n```") == 2
    assert "\\n" not in page_.body + page_.markdown


def test_text_of_a_parameter_is_shown_as_it_is_sent() -> None:
    """A parameter that is written in a media type has its examples in that, too."""
    content = {"text/csv": {"schema": {"type": "string"}, "example": 'id,"name"'}}

    shown = page({"parameters": [{"name": "q", "in": "query", "content": content}]})

    field = shown.find(cls="dp-field")[0]
    assert 'id,"name"' in [code.text for code in field.find("code")]


def test_value_of_an_xml_answer_is_xml() -> None:
    """A value, given or generated, is shown as it is sent."""
    schema = {"type": "object", "xml": {"name": "a"}, "properties": {"b": {"const": "é"}}, "required": ["b"]}

    for media in ({"schema": schema, "example": {"b": "é"}}, {"schema": schema}):
        assert "<a> <b>é</b> </a>" in answers(media, "application/xml").find("pre")[-1].text


@given(st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1))
def test_code_span_holds_any_text(text: str) -> None:
    """However many ticks the text has, CommonMark reads it back."""
    tokens = MarkdownIt("commonmark").parseInline(f"a {code_span(text)} b")[0].children or []

    assert [token.content for token in tokens if token.type == "code_inline"] == [text]


@given(st.text("`~a\n ", max_size=20))
def test_code_block_holds_any_text(text: str) -> None:
    """However many ticks the text has, the block ends where it should."""
    tokens = MarkdownIt("commonmark").parse(code_block(text, "c# <b>"))

    assert [(token.type, token.content) for token in tokens] == [("fence", f"{text}\n")]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\n\n*b*", "a b"),
        ("x](y)", r"x\](y)"),
        ("<b>c</b>", "c"),
        ("Return `List<String>` of a\\*b", r"Return List&lt;String> of a\*b"),
        ("`**/*.txt`, snake_case", r"\*\*/\*.txt, snake_case"),
        ("`<img src=x onerror=alert(1)>`", r"&lt;img src=x onerror=alert(1)>"),
        ("3 < 4 & 5, C:\\dir", "3 < 4 & 5, C:\\dir"),
    ],
)
def test_text_on_one_line(text: str, line: str) -> None:
    """Without markup, harmless inside a link, and with no more backslashes than it needs."""
    assert commonmark_to_line(text) == line


@pytest.mark.parametrize(("text", "line"), [("1. Send", r"1\. Send"), ("\\_a", r"\\\_a"), ("1.5 a", "1.5 a")])
def test_plain_text_begins_nothing(text: str, line: str) -> None:
    """A number at the start makes no list, and a backslash takes nothing from the mark behind it."""
    assert escape_markdown(text) == line


@given(
    st.text("ab1 `~*_\\<>&;#|-+=.![]()/:\"'é", min_size=1, max_size=20).map(
        lambda text: " ".join(text.split())
    ),
    st.sampled_from(["# {}", "[{}](x)", "a {}: b", "- {}: b"]),
)
def test_no_plain_text_is_lost(text: str, around: str) -> None:
    """As a heading, as a link and inside a line it reads as it was written."""
    assume(text)

    line = plain_text(around.format("WORDS")).replace("WORDS", text)
    assert plain_text(around.format(escape_markdown(text))) == line


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("https://a.example/b", "<https://a.example/b>"),
        ("HTTP://a.example", "<HTTP://a.example>"),
        ("javascript:alert(1)", "`javascript:alert(1)`"),
        ("https://a.example/><img src=x>", "`https://a.example/><img src=x>`"),
        ("../a", "`../a`"),
    ],
)
def test_only_addresses_of_the_web_are_links(url: str, link: str) -> None:
    """All others are shown as code, which nobody can follow."""
    assert autolink(url) == link


def test_samples_in_several_media_types_are_one_choice() -> None:
    """By media type and example; each group of radio buttons is alone with its name."""
    named = {"examples": {"one": {"value": {"a": 1}}, "two": {"value": {"a": 2}}}}
    content = {"application/xml": {"example": {"a": 3}}, "application/json": named}
    api = api_from({"paths": {"/a": {"post": {"requestBody": {"content": content}, "responses": {}}}}})
    (made,) = (item for item in pages_of(api).values() if "dp-pick" in item.body)

    (picker,) = parse_html(made.body).find(cls="dp-pick--example")
    assert [
        (element.attributes["label"], [each.text for each in element.find("option")])
        for element in picker.find("optgroup")
    ] == [("application/json", ["One", "Two"]), ("application/xml", ["application/xml"])]
    groups = [
        [child.attributes for child in tabs.children if isinstance(child, Element) and child.tag == "input"]
        for tabs in parse_html(made.body).find("fieldset")
    ]
    assert len({group[0]["name"] for group in groups}) == len(groups) == 3
    assert [sum("checked" in item for item in group) for group in groups] == [1] * 3
    request = made.markdown.partition("\n## Request\n")[2].partition("\n## ")[0]
    assert [line for line in request.splitlines() if line.startswith("### ")] == [
        "### one, application/json",
        "### two, application/json",
        "### curl, application/xml",
    ]
    assert breaches(pages_of(api)) == []


def test_one_choice_of_examples_is_that_of_request_and_response() -> None:
    """The success that has the same examples is one option; other responses have one each, all statuses are there."""
    examples = {"examples": {"short": {"value": 1}, "long": {"value": 2}}}
    shown = page(
        {
            "requestBody": {"content": {"application/json": examples}},
            "responses": {
                "201": {"description": "x", "content": {"application/json": examples}},
                "204": {"description": "x"},
                "400": {
                    "description": "x",
                    "content": {"application/json": {"examples": {"odd": {"value": 3}}}},
                },
                "422": {"description": "x", "content": {"application/json": {"example": 4}}},
            },
        }
    )

    request, response = shown.find("div", cls="dp-pick")
    assert [element.text for element in request.find("option")] == ["Short", "Long"]
    assert [element.text for element in response.find("option")] == [
        "201 Created",
        "204 No Content",
        "422 Unprocessable Entity",
        "400 Bad Request",
    ]
    options = [
        (element.attributes["data-option"], element.attributes.get("data-example", ""))
        for element in shown.find("details", cls="dp-example")
    ]
    assert options[2:] == [("0", "short"), ("0", "long"), ("1", ""), ("2", ""), ("3", "odd")]
    assert "No body." in shown.text


def test_what_cannot_be_made_is_marked() -> None:
    """A body with a value that cannot be made has a placeholder for it, and a note that names it."""
    never = {
        "type": "object",
        "required": ["me"],
        "properties": {"me": {"$ref": "#/components/schemas/Never"}},
    }
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Never"}}}
    answer = {"responses": {"200": {"description": "x", "content": content}}}
    api = api_from({"components": {"schemas": {"Never": never}}, "paths": {"/a": {"get": answer}}})
    pages = pages_of(api)

    assert any("/schemas/" in uri for uri in pages)
    assert any("Replace &lt;me&gt; at /me" in page.body for page in pages.values())
    assert breaches(pages) == []


@pytest.mark.parametrize(
    "name", ["application/jsonl", "application/x-ndjson; charset=utf-8", "application/json-seq"]
)
@pytest.mark.parametrize(
    "given_",
    [
        {"example": [{"a": 1}, {"a": 1}]},
        {
            "schema": {
                "type": "array",
                "items": {"type": "object", "properties": {"a": {"type": "integer"}}},
                "minItems": 2,
            }
        },
    ],
)
def test_lines_of_json_are_shown_as_lines(name: str, given_: dict[str, Any]) -> None:
    """One value a line, as it is sent; a list over several lines would be another media type."""
    answer = {"responses": {"200": {"description": "x", "content": {name: given_}}}}
    pages = pages_of(api_from({"paths": {"/a": {"get": {"operationId": "a", **answer}}}}))
    page = pages["reference/a/a.md"]

    assert parse_html(page.body).find("pre")[-1].text == '{"a": 1} {"a": 1}'
    assert '\n{"a": 1}\n{"a": 1}\n' in page.markdown


def test_events_of_a_stream_are_shown_as_they_are_sent() -> None:
    """An example of objects is written in the lines that a client reads."""
    events = [{"event": "add", "data": "one\ntwo"}, {"data": "x"}]
    item = {"type": "object", "properties": {"data": {"type": "string"}}}

    given_ = answers({"itemSchema": item, "example": events}, "text/event-stream")
    made = answers({"itemSchema": item}, "text/event-stream")

    assert given_.find("pre")[-1].text == "event: add data: one data: two data: x"
    assert made.find("pre")[-1].text.startswith("data: ")


def test_example_of_several_operations_is_laid_out_and_coloured_once() -> None:
    """The second operation that shows an example takes less than a fifth of the steps of the first."""
    example = {"value": {f"member{number}": number for number in range(100)}}
    content = {
        "application/json": {
            "schema": {"type": "object"},
            "examples": {"one": {"$ref": "#/components/examples/one"}},
        }
    }
    responses = {"200": {"description": "x", "content": content}}
    paths = {f"/{name}": {"get": {"operationId": name, "responses": responses}} for name in ("a", "b")}
    api = api_from({"paths": paths, "components": {"examples": {"one": example}}})
    panels = Panels(reference_of(api))

    with counted_steps() as first:
        shown = panels.response_samples(api.operations[0].responses)
    with counted_steps() as second:
        again = panels.response_samples(api.operations[1].responses)

    assert again == shown
    assert second.count < first.count / 5


def test_the_generated_body_of_an_error_has_the_status_of_its_response() -> None:
    """Also if a reference to the shared schema says more beside it."""
    status = {"type": "integer", "example": 400}
    problem = {
        "type": "object",
        "properties": {"status": status, "trace": {"type": "string", "example": "a"}},
    }
    plain = {"$ref": "#/components/schemas/Problem"}
    narrowed = {**plain, "properties": {"trace": {"example": "b"}}}
    responses = {
        code: {"description": "x", "content": {"application/problem+json": {"schema": schema}}}
        for code, schema in (("400", plain), ("401", plain), ("404", narrowed), ("410", plain))
    }
    api = api_from(
        {
            "openapi": "3.1.0",
            "paths": {"/a": {"get": {"operationId": "a", "responses": responses}}},
            "components": {"schemas": {"Problem": problem}},
        }
    )

    shown = parse_html(Panels(reference_of(api)).response_samples(api.operations[0].responses))

    bodies = [json.loads(element.text) for element in shown.find("pre")]
    assert bodies == [
        {"status": 400, "trace": "a"},
        {"status": 401, "trace": "a"},
        {"status": 404, "trace": "b"},
        {"status": 410, "trace": "a"},
    ]


@pytest.mark.parametrize(
    ("media_type", "is_shown"),
    [
        ("application/json", True),
        ("text/plain", True),
        ("*/*", True),
        ("application/vnd.example.v3", True),
        ("application/yaml", True),
        ("text/xml", True),
        ("text/csv", True),
        ("text/html; charset=utf-8", False),
        ("image/png", False),
        ("application/x-www-form-urlencoded", False),
    ],
)
def test_no_generated_body_is_json_in_a_type_of_another_format(media_type: str, *, is_shown: bool) -> None:
    """A page or a picture that is described as a list of objects is no JSON; a table has a row for each."""
    schema = {"type": "array", "items": {"type": "object", "properties": {"city": {"type": "string"}}}}
    response = {"description": "Cities.", "content": {media_type: {"schema": schema}}}
    api = api_from({"paths": {"/a": {"get": {"operationId": "a", "responses": {"200": response}}}}})

    page = pages_of(api)["reference/a/a.md"]

    assert ("generated from the schema" in page.markdown) is is_shown
    assert ("```text\ncity\nRome\n```" in page.markdown) is (media_type == "text/csv")


@pytest.mark.parametrize(
    ("base", "breaks", "shown"),
    [
        ("", 9, "https://a.example/<wbr>v1/orders/<wbr>{order_id}/<wbr>lines?first=10<wbr>&amp;after=20"),
        ("https://a.example/v1", 9, "BASE/<wbr>orders/{order_id}/<wbr>lines?first=10<wbr>&amp;after=20"),
        ("", 1, "https://a.example/<wbr>v1/orders/{order_id}/lines?first=10&amp;after=20"),
        ("", 0, "https://a.example/v1/orders/{order_id}/lines?first=10&amp;after=20"),
    ],
)
def test_long_addresses_end_lines_between_their_parts(base: str, breaks: int, shown: str) -> None:
    """Not within a word. The script that writes another base address finds it whole."""
    url = "https://a.example/v1/orders/{order_id}/lines?first=10&after=20"
    shown = shown.replace("BASE", f'<span class="dp-base">{base}</span>')

    marked = _mark_address(f"curl '{escape(url)}'", url, base, breaks=breaks)

    assert marked == f"curl '{shown}'"


@pytest.mark.parametrize(
    ("name", "schema", "is_shown"),
    [
        ("image/png", {"type": "string"}, False),
        ("image/png", {"type": "string", "format": "binary"}, False),
        ("text/csv", {"type": "string", "format": "binary"}, False),
        ("application/octet-stream; v=1", {"type": "string"}, False),
        ("image/png", {"type": "string", "format": "byte"}, True),
        ("image/png", {"type": "string", "example": "iVBORw0KGgo="}, True),
        ("image/svg+xml", {"type": "string", "example": "<svg/>"}, True),
        ("text/plain", {"type": "string"}, True),
    ],
)
def test_no_text_is_made_for_bytes(name: str, schema: dict[str, Any], *, is_shown: bool) -> None:
    """`string` is no picture. What the contract gives is shown."""
    samples = answers({"schema": schema}, name)

    assert ("Response" in [element.text for element in samples.find("h2")]) == is_shown


def test_short_addresses_stay_whole() -> None:
    """They fit into a line."""
    assert _mark_address("curl https://a.example/v1/orders", "https://a.example/v1/orders", "", breaks=9) == (
        "curl https://a.example/v1/orders"
    )
