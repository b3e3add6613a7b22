"""Whatever a contract says, its samples send what HTTP allows: no text of it ends a header or begins one."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from devportal.contract.validate.header_values import is_field_value, is_token
from devportal.contract.wire_format.serialisation import field_value, part_name, token_text
from devportal.reference.samples import LANGUAGES, Language
from devportal.reference.samples.request import (
    Body,
    FormBody,
    JsonBody,
    MultipartBody,
    SampleRequest,
    TextBody,
)
from devportal.reference.samples.sample_requests import sample_requests
from tests.reference.reading import api_from
from tests.reference.unsendable import UNSENDABLE, unsendable

from .echo import FILE_CONTENT, echo
from .runners import EXECUTED, run

EVIL = UNSENDABLE[0]


def requests_of(text: str) -> list[SampleRequest]:
    """Return every request of the contract in which a text stands everywhere."""
    api = api_from(unsendable(text))
    return [named.request for operation in api.operations for named in sample_requests(api, operation)]


def media_types(body: Body | None) -> Iterator[str]:
    match body:
        case MultipartBody():
            yield from (part.media_type for part in body.parts)
            yield from (part.head.replace("\r\n", "") for part in body.parts)
        case None | FormBody():
            return
        case _:
            yield body.media_type


@pytest.mark.parametrize("text", UNSENDABLE)
def test_requests_have_what_http_allows(text: str) -> None:
    """Methods and names of headers are tokens, values and media types have no control characters."""
    requests = requests_of(text)

    assert len(requests) >= 5
    for request in requests:
        values = ["".join(map(str, words)) for _, words in request.headers]
        assert is_token(request.method)
        assert all(is_token(name) for name, _ in request.headers), request.headers
        assert all(map(is_field_value, [*values, *media_types(request.body)]))
        assert is_field_value(request.url)


@pytest.mark.parametrize("text", UNSENDABLE)
@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_no_program_has_a_control_character_of_the_contract(language: Language, text: str) -> None:
    """A line of a program begins as the language writes it; other control characters are escaped."""
    for request in requests_of(text):
        program = language.write(replace(request, body=None))

        assert not any(line.startswith("X-Evil") for line in program.splitlines())
        assert all(character.isprintable() or character in "\n\t" for character in program)
        assert "\0" not in language.write(request)


@pytest.mark.parametrize("language", EXECUTED)
def test_no_header_is_smuggled_in(language: Language, tmp_path: Path) -> None:
    """What arrives has the headers that were written, and one request each."""
    (tmp_path / "file.bin").write_bytes(FILE_CONTENT)
    secrets = {"HEADER": "one", "HTTP": "two", "COOKIE": "three", "QUERY": "four", "API_KEY": "five"}
    requests = [
        request for request in requests_of(EVIL) if isinstance(request.body, JsonBody | TextBody | None)
    ]
    with echo() as server:
        here = [
            replace(request, url=request.url.replace("https://api.example.com", server.address))
            for request in requests
        ]

        ended = run(language, [language.write(sample_request) for sample_request in here], tmp_path, secrets)

        assert ended.returncode == 0, ended.stderr
        assert len(server.received) == len(here)
        assert all("a%0d%0ax-evil%3a%201" in headers for _, _, headers, _ in server.received[:-1])
        assert not any("x-evil" in headers for _, _, headers, _ in server.received)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X-Name", "X-Name"),
        ("a b", "a%20b"),
        ("!#$%&'*+.^_`|~-", "!#$%&'*+.^_`|~-"),
        (EVIL, "a%0D%0AX-Evil%3A%201"),
    ],
)
def test_names_are_tokens(text: str, expected: str) -> None:
    """RFC 9110 §5.6.2."""
    assert token_text(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"), [(" a/b; c=d ", "a/b; c=d"), ("a/b\r\nX: 1", "a/b%0D%0AX: 1"), ("a/ü", "a/%C3%BC")]
)
def test_values_are_on_one_line(text: str, expected: str) -> None:
    """RFC 9110 §5.5."""
    assert field_value(text) == expected


def test_names_of_parts_are_on_one_line() -> None:
    """Other characters stay: browsers send them as they are."""
    assert part_name('ü "a"\r\n\0\tb') == 'ü "a"%0D%0A%00\tb'
