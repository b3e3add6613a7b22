"""The page of authentication: schemes as they travel, scopes, and the operations that need them."""

import re
import shlex
from typing import Any

import pytest

from devportal.markup import Page

from .laws import breaches
from .reading import Element, api_from, api_of, pages_of, parse_html

URI = "reference/authentication.md"


def contract(schemes: dict[str, Any], **security: list[dict[str, list[str]]]) -> dict[str, Any]:
    """Return a contract of one operation per keyword, each with that security and in a tag of its own."""
    return {
        "paths": {
            f"/{name}": {"get": {"operationId": name, "tags": [name], "security": needs, "responses": {}}}
            for name, needs in security.items()
        },
        "components": {"securitySchemes": schemes},
    }


def page_of(document: dict[str, Any]) -> Page:
    """Return the page of authentication of a contract whose pages keep the laws."""
    pages = pages_of(api_from(document))
    assert breaches(pages) == []
    return pages[URI]


def facts(page: Page) -> dict[str, str]:
    """Return the facts of the only scheme."""
    pairs = zip(parse_html(page.body).find("dt"), parse_html(page.body).find("dd"), strict=True)
    return {name.text: value.text for name, value in pairs}


def sample(page: Page) -> str:
    """Return what a request carries by the only scheme."""
    (code,) = parse_html(page.body).find("pre")
    return code.text


@pytest.mark.parametrize(
    ("scheme", "carrier", "line"),
    [
        ({"type": "http", "scheme": "bearer"}, "header Authorization", "Authorization: Bearer <token>"),
        (
            {"type": "http", "scheme": "Basic"},
            "header Authorization",
            "Authorization: Basic <base64 of user:password>",
        ),
        ({"type": "http", "scheme": "digest"}, "header Authorization", "Authorization: Digest <credentials>"),
        ({"type": "apiKey", "in": "header", "name": "X-Key"}, "header X-Key", "X-Key: <key>"),
        (
            {
                "type": "apiKey",
                "in": "header",
                "name": "Authorization",
                "description": "Required prefix 'Token'",
            },
            "header Authorization",
            "Authorization: Token <key>",
        ),
        ({"type": "apiKey", "in": "query", "name": "key"}, "query parameter key", "?key=<key>"),
        ({"type": "apiKey", "in": "cookie", "name": "sid"}, "cookie sid", "Cookie: sid=<key>"),
        ({"type": "oauth2", "flows": {}}, "header Authorization", "Authorization: Bearer <token>"),
        (
            {"type": "openIdConnect", "openIdConnectUrl": "https://id.example/.well-known"},
            "header Authorization",
            "Authorization: Bearer <token>",
        ),
        (
            {"type": "mutualTLS"},
            "the TLS handshake: a client certificate",
            "curl --cert client.pem --key client.key",
        ),
    ],
)
def test_each_kind_says_where_its_credential_travels(scheme: dict[str, Any], carrier: str, line: str) -> None:
    """Every kind of OAS has its place, and a line with a placeholder for the secret."""
    page = page_of(contract({"s": scheme}, a=[{"s": []}]))

    assert facts(page)["sent in"] == carrier
    assert sample(page) == line


@pytest.mark.parametrize(
    ("scheme", "line"),
    [
        ({"type": "http", "scheme": "a\r\nX-Evil: 1"}, "Authorization: A%0D%0AX-Evil%3A%201 <credentials>"),
        ({"type": "apiKey", "in": "header", "name": "a\nb"}, "a%0Ab: <key>"),
        ({"type": "apiKey", "in": "cookie", "name": "a\0=b"}, "Cookie: a%00%3Db=<key>"),
        ({"type": "apiKey", "in": "query", "name": "a\r&b"}, "?a%0D%26b=<key>"),
    ],
)
def test_what_a_request_carries_is_one_line(scheme: dict[str, Any], line: str) -> None:
    """What HTTP does not allow in a name is percent-encoded, as in the samples."""
    page = page_of(contract({"s": scheme}, a=[{"s": []}]))

    assert sample(page) == line


FLOWS = {
    "type": "oauth2",
    "flows": {
        "authorizationCode": {
            "authorizationUrl": "https://id.example/authorize",
            "tokenUrl": "https://id.example/token",
            "refreshUrl": "https://id.example/refresh",
            "scopes": {"read": "See *all*.", "write": "Change all.", "idle": "Nobody needs it."},
        },
        "clientCredentials": {"tokenUrl": "https://id.example/machines", "scopes": {"read": "See *all*."}},
    },
}


def test_flows_name_their_addresses_and_what_only_they_grant() -> None:
    """Authorization, token and refresh addresses stand by flow; a flow that grants less says so."""
    page = page_of(contract({"o": FLOWS}, a=[{"o": ["read"]}]))
    body = parse_html(page.body)

    titles = [element.text for element in body.find("h3")]
    assert titles == ["Authorization code flow", "Client credentials flow", "Scopes"]
    for address in ("authorize", "token", "refresh", "machines"):
        assert f"https://id.example/{address}" in [element.attributes["href"] for element in body.find("a")]
    assert body.text.count("grants only") == 1


