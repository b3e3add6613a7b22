"""Samples are run: each language sends exactly the request that it was given."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from devportal.reference.samples import LANGUAGES, Language
from devportal.reference.samples.request import (
    Body,
    FileBody,
    FormBody,
    JsonBody,
    MultipartBody,
    Part,
    SampleRequest,
    Secret,
    TextBody,
)

from .echo import FILE_CONTENT, Echo, echo, expected

HARD = 'it\'s "a" $HOME `id` $(id) \\n \\ {x} ${y} %s 100% a+b&c=d;e #f é 日本 😀 </script>\n\ttwo'
SECRETS = {"API_KEY": "ada:s3cr3t-k=y", "OTHER": "second"}
SECRET = Secret()
MULTIPART = MultipartBody(
    parts=(
        Part(name="plain", value=HARD),
        Part(name="at", value="@not-a-file"),
        Part(name="less", value="<not-a-file"),
        Part(name="semi", value="a;type=b"),
        Part(name="tags", value="one"),
        Part(name="tags", value="two"),
        Part(name="meta", value='{"a": "q\\"é"}', media_type="application/json"),
        Part(name="file", value="file.bin", is_file=True),
        Part(name="photo", value="file.bin", is_file=True, media_type="image/png"),
    )
)
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
    "multipart": MULTIPART,
    "text": TextBody(media_type="text/plain", text="@" + HARD),
    "xml": TextBody(media_type="application/xml", text="<a b='c'>é</a>"),
    "file": FileBody(media_type="application/pdf", name="file.bin"),
}
EXTENSIONS = {"curl": "sh", "python": "py", "node": "mjs"}


@pytest.fixture(scope="module")
def server() -> Iterator[Echo]:
    with echo() as made:
        yield made


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the file that samples send."""
    made = tmp_path_factory.mktemp("samples")
    (made / "file.bin").write_bytes(FILE_CONTENT)
    return made


@pytest.fixture(params=LANGUAGES, ids=lambda language: language.name)
def language(request: pytest.FixtureRequest) -> Language:
    made: Language = request.param
    command = interpreter(made.name)
    if shutil.which(command[0]) is None:
        if os.environ.get("CI"):
            pytest.fail(f"{command[0]} is not installed")
        pytest.skip(f"{command[0]} is not installed")
    return made


def interpreter(name: str) -> tuple[str, ...]:
    """Return the command that runs a program in a language."""
    return {"curl": ("sh",), "python": (sys.executable,), "node": ("node",)}[name]


def run(language: Language, request: SampleRequest, folder: Path) -> None:
    """Write the sample of a request and run it in `folder`."""
    program = folder / f"sample.{EXTENSIONS[language.name]}"
    program.write_text(language.write(request), encoding="utf-8")
    environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "no_proxy": "*", **SECRETS}
    ended = subprocess.run(
        [*interpreter(language.name), program],
        cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, f"{program.read_text()}\n{ended.stderr}"


def check(language: Language, request: SampleRequest, server: Echo, folder: Path) -> None:
    """Assert that the sample of a request sends that request and nothing else."""
    run(language, request, folder)

    sent = expected(request, SECRETS)
    assert server.message(*sent.headers) == sent


@pytest.mark.parametrize("body", BODIES.values(), ids=list(BODIES))
def test_body_is_sent_as_it_is(language: Language, body: Body, server: Echo, folder: Path) -> None:
    """JSON, forms, multipart, text and files, with texts that every shell likes to change."""
    check(language, SampleRequest(method="POST", url=f"{server.address}/a", body=body), server, folder)


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "QUERY"])
def test_method_without_body(language: Language, method: str, server: Echo, folder: Path) -> None:
    """Every method, also one that the libraries have no function for."""
    check(language, SampleRequest(method=method, url=f"{server.address}/a"), server, folder)


