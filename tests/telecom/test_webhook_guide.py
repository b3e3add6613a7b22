"""The verification code of the guide, in each language, judges deliveries as the standard does."""

import base64
import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.waiting import PATIENCE_S
from tests.walks.guide import Save, read_guide

from telecom.sandbox.delivery.attempt import STANDARD_SCHEDULE, TIMEOUT_S
from telecom.sandbox.delivery.delivery_queue import MAX_PER_ENDPOINT
from telecom.sandbox.delivery.endpoint_store import MAX_ENDPOINTS, ROTATION_OVERLAP
from telecom.signature import Secret, sign

GUIDE = (Path(__file__).parents[2] / "docs" / "guides" / "webhooks.md").read_text(encoding="utf-8")
FILES = {step.name: step.text for step in read_guide(GUIDE) if isinstance(step, Save)}
UPSTREAM = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_kB3cY7dW1eXv5fUz9gTa0hSb4iRc8jQd"

DRIVERS = {
    "python3": (
        "driver.py",
        """
import base64, json
from signature import is_genuine
cases = json.load(open("cases.json"))
print(json.dumps([
    is_genuine(c["secret"], c["headers"], base64.b64decode(c["body"]), c["now"]) for c in cases
]))
""",
    ),
    "node": (
        "driver.mjs",
        """
import { readFileSync } from "node:fs";
import { isGenuine } from "./signature.mjs";
const cases = JSON.parse(readFileSync("cases.json", "utf8"));
console.log(JSON.stringify(cases.map(
  (c) => isGenuine(c.secret, c.headers, Buffer.from(c.body, "base64"), c.now))));
""",
    ),
    "php": (
        "driver.php",
        """<?php
require __DIR__ . '/signature.php';
$cases = json_decode(file_get_contents('cases.json'), true);
echo json_encode(array_map(
    fn ($c) => is_genuine($c['secret'], $c['headers'], base64_decode($c['body']), $c['now']), $cases));
""",
    ),
    "go": (
        "driver.go",
        """package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"
)

type delivery struct {
	Secret  string
	Headers map[string]string
	Body    []byte
	Now     int64
}

func main() {
	text, _ := os.ReadFile("cases.json")
	var cases []delivery
	if err := json.Unmarshal(text, &cases); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, c := range cases {
		headers := http.Header{}
		for name, value := range c.Headers {
			headers.Set(name, value)
		}
		verdicts = append(verdicts, isGenuine(c.Secret, headers, c.Body, time.Unix(c.Now, 0)))
	}
	answer, _ := json.Marshal(verdicts)
	fmt.Println(string(answer))
}
""",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A delivery, and whether it is genuine."""

    name: str
    headers: dict[str, str]
    body: bytes
    now: datetime
    genuine: bool
    secret: str = UPSTREAM

    def driver_input(self) -> dict[str, Any]:
        """Return it as the drivers read it."""
        return {
            "secret": self.secret,
            "headers": self.headers,
            "body": base64.b64encode(self.body).decode(),
            "now": int(self.now.timestamp()),
        }


BODY = b'{"test": 2432232314}'
AT = datetime.fromtimestamp(1614265330, UTC)
VECTOR = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}
CONTACT = (
    b'{"type":"contact.created","timestamp":"2022-11-03T20:26:10.344522Z",'
    b'"data":{"id":"1f81eb52-5198-4599-803e-771906343485"}}'
)


def vector_with(**headers: str) -> dict[str, str]:
    """Return the headers of the vector with others in their place; an empty one is left out."""
    both = {**VECTOR, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return {name: value for name, value in both.items() if value}


def cases() -> list[Case]:
    """Return deliveries that are genuine, and some that differ from them in one thing."""
    signature = VECTOR["webhook-signature"]
    rotated = sign(BODY, event_id="evt_1", at=AT, secrets=(Secret.parse(OTHER), Secret.parse(UPSTREAM)))
    umlaut = '{"name":"Zoë ☕"}'.encode()
    in_utf8 = sign(umlaut, event_id="evt_2", at=AT, secrets=(Secret.parse(UPSTREAM),))
    good = [
        ("upstream vector", VECTOR, BODY),
        ("first of several", vector_with(webhook_signature=f"{signature} v1,AAAA"), BODY),
        ("last of several", vector_with(webhook_signature=f"v1a,AAAA v2,x nonsense {signature}"), BODY),
        ("during a rotation", rotated, BODY),
        ("a body in UTF-8", in_utf8, umlaut),
    ]
    bad = [
        ("another body", VECTOR, BODY + b" "),
        ("another identifier", vector_with(webhook_id="msg_other"), BODY),
        ("another time", vector_with(webhook_timestamp="1614265331"), BODY),
        ("no identifier", vector_with(webhook_id=""), BODY),
        ("no time", vector_with(webhook_timestamp=""), BODY),
        ("no signature", vector_with(webhook_signature=""), BODY),
        ("a time in words", vector_with(webhook_timestamp="yesterday"), BODY),
        ("a signature of another version", vector_with(webhook_signature="v2," + signature[3:]), BODY),
        ("a signature without its version", vector_with(webhook_signature=signature[3:]), BODY),
        ("half a signature", vector_with(webhook_signature=signature[:20]), BODY),
        ("an empty signature", vector_with(webhook_signature="v1,"), BODY),
        ("a signature that is no ASCII", vector_with(webhook_signature="v1,é"), BODY),
    ]
    made = [Case(name=name, headers=headers, body=body, now=AT, genuine=True) for name, headers, body in good]
    made += [Case(name=n, headers=headers, body=body, now=AT, genuine=False) for n, headers, body in bad]
    made += [
        Case(
            name=f"{minutes} minutes later",
            headers=VECTOR,
            body=BODY,
            now=AT + timedelta(minutes=minutes),
            genuine=abs(minutes) <= 5,
        )
        for minutes in (-6, -4, 5, 6)
    ]
    other_key = Case(name="another secret", headers=VECTOR, body=BODY, now=AT, genuine=False, secret=OTHER)
    return [*made, other_key]


def verdicts(interpreter: str, given: list[Case], folder: Path) -> list[bool]:
    """Have the guide's code judge deliveries."""
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    driver, text = DRIVERS[interpreter]
    (folder / driver).write_text(text, encoding="utf-8")
    (folder / "cases.json").write_text(json.dumps([case.driver_input() for case in given]), encoding="utf-8")
    files = [driver, "signature.go"] if interpreter == "go" else [driver]
    command = [interpreter, *(["run"] if interpreter == "go" else []), *files]
    ended = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert ended.returncode == 0, ended.stderr
    found: list[bool] = json.loads(ended.stdout)
    return found


@pytest.fixture(
    params=[pytest.param(name, marks=[pytest.mark.deep] if name == "go" else []) for name in DRIVERS]
)
def interpreter(request: pytest.FixtureRequest) -> str:
    """Return a language's interpreter; skip where it is missing, fail where a verdict is wanted."""
    name: str = request.param
    if shutil.which(name) is None:
        if os.environ.get("CI"):
            pytest.fail(f"not installed: {name}")
        pytest.skip(f"not installed: {name}")
    return name


def test_known_deliveries_are_judged_rightly(interpreter: str, tmp_path: Path) -> None:
    """Each language accepts what is genuine and refuses what differs in one thing."""
    given = cases()

    found = dict(zip((case.name for case in given), verdicts(interpreter, given, tmp_path), strict=True))

    assert found == {case.name: case.genuine for case in given}


def test_second_vector_of_the_standard_is_accepted(interpreter: str, tmp_path: Path) -> None:
    """The example event of the specification, with the signature that is given for it."""
    headers = {
        "webhook-id": "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W",
        "webhook-timestamp": "1674087231",
        "webhook-signature": "v1,ARw42xaAApl/nxRo+iPGYwSaMQaOwMo2eyH5JBRA+bQ=",
    }
    at = datetime.fromtimestamp(1674087231, UTC)
    signed = sign(CONTACT, event_id=headers["webhook-id"], at=at, secrets=(Secret.parse(UPSTREAM),))
    case = Case(name="contact", headers=headers, body=CONTACT, now=at, genuine=True)

    assert signed == headers
    assert verdicts(interpreter, [case], tmp_path) == [True]


def test_table_of_attempts_is_the_schedule() -> None:
    """The guide shows the pauses that are made, and their sum."""
    cells = [line.strip("| ").split(" | ") for line in GUIDE.split("\n") if line.startswith("| ")]
    rows = [row for row in cells if row[0].isdigit()]
    total = timedelta()
    expected = [["1", "none", "0"]]
    for number, pause in enumerate(STANDARD_SCHEDULE.pauses, start=2):
        total += pause
        expected.append([str(number), in_words(pause), in_words(total)])

    assert rows == expected
    assert f"up to {STANDARD_SCHEDULE.jitter:.0%}" in GUIDE


@pytest.mark.parametrize(
    ("sentence", "number"),
    [
        ("Respond within {} seconds", TIMEOUT_S),
        ("An account can have up to {} endpoints", MAX_ENDPOINTS),
        (
            "For {} hours, until `previous_secret_expires_at`, each event carries two signatures",
            ROTATION_OVERLAP / timedelta(hours=1),
        ),
        (
            "The service sends an event up to {} times in about three days",
            {10: "ten"}[len(STANDARD_SCHEDULE.pauses) + 1],
        ),
        ("sends at most {} events to an endpoint at the same time", MAX_PER_ENDPOINT),
    ],
)
def test_numbers_of_the_guide_are_those_of_the_code(sentence: str, number: float | str) -> None:
    """What the guide promises is what the sandbox does."""
    assert sentence.format(number if isinstance(number, str) else f"{number:.0f}") in GUIDE


def in_words(span: timedelta) -> str:
    """Return a span of time as the guide writes it."""
    minutes, seconds = divmod(int(span.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    parts = ((hours, "h"), (minutes, "min"), (seconds, "s"))
    return " ".join(f"{count} {unit}" for count, unit in parts if count)
