"""Small values to test with."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
from devportal.conformance.results.report import conformance_report
from devportal.conformance.results.result import (
    CheckTally,
    ContractPart,
    CoveredPart,
    Failure,
    Latency,
    OperationResult,
    Result,
    RunWarning,
    Source,
    Standing,
    UntestedCheck,
)
from devportal.contract import Stability
from devportal.errors import Place
from devportal.reporting import Format
from devportal.reporting.report import render_report

LABEL = "POST /v1/parcels"


def exchange(
    status: int = 200, body: Any = None, *, sent: Any = None, kind: str = "application/json", **headers: str
) -> Exchange:
    """Return an exchange on `registerParcel`."""
    return Exchange(
        operation=LABEL,
        request=Request(
            method="POST",
            url="http://127.0.0.1:1/v1/parcels",
            headers=(("Content-Type", "application/json"),),
            body=json.dumps(sent).encode(),
        ),
        answer=HttpResponse(
            status=status,
            headers=(
                ("content-type", kind),
                *((name.replace("_", "-"), text) for name, text in headers.items()),
            ),
            body=json.dumps(body).encode(),
        ),
    )


def result(*failures: Failure, warnings: tuple[RunWarning, ...] = ()) -> Result:
    """Return the result of a run of one operation."""
    return Result(
        url="http://127.0.0.1:1",
        contract="parcels.yaml",
        contract_title="Parcels",
        contract_version="1.0",
        contract_digest="0" * 64,
        profile="quick",
        gate="stable",
        seed=1,
        schemathesis="4.32.5",
        started_at=datetime(2026, 11, 21, 9, 30, tzinfo=UTC),
        duration_s=1.5,
        operations=(
            OperationResult(
                id="registerParcel",
                label=LABEL,
                stability=Stability.STABLE,
                gates=True,
                place=Place(file="parcels.yaml", line=12, column=5),
                cases=7,
                statuses=((0, 1), (201, 6)),
                checks=(
                    CheckTally(check="unique-ids", source=Source.DEVPORTAL, passed=6, failed=1),
                    CheckTally(check="methods", source=Source.DEVPORTAL, passed=7, failed=0),
                ),
                latency=Latency(p50_ms=1.5, p95_ms=20.25, p99_ms=30.0, slowest_ms=31.0),
            ),
        ),
        failures=failures,
        warnings=warnings,
        gaps=(UntestedCheck(check="tenants", reason="a token of another tenant"),),
        coverage=(
            CoveredPart(part=ContractPart.STATUS, operation=LABEL, name="201", count=6),
            CoveredPart(part=ContractPart.STATUS, operation=LABEL, name="429", count=0),
        ),
    )


FAILURE = Failure(
    check="unique-ids",
    source=Source.DEVPORTAL,
    title="two resources have the same 'id'",
    message="two different requests both got 'pcl_1'",
    operation=LABEL,
    promise=Place(file="parcels.yaml", line=30, column=9),
    promise_text="id:\n  type: string",
    exchange=exchange(201, {"id": "pcl_1"}, sent={"weight_g": 1}),
    standing=Standing.CONFIRMED,
    gates=True,
)
FLUKE = replace(FAILURE, standing=Standing.NOT_REPRODUCED)
HOSTILE = replace(
    FAILURE,
    message="\x1b[31mred\x1b[0m [bold]not markup[/bold] \ud800 \x00",
    exchange=exchange(500, "\x1b]0;owned\x07", sent="it's `$HOME`"),
)


def write_result(value: Result, form: Format, checkout: Callable[[str], str] = str) -> str:
    """Return a result in a format."""
    return render_report(conformance_report(value, checkout), form)
