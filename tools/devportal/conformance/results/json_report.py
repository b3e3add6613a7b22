"""A result as JSON data, and read again from JSON."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import date, datetime
from functools import lru_cache
from importlib import resources
from typing import Any

from jsonschema_rs import Draft202012Validator

from devportal.conformance.deployment.exchange import (
    Exchange,
    body_from_base64,
    body_to_base64,
    exchange_from_json,
    exchange_to_json,
)
from devportal.conformance.results.curl import curl_command
from devportal.conformance.results.gravity import Gravity, failure_gravity
from devportal.conformance.results.reproduction import reproduce_commands
from devportal.conformance.results.result import (
    FORMAT,
    BaselineWarning,
    CheckTally,
    ContractPart,
    CoveredConstraint,
    CoveredPart,
    Failure,
    KnownFailure,
    Latency,
    OperationResult,
    Result,
    RunWarning,
    Shard,
    Source,
    Standing,
    UntestedCheck,
)
from devportal.conformance.results.wording import check_page
from devportal.contract import Stability
from devportal.contract.wording import quote_value
from devportal.errors import Place, UnreadableInput
from devportal.reporting.json_text import place_data


def result_schema() -> dict[str, Any]:
    """Return the JSON Schema of the report."""
    file = resources.files("devportal.conformance") / "schemas" / "result.schema.json"
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema


def result_data(result: Result) -> dict[str, Any]:
    """Return the result as JSON data."""
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
            "min_coverage": result.min_coverage,
        },
        "site": result.site,
        "hints": list(result.hints),
        "assumptions": list(result.assumptions),
        "operations": [_operation_json(operation) for operation in result.operations],
        "failures": [_failure_json(failure, result.site) for failure in result.failures],
        "warnings": [
            {
                "kind": warning.kind,
                "subjects": list(warning.subjects),
                "message": warning.message,
                "gates": warning.gates,
            }
            for warning in result.warnings
        ],
        "gaps": [asdict(gap) for gap in result.gaps],
        "coverage": [
            {**asdict(covered_part), "part": covered_part.part.value} for covered_part in result.coverage
        ],
        "baseline": [asdict(doubt) for doubt in result.doubts],
    }


def _operation_json(operation: OperationResult) -> dict[str, Any]:
    return {
        "id": operation.id,
        "label": operation.label,
        "stability": operation.stability.value,
        "gates": operation.gates,
        "place": place_data(operation.place),
        "cases": operation.cases,
        "statuses": [{"status": status, "count": count} for status, count in operation.statuses],
        "checks": [
            {
                "check": check.check,
                "source": check.source.value,
                "passed": check.passed,
                "failed": check.failed,
            }
            for check in operation.checks
        ],
        "latency": asdict(operation.latency) if operation.latency is not None else None,
        "constraints": [asdict(constraint) for constraint in operation.constraints],
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
        "gravity": failure_gravity(failure).value,
        "also": [_failure_json(joined, site) for joined in failure.also],
        "chain": [_exchange_json(exchange) for exchange in failure.chain],
        "exchange": _exchange_json(failure.exchange) if failure.exchange is not None else None,
        "reproduce": list(reproduce_commands(failure)),
    }


def _place_json(place: Place | None) -> dict[str, Any] | None:
    return place_data(place) if place is not None else None


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


def parse_json_report(text: str, *, name: str) -> Result:
    """Return the result of a report; `name` is what messages call it. Raises UnreadableInput."""
    place = Place(file=name)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableInput(f"this is not JSON: {error}", place=place, help=_ADVICE) from error
    found = data.get("format") if isinstance(data, dict) else None
    if found != FORMAT:
        named = "it names no format" if found is None else f"its format is {quote_value(found)}"
        raise UnreadableInput(f"this is not a result of format {FORMAT}: {named}", place=place, help=_ADVICE)
    for wrong in _validator().iter_errors(data):
        where = "/".join(map(str, wrong.instance_path)) or "its top level"
        raise UnreadableInput(
            f"this is not a result of a conformance run: {where}: {wrong.message[:200]}",
            place=place,
            help=_ADVICE,
        )
    return _parse_result(data)


_ADVICE = "give files that `devportal conformance --json FILE` of this version wrote"


@lru_cache(maxsize=1)
def _validator() -> Draft202012Validator:
    return Draft202012Validator(result_schema(), validate_formats=True)


def _parse_result(data: Mapping[str, Any]) -> Result:
    contract, run = data["contract"], data["run"]
    return Result(
        url=data["url"],
        contract=contract["file"],
        contract_title=contract["title"],
        contract_version=contract["version"],
        contract_digest=contract["sha256"],
        profile=run["profile"],
        gate=run["stability"],
        seed=run["seed"],
        schemathesis=run["schemathesis"],
        started_at=datetime.fromisoformat(run["started_at"]),
        duration_s=run["duration_s"],
        operations=tuple(_parse_operation(operation) for operation in data["operations"]),
        failures=tuple(_parse_failure(failure) for failure in data["failures"]),
        warnings=tuple(
            RunWarning(**{**warning, "subjects": tuple(warning["subjects"])}) for warning in data["warnings"]
        ),
        gaps=tuple(UntestedCheck(**gap) for gap in data["gaps"]),
        coverage=tuple(
            CoveredPart(**{**item, "part": ContractPart(item["part"])}) for item in data["coverage"]
        ),
        doubts=tuple(
            BaselineWarning(**{**item, "place": Place(**item["place"])}) for item in data["baseline"]
        ),
        hints=tuple(data["hints"]),
        assumptions=tuple(data.get("assumptions", ())),
        shard=Shard(**run["shard"]),
        site=data["site"],
        min_coverage=run.get("min_coverage"),
    )


def _parse_operation(data: Mapping[str, Any]) -> OperationResult:
    return OperationResult(
        id=data["id"],
        label=data["label"],
        stability=Stability(data["stability"]),
        gates=data["gates"],
        place=Place(**data["place"]),
        cases=data["cases"],
        statuses=tuple((status["status"], status["count"]) for status in data["statuses"]),
        checks=tuple(CheckTally(**{**check, "source": Source(check["source"])}) for check in data["checks"]),
        latency=Latency(**data["latency"]) if data["latency"] is not None else None,
        constraints=tuple(CoveredConstraint(**constraint) for constraint in data.get("constraints", ())),
    )


def _parse_failure(data: Mapping[str, Any]) -> Failure:
    return Failure(
        check=data["check"],
        source=Source(data["source"]),
        title=data["title"],
        message=data["message"],
        operation=data["operation"],
        code=data["code"],
        where=data["where"],
        promise=Place(**data["promise"]) if data["promise"] is not None else None,
        promise_text=data["promise_text"],
        exchange=_parse_exchange(data["exchange"]) if data["exchange"] is not None else None,
        chain=tuple(_parse_exchange(item) for item in data["chain"]),
        count=data["count"],
        seen_in=tuple(data["seen_in"]),
        standing=Standing(data["standing"]),
        gates=data["gates"],
        known=_parse_known(data["known"]) if data["known"] is not None else None,
        is_pedantic=data["gravity"] == Gravity.PEDANTIC,
        also=tuple(_parse_failure(item) for item in data["also"]),
    )


def _parse_known(data: Mapping[str, Any]) -> KnownFailure:
    return KnownFailure(
        reason=data["reason"], expires=date.fromisoformat(data["expires"]), owner=data["owner"]
    )


def _parse_exchange(data: Mapping[str, Any]) -> Exchange:
    return exchange_from_json(data, read_body=_parse_body)


def _parse_body(data: Mapping[str, Any]) -> bytes | None:
    """Return a body from its text, or from its Base64."""
    text: str | None = data["body"]
    if text is None or data["body_encoding"] == "base64":
        return body_from_base64(data)
    return text.encode()
