"""`devportal mcp`, as a client of the SDK uses it: by standard input and output, and by HTTP."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import pytest
import yaml
from click.testing import CliRunner
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.types import CallToolResult, TextContent, TextResourceContents

from devportal.cli import cli
from devportal.docs.mcp_server import DocsServer
from devportal.docs.mcp_tools import MAX_NESTING, MAX_PAGE, TOOLS
from devportal.docs.queries import SiteQueries
from devportal.docs.site_source import open_site
from tests.own_site import OwnSite, read_own_site
from tests.site.building import CONTRACT, ROOT, built_from, write_contract

from .sites import CHANGES_JSON, OPERATION, SITE_URL, changes_text, records_text, write_site

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "tools")}


@pytest.fixture(scope="module")
def foreign_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a built site of a small contract, without a changelog and without an address."""
    return built_from(CONTRACT, tmp_path_factory.mktemp("foreign") / "made").site_dir


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a built site with records and changes that say more than a contract alone."""
    folder = built_from(CONTRACT, tmp_path_factory.mktemp("made") / "made").site_dir
    files = {
        "docs.json": records_text(),
        CHANGES_JSON: changes_text(),
        "long.md": f"# Long\n{'x' * MAX_PAGE}end",
    }
    return write_site(folder, files)


@pytest.fixture(scope="module")
def own_site() -> OwnSite:
    """Return this project's site."""
    return read_own_site()


Asked = dict[str, Any]


def ask(site: Path, use: Callable[[Client], Awaitable[None]]) -> None:
    """Use a client that is connected to the server of a site within this process."""

    async def connect() -> None:
        server = DocsServer(queries=SiteQueries(source=open_site(str(site)))).server()
        async with Client(server) as client:
            await use(client)

    anyio.run(connect)


def call(site: Path, tool: str, **arguments: Any) -> CallToolResult:
    """Return the result of a tool, which the client has held to its schema."""
    results: list[CallToolResult] = []

    async def use(client: Client) -> None:
        await client.list_tools()
        results.append(await client.call_tool(tool, arguments))

    ask(site, use)
    return results[0]


