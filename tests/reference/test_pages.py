"""Reference pages: whole, well-formed, linked, and safe whatever a contract says."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urljoin

import pytest
import yaml

from devportal.markup import Page, plain_text, url_of
from devportal.project.settings import Settings
from devportal.translation import interface_of
from devportal.translation.catalogues import find_catalogue, load_interface

from .laws import breaches
from .reading import CONTRACTS, RICH, Element, api_from, api_of, pages_of, parse_html

GOLDEN = {
    "rich-3.1.yaml": (
        "reference/index.md",
        "reference/authentication.md",
        "reference/parcels/index.md",
        "reference/parcels/create-parcel.md",
        "reference/parcels/list-parcels.md",
        "reference/parcels/delete-parcel.md",
        "reference/labels-more/put-photo.md",
        "reference/events/parcel-lost.md",
        "reference/errors/index.md",
        "reference/errors/not-found.md",
        "reference/schemas/index.md",
        "reference/schemas/item.md",
        "reference/schemas/size.md",
        "reference/schemas/status.md",
    ),
    "rich-3.0.yaml": (
        "reference/index.md",
        "reference/authentication.md",
        "reference/小包/get-小包-番号.md",
        "reference/forms/forms-nested.md",
        "reference/forms/forms-upload.md",
    ),
}


@pytest.mark.parametrize(("name", "uri"), [(name, uri) for name, uris in GOLDEN.items() for uri in uris])
def test_page_is_as_agreed(name: str, uri: str, golden: Callable[[str, str], None]) -> None:
    """Pages of each kind, whole, as HTML and as Markdown."""
    page = pages_of(api_of(name))[uri]

    base = f"reference/{name.removesuffix('.yaml')}/{uri.removeprefix('reference/').removesuffix('.md')}"
    golden(f"{base}.html", page.body)
    golden(f"{base}.md", page.markdown)


def test_column_at_the_left_is_as_agreed(golden: Callable[[str, str], None]) -> None:
    """The navigation of an operation's page marks that page."""
    page = pages_of(api_of("rich-3.1.yaml"))["reference/parcels/list-parcels.md"]

    golden("reference/rich-3.1/sidebar.html", page.sidebar)


@pytest.mark.parametrize("name", RICH)
@pytest.mark.parametrize("overview", ["reference/index.md", "index.md"])
def test_pages_of_the_rich_contracts_keep_the_laws(name: str, overview: str) -> None:
    """Well-formed, ids once, headings in order, nothing live, and every link leads somewhere."""
    assert breaches(pages_of(api_of(name), Settings(overview=overview))) == []


EVIL = (
    "<script>alert(1)</script>\"'&` ${x} {{ 7*7 }} [a](javascript:alert(1)) "
    "<img src=https://evil.example/x onerror=alert(1)>"
)


def poison(value: Any, key: str = "") -> Any:
    """Return contract data in which every text that a reader sees, and every name, is hostile."""
    if isinstance(value, dict):
        return {_poisoned_name(key, name): poison(other_value, name) for name, other_value in value.items()}
    if isinstance(value, list):
        return [
            f"{item}{EVIL}" if key == "enum" and isinstance(item, str) else poison(item, key)
            for item in value
        ]
    if key in {"description", "summary", "title", "name", "label", "resolution", "source", "bearerFormat"}:
        return EVIL
    if key in {
        "example",
        "default",
        "const",
        "pattern",
        "externalValue",
        "url",
        "tokenUrl",
        "value",
        "email",
    }:
        return EVIL if isinstance(value, str) else value
    return value


_NAMED = {
    "properties",
    "examples",
    "callbacks",
    "headers",
    "links",
    "mapping",
    "scopes",
    "content",
    "patternProperties",
}


def _poisoned_name(parent: str, name: str) -> str:
    return f"{name}{EVIL}" if parent in _NAMED else name


