"""A JSON report read back into the result that it was written from."""

import json
from collections.abc import Mapping
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from devportal.conformance.deployment.exchange import Exchange, body_from_base64, exchange_from_json
from devportal.conformance.results.json_report import result_schema
from devportal.conformance.results.result import (
    FORMAT,
    BaselineWarning,
    CheckTally,
    ContractPart,
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
from devportal.contract import Stability
from devportal.errors import Place, UnreadableInput


def parse_json_report(text: str, *, name: str) -> Result:
    """Return the result of a report; `name` is what messages call it. Raises UnreadableInput."""
    place = Place(file=name)
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableInput(f"this is not JSON: {error}", place=place, help=_ADVICE) from error
    found = data.get("format") if isinstance(data, dict) else None
    if found != FORMAT:
        raise UnreadableInput(
            f"this is no result of format {FORMAT}: its format is {found!r}", place=place, help=_ADVICE
        )
    for wrong in _validator().iter_errors(data):
        where = "/".join(map(str, wrong.instance_path)) or "its top level"
        raise UnreadableInput(
            f"this is no result of a conformance run: {where}: {wrong.message[:200]}",
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
        operations=tuple(_parse_operation(one) for one in data["operations"]),
        failures=tuple(_parse_failure(one) for one in data["failures"]),
        warnings=tuple(RunWarning(**{**one, "subjects": tuple(one["subjects"])}) for one in data["warnings"]),
        gaps=tuple(UntestedCheck(**one) for one in data["gaps"]),
        coverage=tuple(CoveredPart(**{**one, "part": ContractPart(one["part"])}) for one in data["coverage"]),
        doubts=tuple(BaselineWarning(**{**one, "place": Place(**one["place"])}) for one in data["baseline"]),
        hints=tuple(data["hints"]),
        shard=Shard(**run["shard"]),
        site=data["site"],
    )


def _parse_operation(data: Mapping[str, Any]) -> OperationResult:
    return OperationResult(
        id=data["id"],
        label=data["label"],
        stability=Stability(data["stability"]),
        gates=data["gates"],
        place=Place(**data["place"]),
        cases=data["cases"],
        statuses=tuple((one["status"], one["count"]) for one in data["statuses"]),
        checks=tuple(CheckTally(**{**one, "source": Source(one["source"])}) for one in data["checks"]),
        latency=Latency(**data["latency"]) if data["latency"] is not None else None,
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
        chain=tuple(_parse_exchange(one) for one in data["chain"]),
        count=data["count"],
        seen_in=tuple(data["seen_in"]),
        standing=Standing(data["standing"]),
        gates=data["gates"],
        known=_parse_known(data["known"]) if data["known"] is not None else None,
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
