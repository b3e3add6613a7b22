"""Which servers are sandboxes, and which contracts have a console."""

import json
from pathlib import Path
from typing import Any

import pytest

from devportal.contract import Server, ServerVariable, load_contract
from devportal.reference.console import console_files, has_console, is_sandbox
from devportal.reference.samples.servers import base_address
from tests.reference.reading import api_from

from .node import ask, modules

HOSTS = {
    "http://127.0.0.1:8080": True,
    "http://127.8.9.1": True,
    "http://localhost:3000/v1": True,
    "http://api.localhost": True,
    "http://[::1]:8080": True,
    "https://sandbox.example.com": True,
    "https://api-sandbox.example.com": True,
    "https://api.test": True,
    "https://mock.example.com/live": True,
    "https://api.example.com": False,
    "https://api.example.com/sandbox": False,
    "https://testing.example.com": False,
    "https://contest.example.com": False,
    "https://127.0.0.1.example.com": False,
    "https://localhost.example.com": False,
    "https://user@localhost.example.com": False,
}


@pytest.mark.parametrize(("address", "expected"), HOSTS.items())
def test_address_says_what_a_server_is(address: str, expected: object) -> None:
    """The own machine, and hosts with the word; a path says nothing."""
    assert is_sandbox(Server(url=address)) is expected


ASKED_FIRST = {
    "https://api-sandbox.example.com",
    "https://speed-test.example.com",
    "https://test-drive.example.com",
    "https://mock-exam.example.com",
}
"""Hosts that are not called a sandbox and nothing else: nothing is sent there without asking."""


def function_results(folder: Path, function: str, *chosen: dict[str, Any]) -> list[Any]:
    """Return the results of a function of the page for the servers that are chosen."""
    asked = [[function, item] for item in chosen]
    answers = ask(modules(folder / "modules"), "calls", {"module": "servers", "asked": asked})
    return [answer["value"] for answer in answers]


def test_console_asks_less_of_an_address(tmp_path: Path) -> None:
    """Readers may type the host of a server: what sends without asking is stricter than the build."""
    hosts = HOSTS | dict.fromkeys(ASKED_FIRST, False)

    answers = function_results(
        tmp_path, "isSandbox", *({"server": {"url": host}, "values": {}} for host in hosts)
    )

    assert answers == [is_so and value not in ASKED_FIRST for value, is_so in hosts.items()]


@pytest.mark.parametrize(
    "server",
    [
        {"url": "https://api.example.com", "description": "Production. Use the sandbox to test first."},
        {"url": "https://api.example.com", "description": "Production - not a sandbox"},
        {"url": "https://api.example.com", "description": "Sandbox", "name": "Sandbox"},
        {
            "url": "https://{environment}.example.com",
            "description": "Production or sandbox",
            "variables": {"environment": {"default": "live"}},
        },
    ],
)
def test_description_never_skips_the_confirmation(server: dict[str, Any], tmp_path: Path) -> None:
    """It gives the contract a console, and sends nothing without asking; also where a host is typed."""
    api = api_from({"paths": {"/a": {"get": {"operationId": "a", "responses": {}}}}, "servers": [server]})
    (data,) = (json.loads(console_file.content) for console_file in console_files(api))
    (said,) = data["servers"]

    assert has_console(api, "auto")
    assert "sandbox" not in said
    assert function_results(
        tmp_path, "isSandbox", *({"server": said, "values": item} for item in ({}, {"environment": "eu"}))
    ) == [False, False]


def test_values_of_a_server_have_no_control_character() -> None:
    """What no address could hold is percent-encoded before it reaches the page."""
    variables = {"a": {"default": "x\r\ny", "enum": ["x\r\ny", "z\0"]}}
    server = {"url": "https://{a}.example.com", "variables": variables}
    api = api_from({"paths": {"/a": {"get": {"operationId": "a", "responses": {}}}}, "servers": [server]})

    (data,) = (json.loads(console_file.content) for console_file in console_files(api))

    assert data["servers"][0]["variables"] == [
        {"name": "a", "default": "x%0D%0Ay", "enum": ["x%0D%0Ay", "z%00"]}
    ]


ENVIRONMENTS = {"name": "environment", "default": "live", "enum": ["live", "sandbox"]}
TYPED = {"name": "environment", "default": "sb", "enum": []}


@pytest.mark.parametrize(
    ("said", "variable", "value", "expected"),
    [
        (None, ENVIRONMENTS, "live", False),
        (None, ENVIRONMENTS, "sandbox", True),
        (None, ENVIRONMENTS, "constructor", False),
        (True, ENVIRONMENTS, "live", True),
        (False, ENVIRONMENTS, "sandbox", False),
        (True, TYPED, "sb", True),
        (True, TYPED, "live", False),
        (True, TYPED, "sandbox", True),
        (False, TYPED, "sandbox", False),
    ],
)
def test_mark_counts_for_what_the_contract_lists(
    said: object, variable: dict[str, Any], value: str, expected: object, tmp_path: Path
) -> None:
    """What somebody types under a marked server is another address: its host decides."""
    server: dict[str, Any] = {"url": "https://{environment}.example.com", "variables": [variable]}
    if said is not None:
        server["sandbox"] = said

    answers = function_results(tmp_path, "isSandbox", {"server": server, "values": {"environment": value}})

    assert answers == [expected]


