"""The verdict of openapi-spec-validator on a contract. It takes seconds on large ones, so it is cached."""

import json
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

from devportal.contract.load import Contract
from devportal.findings import Finding, Level

if TYPE_CHECKING:
    from devportal.contract.oas_validator import Violation

_FORMAT = 2
"""The number of the form of cached verdicts, and of the rules here that make them: count it up with those."""


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


def _cached(contract: Contract, cache: Path | None) -> tuple["Violation", ...]:
    from devportal.contract.oas_validator import Violation, violations  # noqa: PLC0415 - builds need it not

    if cache is None:
        return tuple(violations(contract))
    made_by = f"{version('openapi-spec-validator')}-{version('devportal')}-{_FORMAT}"
    file = cache / f"{contract.digest}-{made_by}.json"
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))
        return tuple(Violation(tuple(pointer), message, Level(level)) for pointer, message, level in rows)
    except (OSError, ValueError, TypeError):
        found = tuple(violations(contract))
        _keep(file, found)
        return found


def _keep(file: Path, found: tuple["Violation", ...]) -> None:
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
