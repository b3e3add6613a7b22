"""Samples are run: each language sends exactly the request that it was given, whatever texts are in it."""

import ast
import base64
import re
import subprocess
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from signal import SIGABRT
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st

from devportal.reference.samples import LANGUAGES, Language
from devportal.reference.samples.request import (
    Basic,
    Body,
    FileBody,
    FormBody,
    JsonBody,
    MultipartBody,
    MultipartPart,
    SampleRequest,
    Secret,
    TextBody,
)
from tests.waiting import PATIENCE_S

from .echo import FILE_CONTENT, Echo, echo, expected_message, stream
from .runners import EXECUTED, required_runner, run, run_in_terminal

HARD = 'it\'s "a" $HOME `id` $(id) \\n \\ {x} ${y} %s 100% a+b&c=d;e #f é 日本 😀 </script>\n\ttwo'
SECRETS = {
    "API_KEY": "ada:s3cr3t-k=y+z%20&a=#",
    "API_USERNAME": "ada",
    "API_PASSWORD": "s3cr3t:k=y",
    "OTHER": "second",
}
SECRET = Secret()
MULTIPART = MultipartBody(
    parts=(
        MultipartPart(name="plain", value=HARD),
        MultipartPart(name="at", value="@not-a-file"),
        MultipartPart(name="less", value="<not-a-file"),
        MultipartPart(name="semi", value="a;type=b"),
        MultipartPart(name="tags", value="one"),
        MultipartPart(name="tags", value="two"),
        MultipartPart(name="meta", value='{"a": "q\\"é"}', media_type="application/json"),
        MultipartPart(name="file", value="file.bin", is_file=True),
        MultipartPart(name="photo", value="file.bin", is_file=True, media_type="image/png"),
    )
)
ODD_FILES = ("report, final.txt", "a;b.txt", ' "c" \\.txt')
JSON_VALUE = {
    HARD: [HARD, 1, 2.5, True, None, {"__proto__": {"a": 1}}, [], {}],
    "big": 12345678901234,
    "\u2028": "\u2029",
}
BODIES: dict[str, Body] = {
    "json": JsonBody(media_type="application/json", value=JSON_VALUE),
    "json of a vendor": JsonBody(media_type="application/vnd.a+json", value=["@x"]),
    "json null": JsonBody(media_type="application/json", value=None),
    "json false": JsonBody(media_type="application/json", value=False),
    "json empty": JsonBody(media_type="application/json", value={}),
    "form": FormBody(pairs=(("a", HARD), ("b[c][]", "@x"), ("b[c][]", ""), ("é&=", "1 2+3"))),
    "form with NUL": FormBody(pairs=(("a", "@x\0y\r\n/z"), ("b", "c"))),
    "multipart": MULTIPART,
    "parts with headers": MultipartBody(
        parts=(
            MultipartPart(name="text", value="a", headers=(("X-Rate", 'a "5"; $b'),)),
            MultipartPart(name="meta", value="{}", media_type="application/json", headers=(("X-Rate", "5"),)),
            MultipartPart(name="file", value="file.bin", is_file=True, headers=(("X-A", "b"), ("X-C", "d"))),
        )
    ),
    "files of any name": MultipartBody(
        parts=tuple(
            MultipartPart(name="f", value=odd_file, is_file=True, media_type="image/png")
            for odd_file in ODD_FILES
        )
    ),
    "text": TextBody(media_type="text/plain", text="@" + HARD),
    "parts as text": TextBody(media_type="multipart/${HOME}$x{$y}", text="--a--"),
    "xml": TextBody(media_type="application/xml", text="<a b='c'>é</a>"),
    "file": FileBody(media_type="application/pdf", name="file.bin"),
}
METHODS = ("GET", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "QUERY")
ADDRESS = SampleRequest(
    method="GET",
    url="/a%2Fb/%7Bid%7D/%E6%97%A5%20x?kept=/;1",
    query=(("q", (HARD,)), ("a[b]", ("1,2",)), ("a[b]", ("",)), ("日本 &=", ("{1}[2-3]",))),
    headers=(("X-Text", ('it\'s "a" $HOME `id` \\ ${y} %s',)), ("X-Empty", ("",))),
)