def data_of(site: Path, tool: str, **arguments: Any) -> dict[str, Any]:
    """Return the structured result of a tool."""
    result = call(site, tool, **arguments)
    assert not result.is_error, text_of(result)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def text_of(result: CallToolResult) -> str:
    """Return the text of a result."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def error_of(site: Path, tool: str, **arguments: Any) -> str:
    """Return the message of a tool that has no result."""
    result = call(site, tool, **arguments)
    assert result.is_error
    assert result.structured_content is None
    assert "Traceback" not in text_of(result)
    return text_of(result)


@pytest.mark.parametrize("arguments", [{"name": "getParcel"}, {}])
def test_a_wrong_argument_is_answered_with_those_there_are(site: Path, arguments: dict[str, Any]) -> None:
    """An agent may have read no schema."""
    assert error_of(site, "get_operation", **arguments).endswith(
        "help: get_operation takes operation (required), api"
    )


# ---- what the server says of itself ----


def test_tools_only_read(site: Path) -> None:
    """Each has schemas, words, and the hints that it changes nothing and stays within the site."""

    async def use(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == [tool.name for tool in TOOLS]
        for tool in tools:
            assert tool.annotations is not None
            assert (tool.annotations.read_only_hint, tool.annotations.open_world_hint) == (True, False)
            assert tool.input_schema["additionalProperties"] is False
            assert tool.output_schema is not None
            assert tool.description
        assert client.instructions is not None
        assert "'Parcels'" in client.instructions
        assert "proof" in client.instructions
        assert client.server_info is not None
        assert client.server_info.website_url == SITE_URL

    ask(site, use)


# ---- tools ----


def test_search(site: Path) -> None:
    """Results have their proof, and their number is limited."""
    found = data_of(site, "search_docs", query="find a parcel")["results"][0]

    assert (found["name"], found["stability"], found["since"]) == (OPERATION, "beta", "1.1.0")
    assert found["verified"][0]["date"] == "2026-11-21"
    assert found["url"] == f"{SITE_URL}reference/parcels/get-parcel/"
    assert len(data_of(site, "search_docs", query="parcel", limit=1)["results"]) == 1
    assert data_of(site, "search_docs", query="qqqq")["results"] == []


def test_a_page_is_read_in_parts(site: Path) -> None:
    """A long one says where it goes on."""
    whole = data_of(site, "read_page", page=f"{SITE_URL}reference/parcels/get-parcel/")
    first = data_of(site, "read_page", page="long.md")
    second = data_of(site, "read_page", page="long.md", offset=first["next_offset"])

    assert (whole["since"], whole["next_offset"], "# Find a parcel" in whole["markdown"]) == (
        "1.1.0",
        None,
        True,
    )
    assert first["markdown"] + second["markdown"] == f"# Long\n{'x' * MAX_PAGE}end"
    assert second["next_offset"] is None
    assert "call read_page with offset" in text_of(call(site, "read_page", page="long.md"))


def test_an_operation_and_a_schema(own_site: OwnSite) -> None:
    """What a call needs, with the proof."""
    operation = data_of(own_site.site_dir, "get_operation", operation="sendMessage")
    schema = data_of(own_site.site_dir, "get_schema", name="NewMessage")

    assert (operation["name"], operation["stability"], operation["since"]) == (
        "POST /v1/messages",
        "stable",
        "1.0.0",
    )
    assert operation["scopes"] == ["messages:write"]
    assert operation["verified"]
    assert "POST /v1/messages" in schema["used_by"]
    assert schema["url"].endswith("/reference/schemas/new-message/")


def test_changes(site: Path) -> None:
    """What to do is there; the changes of the contract only if they are asked for."""
    changes = data_of(site, "list_changes", since="1.1.0", impacts=["risky"])["changes"]
    detailed = data_of(site, "list_changes", operation="getParcel", limit=1, details=True)["changes"]

    (weight,) = changes
    assert (weight["id"], weight["what_to_do"], "details" in weight) == ("weight", "Read a number.", False)
    assert changes[0]["operations"][0]["since"] == "1.1.0"
    assert [item["details"][0]["fingerprint"] for item in detailed] == ["0123456789abcdef"]


def test_a_request_is_checked(site: Path) -> None:
    """With the proof of the operation."""
    right = data_of(site, "check_request", operation="GET /parcels/42")
    wrong = data_of(site, "check_request", operation="getParcel", query='{"size": 1}')

    assert (right["valid"], right["problems"], right["since"]) == (True, [], "1.1.0")
    assert wrong["problems"] == [{"place": "path.id", "message": "this required parameter is missing"}]
    assert wrong["warnings"] == [{"place": "query.size", "message": "this operation has no such parameter"}]


def test_a_contract_of_a_file_takes_the_place_of_the_sites_own(site: Path, tmp_path: Path) -> None:
    """Its operations are those that exist."""
    paths = {"/boxes": CONTRACT["paths"]["/parcels/{id}"]}
    file = write_contract(tmp_path / "boxes.yaml", {**CONTRACT, "paths": paths})
    options = ["mcp", "--site", str(site), "--contract", str(file)]

    with stdio_responses(*options) as exchange:
        exchange(INITIALIZE)
        result = exchange(
            {
                "jsonrpc": "2.0",
                "id": 2,
                "method": "tools/call",
                "params": {"name": "check_request", "arguments": {"operation": "GET /boxes"}},
            }
        )["result"]

    assert result["structuredContent"]["operation"] == "GET /boxes"
    assert result["structuredContent"]["problems"] == [
        {"place": "path.id", "message": "this required parameter is missing"}
    ]


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("search_docs", {}, "required"),
        ("search_docs", {"query": ""}, "query: "),
        ("search_docs", {"query": "a" * 2001}, "(2,001 characters)"),
        ("search_docs", {"query": 1}, "query: "),
        ("search_docs", {"query": "a", "limit": 1000}, "limit: "),
        ("search_docs", {"query": "a", "extra": 1}, "extra"),
        ("search_docs", {"query": "a", "api": "nix"}, "the site has no API 'nix'"),
        ("read_page", {"page": "../../etc/passwd"}, "is not a file of the site"),
        ("read_page", {"page": "..%2f..%2fetc/passwd"}, "is not a file of the site"),
        ("read_page", {"page": "/etc/passwd"}, "has no page"),
        ("read_page", {"page": "https://other.example/"}, "is not an address of the site"),
        ("get_operation", {"operation": "getParcels"}, "did you mean getParcel"),
        ("get_schema", {"name": "Nothing"}, "has no schema"),
        ("list_changes", {"since": "9"}, "has no version"),
        ("list_changes", {"impacts": ["huge"]}, "impacts.0: "),
        ("check_request", {"operation": "GET /nothing"}, "has no operation"),
        ("check_request", {"operation": "getParcel", "query": "x"}, "query: "),
        (
            "check_request",
            {"operation": "getParcel", "body": "x" * 1_000_001},
            "more than 1,000,000 characters",
        ),
    ],
)
def test_what_cannot_be_answered_is_an_error_of_the_tool(
    tool: str, arguments: Asked, message: str, site: Path
) -> None:
    """In plain words, and short."""
    text = error_of(site, tool, **arguments)

    assert message in text
    assert len(text) < 500


def test_nesting_is_limited(site: Path) -> None:
    """Deep bodies are rejected before anything walks them."""
    body: Any = 0
    for _ in range(MAX_NESTING + 1):
        body = [body]

    assert "nested deeper" in error_of(site, "check_request", operation="getParcel", body=body)


def test_an_unexpected_error_says_no_more_than_its_kind(
    site: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Its text may be secret, and its traceback is of no use."""

    def fail(*_: object, **__: object) -> None:
        raise KeyError("secret")

    monkeypatch.setattr(SiteQueries, "schema", fail)
    text = error_of(site, "get_schema", name="X")

    assert text.startswith("an error in devportal: KeyError in test_mcp_server.py:")
    assert "secret" not in text + caplog.text


