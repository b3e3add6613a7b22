"""A result as JSON. Its shape is published: `schemas/result.schema.json`, which the tests hold it to.

`json_reading` reads it back.
"""

import json
from dataclasses import asdict
from importlib import resources
from typing import Any

from devportal.conformance.deployment.exchange import Exchange, body_to_base64, exchange_to_json
from devportal.conformance.results.curl import curl_command
from devportal.conformance.results.result import FORMAT, Failure, KnownFailure, OperationResult, Result
from devportal.conformance.results.wording import check_page
from devportal.errors import Place


def to_json(result: Result) -> str:
    """Return the result as JSON text with a final newline."""
    return json.dumps(_result_json(result), indent=2) + "\n"


def result_schema() -> dict[str, Any]:
    """Return the JSON Schema of the report."""
    file = resources.files("devportal.conformance") / "schemas" / "result.schema.json"
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema


def _result_json(result: Result) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "clean": result.is_clean,
        "url": result.url,
        "contract": {
            "file": result.contract,
            "title": result.contract_title,
            "version": result.contract_version,
            "sha256": result.contract_digest,
        },
        "run": {
            "profile": result.profile,
            "stability": result.gate,
            "seed": result.seed,
            "schemathesis": result.schemathesis,
            "started_at": result.started_at.isoformat(),
            "duration_s": result.duration_s,
            "cases": result.cases,
            "shard": asdict(result.shard),
        },
        "site": result.site,
        "hints": list(result.hints),
        "operations": [_operation_json(one) for one in result.operations],
        "failures": [_failure_json(one, result.site) for one in result.failures],
        "warnings": [
            {"kind": one.kind, "subjects": list(one.subjects), "message": one.message, "gates": one.gates}
            for one in result.warnings
        ],
        "gaps": [asdict(one) for one in result.gaps],
        "coverage": [{**asdict(one), "part": one.part.value} for one in result.coverage],
        "baseline": [asdict(one) for one in result.doubts],
    }


def _operation_json(operation: OperationResult) -> dict[str, Any]:
    return {
        "id": operation.id,
        "label": operation.label,
        "stability": operation.stability.value,
        "gates": operation.gates,
        "place": asdict(operation.place),
        "cases": operation.cases,
        "statuses": [{"status": status, "count": count} for status, count in operation.statuses],
        "checks": [
            {"check": one.check, "source": one.source.value, "passed": one.passed, "failed": one.failed}
            for one in operation.checks
        ],
        "latency": asdict(operation.latency) if operation.latency is not None else None,
    }


def _failure_json(failure: Failure, site: str) -> dict[str, Any]:
    return {
        "fingerprint": failure.fingerprint,
        "check": failure.check,
        "code": failure.code,
        "page": check_page(site, failure.check),
        "source": failure.source.value,
        "operation": failure.operation,
        "title": failure.title,
        "message": failure.message,
        "where": failure.where,
        "promise": _place_json(failure.promise),
        "promise_text": failure.promise_text,
        "count": failure.count,
        "seen_in": list(failure.seen_in),
        "standing": failure.standing.value,
        "gates": failure.gates,
        "fails": failure.fails,
        "known": _known_json(failure.known),
        "chain": [_exchange_json(one) for one in failure.chain],
        "exchange": _exchange_json(failure.exchange) if failure.exchange is not None else None,
        "reproduce": [curl_command(one.request) for one in failure.evidence],
    }


def _place_json(place: Place | None) -> dict[str, Any] | None:
    return asdict(place) if place is not None else None


def _known_json(known: KnownFailure | None) -> dict[str, Any] | None:
    return {**asdict(known), "expires": known.expires.isoformat()} if known is not None else None


def _exchange_json(exchange: Exchange) -> dict[str, Any]:
    return {**exchange_to_json(exchange, write_body=_body_json), "curl": curl_command(exchange.request)}


def _body_json(body: bytes | None) -> dict[str, Any]:
    """Return a body as text where it is UTF-8, as Base64 otherwise."""
    if body is None:
        return {**body_to_base64(None), "body_encoding": None}
    try:
        return {"body": body.decode("utf-8"), "body_encoding": "utf-8"}
    except UnicodeDecodeError:
        return {**body_to_base64(body), "body_encoding": "base64"}
