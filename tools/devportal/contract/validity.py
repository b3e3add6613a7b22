"""The verdict of openapi-spec-validator on a contract. It takes seconds on large ones, so it is cached."""

import json
import posixpath
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit

from jsonschema_path import SchemaPath
from openapi_spec_validator import (
    OpenAPIV30SpecValidator,
    OpenAPIV31SpecValidator,
    OpenAPIV32SpecValidator,
)
from openapi_spec_validator.validation.exceptions import (
    DuplicateOperationIDError,
    UnresolvableParameterError,
)

from devportal.contract.load import Contract
from devportal.findings import Finding, Level

_VALIDATORS = {
    "3.0": OpenAPIV30SpecValidator,
    "3.1": OpenAPIV31SpecValidator,
    "3.2": OpenAPIV32SpecValidator,
}
_MOST = 200
"""Violations of the OAS that are reported at most: one wrong key can break every operation."""
_FORMAT = 2
"""The number of the form of cached verdicts, and of the rules here that make them: count it up with those."""


class _Violation(NamedTuple):
    pointer: tuple[str, ...]
    message: str
    level: Level = Level.ERROR


def check_validity(contract: Contract, cache: Path | None) -> Iterator[Finding]:
    """Yield each violation of the OpenAPI Specification that reading the contract has not found already.

    The verdict is kept in the folder `cache` under the contract's digest. A cache that cannot be read or
    written costs time only.
    """
    if any(finding.rule.startswith(("contract-ref", "contract-depth")) for finding in contract.findings):
        return  # the validator would only fail on the same references, without saying where
    known = {finding.place for finding in contract.findings if finding.level is Level.ERROR}
    root = contract.source.documents()[""]
    for violation in _cached(contract, cache):
        place = root.place(violation.pointer)
        if place not in known:
            yield Finding(
                rule="contract-invalid",
                level=violation.level,
                place=place,
                message=violation.message,
                help="compare with the OpenAPI Specification",
            )


def _cached(contract: Contract, cache: Path | None) -> tuple[_Violation, ...]:
    if cache is None:
        return tuple(_violations(contract))
    made_by = f"{version('openapi-spec-validator')}-{version('devportal')}-{_FORMAT}"
    file = cache / f"{contract.digest}-{made_by}.json"
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))
        return tuple(_Violation(tuple(pointer), message, Level(level)) for pointer, message, level in rows)
    except (OSError, ValueError, TypeError):
        found = tuple(_violations(contract))
        _keep(file, found)
        return found


def _keep(file: Path, found: tuple[_Violation, ...]) -> None:
    """Write the verdict in one step, so that no other run, at the same time or later, reads half of it."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with NamedTemporaryFile(
            "w", encoding="utf-8", dir=file.parent, prefix=f"{file.stem}-", suffix=".part", delete=False
        ) as part:
            part.write(json.dumps(found))
        Path(part.name).replace(file)
    except OSError:
        return


def _violations(contract: Contract) -> Iterator[_Violation]:
    validator = _VALIDATORS[contract.api.openapi[:3]](_schema_path(contract))
    try:
        for number, error in enumerate(validator.iter_errors()):
            if number >= _MOST:
                return
            if not isinstance(error, (DuplicateOperationIDError, UnresolvableParameterError)):
                yield _Violation(tuple(str(step) for step in error.absolute_path), _short(error.message))
    except RecursionError:
        message = (
            "the OAS validator cannot follow the recursion of these schemas, so it did not check everything"
        )
        yield _Violation((), message, Level.WARNING)
    except Exception as error:  # noqa: BLE001 - whatever it trips over is not the author's fault
        message = "the OAS validator stopped, so it did not check everything"
        yield _Violation((), _short(f"{message}: {type(error).__name__}: {error}"), Level.WARNING)


def _short(message: str) -> str:
    return message if len(message) <= 300 else message[:297] + "…"


def _schema_path(contract: Contract) -> SchemaPath:
    """Return the root document; other files come from what was read, not from disk or network."""
    documents = contract.source.documents()
    root = documents[""]
    name = posixpath.basename(root.name)
    levels = max(file.count("../") for file in documents)
    folder = posixpath.join("/contract", *contract.source.folder[-levels:] if levels else (), "")

    def read(uri: str) -> Any:
        file = posixpath.relpath(unquote(urlsplit(uri).path), folder)
        return (root if file == name else documents[file]).data

    return SchemaPath.from_dict(root.data, base_uri=f"file://{folder}{quote(name)}", handlers={"file": read})