def test_an_unknown_tool_is_an_error_of_the_protocol(site: Path) -> None:
    """It is no result."""

    async def use(client: Client) -> None:
        with pytest.raises(MCPError, match="there is no tool 'send_message'"):
            await client.call_tool("send_message", {})

    ask(site, use)


# ---- resources ----


def test_pages_and_files_are_resources(site: Path, foreign_site: Path) -> None:
    """Files that the site has, and every page by a template."""

    async def use(client: Client) -> None:
        (template,) = (await client.list_resource_templates()).resource_templates
        assert template.uri_template == "devportal://page/{+path}"
        resources = (await client.list_resources()).resources
        assert [resource.name for resource in resources] == ["llms.txt", "openapi.json", CHANGES_JSON]
        assert "# Parcel Tracking" in await read(client, resources[0].uri)
        for path in ("reference/parcels/get-parcel/", "reference/parcels/get-parcel.md"):
            text = await read(client, f"devportal://page/{path}")
            assert text.startswith(f"<!-- {SITE_URL}reference/parcels/get-parcel/ · beta · since 1.1.0 ")

    async def use_foreign(client: Client) -> None:
        assert [resource.name for resource in (await client.list_resources()).resources] == [
            "llms.txt",
            "openapi.json",
        ]

    ask(site, use)
    ask(foreign_site, use_foreign)


