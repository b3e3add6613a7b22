"""Runs openapi-spec-validator on a contract. Importing it takes longer than reading most contracts."""

import posixpath
from collections.abc import Iterator
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

from devportal.contract.effort import parts
from devportal.contract.load import Contract
from devportal.findings import Level

_VALIDATORS = {
    "3.0": OpenAPIV30SpecValidator,
    "3.1": OpenAPIV31SpecValidator,
    "3.2": OpenAPIV32SpecValidator,
}
_MOST = 200
"""Violations of the OAS that are reported at most: one wrong key can break every operation."""
_MOST_PARTS = 10_000
"""Parts of schemas that the validator is given to take apart: it looks at some hundred in a second, and at a
part that is named twice at least twice. Stripe's 561 shared schemas have 589.
"""


class Violation(NamedTuple):
    """What the validator says of a node of the root document."""

    pointer: tuple[str, ...]
    message: str
    level: Level = Level.ERROR


def violations(contract: Contract) -> Iterator[Violation]:
    """Yield each violation, without those that reading a contract finds itself."""
    if parts(contract.api) > _MOST_PARTS:
        message = "the OAS validator was not asked: these schemas are made of each other too often"
        yield Violation((), message, Level.WARNING)
        return
    validator = _VALIDATORS[contract.api.openapi[:3]](_schema_path(contract))
    try:
        for number, error in enumerate(validator.iter_errors()):
            if number >= _MOST:
                return
            if not isinstance(error, (DuplicateOperationIDError, UnresolvableParameterError)):
                yield Violation(tuple(str(step) for step in error.absolute_path), _short(error.message))
    except RecursionError:
        message = (
            "the OAS validator cannot follow the recursion of these schemas, so it did not check everything"
        )
        yield Violation((), message, Level.WARNING)
    except Exception as error:  # noqa: BLE001 - whatever it trips over is not the author's fault
        message = "the OAS validator stopped, so it did not check everything"
        yield Violation((), _short(f"{message}: {type(error).__name__}: {error}"), Level.WARNING)


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
