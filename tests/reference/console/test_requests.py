"""Requests of a console that no sample has: files that somebody chose, and values that were typed."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from devportal.reference.samples import LANGUAGES, Language
from devportal.reference.samples.request import MultipartBody, MultipartPart, SampleRequest
from tests.reference.samples.echo import echo
from tests.reference.samples.runners import EXECUTED, run

from .node import ask


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda item: item.name)
def test_code_for_chosen_files_is_that_of_a_sample(language: Language, folder: Path) -> None:
    """Whatever their names are."""
    names = ("photo 1.jpg", "report, final.txt", "a;b", 'c"d', " e", "f ", "g\\h", "it's", "--i", "é")
    parts = [{"name": "f", "value": name, "isFile": True, "type": "", "headers": []} for name in names]
    content = {"kind": "multipart", "type": "multipart/form-data", "parts": parts}
    request = {"method": "POST", "url": "/a", "query": [], "headers": [], "body": content}

    given = {"module": "languages", "asked": [["codeOf", language.name, request]]}
    (answer,) = ask(folder, "calls", given)

    body = MultipartBody(parts=tuple(MultipartPart(name="f", value=name, is_file=True) for name in names))
    assert answer["value"] == language.write(SampleRequest(method="POST", url="/a", body=body))


LOST = (
    *("0.12345678901234567890", "0.30000000000000002", "12345678901234567890.5", "1e400", "-1e-400"),
    *("0.99999999999999999",),
)
KEPT = (
    *("0.1", "-1.50", "1e-7", "1E22", "-0.0", "0.000010", "12e5", "9007199254740991", "5e-324"),
    *("0.30000000000000004", "1.7976931348623157e308"),
)


def codes_of(body: str, address: str, folder: Path) -> dict[str, str]:
    """Return the code that sends a JSON body, by language."""
    media = {"type": "application/json", "room": 999, "encodings": {}, "examples": [{"value": body}]}
    asked = {
        "method": "POST",
        "path": ["/a"],
        "servers": [{"url": address}],
        "security": [],
        "parameters": [],
    }
    codes: dict[str, str] = ask(folder, "codes", [{**asked, "bodies": [media]}])[0][0]["code"]
    return codes


@pytest.mark.parametrize("language", EXECUTED)
def test_number_arrives_with_its_digits(language: Language, folder: Path, tmp_path: Path) -> None:
    """Those that a float cannot hold, and those beyond the largest one."""
    with echo() as server:
        bodies = (f"[{', '.join(LOST)}]", f"[{', '.join(KEPT)}]")
        programs = [codes_of(body, server.address, folder)[language.name] for body in bodies]

        ended = run(language, programs, tmp_path, {})

    assert ended.returncode == 0, ended.stderr
    arrived = [json.loads(item[3], parse_float=Decimal, parse_int=Decimal) for item in server.received]
    assert arrived == [[Decimal(number) for number in numbers] for numbers in (LOST, KEPT)]


def test_number_that_loses_nothing_is_written_as_usual(folder: Path) -> None:
    """As a value of the language."""
    kept = [codes_of(text, "https://api.example.com", folder) for text in KEPT]
    lost = [codes_of(text, "https://api.example.com", folder) for text in LOST]

    for name, mark in {"python": "json=", "node": "JSON.stringify(", "php": "json_encode("}.items():
        assert all(mark in item[name] for item in kept)
        assert not any(mark in item[name] for item in lost)


FILE_TYPES: dict[str, tuple[dict[str, str], str]] = {
    "a further one": ({"listed": "image/png, image/jpeg", "own": "image/jpeg"}, "image/jpeg"),
    "one of a range": ({"listed": "text/csv, image/*", "own": "image/jpeg"}, "image/jpeg"),
    "any": ({"listed": "*/*", "own": "image/jpeg"}, "image/jpeg"),
    "nothing listed": ({"own": "image/jpeg"}, "image/jpeg"),
    "not allowed": ({"listed": "image/*, application/pdf", "own": "text/csv"}, "application/pdf"),
    "the beginning of another": ({"listed": "image/svg", "own": "image/svg+xml"}, "image/svg"),
    "unknown": ({"listed": "*/*, image/png", "own": ""}, "image/png"),
    "unknown, nothing listed": ({"own": ""}, ""),
    "the whole body of a range": ({"whole": "image/*", "own": "image/png"}, "image/png"),
    "the whole body of any type": ({"whole": "*/*", "own": "text/csv"}, "text/csv"),
    "the whole body, not allowed": ({"whole": "image/*", "own": "text/csv"}, "application/octet-stream"),
    "the whole body, unknown": ({"whole": "image/*", "own": ""}, "application/octet-stream"),
}


def test_chosen_file_has_its_own_type_where_that_is_allowed(folder: Path) -> None:
    """Or else the first that is listed and no range."""
    sent = ask(folder, "fileTypes", [given for given, _ in FILE_TYPES.values()])

    assert dict(zip(FILE_TYPES, sent, strict=True)) == {
        name: meant for name, (_, meant) in FILE_TYPES.items()
    }


ID = {"name": "id", "in": "path", "style": "simple"}
LEADING_ELSEWHERE: dict[str, tuple[dict[str, Any], str]] = {
    "nothing": ({"given": {}}, "id"),
    "an empty text": ({"given": {"id": ""}}, "id"),
    "an empty list": ({"given": {"id": []}}, "id"),
    "no parameter": ({"given": {}, "parameters": []}, "id"),
    "a dot": ({"given": {"id": "."}}, "dots"),
    "two dots": ({"given": {"id": ".."}}, "dots"),
    "a dot of a style": ({"given": {"id": "."}, "parameters": [{**ID, "style": "label"}]}, "dots"),
    "a dot beside a dot": ({"given": {"id": "."}, "path": ["/messages/.", "id"]}, "dots"),
}
LEADING_THERE = ("...", ".a", "a..", "../b", "%2e%2e", "..\\", ". .", "é", "\t..", "?", "#")


def addresses_of(folder: Path, *cases: dict[str, Any]) -> list[dict[str, Any]]:
    """Return address and obstacles of requests of one operation, unless a case says of another."""
    usual = {"path": ["/messages/", "id", "/parts"], "parameters": [ID]}
    found: list[dict[str, Any]] = ask(folder, "addresses", [{**usual, **case} for case in cases])
    return found


def test_path_without_a_value_of_its_own_is_not_sent(folder: Path) -> None:
    """It would be that of another resource: the name of a parameter is for code only."""
    found = addresses_of(folder, *(case for case, _ in LEADING_ELSEWHERE.values()))

    for item, (name, (_, word)) in zip(found, LEADING_ELSEWHERE.items(), strict=True):
        assert len(item["obstacles"]) == 1, name
        assert word in item["obstacles"][0], name


def test_path_with_a_value_leads_there(folder: Path) -> None:
    """Whatever it is made of: a browser does not see another address in it."""
    found = addresses_of(folder, *({"given": {"id": text}} for text in LEADING_THERE))

    assert [item["obstacles"] for item in found] == [[]] * len(LEADING_THERE)
    assert [item["seen"] for item in found] == [item["url"] for item in found]