CREDENTIALS = {
    "bearer": SampleRequest(method="GET", url="/a", headers=(("Authorization", ("Bearer ", SECRET)),)),
    "header": SampleRequest(method="GET", url="/a", headers=(("X-API-Key", (SECRET,)),)),
    "basic": SampleRequest(method="GET", url="/a", basic=Basic()),
    "cookie": SampleRequest(
        method="GET", url="/a", headers=(("Cookie", ('a="`$(id)${x}\\', SECRET, "; b=c")),)
    ),
    "query": SampleRequest(
        method="GET", url="/a", query=(("q", ("$a",)), ("z", ("1",)), ("k y=", ("+", SECRET)))
    ),
    "query alone": SampleRequest(method="GET", url="/a", query=(("key", (SECRET,)),)),
    "two": SampleRequest(
        method="GET",
        url="/a",
        headers=(("X-App", (Secret(variable="OTHER"),)), ("X-Key", ("k=", SECRET, "tail"))),
    ),
}


DESCRIBING = {"Content-Language": "de", "Content-Location": "/x", "Last-Modified": "x", "Allow": "GET"}
"""Headers that describe a body: the client of C# takes them only with one."""


REQUESTS = {
    **{f"body: {name}": SampleRequest(method="POST", url="/a", body=body) for name, body in BODIES.items()},
    **{f"method: {name}": SampleRequest(method=name, url="/a") for name in METHODS},
    **{f"credential: {name}": credential for name, credential in CREDENTIALS.items()},
    "address and headers": ADDRESS,
    "certificate": SampleRequest(method="GET", url="/a", has_certificate=True),
    "headers of no body": SampleRequest(
        method="DELETE", url="/a", headers=tuple((name, (value,)) for name, value in DESCRIBING.items())
    ),
    "headers of a body": SampleRequest(
        method="POST", url="/a", headers=(("Content-Language", ("de", SECRET)),), body=BODIES["json"]
    ),
    "missing credential": SampleRequest(method="GET", url="/a", missing_credential="No $x `id` credential."),
    "stream": SampleRequest(method="GET", url="/a", is_stream=True),
    "stream with everything": replace(
        CREDENTIALS["query"], method="POST", is_stream=True, body=BODIES["multipart"], basic=Basic()
    ),
    "long address": SampleRequest(method="POST", url=f"/{'a' * 60}"),
}