@pytest.mark.parametrize("name", RICH)
def test_hostile_texts_stay_texts(name: str) -> None:
    """A contract whose texts are all markup makes pages without a live element, attribute or link."""
    document = poison(yaml.load((CONTRACTS / name).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
    pages = pages_of(api_from(document))

    assert breaches(pages) == []
    assert any("alert(1)" in parse_html(page.body).text for page in pages.values())


def test_event_name_is_escaped() -> None:
    """An event's name stands where an operation has its path."""
    page = event_page("<b onclick=x>")

    assert parse_html(page.body).find("b") == []


def event_page(name: str) -> Page:
    """Return the page of the only event of a contract."""
    api = api_from({"webhooks": {name: {"post": {"responses": {"200": {"description": ""}}}}}})
    return next(page for uri, page in pages_of(api).items() if "/events/" in uri)


@pytest.mark.parametrize("path", ["/a}{b", "/{a", "/a}", "/{a}{b}", "/{}", "/{<b>}", "//", "/a b/{c d}"])
def test_odd_path_is_shown_whole(path: str) -> None:
    """Braces that do not pair do not break the markup."""
    api = api_from({"paths": {path: {"get": {"operationId": "odd", "responses": {}}}}})
    pages = pages_of(api)
    body = parse_html(next(page.body for uri, page in pages.items() if uri.endswith("/odd.md")))

    assert breaches(pages) == []
    assert body.find("code", cls="dp-path")[0].text == path


def test_same_input_gives_same_pages() -> None:
    """Nothing in a page depends on when or how often it is made."""
    api = api_of("rich-3.1.yaml")

    assert pages_of(api) == pages_of(api)


def test_current_page_is_marked_once() -> None:
    """Every page that the column links to is marked there and no other; a group is marked by its title."""
    pages = pages_of(api_of("rich-3.1.yaml"))
    linked, marked = set[str](), dict[str, list[str]]()
    for uri, page in pages.items():
        links = parse_html(page.sidebar).find("a")
        linked |= {target(uri, link) for link in links}
        marked[uri] = [target(uri, link) for link in links if "aria-current" in link.attributes]

    assert len(linked) == 12
    side = parse_html(pages["reference/labels-more/index.md"].sidebar)
    assert [element.text for element in side.find("summary") if "aria-current" in element.attributes] == [
        "Labels & more"
    ]
    assert marked == {uri: [url_of(uri)] if url_of(uri) in linked else [] for uri in pages}


def target(uri: str, link: Element) -> str:
    """Return the address that a link on a page leads to, from the root of the site."""
    return urljoin(f"https://portal.invalid/{url_of(uri)}", link.attributes["href"]).removeprefix(
        "https://portal.invalid/"
    )


def many_operations(count: int, *, tags: int = 1) -> dict[str, Any]:
    """Return a contract of many operations in some tags."""
    return {
        "paths": {
            f"/r{number}": {
                "get": {"tags": [f"t{number % tags}"], "responses": {"200": {"description": "x"}}}
            }
            for number in range(count)
        }
    }


@pytest.mark.deep
@pytest.mark.parametrize(("count", "tags"), [(200, 200), (200, 1)])
def test_column_stays_small_in_a_large_contract(count: int, tags: int) -> None:
    """Neither a group of 200 operations nor 200 groups are listed on every page, and the page itself is."""
    pages = pages_of(api_from(many_operations(count, tags=tags)))

    assert breaches(pages) == []
    assert max(len(parse_html(page.sidebar).find("a")) for page in pages.values()) < 100
    for number in (0, 79, 80, count - 1):
        page = next(page for uri, page in pages.items() if uri.endswith(f"/get-r{number}.md"))
        here = [
            element for element in parse_html(page.sidebar).find("a") if "aria-current" in element.attributes
        ]
        assert [element.text for element in here] == [f"Retrieve the r{number} GET"]


@pytest.mark.deep
def test_size_grows_with_the_number_of_operations_only() -> None:
    """Twice as many operations make at most about twice as many bytes."""
    small, large = (
        sum(
            len(page.body) + len(page.sidebar)
            for page in pages_of(api_from(many_operations(n, tags=n // 4))).values()
        )
        for n in (400, 800)
    )

    assert large < small * 2.3


def test_a_property_of_two_parts_keeps_the_words_of_both() -> None:
    """Where two parts of an `allOf` speak of a property, both constraints and the first's words are shown."""
    first = {"type": "string", "description": "The name.", "minLength": 3, "example": "Ada"}
    second = {"type": "string", "maxLength": 8, "pattern": "^[A-Z]"}
    parts = [{"properties": {"name": first}}, {"properties": {"name": second}}]
    document = {
        "paths": {},
        "webhooks": {"e": {"post": {}}},
        "components": {"schemas": {"Both": {"allOf": parts}}},
    }

    body = parse_html(pages_of(api_from(document))["reference/schemas/both.md"].body)

    (row,) = body.find("li", cls="dp-field")
    assert all(words in row.text for words in ("The name.", "3 to 8 characters", "^[A-Z]", "Ada"))


def page_of_operation(**operation: Any) -> Page:
    """Return the page of one operation among two."""
    paths = {
        "/a": {"get": {"operationId": "a", "responses": {}, **operation}},
        "/b": {"get": {"operationId": "b", "summary": "List b", "responses": {}}},
    }
    return pages_of(api_from({"openapi": "3.2.0", "paths": paths}))["reference/a/a.md"]


@pytest.mark.parametrize(
    ("successor", "words", "links"),
    [
        ("b", "Use List b instead.", ["../../b/b/"]),
        ("https://x.example/v2", "Use https://x.example/v2 instead.", ["https://x.example/v2"]),
        ("the new one", "Use the new one instead.", []),
    ],
)
def test_successor_of_a_deprecated_operation_is_named(successor: str, words: str, links: list[str]) -> None:
    """With a link where the contract names another operation or an address; also in the twin."""
    page = page_of_operation(deprecated=True, **{"x-successor": successor})
    (note,) = parse_html(page.body).find(cls="dp-note")

    assert " ".join(note.text.split()) == f"Deprecated. {words}"
    assert [element.attributes["href"] for element in note.find("a")] == links
    assert "instead." in page.markdown


def test_callback_of_an_event_is_shown() -> None:
    """As those of operations are: on the event's page, in its twin, and in search."""
    asked = {"post": {"summary": "Answer later", "responses": {"200": {"description": "Thanks"}}}}
    event = {"post": {"responses": {}, "callbacks": {"answer": {"{$request.body#/url}": asked}}}}

    pages = pages_of(api_from({"webhooks": {"made": event}}))
    page = pages["reference/events/made.md"]

    assert breaches(pages) == []
    assert parse_html(page.body).find("h2", id="callback.answer")
    assert "## Callback: answer" in page.markdown
    assert [search_entry.anchor for search_entry in page.search] == ["", "callback.answer"]


def test_operation_shows_its_id_where_it_has_one() -> None:
    """Whoever reads the contract or a generated client looks for it, on the page and in the twin."""
    paths = {"/a": {"get": {"operationId": "get<T>", "responses": {}}, "put": {"responses": {}}}}
    pages = pages_of(api_from({"paths": paths}))
    named, made = pages["reference/a/get-t.md"], pages["reference/a/put-a.md"]

    (details,) = parse_html(named.body).find("details", cls="dp-details")
    assert details.text == "Detailsoperation ID get<T>"
    assert "\nDetails: operation ID `get<T>`\n" in named.markdown
    assert parse_html(made.body).find("details", cls="dp-details") == []
    assert "operation ID" not in made.markdown


@pytest.mark.parametrize("title", ["Get Größe of <size> & user_id", "Add 1 * 2 * 3", "a < b # c"])
def test_no_letter_of_a_title_is_lost(title: str) -> None:
    """A title is plain text: what looks like markup in it is shown in the twin as it is on the page."""
    page = page_of_operation(operationId="a", summary=title)

    assert plain_text(page.markdown.splitlines()[0]) == title


def test_markup_of_a_summary_is_not_in_the_title() -> None:
    """Page and twin have the words of a summary as title, without its backticks."""
    page = page_of_operation(operationId="a", summary="Redact the `body`")

    assert page.title == "Redact the body"
    assert page.markdown.startswith("# Redact the body\n")


def test_twin_has_a_sample_of_each_media_type_of_a_success() -> None:
    """An example in one media type does not hide the body that is generated for another."""
    schema = {"type": "object", "properties": {"id": {"type": "string"}}}
    content = {"application/json": {"schema": schema}, "text/csv": {"example": "id"}}
    page = page_of_operation(responses={"200": {"description": "D", "content": content}})

    assert "### 200 application/json, generated from the schema" in page.markdown
    assert "### 200 text/csv" in page.markdown


def test_twin_has_what_the_panel_makes_up() -> None:
    """Each success has a body made from its schema, which says so; not where the contract gives one."""
    schema = {"type": "object", "properties": {"id": {"type": "string", "enum": ["made-up"]}}}
    media = {"application/json": {"schema": schema}}
    given = {"application/json": {"schema": schema, "example": {"id": "given"}}}

    def twin(content: dict[str, Any]) -> str:
        answers = {str(status): {"description": "D", "content": content} for status in (200, 201)}
        return page_of_operation(responses=answers).markdown

    assert twin(media).count("generated from the schema") == 2
    assert (
        '## Response\n\n### 200 application/json, generated from the schema\n\n```json\n{\n  "id": "made-up"'
        in twin(media)
    )
    assert "generated from the schema" not in twin(given)
    event = {"made": {"post": {"requestBody": {"content": media}, "responses": {}}}}
    page = pages_of(api_from({"webhooks": event}))["reference/events/made.md"]
    assert "## Payload\n\n### application/json, generated from the schema\n" in page.markdown


def test_operation_in_use_has_no_successor() -> None:
    """What is not deprecated is not sent away from."""
    assert "instead" not in page_of_operation(**{"x-successor": "b"}).body


@pytest.mark.parametrize(
    ("description", "title", "below"),
    [
        ("Pets", "Pets", ""),
        ("The *pets*\nof `all`.", "The pets of all.", ""),
        ("Pets\n\nWith a second paragraph:\n\n- a\n- b", "Pets", "With a second paragraph: a b"),
        ("Pets:\n- a\n- b", "Pets:", "a b"),
        ("Pets. " + "And more. " * 15, "Pets.", ("Pets. " + "And more. " * 15).strip()),
        ("See [here](https://a.example).", "See here.", "See here."),
        ("Pets\n---\nAll of them.", "Pets", "Pets All of them."),
        ("<p>All <b>pets</b>.</p>", "All pets.", ""),
        ("<p>Pets</p><ul><li>a</li></ul>", "Pets a", "Petsa"),
        ("- a", "a", "a"),
        ("word " * 60, "word " * 20 + "word word…", ("word " * 60).strip()),
    ],
)
def test_what_the_title_of_a_response_says_is_not_said_again(
    description: str, title: str, below: str
) -> None:
    """What is left of the description stands below; all of it where the title had to leave something out."""
    body = parse_html(page_of_operation(responses={"200": {"description": description}}).body)

    (response,) = body.find(cls="dp-response__body")
    assert body.find(cls="dp-response__words")[0].text == title
    assert response.text.removesuffix("No body.").strip() == below


def test_summary_of_a_response_is_its_title() -> None:
    """OAS 3.2 has a short text beside the description, and both are shown."""
    page = page_of_operation(responses={"200": {"summary": "All of it", "description": "Every a there is."}})
    (response,) = parse_html(page.body).find(cls="dp-response")

    assert response.find(cls="dp-response__words")[0].text == "All of it"
    assert response.find(cls="dp-response__body")[0].text.startswith("Every a there is.")
    assert "### 200 All of it\n\nEvery a there is." in page.markdown


def test_link_of_a_response_names_its_server() -> None:
    """A link may lead to the operation at another address."""
    link = {"operationId": "b", "server": {"url": "https://other.example"}}
    page = page_of_operation(responses={"200": {"description": "x", "links": {"next": link}}})

    (links,) = parse_html(page.body).find(cls="dp-links")
    assert links.text == "next List b at https://other.example"
    assert [element.attributes["href"] for element in links.find("a")] == ["../../b/b/"]


@pytest.mark.parametrize("kind", ["webhooks", "callbacks"])
def test_request_of_the_provider_states_its_own_security(kind: str) -> None:
    """What the contract's root asks of callers is not asked of the provider."""
    responses = {"200": {"description": "x"}}
    request = {"responses": responses}
    own = {"responses": responses, "security": [{"theirs": []}]}
    document: dict[str, Any] = {
        "security": [{"ours": []}],
        "components": {
            "securitySchemes": {name: {"type": "http", "scheme": "bearer"} for name in ("ours", "theirs")}
        },
        "paths": {"/a": {"get": {"operationId": "a", "security": [], "responses": responses}}},
    }
    if kind == "webhooks":
        document["webhooks"] = {"one": {"post": request}, "two": {"post": own}}
    else:
        document["paths"]["/a"]["get"]["callbacks"] = {
            "one": {"x": {"post": request}},
            "two": {"y": {"post": own}},
        }

    shown = [
        page.body for uri, page in pages_of(api_from(document)).items() if "/events/" in uri or "/a/" in uri
    ]

    auth = [element.text for body in shown for element in parse_html(body).find(cls="dp-auth")]
    assert auth == ["theirs HTTP bearer"]


def test_tags_that_are_no_navigation_are_words_at_their_operations() -> None:
    """A tag of another kind stands beside the method, with what is said of it to be read there."""
    api = api_from(
        {
            "openapi": "3.2.0",
            "tags": [
                {"name": "late", "kind": "badge", "summary": "Delayed", "description": "Off *schedule*."}
            ],
            "paths": {"/a": {"get": {"operationId": "a", "tags": ["late", "trains"], "responses": {}}}},
        }
    )
    pages = pages_of(api)

    page = pages["reference/trains/a.md"]
    (mark,) = parse_html(page.body).find("span", cls="dp-badge--tag")
    assert (mark.text, mark.attributes["title"]) == ("Delayed", "Off schedule.")
    assert "`GET /a` · Delayed\n" in page.markdown
    assert "Delayed badge" in parse_html(pages["reference/index.md"].body).text
    assert "### Delayed · badge" in pages["reference/index.md"].markdown
    assert breaches(pages) == []


def test_servers_and_ids_of_callbacks_and_response_examples_of_events_are_shown() -> None:
    """On their pages and in the twins: no sample beside them shows these."""
    example = {"taken": {"value": {"take": "zebra"}}}
    responses = {"200": {"description": "Ok", "content": {"application/json": {"examples": example}}}}
    server = {"url": "https://callbacks.example.org", "description": "Where it goes"}
    moved = {"post": {"operationId": "parcelMoved", "servers": [server], "responses": responses}}
    document = {
        "openapi": "3.1.0",
        "paths": {"/a": {"get": {"operationId": "a", "callbacks": {"moved": {"{$url}": moved}}}}},
        "webhooks": {"moved": {"post": {"operationId": "eventMoved", "responses": responses}}},
    }

    pages = pages_of(api_from(document))

    callback, event = pages["reference/a/a.md"], pages["reference/events/moved.md"]
    for words in ("https://callbacks.example.org", "Where it goes", "parcelMoved", "zebra"):
        assert words in callback.body
        assert words in callback.markdown
    assert "zebra" in event.body
    assert "zebra" in event.markdown


def test_fields_that_only_travel_the_other_way_are_no_part_of_callbacks_and_events() -> None:
    """The provider sends them, so they have no write-only field."""
    properties = {"zebra": {"type": "string"}, "secretive": {"type": "string", "writeOnly": True}}
    media = {"application/json": {"schema": {"type": "object", "properties": properties}}}
    moved = {"post": {"requestBody": {"content": media}, "responses": {"200": {"description": "Ok"}}}}
    document = {
        "openapi": "3.1.0",
        "paths": {"/a": {"get": {"operationId": "a", "callbacks": {"moved": {"{$url}": moved}}}}},
        "webhooks": {"moved": moved},
    }

    pages = pages_of(api_from(document))

    for page in (pages["reference/a/a.md"], pages["reference/events/moved.md"]):
        for text in (page.body, page.markdown):
            assert "zebra" in text
            assert "secretive" not in text


def test_twins_have_all_of_long_examples() -> None:
    """So have pages, where the rest opens below the beginning."""
    lines = [*range(10_000, 10_500), "end-of-lines"]
    schema = {"type": "array", "items": {"type": ["integer", "string"]}, "examples": [lines]}
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Long"}}}
    responses = {"200": {"description": "Ok", "content": content}}
    pages = pages_of(
        api_from(
            {
                "paths": {"/a": {"get": {"operationId": "a", "responses": responses}}},
                "components": {"schemas": {"Long": schema}},
            }
        )
    )

    for page in (pages["reference/a/a.md"], pages["reference/schemas/long.md"]):
        assert "end-of-lines" in page.markdown
        assert "end-of-lines" in page.body


def test_page_of_an_operation_without_content_says_so() -> None:
    """An empty page looks like a fault of the site."""
    responses = {"200": {"description": "Ok"}}
    document = {
        "openapi": "3.1.0",
        "paths": {"/a": {"get": {}, "put": {"responses": responses}, "post": {"description": "Does it."}}},
        "webhooks": {"moved": {"post": {}}},
    }

    pages = pages_of(api_from(document))

    words = {
        name.rpartition("/")[2]: page.markdown.partition("The contract says nothing more about ")[2].split(
            "."
        )[0]
        for name, page in pages.items()
        if name.endswith(("-a.md", "moved.md"))
    }
    assert words == {"get-a.md": "this operation", "put-a.md": "", "post-a.md": "", "moved.md": "this event"}


def test_tags_of_events_and_callbacks_are_shown() -> None:
    """No page of a tag lists them."""
    moved = {"post": {"tags": ["Zebras"], "responses": {"200": {"description": "Ok"}}}}
    document = {
        "openapi": "3.1.0",
        "paths": {"/a": {"get": {"operationId": "a", "callbacks": {"moved": {"{$url}": moved}}}}},
        "webhooks": {"moved": moved},
    }

    pages = pages_of(api_from(document))

    assert "Tags: Zebras" in pages["reference/a/a.md"].markdown
    assert "Details: tag Zebras" in pages["reference/events/moved.md"].markdown


def test_descriptions_of_servers_and_links_are_commonmark() -> None:
    """OAS 3.1.1 §4.8.5 and §4.8.6; the words of a link have no markup in them, as §4.8.11 has it in a link."""
    region = {"default": "eu", "description": "Where your *data* is."}
    other = {"url": "https://b.example", "description": "For tests.\n\n- No `SLA`."}
    responses = {"200": {"description": "Ok", "links": {"next": {"operationId": "a", "server": other}}}}
    document = {
        "openapi": "3.1.1",
        "servers": [
            {
                "url": "https://{region}.a.example",
                "description": "The **main** one.",
                "variables": {"region": region},
            },
            {**other, "variables": {"tenant": {"default": "{tenant}"}}},
        ],
        "externalDocs": {"url": "https://docs.a.example", "description": "All *the* docs"},
        "tags": [{"name": "T", "externalDocs": {"url": "https://t.a.example", "description": "The `T`"}}],
        "paths": {"/a": {"get": {"operationId": "a", "tags": ["T"], "responses": responses}}},
    }

    pages = pages_of(api_from(document))
    overview, operation = pages["reference/index.md"], pages["reference/t/a.md"]

    assert "The <strong>main</strong> one.</span>" in overview.body
    assert "Where your <em>data</em> is.</span>" in overview.body
    assert "<li>No <code>SLA</code>.</li>" in overview.body
    assert "<li>No <code>SLA</code>.</li>" in operation.body
    assert ">All the docs</a>" in overview.body
    assert ">The T</a>" in pages["reference/t/index.md"].body
    assert "Where your *data* is." in overview.markdown
    assert "<code>region</code> is <code>eu</code>" in overview.body
    assert "<code>tenant</code></div>" in overview.body  # a placeholder says nothing about itself


def test_alternatives_name_their_scheme_once_for_several_scopes() -> None:
    """Only those next to each other that have no other scheme and need scopes."""
    scopes = {"read": "Read.", "admin": "All."}
    flow = {"tokenUrl": "https://id.example/token", "scopes": scopes}
    schemes = {
        "o": {"type": "oauth2", "flows": {"clientCredentials": flow}},
        "k": {"type": "http", "scheme": "basic"},
    }
    needs = [{"o": ["read"]}, {"o": ["admin"]}, {"o": ["read", "admin"], "k": []}, {"k": []}, {}]
    operation = {"operationId": "a", "tags": ["T"], "security": needs, "responses": {}}

    pages = pages_of(
        api_from({"paths": {"/a": {"get": operation}}, "components": {"securitySchemes": schemes}})
    )
    page = pages["reference/t/a.md"]
    items = [" ".join(item.text.split()) for item in parse_html(page.body).find(cls="dp-auth")[0].find("li")]

    assert items == [
        "o OAuth 2 read or admin",
        "or o OAuth 2 read admin and k HTTP basic",
        "or k HTTP basic",
        "or no credential",
    ]
    assert "OAuth 2 `read` or `admin`" in page.markdown


def test_a_method_of_one_api_alone_has_the_badge_of_a_method() -> None:
    """Its name is none of the kinds that other badges have (OAS 3.2.0 §4.9.1)."""
    operation = {"responses": {"200": {"description": "Fine."}}}
    paths = {"/a": {"query": operation, "additionalOperations": {"STABLE": operation}}}

    overview = pages_of(api_from({"openapi": "3.2.0", "paths": paths}))["reference/index.md"].body

    assert [badge.text for badge in parse_html(overview).find(cls="dp-badge--query")] == ["QUERY"]
    assert [badge.text for badge in parse_html(overview).find(cls="dp-badge--method")] == ["STABLE"]


def test_encodings_of_items_have_words_of_the_language_and_the_same_anchors() -> None:
    """Addresses are the same in all languages."""
    header = {"headers": {"X-Part": {"schema": {"type": "string"}}}}
    content = {"multipart/mixed": {"prefixEncoding": [header], "itemEncoding": header}}
    operation = {"operationId": "a", "requestBody": {"content": content}, "responses": {}}
    api = api_from({"openapi": "3.2.0", "paths": {"/a": {"post": operation}}})

    english = pages_of(api)["reference/a/a.md"]
    with interface_of(load_interface(find_catalogue("de"))):
        german = pages_of(api)["reference/a/a.md"]

    for page, words in ((english, "item 1"), (german, "Element 1")):
        assert words in parse_html(page.body).text
        assert parse_html(page.body).find("li", id="body.item-1.X-Part")
        assert parse_html(page.body).find("li", id="body.each-further-item.X-Part")