def test_mark_is_exported_as_it_is_written() -> None:
    """And only then."""
    servers = [{"url": "/a", "x-sandbox": True}, {"url": "/b", "x-sandbox": False}, {"url": "/test"}]
    api = api_from({"paths": {"/a": {"get": {"operationId": "a", "responses": {}}}}, "servers": servers})

    (data,) = (json.loads(console_file.content) for console_file in console_files(api))

    assert [server.get("sandbox") for server in data["servers"]] == [True, False, None]


def test_values_that_the_contract_does_not_have_are_none(tmp_path: Path) -> None:
    """Neither one that was remembered and is no longer listed, nor a name that every object inherits."""
    inherited = {"name": "toString", "default": "v1", "enum": []}
    address = "https://{environment}.example.com/{constructor}/{toString}/"
    server = {"url": address, "variables": [ENVIRONMENTS, inherited]}

    assert function_results(
        tmp_path,
        "baseOf",
        *({"server": server, "values": {"environment": item}} for item in ("sandbox", "staging", "")),
    ) == [f"https://{item}.example.com/constructor/v1" for item in ("sandbox", "live", "live")]


@pytest.mark.parametrize(
    ("variable", "value", "address"),
    [
        ({"default": "", "enum": []}, None, "https://x.example"),
        ({"default": "", "enum": []}, "/v2", "https://x.example/v2"),
        ({"default": "/v1", "enum": []}, "", "https://x.example/v1"),
        ({"default": "/v1", "enum": ["", "/v1"]}, "", "https://x.example"),
        ({"default": "/v1", "enum": ["", "/v1"]}, None, "https://x.example/v1"),
        ({"enum": []}, None, "https://x.examplebase"),
    ],
)
def test_an_empty_value_of_a_variable_is_sent(
    variable: dict[str, Any], value: str | None, address: str, tmp_path: Path
) -> None:
    """If it is the default, or chosen from a list. The name stands in for what has no value at all."""
    server = {"url": "https://x.example{base}", "variables": [{"name": "base", **variable}]}
    values = {} if value is None else {"base": value}

    assert function_results(tmp_path, "baseOf", {"server": server, "values": values}) == [address]


def test_address_of_the_own_machine_keeps_its_brackets() -> None:
    """They stand around an address of IPv6, and nowhere else in a request."""
    assert base_address((Server(url="http://[::1]:8080/a[b]"),)) == "http://[::1]:8080/a%5Bb%5D"


@pytest.mark.parametrize(
    ("server", "expected"),
    [
        (Server(url="https://a.example", description="The sandbox of Europe"), True),
        (Server(url="https://a.example", name="Mock"), True),
        (Server(url="https://a.example", description="The latest"), False),
        (Server(url="https://a.example", is_sandbox=True), True),
        (Server(url="http://127.0.0.1", description="Sandbox", is_sandbox=False), False),
        (Server(url="not an address"), False),
        (Server(url="http://[x"), False),
        (
            Server(
                url="https://{host}.example",
                variables=(ServerVariable(name="host", default="live", enum=("live", "test")),),
            ),
            True,
        ),
    ],
)
def test_words_and_marks_say_what_a_server_is(server: Server, expected: object) -> None:
    """What the contract says outright wins; of a variable, each of its values counts."""
    assert is_sandbox(server) is expected


def test_mark_is_read(tmp_path: Path) -> None:
    """As true, as false, and as not said; what is neither is told."""
    contract = tmp_path / "openapi.yaml"
    contract.write_text(
        "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\nservers:\n"
        "- {url: /a, x-sandbox: true}\n- {url: /b, x-sandbox: false}\n- {url: /c}\n"
        "- {url: /d, x-sandbox: maybe}\n",
        encoding="utf-8",
    )

    read = load_contract(contract, name="openapi.yaml")

    assert [server.is_sandbox for server in read.api.servers] == [True, False, None, False]
    assert 8 in [finding.place.line for finding in read.findings if finding.place]


@pytest.mark.parametrize(
    ("setting", "url", "expected"),
    [
        ("auto", "https://api.example.com", False),
        ("auto", "http://127.0.0.1:8080", True),
        ("always", "https://api.example.com", True),
        ("never", "http://127.0.0.1:8080", False),
    ],
)
def test_setting_says_which_contracts_have_a_console(setting: str, url: str, expected: object) -> None:
    """By itself the sandbox decides; also one that a single operation names."""
    operation = {"responses": {}, "servers": [{"url": url}]}
    api = api_from({"paths": {"/a": {"get": operation}}})

    assert has_console(api, setting) is expected
