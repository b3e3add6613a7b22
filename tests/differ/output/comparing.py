"""Comparisons to write in tests: of the small pair beside this file, and of contracts that mean harm."""

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from devportal.contract import Contract, load_contract, read_contract
from devportal.differ import Change, Direction, Policy, Verdict, compare
from devportal.differ.output import ComparedContracts, DiffResult, diff_report
from devportal.differ.policy import Acknowledgement
from devportal.differ.witness import Witness, WitnessSearch
from devportal.documents import parse_document
from devportal.reporting import Format
from devportal.reporting.report import render_report

CONTRACTS = Path(__file__).parent / "contracts"
DAY = dt.date(2026, 11, 2)
REASON = "Nobody has called it since March | says <b>@ada</b>."
HARM = "</code></script><script>alert(1)</script>`|@ada #12 https://evil.example/ \x1b[31m\u202e [x](y)"
"""Markup of every kind, a mention, a reference, a link, and codes that terminals obey."""
ODD_FILE = f"a b,c:d%\n\udc80{HARM}.json"
"""The name of a file as systems allow it: a byte that is no UTF-8, a line break, and worse."""


def small_diff() -> DiffResult:
    """Return the comparison of the small pair: a change of each verdict, one of them accepted."""
    sides = ComparedContracts(
        old=load_contract(CONTRACTS / "old.yaml", name="old.yaml"),
        new=load_contract(CONTRACTS / "new.yaml", name="new.yaml"),
    )
    gone = next(change for change in diff_of(sides).comparison.changes if change.rule == "operation.removed")
    accepted = Acknowledgement(reason=REASON, date=DAY)
    return diff_of(sides, Policy(acknowledged={gone.fingerprint: accepted}))


def small_with_witnesses() -> DiffResult:
    """Return the small pair, the shorter text and the new value with a witness, the new property without."""
    return with_witnesses(
        small_diff(),
        {
            "schema.max-length.lowered": request_witness(),
            "schema.enum.value.added": response_witness(),
            "schema.property.added.optional": WitnessSearch(tries=200),
        },
    )


def with_witnesses(result: DiffResult, searches: Mapping[str, WitnessSearch]) -> DiffResult:
    """Return a comparison in which the changes of some rules have witnesses, in the direction of those."""

    def search(change: Change) -> WitnessSearch | None:
        found = searches.get(change.rule)
        fits = found is None or found.witness is None or found.witness.direction is change.direction
        return found if fits else None

    changes = tuple(replace(change, witness_search=search(change)) for change in result.comparison.changes)
    return replace(result, comparison=replace(result.comparison, changes=changes))


def request_witness(**parts: Any) -> WitnessSearch:
    """Return a request that worked and is refused now."""
    usual: dict[str, Any] = {
        "start_line": "POST /parcels",
        "media_type": "application/json",
        "body": {"note": "a" * 81},
        "refusal": f'"{"a" * 81}" is longer than 80 characters',
        "pointer": "/note",
    }
    return WitnessSearch(witness=Witness(direction=Direction.TO_PROVIDER, **usual | parts), tries=3)


def response_witness(**parts: Any) -> WitnessSearch:
    """Return a response that comes now and never came before."""
    usual: dict[str, Any] = {
        "start_line": "200 OK",
        "media_type": "application/json",
        "body": {"id": "p_1", "state": "lost"},
        "refusal": '"lost" is not one of "sent" and "delivered"',
        "pointer": "/state",
    }
    return WitnessSearch(witness=Witness(direction=Direction.TO_CONSUMER, **usual | parts), tries=1)


def diff_of(sides: ComparedContracts, policy: Policy | None = None, **options: Any) -> DiffResult:
    """Return the comparison of two contracts."""
    comparison = compare(sides.old.api, sides.new.api, policy, today=DAY)
    return DiffResult(comparison=comparison, sides=sides, **options)


def diff_between(
    old: dict[str, Any], new: dict[str, Any], *, file: str = "new.json", **options: Any
) -> DiffResult:
    """Return the comparison of two contracts given as data, the new one in a file of some name."""
    sides = ComparedContracts(old=contract(old, "old.json"), new=contract(new, file))
    return diff_of(sides, **options)


def contract(data: dict[str, Any], name: str) -> Contract:
    """Return a contract given as data; version and title are filled in."""
    whole = {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {}, **data}
    return read_contract(parse_document(json.dumps(whole), name=name))


def hostile_diff() -> DiffResult:
    """Return the comparison of two contracts with hostile markup in every text that reaches an output."""
    return diff_between(
        with_path(f"/{HARM}", HARM), {"info": {"title": HARM, "version": HARM}}, file=ODD_FILE
    )


def with_path(path: str, name: str) -> dict[str, Any]:
    """Return a contract with an operation, and a component of some name that it answers with."""
    answer = {"description": "Fine.", "content": {"application/json": {"schema": {"enum": [name]}}}}
    return {"paths": {path: {"get": {"operationId": name, "tags": [name], "responses": {"200": answer}}}}}


def with_operations(count: int, length: int) -> dict[str, Any]:
    """Return a contract with operations that all take the same text, of at most some length."""
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Note"}}}}
    post = {"requestBody": body, "responses": {"204": {"description": "Done."}}}
    return {
        "paths": {f"/notes/{number:03}": {"post": post} for number in range(count)},
        "components": {"schemas": {"Note": {"type": "string", "maxLength": length}}},
    }


def with_status(status: str, *, paths: int) -> dict[str, Any]:
    """Return a contract with operations that all have one more response, and a first one that has none."""
    more = {status: {"description": "More."}} if status else {}
    done = {"204": {"description": "Done."}}
    return {
        "paths": {
            f"/{number:03}": {"get": {"responses": done | (more if number else {})}}
            for number in range(paths + 1)
        }
    }


def verdicts(*words: str) -> frozenset[Verdict]:
    """Return verdicts by their words."""
    return frozenset(map(Verdict, words))


def write_diff(result: DiffResult, form: Format) -> str:
    """Return a comparison in a format."""
    return render_report(diff_report(result), form)