@pytest.mark.parametrize(
    ("scopes", "requested"),
    [
        ((), ""),
        (("read", "write"), "scope=read write"),
        (("https://api.example/read", "b", "c", "d"), "scope=https://api.example/read"),
    ],
)
def test_the_client_credentials_flow_has_a_request_for_a_token(
    scopes: tuple[str, ...], requested: str
) -> None:
    """It is run by a shell, and its twin has it too; of many scopes the first is an example."""
    flow = {"tokenUrl": "https://id.example/o?a=1&b=$(rm)", "scopes": dict.fromkeys(scopes, "Grants it.")}
    page = page_of(contract({"o": {"type": "oauth2", "flows": {"clientCredentials": flow}}}, a=[{"o": []}]))

    _, command = parse_html(page.body).find("pre")
    code = re.search(r"^```bash\n(.*?)\n```$", page.markdown, re.DOTALL | re.MULTILINE)

    assert code is not None
    assert code[1].split() == command.text.split()
    assert shlex.split(code[1].replace("\\\n", "")) == [
        *("curl", "--request", "POST", "https://id.example/o?a=1&b=$(rm)"),
        *("--user", "$CLIENT_ID:$CLIENT_SECRET", "--data", "grant_type=client_credentials"),
        *(("--data-urlencode", requested) if requested else ()),
    ]


@pytest.mark.parametrize(
    "flows",
    [
        {"clientCredentials": {"tokenUrl": "/token", "scopes": {}}},
        {"clientCredentials": {"tokenUrl": "https://{tenant}.example/token", "scopes": {}}},
        {"implicit": {"authorizationUrl": "https://id.example/authorize", "scopes": {}}},
    ],
)
def test_without_a_whole_address_no_request_for_a_token_is_shown(flows: dict[str, Any]) -> None:
    """It could not be run as it stands; nor is there one where a person gives consent in a browser."""
    page = page_of(contract({"o": {"type": "oauth2", "flows": flows}}, a=[{"o": []}]))
    assert sample(page) == "Authorization: Bearer <token>"


def test_flows_that_say_different_things_of_a_scope_are_named() -> None:
    """Neither description is lost, on the page or in its twin; what all flows say stands once."""
    flows = {
        "implicit": {
            "authorizationUrl": "https://a.example",
            "scopes": {"read": "Read *pets*.", "all": "All."},
        },
        "password": {"tokenUrl": "https://a.example", "scopes": {"read": "Read own pets.", "all": "All."}},
    }
    page = page_of(contract({"o": {"type": "oauth2", "flows": flows}}, a=[{"o": ["read"]}]))

    assert rows(page)["read"][0].text == "Implicit flow: Read pets. Password flow: Read own pets."
    assert rows(page)["all"][0].text == "All."
    assert all(page.markdown.count(item) == 1 for item in ("Read *pets*.", "Read own pets.", "All."))


@pytest.mark.parametrize("has_operation", [True, False])
def test_what_the_provider_sends_uses_a_scheme_too(has_operation: bool) -> None:  # noqa: FBT001
    """An event and a callback that carry a credential are named, and the page says who sends it."""
    sent = {"post": {"security": [{"o": ["read"]}], "responses": {}}}
    document = contract({"o": FLOWS}, **({"a": []} if has_operation else {}))
    document["webhooks"] = {"thing.made": sent}
    if has_operation:
        document["paths"]["/a"]["get"]["callbacks"] = {"done": {"{$url}": sent}}

    page = page_of(document)

    names = ["thing.made", "done of A"] if has_operation else ["thing.made"]
    assert facts(page)["used by"] == f"requests sent to you: {', '.join(names)}"
    assert [element.text for element in rows(page)["read"][1].find("a")] == names
    assert (
        parse_html(page.body)
        .find(cls="dp-lead")[0]
        .text.startswith("No operation needs a credential. Requests that the API sends to you carry one.")
    )
    assert "no operation" not in page.markdown


def test_scheme_that_nobody_declares_is_named_as_such() -> None:
    """Its name stands at the operation, on the page and in the twin, and leads nowhere."""
    pages = pages_of(api_from(contract({}, a=[{"nope": []}])))
    page = pages["reference/a/a.md"]

    assert parse_html(page.body).find(cls="dp-auth")[0].text == "nope not declared"
    assert parse_html(page.body).find(cls="dp-auth")[0].find("a") == []
    assert "- `nope`: not declared\n" in page.markdown


def rows(page: Page) -> dict[str, list[Element]]:
    """Return the cells of each scope's row by its name."""
    table = parse_html(page.body).find("tbody")[0]
    return {row.find("th")[0].text: row.find("td") for row in table.find("tr")}