@pytest.fixture(scope="module")
def server() -> Iterator[Echo]:
    with echo() as made:
        yield made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the file that samples send."""
    made = tmp_path_factory.mktemp("samples")
    for name in ("file.bin", *ODD_FILES):
        (made / name).write_bytes(FILE_CONTENT)
    for name in ("client.pem", "client-key.pem"):
        (made / name).write_text("not looked at without TLS")
    return made


@pytest.fixture(params=LANGUAGES, ids=lambda language: language.name)
def language(request: pytest.FixtureRequest) -> Language:
    made: Language = request.param
    return made


@pytest.fixture(params=EXECUTED)
def executed_language(request: pytest.FixtureRequest) -> Language:
    made: Language = request.param
    return made


def check(language: Language, requests: Sequence[SampleRequest], server: Echo, folder: Path) -> None:
    """Assert that the samples of requests send those requests and nothing else."""
    server.received.clear()
    here = [replace(request, url=server.address + request.url) for request in requests]
    programs = [language.write(sample_request) for sample_request in here]

    ended = run(language, programs, folder, SECRETS)
    if ended.returncode == -SIGABRT:  # Mono aborts now and then as it ends, whatever the samples
        server.received.clear()
        ended = run(language, programs, folder, SECRETS)

    for request, program in zip(here, programs, strict=True):
        meant = expected_message(request, SECRETS)
        assert server.received, f"{program}\n{ended.stderr}"
        assert server.message(*meant.headers) == meant, program
    assert ended.returncode == 0, ended.stderr
    assert server.received == []


def test_request_arrives_as_it_was_given(executed_language: Language, server: Echo, folder: Path) -> None:
    """Bodies, methods, addresses, headers and credentials, with texts that every shell likes to change."""
    check(executed_language, list(REQUESTS.values()), server, folder)


def test_parts_of_a_stream_are_printed_as_they_arrive(executed_language: Language, folder: Path) -> None:
    """The server sends the second part only after the first has been seen."""
    is_seen = threading.Event()
    with stream(b"data: 1\n\n", b"data: 2\n\n", is_seen) as address:
        request = SampleRequest(method="GET", url=f"{address}/a", is_stream=True)
        program = executed_language.write(request)

        output = run_in_terminal(
            executed_language, program, folder, lambda text: is_seen.set() if "data: 1" in text else None
        )

    assert output.replace("\r", "").split() == ["data:", "1", "data:", "2"]


def test_a_sample_ends_with_its_last_line(language: Language) -> None:
    """Nothing but a sample stands in its frame."""
    assert [
        name
        for name, request in REQUESTS.items()
        if language.write(request) != language.write(request).strip()
    ] == []


def test_only_files_have_the_name_of_a_file(executed_language: Language, server: Echo, folder: Path) -> None:
    """A server takes a part with such a name for an upload."""
    server.received.clear()
    request = SampleRequest(method="POST", url=f"{server.address}/a", body=MULTIPART)

    run(executed_language, [executed_language.write(request)], folder, SECRETS)

    ((_, _, _, body),) = server.received
    assert body.count(b"filename=") == body.count(b'filename="file.bin"') == 2


def test_a_certificate_is_spoken_of_in_every_language(language: Language) -> None:
    """Without one the server does not even listen."""
    request = SampleRequest(method="GET", url="https://a.example", has_certificate=True)

    assert re.search("certificate|cert", language.write(request))
    assert not re.search("certificate|cert", language.write(replace(request, has_certificate=False)))


@pytest.mark.parametrize("name", ["Connection", "Content-Length", "Expect", "Host", "Upgrade"])
@pytest.mark.parametrize("language", ["java", "node"])
def test_a_header_that_the_client_refuses_is_left_out_with_a_comment(language: str, name: str) -> None:
    """The program would fail before it sends anything."""
    request = SampleRequest(method="GET", url="https://a.example", headers=((name, ("x1",)), ("X-A", ("2",))))

    program = next(other_language for other_language in LANGUAGES if other_language.name == language).write(
        request
    )

    assert f" sets {name} itself." in program
    assert "x1" not in program
    assert "X-A" in program


def test_a_missing_credential_is_named_in_every_language(language: Language) -> None:
    """Readers see which credential a request lacks, in a comment."""
    request = SampleRequest(method="GET", url="https://a.example", missing_credential="No Digest credential.")

    lines = language.write(request).split("\n")

    assert [line.strip("\t #/") for line in lines if "Digest" in line] == ["No Digest credential."]


def test_sample_holds_no_secret(language: Language) -> None:
    """What a sample says of a credential is the name of an environment variable."""
    for request in CREDENTIALS.values():
        assert re.search("API_KEY|API_USERNAME", language.write(request))
        assert "s3cr3t" not in language.write(request)


@pytest.mark.parametrize(
    ("method", "path", "first_lines"),
    [
        ("POST", "", ["curl --request POST https://api.example.com/"]),
        ("GET", "a" * 60, ["curl \\", f"  https://api.example.com/{'a' * 60}"]),
        ("PUT", "a" * 60, ["curl --request PUT \\", f"  https://api.example.com/{'a' * 60} \\"]),
    ],
)
def test_long_address_has_a_line_of_its_own_in_curl(method: str, path: str, first_lines: list[str]) -> None:
    """Beside the method it would be cut where it is shown, and be moved out of sight."""
    body = TextBody(media_type="text/plain", text="x") if method == "PUT" else None
    request = SampleRequest(method=method, url=f"https://api.example.com/{path}", body=body)

    lines = LANGUAGES[0].write(request).split("\n")

    assert lines[: len(first_lines)] == first_lines


@pytest.mark.parametrize(("name", "password"), [("k3y", ""), ("k3y", "s3cr3t"), ("zoë", "ключ")])
def test_basic_credentials_are_a_name_and_a_password(
    executed_language: Language, server: Echo, folder: Path, name: str, password: str
) -> None:
    """A key without a password is sent as it is; letters of any script are in UTF-8 (RFC 7617 §2.1)."""
    server.received.clear()
    request = SampleRequest(method="GET", url=f"{server.address}/a", basic=Basic())
    secrets = {"API_USERNAME": name, "API_PASSWORD": password}

    ended = run(executed_language, [executed_language.write(request)], folder, secrets)

    assert ended.returncode == 0, ended.stderr
    encoded = base64.b64encode(f"{name}:{password}".encode()).decode()
    assert server.message("authorization").headers == {"authorization": f"Basic {encoded}"}


texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12) | st.sampled_from(
    [
        HARD,
        "*/",
        "<?php ?>",
        "%s%n",
        "${a}",
        "$a",
        "`a`",
        "TEXT",
        "a\nTEXT;\nb",
        '"""',
        "\\",
        "'\\''",
        "\r\n",
        "\ufeff",
    ]
)
names = texts.filter(bool)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(-1e15, 1e15) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts | st.just("0"), inner, max_size=3),
    max_leaves=6,
)
visible = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), max_size=12)
words = st.tuples(visible) | st.tuples(visible, st.just(SECRET), visible)
# curl has no way to say a name with an equals sign.
part_names = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters='\\"='), min_size=1
)
bodies = (
    st.none()
    | st.builds(JsonBody, media_type=st.just("application/json"), value=json_values)
    | st.builds(TextBody, media_type=st.just("text/plain"), text=names)
    | st.builds(FormBody, pairs=st.lists(st.tuples(names, texts), min_size=1, max_size=3).map(tuple))
    | st.builds(
        MultipartBody,
        parts=st.lists(
            st.builds(
                MultipartPart,
                name=part_names,
                value=texts,
                media_type=st.sampled_from(["", "application/json"]),
            ),
            min_size=1,
            max_size=3,
        ).map(tuple),
    )
)
requests = st.builds(
    SampleRequest,
    method=st.just("POST"),
    url=names.filter(lambda text: text not in {".", ".."}).map(lambda text: f"/{quote(text, safe='')}"),
    query=st.lists(st.tuples(names, st.tuples(texts)), max_size=2).map(tuple),
    headers=st.lists(
        st.tuples(st.sampled_from(["X-A", "X-B"]), words), max_size=2, unique_by=lambda tuple_: tuple_[0]
    ).map(tuple),
    body=bodies,
)


