"""Every shape of request that a contract can describe arrives as meant, from every language."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from devportal.reference.samples import Language, SampleRequest
from devportal.reference.samples.sample_requests import sample_requests
from tests.contracts import contract_at

from .echo import FILE_CONTENT, Echo, Message, echo
from .runners import EXECUTED, run

SECRETS = {
    "API_KEY": "ada:s3cr3t-k=y",
    "API_USERNAME": "ada",
    "API_PASSWORD": "s3cr3t-k=y",
    "BEARER": "one+1",
    "HEADER": "two",
    "QUERY": "th+r&e=e%20",
    "COOKIE": "four",
}
TEXT = 'it\'s "a" $HOME `id` $(id) \\n \\ {x} ${y} %s 100% */ <?php ?> // # <!-- </script>\n\ttwo'
FORM = "application/x-www-form-urlencoded"


def requests() -> dict[str, SampleRequest]:
    """Return the requests of each operation of the contract beside this file, by operation and media type."""
    path = Path(__file__).parent / "matrix.yaml"
    contract = contract_at(path, path.name)
    assert contract.findings == ()
    api = contract.api
    return {
        f"{operation.id} {named.media_type}" if number else operation.id: named.request
        for operation in api.operations
        for number, named in enumerate(sample_requests(api, operation))
    }


REQUESTS = requests()


def arriving_message(
    method: str,
    path: str,
    *,
    query: list[tuple[str, str]] | None = None,
    headers: dict[str, str] | None = None,
    body: Any = None,
) -> Message:
    """Return what has to arrive."""
    return Message(method=method, path=f"/base/v1{path}", query=query or [], headers=headers or {}, body=body)


MEANT = {
    "pathStyles": arriving_message(
        "GET", "/path/a%2Fb%20c%3F%C3%BC%25/1%2Cx%2Cy/.3.4/%3Bmatrix%3D5%3Bmatrix%3D6/R%3D100%2CG%3D200"
    ),
    "parametersWithContent": arriving_message(
        "GET",
        "/content/%7B%22a%22%3A%201%2C%20%22b%22%3A%20%5B%22x%22%2C%20%22%C3%A9%22%5D%7D",
        headers={"x-ids": '["a", "\\u00e9"]'},
    ),
    "queryStyles": arriving_message(
        "GET",
        "/query/styles",
        query=[
            ("joined", "a b,c"),
            ("pipes", "a|b"),
            ("spaces", "a b"),
            ("flat", "R,100,G,200"),
            ("text", "a&b=c d+e#f%20é日本😀\"'`$HOME"),
            ("empty", ""),
            ("flag", "true"),
            ("ids[]", "1"),
            ("ids[]", "2"),
            ("deep[a][b]", "1"),
            ("deep[c]", "x"),
            ("R", "100"),
            ("G", "200"),
            ("json", '{"q": ["é"]}'),
            ("名 前", "{1}[2-3]"),
            ("with-example", "sent"),
        ],
    ),
    "queryReserved": arriving_message(
        "GET",
        "/query/reserved",
        query=[
            ("path", "/a/b?c;d,e:f@g!h'i(j)*&k=l+m#n[o]"),
            ("triples", "a b/%zz"),
            ("other", "/x"),
        ],
    ),
    "headersAndCookies": arriving_message(
        "GET",
        "/headers",
        headers={
            "x-text": 'it\'s "a" $HOME `id` \\ ${y} %s',
            "x-list": "a,b",
            "x-object": "R=1,G=2",
            "x-wide": "%C3%A9%0D%0AX-Evil: 1",
            "cookie": "session=a%20b%3Bc; tags=x,y",
        },
    ),
    "jsonBody": arriving_message(
        "POST",
        "/json",
        body=(
            "application/json",
            {
                "text": TEXT,
                "unicode": "é 日本 😀 \u2028 \u202e \ufeff \x00 \x1b \x7f",
                "numbers": [0, -1, 1.5, 1e-7, 12345678901234567890, 9223372036854775807],
                "words": [True, False, None],
                "empty": [{}, [], ""],
                "keys": {"0": "a", "1": "b"},
                "odd": {"": 1, "$id": 2, "a b": 3, "__proto__": {"a": 1}, "q\"'": 4},
            },
        ),
    ),
    "jsonOfAVendor": arriving_message("PATCH", "/json/vendor", body=("application/merge-patch+json", {"a": None})),
    "jsonLines": arriving_message(
        "POST", "/json/lines", body=("application/x-ndjson", '{"a": "é"}\n{"b": 2}\n'.encode())
    ),
    "jsonNull": arriving_message("PUT", "/json/null", body=("application/json", None)),
    "form": arriving_message(
        "POST",
        "/form",
        body=(
            FORM,
            [
                ("address[lines][]", "@x"),
                ("address[lines][]", ""),
                ("csv", "a,b"),
                ("meta", '{"k": 1}'),
                ("name", "Ada & Co = 1+1 é %s"),
                ("tags", "a"),
                ("tags", "b"),
            ],
        ),
    ),
    "formWithEachNameOnce": arriving_message(
        "POST",
        "/form/once",
        body=(FORM, [("0", "zero"), ("a", "<a href='#'>$x</a>\n\\"), ("b[c]", "@x")]),
    ),
    "multipart": arriving_message(
        "POST",
        "/multipart",
        body=(
            "multipart/form-data",
            [
                ("title", 'it\'s "a" $HOME `id` é'.encode(), "", {}),
                ('quote"s', b"@not-a-file", "", {}),
                ("less", b"<not-a-file", "", {}),
                ("semi", b"a;type=b", "", {}),
                ("tags", b"one", "", {}),
                ("tags", b"two", "", {}),
                ("meta", '{"place": "Rome \\"é\\""}'.encode(), "application/json", {}),
                ("note", b"# a\r\n\r\n`b`", "text/markdown", {"X-Draft": "no"}),
                ("file", FILE_CONTENT, "", {"X-Rate": '5 "a"; $b', "X-Size": "3"}),
                ("photos", FILE_CONTENT, "image/png", {}),
                ("photos", FILE_CONTENT, "image/png", {}),
                ("joined", b"a,b,c", "", {}),
                ("deep[k][l]", b"x y", "", {}),
            ],
        ),
    ),
    "text": arriving_message(
        "POST", "/text", body=("text/plain", "@it's \"a\" $HOME `id` \\ ${y}\n  TEXT;\n\tэ %s\n".encode())
    ),
    "xml": arriving_message(
        "PUT", "/xml", body=("application/xml", "<a b='c'>\n  <d>é &amp; $x</d>\n</a>\n".encode())
    ),
    "xmlOfAnObject": arriving_message(
        "POST",
        "/xml/object",
        body=(
            "application/xml",
            '<?xml version="1.0" encoding="UTF-8"?>\n<order id="7">\n'
            "  <item>a &amp; b</item>\n  <item>&lt;é&gt;</item>\n</order>".encode(),
        ),
    ),
    "anyOfThree": arriving_message("POST", "/any", body=("application/json", {"name": "é & b"})),
    "anyOfThree application/x-www-form-urlencoded": arriving_message("POST", "/any", body=(FORM, [("name", "é & b")])),
    "anyOfThree application/xml": arriving_message(
        "POST",
        "/any",
        body=(
            "application/xml",
            '<?xml version="1.0" encoding="UTF-8"?>\n<Named>\n  <name>é &amp; b</name>\n</Named>'.encode(),
        ),
    ),
    "binary": arriving_message("PUT", "/binary", body=("image/png", FILE_CONTENT)),
    "postWithoutBody": arriving_message("POST", "/nothing"),
    "headOnly": arriving_message("HEAD", "/nothing"),
    "deleteIt": arriving_message("DELETE", "/nothing"),
    "optionsOfIt": arriving_message("OPTIONS", "/nothing"),
    "queryIt": arriving_message("QUERY", "/nothing", body=("application/json", {"find": "x"})),
    "purgeIt": arriving_message("PURGE", "/nothing"),
    "basic": arriving_message("GET", "/security/basic", headers={"authorization": "Basic YWRhOnMzY3IzdC1rPXk="}),
    "bearer": arriving_message("GET", "/security/bearer", headers={"authorization": "Bearer ada:s3cr3t-k=y"}),
    "keyInHeader": arriving_message("GET", "/security/header", headers={"x-api-key": "ada:s3cr3t-k=y"}),
    "keyInQuery": arriving_message("GET", "/security/query", query=[("a", "$b"), ("api_key", "ada:s3cr3t-k=y")]),
    "keyInCookie": arriving_message(
        "GET", "/security/cookie", headers={"cookie": "sid=ada:s3cr3t-k=y; lang=ja"}
    ),
    "severalKeys": arriving_message(
        "POST",
        "/security/all",
        query=[("api_key", "th+r&e=e%20")],
        headers={"authorization": "Bearer one+1", "x-api-key": "two", "cookie": "sid=four"},
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def server() -> Iterator[Echo]:
    with echo() as made:
        yield made


@pytest.mark.parametrize("language", EXECUTED)
def test_every_shape_of_request_arrives_as_meant(language: Language, server: Echo, tmp_path: Path) -> None:
    """Each language sends the same request, and it is the one that the contract describes."""
    (tmp_path / "file.bin").write_bytes(FILE_CONTENT)
    here = [
        replace(request, url=re.sub(r"^http://127\.0\.0\.1", server.address, request.url))
        for request in REQUESTS.values()
    ]

    ended = run(language, [language.write(sample_request) for sample_request in here], tmp_path, SECRETS)

    arrived = {name: server.message(*MEANT[name].headers) for name in list(REQUESTS)[: len(server.received)]}
    assert arrived == {name: MEANT[name] for name in REQUESTS}, ended.stderr
    assert ended.returncode == 0, ended.stderr


def test_every_operation_of_the_matrix_is_meant_something() -> None:
    """No row is missing, and no body is sent that says nothing of JSON's own escapes."""
    assert MEANT.keys() == REQUESTS.keys()
    assert json.loads(json.dumps(MEANT["jsonBody"].body[1])) == MEANT["jsonBody"].body[1]