def test_scopes_lead_to_the_operations_that_need_them() -> None:
    """A declared scope says what it grants; one that is only used is listed too; an idle one names nobody."""
    page = page_of(contract({"o": FLOWS}, a=[{"o": ["read", "odd"]}], b=[{"o": ["read"]}]))

    found = rows(page)

    assert [cell.text for cell in found["read"]] == ["See all.", "A, B"]
    assert [element.attributes["href"] for element in found["read"][1].find("a")] == ["../a/a/", "../b/b/"]
    assert [cell.text for cell in found["odd"]] == ["", "A"]
    assert [cell.text for cell in found["idle"]] == ["Nobody needs it.", ""]


def test_scopes_that_nobody_describes_have_no_column_for_it() -> None:
    """As those of OpenID Connect, which are only used, and those of generators."""
    scheme = {"type": "openIdConnect", "openIdConnectUrl": "https://id.example/.well-known"}
    page = page_of(contract({"o": scheme}, a=[{"o": ["read"]}]))

    headings = [heading.text for heading in parse_html(page.body).find("thead")[0].find("th")]

    assert headings == ["Scope", "Used by"]
    assert [cell.text for cell in rows(page)["read"]] == ["A"]


def test_operations_are_counted_by_group_and_those_without_a_credential_are_named() -> None:
    """An empty requirement among the alternatives makes the credential optional."""
    schemes = {"s": {"type": "http", "scheme": "bearer"}}
    document = contract(schemes, a=[{"s": []}], b=[{"s": []}, {}], c=[])
    document["paths"]["/a2"] = {"get": {"tags": ["a"], "security": [{"s": []}], "responses": {}}}

    page = page_of(document)
    body = parse_html(page.body)

    assert body.find(cls="dp-lead")[0].text.startswith("2 of 4 operations need a credential.")
    assert facts(page)["used by"] == "3 operations: a 2, b 1"
    assert body.find("section")[-1].text == "No credential needed # 2 operations: B, C."


@pytest.mark.parametrize(
    ("security", "words"),
    [
        ({"a": []}, "No operation needs a credential."),
        (
            {"a": [{"s": []}, {}], "b": []},
            "No operation needs a credential. Those below are optional. The page",
        ),
        ({"a": [{"s": []}]}, "The only operation needs a credential."),
        ({"a": [{"s": []}], "b": [{"s": []}]}, "All 2 operations need a credential."),
    ],
)
def test_lead_says_who_needs_a_credential(security: dict[str, Any], words: str) -> None:
    """Nobody, nobody though some accept one, the only operation, or all."""
    page = page_of(contract({"s": {"type": "http", "scheme": "bearer"}}, **security))

    assert parse_html(page.body).find(cls="dp-lead")[0].text.startswith(words)


@pytest.mark.deep
def test_page_stays_light_where_scopes_have_many_operations() -> None:
    """Beyond a number of links, scopes name groups, and groups beyond a number are counted."""
    security = {f"op{number}": [{"o": ["read", "write"]}] for number in range(400)}

    page = page_of(contract({"o": FLOWS}, **security))

    assert page.body.count("<") / 2 < 700
    assert "and 360 more groups" in page.body


def test_search_finds_schemes_and_scopes() -> None:
    """Each has an entry that leads to its own place on the page."""
    page = page_of(contract({"o": FLOWS}, a=[{"o": ["read"]}]))

    found = {entry.tags[0]: entry.anchor for entry in page.search if entry.tags}

    ids = {element.attributes["id"] for element in parse_html(page.body).all() if "id" in element.attributes}
    assert set(found) == {"o", "read", "write", "idle"}
    assert set(found.values()) <= ids


def test_overview_and_column_lead_to_the_page() -> None:
    """The overview keeps a line per scheme; the left column has a link on every page."""
    pages = pages_of(api_of("rich-3.1.yaml"))
    links = [element.attributes["href"] for element in parse_html(pages["reference/index.md"].body).find("a")]

    assert "authentication/" in links
    assert "authentication/#security.token" in links
    assert all("Authentication" in page.sidebar for page in pages.values())


def test_an_operation_marks_a_scheme_that_is_deprecated() -> None:
    """Beside it, so that nobody begins with it (OAS 3.2 §4.30.1)."""
    schemes = {
        "old": {"type": "apiKey", "in": "query", "name": "key", "deprecated": True},
        "new": {"type": "http", "scheme": "bearer"},
    }
    pages = pages_of(api_from({"openapi": "3.2.0", **contract(schemes, a=[{"new": []}, {"old": []}])}))
    page = pages["reference/a/a.md"]

    new, old = parse_html(page.body).find(cls="dp-auth")[0].find("li")
    assert (len(new.find(cls="dp-badge")), old.find(cls="dp-badge")[0].text) == (0, "deprecated")
    assert "or [old](../authentication.md): API key in query key · deprecated\n" in page.markdown