@pytest.mark.deep
@given(requests=st.lists(requests, min_size=20, max_size=20))
@settings(max_examples=4, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
def test_any_request_arrives_as_it_was_given(
    executed_language: Language, server: Echo, folder: Path, requests: list[SampleRequest]
) -> None:
    """Names and values of any characters; many requests at once, since compiling takes its time."""
    check(executed_language, requests, server, folder)


secret_words = st.tuples(texts, st.just(SECRET))
wild = st.builds(
    SampleRequest,
    method=st.sampled_from((*METHODS, "A;ID")),
    url=st.just("https://api.example.com/a"),
    query=st.lists(st.tuples(texts, secret_words), max_size=2).map(tuple),
    headers=st.lists(st.tuples(texts, secret_words | st.just(("",))), max_size=2).map(tuple),
    body=bodies | st.builds(TextBody, media_type=texts, text=texts),
)


@given(request=wild)
def test_python_sample_always_parses(request: SampleRequest) -> None:
    """No text of a contract breaks out of its Python literal."""
    tree = ast.parse(LANGUAGES[1].write(request))

    assert [type(node) for node in tree.body[-3:]] == [ast.Assign, ast.Expr, ast.Expr]


@pytest.mark.deep
@given(requests=st.lists(wild, min_size=20, max_size=20))
@settings(max_examples=4, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
def test_go_sample_is_formatted(tmp_path: Path, requests: list[SampleRequest]) -> None:
    """Every sample parses, and gofmt would change nothing."""
    required_runner(LANGUAGES[4])
    for number, request in enumerate([*REQUESTS.values(), *requests]):
        (tmp_path / f"{number}.go").write_text(f"{LANGUAGES[4].write(request)}\n", encoding="utf-8")

    ended = subprocess.run(["gofmt", "-l", "."], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert (ended.stdout, ended.stderr) == ("", "")


@given(request=wild)
@example(SampleRequest(method="A;ID", url="/a", headers=(("X'$(id>&2)'", ("",)),)))
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_curl_sample_is_always_one_command(request: SampleRequest) -> None:
    """No text of a contract breaks out of its word: the shell sees as many arguments as were written."""
    script = LANGUAGES[0].write(request).replace("curl", 'printf "%s\\0"', 1)

    ended = subprocess.run(
        ["bash", "-c", script], env=SECRETS, capture_output=True, timeout=PATIENCE_S, check=False
    )

    assert ended.stderr == b""
    method = {"GET": 0, "HEAD": 1}.get(request.method, 2)
    options = len(request.query) + len(request.headers) + _options(request.body)
    assert ended.stdout.count(b"\0") == 1 + method + 2 * options


def _options(body: Body | None) -> int:
    match body:
        case None:
            return 0
        case FormBody():
            return len(body.pairs)
        case MultipartBody():
            return len(body.parts)
    return 2
