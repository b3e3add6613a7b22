"""What the signature playground claims of a delivery: what a preset is, and nothing without a proof."""

import base64
import hashlib
import hmac
import json
import random
import re
from datetime import UTC, datetime
from typing import Any

import pytest

from telecom.signature import Secret, sign

from .calling import ASSETS, Calls, calls_of, from_json, in_json

MODULES = ASSETS / "signature"
NOW = 1_795_348_800
LETTERS = 'abcXYZ019 _-.,:éßЖ漢😀"\\\n\t'


calls = calls_of("signature")


@pytest.fixture(scope="module")
def presets(calls: Calls) -> tuple[str, ...]:
    """Return the keys of the presets, as the page lists them."""
    (answer,) = calls(["presets", "PRESETS"])
    return tuple(key for group in answer["value"].values() for key, _ in group)


@pytest.fixture(scope="module")
def cases(calls: Calls) -> dict[str, dict[str, Any]]:
    """Return what is said of each preset: its faults, or the kind of its refusal."""
    (answer,) = calls(["cases", "CASES"])
    found: dict[str, dict[str, Any]] = answer["value"]
    return found


def random_value(source: random.Random, depth: int) -> Any:
    kind = source.randrange(7 if depth else 5)
    text = "".join(source.choices(LETTERS, k=source.randint(0, 8)))
    simple = (text, source.randint(-(10**6), 10**6), None, True, f"{text}/é")
    if kind < len(simple):
        return simple[kind]
    if kind == len(simple):
        return [random_value(source, depth - 1) for _ in range(source.randint(0, 3))]
    return {f"k{source.randint(0, 99)}": random_value(source, depth - 1) for _ in range(source.randint(0, 4))}


def random_event(source: random.Random) -> bytes:
    """Return the body of an event in which every preset can change something."""
    names = source.sample(("id", "data", "type", "timestamp", "note"), k=source.randint(2, 5))
    event = {name: random_value(source, 2) for name in names}
    event[names[0]] = f"é/{source.randint(0, 999)}"
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()


def random_secrets(source: random.Random) -> dict[str, str]:
    return {name: Secret(source.randbytes(source.randint(24, 64))).reveal() for name in ("secret", "other")}


def test_every_preset_is_made(presets: tuple[str, ...], cases: dict[str, dict[str, Any]]) -> None:
    """What the page lists is what the cases are, and each comes once."""
    assert sorted(presets) == sorted(cases)


def test_presets_are_explained_as_what_they_are(
    calls: Calls, presets: tuple[str, ...], cases: dict[str, dict[str, Any]]
) -> None:
    """That of the page and random ones: other bodies, secrets, times. Nothing else is claimed of them."""
    source = random.Random(5869)  # noqa: S311 - the same deliveries in each run
    (shown,) = calls(["presets", "genuine", NOW])
    bases = [shown["value"]]
    for _ in range(12):
        at = source.randint(10**9, 2 * 10**9)
        bases.append(
            {
                **random_secrets(source),
                "id": f"evt_{source.randint(0, 10**9)}",
                "timestamp": str(at),
                "now": at,
                "body": in_json(random_event(source)),
            }
        )
    asked = [(key, base) for key in presets for base in bases]

    made = [call["value"] for call in calls(*(["cases", "prepared", *pair] for pair in asked))]
    verdicts = verify_all(calls, made)
    explained = diagnose_all(calls, made)

    wrong = []
    for (key, _), delivery, verdict, found in zip(asked, made, verdicts, explained, strict=True):
        case = cases[key]
        if "kind" in case:
            is_right = verdict.get("kind") == case["kind"]
        elif "faults" in case:
            is_right = "kind" in verdict and [item["faults"] for item in found] == (
                [case["faults"]] if case["faults"] else []
            )
        else:
            is_right = "kind" not in verdict and bool(verdict["fits"])
        if not is_right:
            wrong.append((key, delivery, verdict, found))
    assert wrong == []


