"""`devportal docs` as a user calls it."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from devportal.cli import cli
from tests.site.building import CONTRACT, built_from, contents

from .sites import CHANGES_JSON, Response, changes_text, records_text, serve_responses, write_site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a built site with records that say more than a contract alone."""
    folder = built_from(CONTRACT, tmp_path_factory.mktemp("made") / "made").site_dir
    return write_site(folder, {"docs.json": records_text(), CHANGES_JSON: changes_text()})


def run(*arguments: str | Path) -> Result:
    """Run a command of `devportal docs`."""
    return CliRunner().invoke(cli, ["docs", *map(str, arguments)])


def json_of(*arguments: str | Path) -> dict[str, Any]:
    """Return the result of a command as JSON data."""
    result = run(*arguments, "--format", "json")
    assert result.exit_code == 0, result.output
    data: dict[str, Any] = json.loads(result.stdout)
    return data


PROOF: dict[str, Any] = {
    "stability": "beta",
    "deprecated": False,
    "since": "1.1.0",
    "url": "https://dev.example/portal/reference/parcels/get-parcel/",
    "verified": [
        {
            "deployment": "Sandbox",
            "date": "2026-11-21",
            "result": "passed",
            "text": "verified 2026-11-21",
            "page": "https://dev.example/portal/conformance/status/#sandbox.get-parcels-id",
        }
    ],
}
WORDS = "beta · since 1.1.0 · verified 2026-11-21 (Sandbox)"


@pytest.mark.parametrize(
    ("command", "part"),
    [
        (("search", "find", "a", "parcel"), "results.0"),
        (("read", "getParcel"), ""),
        (("operation", "GET", "/parcels/{id}"), ""),
        (("changes", "--since", "1.1.0"), "changes.1.operations.0"),
    ],
)
def test_every_result_has_its_proof(command: tuple[str, ...], part: str, site: Path) -> None:
    """Stability, first version, last test, and address, as JSON and for people."""
    data = json_of(*command, "--site", site)
    text = run(*command, "--site", site)

    found: Any = data
    for step in filter(None, part.split(".")):
        found = found[int(step) if step.isdecimal() else step]
    assert (data["format"], data["command"], data["site"]) == (1, command[0], str(site))
    assert {name: found[name] for name in PROOF} == PROOF
    assert WORDS in " ".join(text.stdout.split())
    assert PROOF["url"] in text.stdout or command[0] == "changes"


def test_lines_fit_a_terminal(site: Path) -> None:
    """In 100 columns, but for addresses and code."""
    for command in (("search", "parcel"), ("changes",), ("operation", "getParcel")):
        assert max(map(len, run(*command, "--site", site).stdout.splitlines())) <= 100


def test_a_served_site_gives_the_same(site: Path) -> None:
    """Only its own files are requested."""
    files: dict[str, Response] = {f"/{name}": (200, {}, content) for name, content in contents(site).items()}
    with serve_responses(files) as (address, requests):
        for command in (
            ("search", "weight"),
            ("read", "getParcel"),
            ("operation", "getParcel"),
            ("changes",),
        ):
            from_folder, from_web = json_of(*command, "--site", site), json_of(*command, "--site", address)
            assert {**from_folder, "site": ""} == {**from_web, "site": ""}
    assert {*requests} == {
        f"GET /{name}"
        for name in (
            CHANGES_JSON,
            "docs.json",
            "openapi.json",
            "search/search_index.json",
            "reference/parcels/get-parcel.md",
        )
    }


@pytest.mark.parametrize(
    "page",
    [
        "reference/parcels/get-parcel/",
        "/reference/parcels/get-parcel",
        "reference/parcels/get-parcel.md",
        "reference/parcels/get-parcel/index.html#path.id",
        "https://dev.example/portal/reference/parcels/get-parcel/",
        "GET /parcels/42",
    ],
)
def test_a_page_has_many_names(page: str, site: Path) -> None:
    """Its uri, its addresses, and its operation."""
    assert run("read", page, "--site", site).stdout.splitlines()[1] == "# Find a parcel"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("operation", "getParcels"), "did you mean getParcel"),
        (("operation",), "Missing argument"),
        (("search",), "Missing argument"),
        (("schema", "Parcel"), "the contract has no schema 'Parcel'"),
        (("read",), "Missing argument"),
        (("read", "reference/parcels/get-parcl/"), "did you mean reference/parcels/get-parcel/"),
        (("read", "https://other.example/"), "is not an address of the site"),
        (("read", "../../secret.md"), "is not a file of the site"),
        (("changes", "--since", "7"), "its last versions: 1.0.0, 1.1.0, 1.2.0"),
        (("changes", "--impact", "huge"), "'huge' is not one of"),
        (("changes", "--operation", "getParcels"), "did you mean getParcel"),
    ],
)
def test_what_cannot_be_answered_exits_with_2(arguments: tuple[str, ...], message: str, site: Path) -> None:
    """With what to do."""
    result = run(*arguments, "--site", site)

    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