def test_address_and_headers(language: Language, server: Echo, folder: Path) -> None:
    """Query names and values are encoded once; brackets, braces and empty headers survive curl."""
    request = SampleRequest(
        method="GET",
        url=f"{server.address}/a%2Fb/%7Bid%7D/%E6%97%A5%20x",
        query=(("q", (HARD,)), ("a[b]", ("1,2",)), ("a[b]", ("",)), ("日本 &=", ("{1}[2-3]",))),
        headers=(("X-Text", ('it\'s "a" $HOME `id` \\ ${y}',)), ("X-Empty", ("",))),
    )

    check(language, request, server, folder)


CREDENTIALS = {
    "bearer": SampleRequest(method="GET", url="", headers=(("Authorization", ("Bearer ", SECRET)),)),
    "header": SampleRequest(method="GET", url="", headers=(("X-API-Key", (SECRET,)),)),
    "basic": SampleRequest(method="GET", url="", basic=SECRET),
    "cookie": SampleRequest(
        method="GET", url="", headers=(("Cookie", ('a="`$(id)${x}\\', SECRET, "; b=c")),)
    ),
    "query": SampleRequest(method="GET", url="", query=(("q", ("$a",)), ("key", (SECRET,)), ("z", ("1",)))),
    "query alone": SampleRequest(method="GET", url="", query=(("key", (SECRET,)),)),
    "two": SampleRequest(
        method="GET",
        url="",
        headers=(("X-App", (Secret(variable="OTHER"),)), ("X-Key", ("k=", SECRET, "tail"))),
    ),
}


@pytest.mark.parametrize("request_", CREDENTIALS.values(), ids=list(CREDENTIALS))
def test_credential_comes_from_the_environment(
    language: Language, request_: SampleRequest, server: Echo, folder: Path
) -> None:
    """Bearer, API key in header, query and cookie, basic, and several at once."""
    request = SampleRequest(
        method=request_.method,
        url=f"{server.address}/a",
        query=request_.query,
        headers=request_.headers,
        basic=request_.basic,
    )

    check(language, request, server, folder)


def test_sample_holds_no_secret(language: Language) -> None:
    """What a sample says of a credential is the name of an environment variable."""
    for request in CREDENTIALS.values():
        assert "API_KEY" in language.write(request)
        assert "s3cr3t" not in language.write(request)


texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
pairs = st.tuples(texts.filter(bool), texts)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
requests = st.builds(
    SampleRequest,
    method=st.just("POST"),
    url=st.just("https://api.example.com/a"),
    query=st.lists(st.tuples(texts, st.tuples(texts, st.just(SECRET))), max_size=2).map(tuple),
    headers=st.lists(st.tuples(texts, st.tuples(texts, st.just(SECRET))), max_size=2).map(tuple),
    body=st.none()
    | st.builds(JsonBody, media_type=texts, value=json_values)
    | st.builds(TextBody, media_type=texts, text=texts)
    | st.builds(FormBody, pairs=st.lists(pairs, min_size=1, max_size=2).map(tuple)),
)


@given(request=requests)
def test_python_sample_always_parses(request: SampleRequest) -> None:
    """No text of a contract breaks out of its Python literal."""
    tree = ast.parse(LANGUAGES[1].write(request))

    assert [type(node) for node in tree.body[-3:]] == [ast.Assign, ast.Expr, ast.Expr]


@given(request=requests)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_curl_sample_is_always_one_command(request: SampleRequest) -> None:
    """No text of a contract breaks out of its word: the shell sees as many arguments as were written."""
    script = LANGUAGES[0].write(request).replace("curl", 'printf "%s\\0"', 1)

    ended = subprocess.run(["bash", "-c", script], env=SECRETS, capture_output=True, timeout=10, check=False)

    assert ended.stderr == b""
    options = 0 if request.body is None else len(getattr(request.body, "pairs", "12"))
    assert ended.stdout.count(b"\0") == 3 + 2 * (options + len(request.headers))
