"""Servers to choose from, and the base address that is found again in every sample."""

from typing import Any

import pytest

from devportal.project.settings import Settings
from devportal.reference.samples import LANGUAGES
from devportal.reference.samples.servers import base_address, server_choices, token_variable
from tests.reference.laws import breaches
from tests.reference.reading import Element, api_from, pages_of, parse_html

HOST = {
    "url": "https://{region}.x.example/{v}/",
    "variables": {"region": {"default": "eu", "enum": ["eu", "us"]}},
}


def operation_with(*servers: dict[str, Any]) -> dict[str, Any]:
    """Return a contract of one operation with these servers."""
    return {
        "servers": list(servers),
        "paths": {"/a/{id}": {"get": {"operationId": "a", "parameters": [ID], "responses": {}}}},
    }


ID = {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}, "example": "1 2"}


def body_of(document: dict[str, Any], settings: Settings = Settings()) -> Element:
    """Return the page of the only operation."""
    return parse_html(pages_of(api_from(document), settings)["reference/a/a.md"].body)


@pytest.mark.parametrize(
    ("servers", "address"),
    [
        ((), "https://api.example.com"),
        (({"url": "/v2"},), "https://api.example.com/v2"),
        (({"url": "/"},), "https://api.example.com"),
        (({"url": "//x.example/v2"},), "https://x.example/v2"),
        (({"url": "https://x.example/a b/"},), "https://x.example/a%20b"),
        ((HOST,), "https://eu.x.example/v"),
        (({"url": "{base}/v1", "variables": {"base": {"default": "http://y"}}},), "http://y/v1"),
        (({"url": "https://x.example{base}", "variables": {"base": {"default": ""}}},), "https://x.example"),
        (({"url": "https://{sub}x.example", "variables": {"sub": {"default": ""}}},), "https://x.example"),
        (({"url": "{base}/v1", "variables": {"base": {"default": ""}}},), "https://api.example.com/v1"),
        (({"url": "/{v}", "variables": {"v": {"enum": ["", "v2"]}}},), "https://api.example.com"),
        (({"url": "https://first"}, {"url": "https://second"}), "https://first"),
        (({"url": "/v2"}, {"url": "http://y.example:8/v1"}), "http://y.example:8/v2"),
        (({"url": "/v2"}, {"url": "//y.example/a//b"}), "https://y.example/v2"),
    ],
)
def test_samples_send_to_the_first_server(servers: tuple[dict[str, Any], ...], address: str) -> None:
    """Variables at their defaults, relative addresses on a host that is no one's, nothing unencoded."""
    (operation,) = api_from(operation_with(*servers)).operations

    assert base_address(operation.servers) == address