async def read(client: Client, uri: str) -> str:
    """Return the text of a resource."""
    (content,) = (await client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    return content.text


@pytest.mark.parametrize(
    "uri",
    [
        "devportal://page/../../etc/passwd",
        "devportal://page/%2e%2e/%2e%2e/etc/passwd",
        "devportal://page/nothing/",
        "devportal://docs.json",
        "devportal://changelog/changes.json",
        "file:///etc/passwd",
        f"devportal://page/{'a' * 3000}",
    ],
)
def test_other_resources_are_errors(uri: str, foreign_site: Path) -> None:
    """Nothing outside the site is read."""

    async def use(client: Client) -> None:
        with pytest.raises(MCPError, match=r"not a file of the site|has no |no resource|more than"):
            await client.read_resource(uri)

    ask(foreign_site, use)


# ---- a foreign site ----


def test_a_foreign_site_has_what_its_contract_says(foreign_site: Path) -> None:
    """Without a changelog, without runs and without an address; what it does not say is null."""
    (found, *_) = data_of(foreign_site, "search_docs", query="getParcel")["results"]
    operation = data_of(foreign_site, "get_operation", operation=found["name"])

    assert (operation["since"], operation["verified"]) == (None, [])
    assert operation["url"] == "./reference/parcels/get-parcel/"
    assert data_of(foreign_site, "check_request", operation="GET /parcels/1")["valid"]
    assert f"has no {CHANGES_JSON}" in error_of(foreign_site, "list_changes")


# ---- a first message ----


def test_an_agent_finds_how_to_send_a_first_message(own_site: OwnSite) -> None:
    """By what it reads only: the request that it makes of the fields is valid, and one without a field is not."""

    async def use(client: Client) -> None:
        found = (await client.call_tool("search_docs", {"query": "send a message"})).structured_content
        name = next(result["name"] for result in found["results"] if result["kind"] == "operation")
        operation = (await client.call_tool("get_operation", {"operation": name})).structured_content
        (content,) = operation["body"]["content"]
        fields = [field for field in content["fields"] if field["required"] and "." not in field["name"]]
        body = {field["name"]: json.loads(field["example"] or field["values"][0]) for field in fields}

        right = (
            await client.call_tool("check_request", {"operation": name, "body": body})
        ).structured_content
        assert (right["valid"], right["problems"], right["warnings"]) == (True, [], [])
        assert right["auth"] == operation["auth"]
        first, *others = body
        rest = {item: body[item] for item in others}
        wrong = (
            await client.call_tool("check_request", {"operation": name, "body": rest})
        ).structured_content
        assert wrong["problems"] == [{"place": f"body.{first}", "message": "this required field is missing"}]

    ask(own_site.site_dir, use)


BOXES = """\
openapi: 3.1.0
info: {title: Boxes, version: '1'}
paths:
  /boxes:
    get:
      operationId: listBoxes
      responses:
        '200':
          description: All
          content:
            application/json:
              schema: {type: array, items: {type: object, properties: {box_id: {type: string}}}}
  /boxes/{box_id}:
    delete:
      operationId: deleteBox
      parameters: [{name: box_id, in: path, required: true, schema: {type: string}}]
      responses: {'204': {description: Gone}}
"""


def test_origins_of_values_have_the_shape_that_the_tool_promises(tmp_path: Path) -> None:
    """Clients of the SDK reject a result of any other."""
    boxes = built_from(yaml.safe_load(BOXES), tmp_path / "made").site_dir

    (origin,) = data_of(boxes, "get_operation", operation="deleteBox")["values_from"]

    assert (origin["input"], origin["operation"]) == ("box_id", "GET /boxes")


# ---- transports ----


@contextmanager
def stdio_responses(
    *arguments: str, is_interrupted: bool = False
) -> Iterator[Callable[[Asked], dict[str, Any]]]:
    """Run a command, and exchange messages with it line by line; it ends with its input, or by Ctrl-C while its input
    is open, without a word.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "devportal", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    requests, responses = process.stdin, process.stdout

    def exchange(message: Asked) -> dict[str, Any]:
        requests.write(json.dumps(message) + "\n")
        requests.flush()
        response: dict[str, Any] = json.loads(responses.readline())
        return response

    try:
        yield exchange
        if is_interrupted:
            process.send_signal(signal.SIGINT)
            process.wait()
        rest, errors = process.communicate()
        assert (process.returncode, rest, errors) == (130 if is_interrupted else 0, "", "")
    finally:
        process.kill()
        process.wait()


def test_a_client_starts_the_server(site: Path) -> None:
    """The SDK's own client, over standard input and output."""

    async def use() -> None:
        parameters = StdioServerParameters(
            command=sys.executable,
            args=["-m", "devportal", "mcp"],
            env={**ENVIRONMENT, "DEVPORTAL_SITE": str(site)},
        )
        async with Client(stdio_client(parameters)) as client:
            await client.list_tools()
            result = await client.call_tool("get_operation", {"operation": "getParcel"})
            assert result.structured_content["name"] == OPERATION
            assert "GET /parcels/{id} (getParcel)" in text_of(result)

    anyio.run(use)


def test_what_is_unknown_does_not_end_the_server_and_ctrl_c_does(site: Path) -> None:
    """What follows is answered; standard output has messages only."""
    with stdio_responses("mcp", "--site", str(site), is_interrupted=True) as exchange:
        assert exchange(INITIALIZE)["result"]["serverInfo"]["name"] == "devportal"
        exchange_text = {"jsonrpc": "2.0", "id": 2, "method": "nothing/such"}
        assert exchange(exchange_text)["error"]["code"] == -32601
        assert exchange({"jsonrpc": "2.0", "id": 3, "method": "ping"})["id"] == 3


@contextmanager
def http_server(site: Path, end: signal.Signals) -> Iterator[str]:
    """Serve a site by HTTP on a free port; yield the address. It ends with a signal."""
    process = subprocess.Popen(
        [sys.executable, "-m", "devportal", "mcp", "--site", str(site), "--http", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )
    try:
        assert process.stderr is not None
        label, _, address = process.stderr.readline().strip().partition(" ")
        assert label == "MCP:"
        yield address
        process.send_signal(end)
        output, errors = process.communicate()
        assert output == ""
        assert "Traceback" not in errors
        assert process.returncode == (130 if end == signal.SIGINT else 143)
    finally:
        process.kill()
        process.wait()


def test_http(site: Path) -> None:
    """The SDK's own client, over streamable HTTP; requests that a website could cause are rejected."""
    with http_server(site, signal.SIGTERM) as address:

        async def use() -> None:
            async with Client(address) as client:
                await client.list_tools()
                result = await client.call_tool("search_docs", {"query": "getParcel"})
                assert result.structured_content["results"][0]["name"] == OPERATION

        anyio.run(use)
        host = urlsplit(address).netloc
        assert host.startswith("127.0.0.1:")
        assert status_of(address) == 200
        assert status_of(address, Origin=f"http://{host}") == 200
        assert status_of(address, Host="portal.example") == 421
        assert status_of(address, Host=f"127.0.0.1.portal.example:{urlsplit(address).port}") == 421
        assert status_of(address, Origin="https://portal.example") == 403
        assert status_of(address, Origin="null") == 403


@pytest.mark.deep
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGHUP])
def test_a_server_that_is_asked_to_end_says_nothing(site: Path, end: signal.Signals) -> None:
    """A terminal that is closed is as good a reason as any other."""
    with http_server(site, end) as address:
        assert status_of(address) == 200