def test_a_hostile_site_is_a_clear_error(site: Path, tmp_path: Path) -> None:
    """Files of another kind, and names that lead out of the site."""
    for name, content, command in (
        ("docs.json", "{", ("search", "x")),
        ("docs.json", records_text(operations=[{"operation": "GET /x", "page": "../x.md"}]), ("read", "x")),
        ("search/search_index.json", '{"pages": 1}', ("search", "x")),
        ("search/search_index.json", "[" * 100_000, ("search", "x")),
        (CHANGES_JSON, "[" * 100_000, ("changes",)),
        (CHANGES_JSON, '{"version": 1}', ("changes",)),
        ("openapi.json", "[]", ("operation", "getParcel")),
        ("openapi.json", "[" * 100_000, ("operation", "getParcel")),
        ("openapi.json", b"\xff", ("operation", "getParcel")),
    ):
        hostile = write_site(tmp_path / "copy", contents(site))
        write_site(hostile, {name: content})

        result = run(*command, "--site", hostile)

        assert (result.exit_code, result.stdout) == (2, ""), name
        assert result.stderr.startswith("error: "), name


def test_a_terminal_obeys_nothing(tmp_path: Path) -> None:
    """Control characters of a site are shown as escapes."""
    hostile = write_site(tmp_path, {"docs.json": records_text(), "a.md": "# \x1b]0;title\x07 A\n\n\tcode\n"})

    assert run("read", "a.md", "--site", hostile).stdout.splitlines()[1:] == [
        "# \\x1b]0;title\\x07 A",
        "",
        "\tcode",
    ]


def test_a_site_of_an_older_toolkit_has_no_proof(site: Path, tmp_path: Path) -> None:
    """Operations are found in its contract; its changes are not known."""
    later_files = ("docs.json", CHANGES_JSON)
    files = {name: content for name, content in contents(site).items() if name not in later_files}
    old = write_site(tmp_path, files)

    assert json_of("operation", "getParcel", "--site", old)["since"] is None
    assert json_of("search", "getParcel", "--site", old)["results"][0]["stability"] is None
    result = run("changes", "--site", old)
    assert (result.exit_code, "has no changelog/changes.json" in result.stderr) == (2, True)


def test_an_operation_lists_headers_and_each_body_of_errors_once(tmp_path: Path) -> None:
    """Who writes a client reads them: what to wait after a 429, and the members of a refusal."""
    refusal = {
        "application/json": {"schema": {"type": "object", "properties": {"reason": {"type": "string"}}}}
    }
    contract = {
        "openapi": "3.1.0",
        "info": {"title": "Parcels", "version": "1.0.0"},
        "paths": {
            "/parcels": {
                "post": {
                    "operationId": "addParcel",
                    "responses": {
                        "201": {
                            "description": "Added",
                            "headers": {"Location": {"schema": {"type": "string"}}},
                        },
                        "400": {"description": "Wrong", "content": refusal},
                        "429": {
                            "description": "Too many",
                            "content": refusal,
                            "headers": {"Retry-After": {"schema": {"type": "integer"}}},
                        },
                        "500": {
                            "description": "Broken",
                            "content": {"text/plain": {"schema": {"type": "string"}}},
                        },
                    },
                }
            }
        },
    }
    site = built_from(contract, tmp_path / "made").site_dir

    lines = run("operation", "addParcel", "--site", site).stdout.splitlines()

    assert lines[lines.index("Response 201: Added") + 1] == "  header Location: string"
    assert lines[lines.index("Errors") + 1 :][:7] == [
        "  400  Wrong",
        "  429  Too many",
        "       header Retry-After: integer",
        "  500  Broken",
        "  Body of 400, 429: application/json (object)",
        "  reason: string",
        "  Body of 500: text/plain (string)",
    ]