def choices(*servers: dict[str, Any]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return address, label and variables of each choice."""
    (operation,) = api_from(operation_with(*servers)).operations
    return [
        (server_choice.url, server_choice.label, tuple(v.name for v in server_choice.variables))
        for server_choice in server_choices(operation)
    ]


def test_one_server_is_no_choice() -> None:
    """Nor is the same server twice, nor one whose variables are not in its address."""
    unused = {"url": "https://x.example", "variables": {"region": {"default": "eu"}}}

    assert choices() == choices(unused) == choices(unused, {"url": "https://x.example/"}) == []


def test_servers_and_variables_are_choices() -> None:
    """In the order of the contract, each with its words and the variables of its address."""
    assert choices(HOST, {"url": "/v2", "description": "Test"}) == [
        ("https://{region}.x.example/{v}", "https://{region}.x.example/{v}", ("region",)),
        ("https://eu.x.example/v2", "Test: https://eu.x.example/v2", ()),
    ]


def test_a_choice_whose_variable_holds_the_slash_has_one_slash() -> None:
    """Its values begin with the slash, or are empty."""
    base = {"default": "/api", "enum": ["/api", ""]}

    assert choices({"url": "{base}/v1", "variables": {"base": base}}) == [
        ("https://api.example.com{base}/v1", "https://api.example.com{base}/v1", ("base",))
    ]


def test_base_address_is_marked_in_every_language() -> None:
    """The script finds it in each sample, and the path behind it is left as it is."""
    body = body_of(operation_with(HOST))
    samples = body.find(cls="dp-tabs--language")[0].find("pre")

    assert len(samples) == len(LANGUAGES)
    for sample in samples:
        assert [base.text for base in sample.find(cls="dp-base")] == ["https://eu.x.example/v"]
        assert "https://eu.x.example/v/a/1%202" in sample.text


def test_picker_has_the_variables_of_the_first_server() -> None:
    """Those of another wait until it is chosen; the default of a variable is what the samples have."""
    picker = body_of(operation_with(HOST, {"url": "https://y.example"})).find(cls="dp-server")[0]
    other_way = body_of(operation_with({"url": "https://y.example"}, HOST)).find(cls="dp-server")[0]

    for element, is_hidden in ((picker, False), (other_way, True)):
        (variables,) = element.find(cls="dp-server__variables")
        assert ("hidden" in variables.attributes) == is_hidden
    assert [element.attributes["value"] for element in picker.find("select")[0].find("option")] == [
        "https://{region}.x.example/{v}",
        "https://y.example",
    ]
    region = picker.find("select")[1]
    assert region.attributes["name"] == "region"
    assert ["selected" in element.attributes for element in region.find("option")] == [True, False]


def test_an_empty_default_is_a_value_of_the_picker() -> None:
    """An input without a default has the name of its variable, which stands in the address then."""
    url = "https://x.example/{empty}/{listed}/{free}"
    variables = {"empty": {"default": ""}, "listed": {"default": "", "enum": ["", "v2"]}, "free": {}}
    (picker,) = body_of(operation_with({"url": url, "variables": variables})).find(cls="dp-server")

    inputs = {element.attributes["name"]: element.attributes.get("value") for element in picker.find("input")}
    (listed,) = (element for element in picker.find("select") if element.attributes["name"] == "listed")
    assert inputs == {"empty": "", "free": "free"}
    assert [(option.attributes["value"], option.text) for option in listed.find("option")] == [
        ("", '""'),
        ("v2", "v2"),
    ]


def test_the_overview_shows_an_empty_default() -> None:
    """Nothing at all would read as a variable without a default."""
    variables = {"base": {"default": "", "enum": ["", "/v2"]}}
    document = operation_with({"url": "https://x.example{base}", "variables": variables})

    overview = pages_of(api_from(document))["reference/index.md"]

    assert '`base` is `""` (one of "", /v2)' in overview.markdown
    assert '<code>base</code> is <code>""</code> (one of "", /v2)' in overview.body


def test_a_relative_server_has_the_host_of_another() -> None:
    """Readers are told so where samples are; written out, both may be the same and no choice."""
    servers = ({"url": "/api/v7"}, {"url": "https://parking.example.com/api/v7"})
    body = body_of(operation_with(*servers))

    told = [element.text for element in body.find("p", cls="dp-panel__note")]
    assert any("/api/v7, has no host. Samples use https://parking.example.com" in text for text in told)
    assert not any("The contract names no host" in text for text in told)
    assert choices(*servers) == []


@pytest.mark.parametrize("servers", [(), ({"url": "https://x.example"},)])
def test_without_choice_there_is_no_picker(servers: tuple[dict[str, Any], ...]) -> None:
    """Pages with one server stay as light as they were."""
    body = body_of(operation_with(*servers))

    assert body.find(cls="dp-server") == body.find(cls="dp-base") == []


def test_only_a_page_with_a_picker_loads_its_script() -> None:
    """The page names it itself: a script that another one asks for may come after the first choice."""
    scripts = [
        pages_of(api_from(operation_with(*servers)))["reference/a/a.md"].scripts
        for servers in ([HOST], [{"url": "https://x.example"}])
    ]

    assert scripts == [("assets/devportal/server.js",), ()]


@pytest.mark.parametrize(
    ("source", "marked"),
    [
        ('curl "https://eu.x.example/v/a" # https://eu.x.example/v', ["https://eu.x.example/v"] * 2),
        ("curl https://eu.x.example/v2/a", []),
        ("curl https://y.example/a", []),
        ("devtool list", []),
    ],
)
def test_samples_of_the_contract_send_to_the_chosen_server(source: str, marked: list[str]) -> None:
    """Where their author wrote the first one's address; without it they have no picker."""
    document = operation_with(HOST, {"url": "https://y.example"})
    document["paths"]["/a/{id}"]["get"]["x-codeSamples"] = [{"lang": "curl", "source": source}]
    body = body_of(document, Settings(contract_samples="replace"))

    assert [element.text for element in body.find(cls="dp-base")] == marked
    assert len(body.find(cls="dp-server")) == bool(marked)
    assert [element.text for element in body.find(cls="dp-op__samples")[0].find("pre")] == [source]


def test_another_address_in_a_sample_is_left_alone() -> None:
    """A body that names the server before the address of the request keeps its text."""
    document = operation_with({"url": "https://x.example"}, {"url": "https://y.example"})
    content = {
        "multipart/form-data": {"schema": {"type": "object"}, "example": {"back": "https://x.example"}}
    }
    document["paths"]["/a/{id}"] = {
        "post": {"operationId": "a", "parameters": [ID], "requestBody": {"content": content}, "responses": {}}
    }

    for element in body_of(document).find(cls="dp-tabs--language")[0].find("pre"):
        (base,) = element.find(cls="dp-base")
        assert f"{base.text}/a/1%202" in element.text
        assert element.text.count("https://x.example") == 2


@pytest.mark.parametrize(
    ("servers", "missing"),
    [((), "names no server"), (({"url": "/v2"},), "names no host"), (({"url": "//x.example"},), "")],
)
def test_a_placeholder_for_the_host_is_told(servers: tuple[dict[str, Any], ...], missing: str) -> None:
    """By the samples and among the servers of the whole, in HTML and in Markdown; nowhere without need."""
    pages = pages_of(api_from(operation_with(*servers)))

    for uri, cls in (("reference/a/a.md", "dp-panel__note"), ("reference/index.md", "dp-muted")):
        told = [element.text for element in parse_html(pages[uri].body).find("p", cls=cls)]
        assert any(missing and missing in text for text in told) == bool(missing)
        assert ("names no" in pages[uri].markdown) == bool(missing)
        assert missing in pages[uri].markdown
    assert breaches(pages) == []


def test_an_operation_with_a_server_of_its_own_needs_no_placeholder() -> None:
    """Nor does the overview say so, where every operation has one."""
    document = operation_with()
    document["paths"]["/a/{id}"]["get"]["servers"] = [{"url": "https://x.example"}]

    assert all("names no" not in page.body for page in pages_of(api_from(document)).values())


@pytest.mark.parametrize("scheme", ["Digest", "HOBA", "scram-sha-256"])
def test_a_computed_credential_is_absent(scheme: str) -> None:
    """A value from the environment in `Authorization` would be refused by every server."""
    document = operation_with({"url": "https://x.example"})
    document["components"] = {"securitySchemes": {"a": {"type": "http", "scheme": scheme}}}
    document["security"] = [{"a": []}]

    samples = body_of(document).find(cls="dp-op__samples")[0].text

    assert "https://x.example" in samples
    assert "Authorization" not in samples


def test_word_that_a_description_asks_for_is_before_the_key() -> None:
    """Else a copied sample would be refused."""
    document = operation_with({"url": "https://x.example"})
    scheme = {
        "type": "apiKey",
        "in": "header",
        "name": "Authorization",
        "description": "Required prefix `Token`",
    }
    document["components"] = {"securitySchemes": {"a": scheme}}
    document["security"] = [{"a": []}]

    assert "Authorization: Token $API_KEY" in body_of(document).find(cls="dp-op__samples")[0].text


def test_flows_of_one_header_share_the_variable_of_their_token() -> None:
    """A console that gets a token by the second flow puts it where the samples read it."""
    oauth = {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": "/t", "scopes": {}}}}
    schemes = {"key": {"type": "apiKey", "in": "query", "name": "k"}, "first": oauth, "second": oauth}
    security: list[dict[str, list[str]]] = [{"key": [], "first": [], "second": []}]
    paths = {"/a": {"get": {"security": security, "responses": {}}}}
    api = api_from({"components": {"securitySchemes": schemes}, "paths": paths})

    found = [token_variable(api, api.operations[0], name) for name in schemes]

    assert found == ["KEY", "FIRST", "FIRST"]