def status_of(address: str, **headers: str) -> int:
    """Return the status of a first message with some headers."""
    parts = urlsplit(address)
    connection = HTTPConnection(parts.hostname or "", parts.port or 80)
    kinds = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    connection.request("POST", parts.path, json.dumps(INITIALIZE), {"Host": parts.netloc, **kinds, **headers})
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status


def test_a_port_that_is_taken_is_2(site: Path) -> None:
    """With what to do."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = str(listener.getsockname()[1])
        result = CliRunner().invoke(cli, ["mcp", "--site", str(site), "--http", "--port", port])

    assert result.exit_code == 2
    assert f"cannot listen on 127.0.0.1:{port}" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--site", "nowhere"], "there is no folder 'nowhere'"),
        (["--site", "/"], "there is no site in the folder '/'"),
        (["--port", "8080"], "--port is for --http"),
        (["--site", "ftp://portal.example/"], "is not the address of a site"),
        (["--contract", "nowhere.yaml"], "nowhere.yaml"),
    ],
)
def test_what_cannot_be_served_is_2(arguments: list[str], message: str, site: Path) -> None:
    """Before anything is served."""
    result = CliRunner().invoke(cli, ["mcp", "--site", str(site), *arguments])

    assert (result.exit_code, result.stdout, message in result.stderr) == (2, "", True)


def test_without_the_extra_it_says_which(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line."""
    monkeypatch.setitem(sys.modules, "mcp", None)

    result = CliRunner().invoke(cli, ["mcp", "--site", str(site)])

    assert result.exit_code == 2
    assert result.stderr == "error: devportal mcp needs mcp: run pip install 'devportal[mcp]'\n"
