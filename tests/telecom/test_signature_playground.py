"""The signature playground signs and verifies as Python does, and claims no cause without a proof."""

import base64
import gzip
import random
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from devportal.errors import InvalidSettings
from telecom.signature import Secret, SignatureRefusal, SignatureRefused, sign, verify

from .calling import ASSETS, Calls, calls_of, from_json, in_json
from .signature_vectors import VECTORS, body_of

MODULES = ASSETS / "signature"
FUZZED = 400
NOW = 1_795_348_800
AT_START = {"playground", "bytes", "presets", "signing", "view"}
"""The modules that are loaded with the page."""


calls = calls_of("signature")


def refusal_in(answer: dict[str, Any]) -> str | None:
    refusal: str | None = answer["value"].get("refusal")
    return refusal


def with_body(delivery: dict[str, Any], body: bytes) -> dict[str, Any]:
    return {**delivery, "body": in_json(body)}


def test_vectors_are_judged_as_they_say(calls: Calls) -> None:
    """The same file as Python is held to."""
    keys = calls(*(["signing", "parseSecret", vector["secret"]] for vector in VECTORS))
    found = calls(
        *(
            ["signing", "verify", with_body(vector, body_of(vector)), [key["value"]], vector["now"]]
            for vector, key in zip(VECTORS, keys, strict=True)
        )
    )

    assert [refusal_in(answer) for answer in found] == [vector["refusal"] for vector in VECTORS]


def random_delivery(source: random.Random) -> dict[str, Any]:
    """Return a random body with the keys and headers that it is signed with."""
    return {
        "body": source.randbytes(source.choice((0, 1, 30, 300))),
        "id": "".join(source.choices("evt_09azé", k=source.randint(1, 20))),
        "timestamp": source.randint(0, 10**11),
        "keys": [source.randbytes(source.randint(24, 64)) for _ in range(source.randint(1, 3))],
    }


def test_random_deliveries_are_signed_as_python_signs_them(calls: Calls) -> None:
    """Any bytes, secrets of each length, one or several of them, any time."""
    source = random.Random(8785)  # noqa: S311 - the same deliveries in each run
    deliveries = [random_delivery(source) for _ in range(FUZZED)]
    found = calls(
        *(
            [
                "signing", "sign",
                {"id": delivery["id"], "timestamp": str(delivery["timestamp"]), "body": in_json(delivery["body"])},
                [in_json(key) for key in delivery["keys"]],
            ]
            for delivery in deliveries
        )
    )  # fmt: skip

    assert [answer["value"] for answer in found] == [
        sign(
            delivery["body"],
            event_id=delivery["id"],
            at=datetime.fromtimestamp(delivery["timestamp"], UTC),
            secrets=[Secret(key) for key in delivery["keys"]],
        )["webhook-signature"]
        for delivery in deliveries
    ]


def test_random_headers_are_judged_as_python_judges_them(calls: Calls) -> None:
    """Genuine ones with something cut out, doubled or exchanged, and any time: the same refusal of both."""
    source = random.Random(2104)  # noqa: S311 - the same headers in each run
    key = Secret(bytes(range(32)))
    asked, wanted = [], []
    for _ in range(FUZZED):
        at = NOW + source.choice((0, 0, 0, -300, 300, -301, 301, -9999))
        headers = sign(b"{}", event_id="evt_1", at=datetime.fromtimestamp(at, UTC), secrets=[key])
        name = source.choice(list(headers))
        headers[name] = mutate(source, headers[name])
        asked.append({kind: headers[f"webhook-{kind}"] for kind in ("id", "timestamp", "signature")})
        wanted.append(python_refusal(b"{}", headers, key))
    found = calls(*(["signing", "verify", with_body(item, b"{}"), [in_json(key.key)], NOW] for item in asked))

    assert [refusal_in(answer) for answer in found] == wanted
    assert set(wanted) == {None, *SignatureRefusal}


def mutate(source: random.Random, text: str) -> str:
    start, end = sorted(source.choices(range(len(text) + 1), k=2))
    piece = text[start:end]
    return source.choice(
        (text, "", text[:start] + text[end:], text + piece, f" {text} ", f"{text} {text}", text.upper(),
         text.replace("v1", "v2"), f"v1,x {text}", text.replace(",", "."), f"é{text}", f"{text}.1")
    )  # fmt: skip


def python_refusal(body: bytes, headers: dict[str, str], key: Secret) -> SignatureRefusal | None:
    try:
        verify(body, headers, secrets=[key], now=datetime.fromtimestamp(NOW, UTC))
    except SignatureRefused as error:
        return error.refusal
    return None


def test_secrets_are_read_as_python_reads_them(calls: Calls) -> None:
    """The same bytes, and the same refusals in the same words, none of which quotes the secret."""
    source = random.Random(4648)  # noqa: S311 - the same secrets in each run
    texts = [
        "",
        "whsec_",
        "whsec_c2hvcnQ=",
        "whsec_not base64 at all!!",
        "whsec_" + "A" * 33,
        "=",
        "A" * 31 + "==",
    ]
    for _ in range(FUZZED):
        text = Secret(source.randbytes(source.randint(20, 68))).key
        written = source.choice(("", "whsec_")) + base64.b64encode(text).decode()
        texts.append(
            source.choice((written, written.rstrip("="), f" {written}\n", written[:-1], "-" + written))
        )

    found = calls(*(["signing", "parseSecret", text] for text in texts))

    assert [from_json(item["value"]) if "value" in item else item["error"] for item in found] == [
        python_key(text) for text in texts
    ]


def python_key(text: str) -> bytes | str:
    try:
        return Secret.parse(text).key
    except InvalidSettings as error:
        return f"RangeError: {str(error).splitlines()[0]}"


def size(names: Iterable[str]) -> int:
    """Return how large modules are together, compressed."""
    paths = (*(MODULES / f"{name}.js" for name in sorted(names)), ASSETS / "elements.js")
    return len(gzip.compress(b"".join(path.read_bytes() for path in paths), 9))


def test_scripts_are_small() -> None:
    """What is loaded with the page, what comes only when a signature does not fit, and the style sheets."""
    everything = {path.stem for path in MODULES.glob("*.js")}
    sheets = (ASSETS / "tool.css", MODULES / "playground.css")
    style = gzip.compress(b"".join(path.read_bytes() for path in sheets), 9)

    assert size(AT_START) < 8_000
    assert size(everything - AT_START) < 10_000
    assert len(style) < 3_000
