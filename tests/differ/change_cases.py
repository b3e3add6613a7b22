"""Pairs of contracts with what is to be found between them, read from the files in `cases/`."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from devportal.contract import Api, read_contract
from devportal.documents import parse_document, read_document

FILES = tuple(sorted((Path(__file__).parent / "cases").glob("*.yaml")))
VERSION = "3.1.0"
PLACES = ("request", "response")
KEYS = frozenset(
    {"case", "doubt", "version", "versions", "schema", "operation", "parameters", "components", "servers",
     "contract", "policy", "expect", *PLACES}
)  # fmt: skip

Side = Literal["old", "new"]
SIDES: tuple[Side, ...] = ("old", "new")
Found = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCase:
    """Two contracts as written, the policy, and exactly the rules and verdicts that are to be found."""

    name: str
    contracts: Mapping[Side, Mapping[str, Any] | str]
    versions: Mapping[Side, str]
    policy: Mapping[str, Any]
    expected: Found

    @property
    def old(self) -> str:
        """The contract before."""
        return _text(self.contracts["old"], self.versions["old"])

    @property
    def new(self) -> str:
        """The contract after."""
        return _text(self.contracts["new"], self.versions["new"])


def change_cases(path: Path) -> Iterator[ChangeCase]:
    """Yield the cases of a file, in its order."""
    for written in read_document(path).data:
        yield from cases_of(written, file=path.stem)


def cases_of(written: Mapping[str, Any], *, file: str) -> Iterator[ChangeCase]:
    """Yield the one case of two written contracts, or one for each place where a schema may stand."""
    unknown = set(written) - KEYS
    assert not unknown, f"{written['case']}: unknown keys {sorted(unknown)}"
    if "contract" in written:
        yield _case(written, file, written["contract"], written["expect"])
        return
    if "operation" in written or "parameters" in written:
        contract = {side: _with_operation(written, side) for side in SIDES}
        yield _case(written, file, contract, written["expect"])
        return
    for place in PLACES:
        if place in written:
            contract = {side: _around(place, written, side) for side in SIDES}
            yield _case(written, f"{file}-{place}", contract, written[place])


def api_of(text: str) -> Api:
    """Return the model of a contract written in a case."""
    return read_contract(parse_document(text, name="api.yaml")).api


def _case(
    written: Mapping[str, Any], file: str, contract: Mapping[Side, Any], expected: Mapping[str, Any]
) -> ChangeCase:
    return ChangeCase(
        name=f"{file}: {written['case']}",
        contracts=contract,
        versions={side: _version(written, side) for side in SIDES},
        policy=written.get("policy", {}),
        expected=_expected_changes(expected),
    )


def _expected_changes(written: Mapping[str, Any]) -> Found:
    verdicts = ((rule, words if isinstance(words, list) else [words]) for rule, words in written.items())
    return tuple(sorted((rule, word) for rule, words in verdicts for word in words))


def _version(written: Mapping[str, Any], side: Side) -> str:
    return str(written.get("versions", {}).get(side, written.get("version", VERSION)))


def _text(contract: Mapping[str, Any] | str, version: str) -> str:
    if isinstance(contract, str):
        return contract
    head = {"openapi": version, "info": {"title": "T", "version": "1"}}
    return json.dumps({**head, **contract}, ensure_ascii=False)


def _around(place: str, written: Mapping[str, Any], side: Side) -> dict[str, Any]:
    content = {"application/json": {"schema": written["schema"][side]}}
    match place:
        case "request":
            operation: dict[str, Any] = {
                "post": {
                    "operationId": "createThing",
                    "requestBody": {"required": True, "content": content},
                    "responses": {"204": {"description": "Made."}},
                }
            }
        case _:
            operation = {
                "get": {
                    "operationId": "getThing",
                    "responses": {"200": {"description": "The thing.", "content": content}},
                }
            }
    components = written.get("components")
    contract: dict[str, Any] = {"paths": {"/things": operation}}
    if components is not None:
        contract["components"] = {"schemas": _of_side(components, side)}
    return contract


def _with_operation(written: Mapping[str, Any], side: Side) -> dict[str, Any]:
    """Return a contract of one operation, of which a case says all that is not usual, or its parameters."""
    own = (
        {"parameters": written["parameters"][side]} if "parameters" in written else written["operation"][side]
    )
    operation = {"responses": {"204": {"description": "Done."}}, **own}
    beside = {key: _of_side(written[key], side) for key in ("components", "servers") if key in written}
    return {"paths": {"/things": {"post": operation}}, **beside}


def _of_side(components: Mapping[str, Any], side: str) -> Any:
    return components[side] if set(components) == {"old", "new"} else components