def verify_all(calls: Calls, deliveries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    keys = calls(*(["signing", "parseSecret", delivery["secret"]] for delivery in deliveries))
    asked = zip(deliveries, keys, strict=True)
    found = calls(*(["signing", "verify", item, [key["value"]], item["now"]] for item, key in asked))
    return [item["value"] for item in found]


def diagnose_all(calls: Calls, deliveries: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return what is claimed of each delivery, other than that it is genuine."""
    asked = [
        {
            "delivery": delivery,
            "secrets": [delivery["secret"]],
            "others": [delivery["others"]] if delivery["others"] else [],
        }
        for delivery in deliveries
    ]
    found = calls(*(["diagnosis", "diagnose", item] for item in asked))
    return [[claim for claim in item["value"]["found"] if claim["faults"]] for item in found]


WRITERS: dict[str, Any] = {
    "json.dumps": lambda event: json.dumps(event).encode(),
    "indented": lambda event: json.dumps(event, indent=4, ensure_ascii=False).encode(),
    "sorted": lambda event: json.dumps(
        event, sort_keys=True, separators=(",", ":"), ensure_ascii=False
    ).encode(),
    "sorted, escaped": lambda event: json.dumps(event, sort_keys=True).encode(),
    "as PHP": lambda event: json.dumps(event, separators=(",", ":")).replace("/", "\\/").encode(),
    "with a line break": lambda event: json.dumps(event, indent=2).encode() + b"\n",
}


@pytest.mark.parametrize("writer", WRITERS)
def test_what_python_writes_is_recognised(writer: str, calls: Calls) -> None:
    """Code that signs what it has parsed and written again, over a body as the service sends it."""
    source = random.Random(writer)  # noqa: S311 - the same bodies in each run
    key = Secret(source.randbytes(32))
    deliveries: list[dict[str, Any]] = []
    signed = []
    for _ in range(20):
        body = random_event(source)
        written = WRITERS[writer](json.loads(body))
        headers = sign(written, event_id="evt_1", at=datetime.fromtimestamp(NOW, UTC), secrets=[key])
        signed.append(written)
        deliveries.append(
            {
                "id": "evt_1",
                "timestamp": str(NOW),
                "signature": headers["webhook-signature"],
                "body": in_json(body),
                "secret": key.reveal(),
                "others": "",
            }
        )

    for found, delivery, written in zip(diagnose_all(calls, deliveries), deliveries, signed, strict=True):
        if from_json(delivery["body"]) == written:
            assert found == []
            continue
        assert [from_json(item["body"]) for item in found] == [written]


def test_two_mistakes_at_once_are_found_and_hold_in_python(calls: Calls) -> None:
    """A body written again, under the secret's text: what is claimed signs to what came, computed here."""
    body, written = b'{"b":1,"a":"\xc3\xa9"}', b'{"b": 1, "a": "\\u00e9"}'
    secret = Secret(bytes(range(32))).reveal()
    content = b"evt_1.%d." % NOW + written
    digest = hmac.new(secret.encode(), content, hashlib.sha256).hexdigest()
    delivery = {"id": "evt_1", "timestamp": str(NOW), "signature": digest, "body": in_json(body)}

    (found,) = diagnose_all(calls, [{**delivery, "secret": secret, "others": ""}])

    assert [sorted(item["faults"]) for item in found] == [
        sorted(("spacing", "escapes", "secret as text", "version", "hex"))
    ]
    assert from_json(found[0]["body"]) == written


def test_nothing_is_claimed_without_proof(calls: Calls) -> None:
    """Random signatures over bodies in which everything could be wrong."""
    source = random.Random(3986)  # noqa: S311 - the same signatures in each run
    deliveries = [
        {
            **random_secrets(source),
            "id": "evt_1",
            "timestamp": str(NOW),
            "signature": f"v1,{base64.b64encode(source.randbytes(32)).decode()}",
            "body": in_json(random_event(source)),
            "others": "",
        }
        for _ in range(10)
    ]

    assert diagnose_all(calls, deliveries) == [[]] * 10


@pytest.mark.parametrize("body", ["[1.50]", '{"b":1,"a":[]}', '"é/"', "{}", '[{"b":2e3,"a":"/"},[]]\n'])
def test_bodies_are_each_writing_once(body: str, calls: Calls) -> None:
    """The one that came first; where a writing was there before, there is a pause in its place."""
    tree, spacings, made = calls(
        ["json", "parse", body],
        ["json", "SPACINGS"],
        ["variants", "bodies", in_json(body.encode())],
    )
    ways = [
        {"spacing": spacing, "sorted": is_sorted, "numbers": has_numbers}
        for spacing in spacings["value"]
        for is_sorted in (False, True)
        for has_numbers in (False, True)
    ]
    written = calls(*(["json", "write", tree["value"], way] for way in ways))

    found = [from_json(item["body"]).decode("utf-8", "replace") for item in made["value"] if item]
    assert found[0] == body
    assert len(found) == len(set(found)) < len(made["value"])
    assert {item["value"] for item in written} <= set(found)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "[]",
        "{}",
        "[1,[],{}]",
        '"text"',
        "null",
        "1e5",
        '{"a":1,"a":2}',
        "[1.50,-0.0,1E400,12345678901234567890]",
    ],
)
def test_json_of_every_kind_survives_being_written(body: str, calls: Calls) -> None:
    """Only the spaces change; the spelling of numbers stays, and no name is lost that comes twice."""
    (answer,) = calls(["json", "parse", body])
    if "value" not in answer:
        assert body in ("", "{")
        return
    (written,) = calls(["json", "write", answer["value"]])

    assert written["value"] == body


def test_every_fault_has_its_words(calls: Calls, cases: dict[str, dict[str, Any]]) -> None:
    """What the search can name is what can be told, and the other way round."""
    source = "".join((MODULES / f"{name}.js").read_text(encoding="utf-8") for name in ("variants", "json"))
    (answer,) = calls(["words", "FAULTS"])
    known = answer["value"]

    assert {fault for fault in known if not re.search(rf"\b{fault}\b", source)} == set()
    assert {fault for case in cases.values() for fault in case.get("faults", ())} <= set(known)


def test_line_breaks_at_the_end_are_cut_in_one_go(calls: Calls) -> None:
    """As an expression would cut them, and of many breaks without looking at each again and again."""
    source = random.Random(40)  # noqa: S311 - the same texts in each run
    texts = [
        "",
        "\n",
        "\r\n",
        *("".join(source.choices("a\r\n", k=source.randint(0, 9))) for _ in range(300)),
    ]
    long = "\n" * 1_000_000

    found = calls(*(["variants", "withoutLastBreaks", text] for text in [*texts, f"{long}x", f"x{long}"]))

    expected = [re.sub(r"(?:\r?\n)+\Z", "", text) for text in texts]
    assert [item["value"] for item in found] == [*expected, f"{long}x", "x"]
