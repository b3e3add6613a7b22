"""The problems that openapi-spec-validator reports in a contract in which our own checks find no error.

It is called through its public interface, for OpenAPI 3.0, 3.1 and 3.2, and sees only files that the contract may
refer to: nothing is fetched. Reports that we accept for a reason are left out (`_is_accepted`). The others are
warnings, or a note if it crashes: whether a check fails does not depend on the installed packages.
"""

import json
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote, urljoin

from devportal.contract.load import Contract
from devportal.contract.model import Api
from devportal.contract.operation_names import every_schema
from devportal.contract.read.source import Source
from devportal.contract.schemas import Location, Schema
from devportal.contract.wording import truncate_text
from devportal.findings import Finding, Level

RULE = "contract-second-opinion"
_MAX_MESSAGE_LENGTH = 240
_NOT_COMPARED = frozenset({"contract-example", "contract-example-unchecked"})
"""Rules about examples, which openapi-spec-validator does not check: their findings do not prevent the second
opinion.
"""
_ACCEPTED = ("Path parameter ", "Unevaluated properties are not allowed", "Unknown JSON Schema dialect")
_HELP = {
    Level.WARNING: "other tools may reject this contract because of it",
    Level.NOTE: "all other checks ran; openapi-spec-validator itself shows where it stops",
}
_ROOT = Location("", ())
_MAX_STEPS = 100_000
"""How many steps openapi-spec-validator may take to gather the members of one schema: about ten seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """One problem that openapi-spec-validator reports, and its location in the contract."""

    location: Location
    level: Level
    message: str


def is_worth_asking(findings: Iterable[Finding]) -> bool:
    """Say whether a contract has no error yet: broken references, for example, would end the validation."""
    return not any(finding.level is Level.ERROR and finding.rule not in _NOT_COMPARED for finding in findings)


def second_opinion(contract: Contract) -> tuple[Remark, ...]:
    """Return the remarks of openapi-spec-validator, which must be installed, without those that we accept.

    It gathers the members of each schema again on each path that leads there, which can take for ever. Such a contract
    gets a note instead.
    """
    try:
        if any(steps > _MAX_STEPS for steps in _steps_to_members(contract.api)):
            text = (
                "openapi-spec-validator did not check this contract: too many ways lead through its schemas"
            )
            return (Remark(location=_ROOT, level=Level.NOTE, message=text),)
        errors = list(_validator(contract).iter_errors())
    except Exception as error:  # noqa: BLE001 - an error of a library is not a problem of the contract
        text = f"openapi-spec-validator stopped at this contract ({type(error).__name__})"
        return (Remark(location=_ROOT, level=Level.NOTE, message=text),)
    locations = _locations(contract) if errors else {}
    return tuple(
        Remark(
            location=_location(error, locations),
            level=Level.WARNING,
            message=f"openapi-spec-validator: {truncate_text(error.message.splitlines()[0], _MAX_MESSAGE_LENGTH)}",
        )
        for error in errors
        if not _is_accepted(error, locations)
    )


def second_findings(
    contract: Contract, remarks: Iterable[Remark], findings: Iterable[Finding]
) -> Iterator[Finding]:
    """Yield a finding for each remark at a place without a finding."""
    known_places = {finding.place for finding in findings}
    for remark in remarks:
        place = contract.place(remark.location)
        if remark.location == _ROOT or place not in known_places:
            yield Finding(
                rule=RULE,
                level=remark.level,
                place=place,
                message=remark.message,
                help=_HELP[remark.level],
            )


def remarks_to_json(remarks: Iterable[Remark]) -> str:
    """Return remarks as text that `remarks_from_json` reads."""
    return json.dumps([[*remark.location, remark.level, remark.message] for remark in remarks])


def remarks_from_json(text: str) -> tuple[Remark, ...]:
    """Return remarks from JSON, as the process that runs the validator writes them."""
    return tuple(
        Remark(location=Location(file, tuple(pointer)), level=Level(level), message=message)
        for file, pointer, level, message in json.loads(text)
    )


class _Handlers(dict[str, Callable[[str], Any]]):
    """What reads a reference of any scheme: only files that the contract may consist of can be read.

    The documents are those that the model was read from. Files to which only hidden parts lead are not among them.
    """

    def __init__(self, documents: dict[str, Any], source: Source) -> None:
        super().__init__()
        self._documents = documents
        self._source = source.quiet()

    def __contains__(self, scheme: object) -> bool:
        return True

    def __missing__(self, scheme: str) -> Callable[[str], Any]:
        return self._document

    def _document(self, uri: str) -> Any:
        """Return a document by its address. Raises KeyError if the contract may not read it."""
        address = _normal(uri)
        if address not in self._documents:
            path = address.partition("://")[2]
            name = posixpath.relpath(path, f"/{'/'.join(self._source.folder)}")
            location = self._source.find_location(_quote_name(name), _ROOT)
            if location is not None:
                self._documents[address] = self._source.documents()[location.file].data
        return self._documents[address]


def _validator(contract: Contract) -> Any:
    """Return the validator of the contract's version, with the contract in it."""
    from jsonschema_path import SchemaPath  # noqa: PLC0415 - an extra, and slow to import
    from openapi_spec_validator import (  # noqa: PLC0415 - as above
        OpenAPIV30SpecValidator,
        OpenAPIV31SpecValidator,
        OpenAPIV32SpecValidator,
    )

    validator_classes = {
        "3.0": OpenAPIV30SpecValidator,
        "3.1": OpenAPIV31SpecValidator,
        "3.2": OpenAPIV32SpecValidator,
    }
    source = contract.source
    root_name = contract.place(_ROOT).file.rpartition("/")[2]
    base = "file:///" + "/".join(map(_quote_name, (*source.folder, root_name)))
    documents = {
        _normal(urljoin(base, _quote_name(name)) if name else base): document.data
        for name, document in source.documents().items()
    }
    path = SchemaPath.from_dict(
        documents[_normal(base)], base_uri=base, handlers=_Handlers(documents, source)
    )
    return validator_classes[contract.api.openapi[:3]](path)


def _steps_to_members(api: Api) -> Iterator[int]:
    """Yield for each schema how many schemas are visited to gather its members; a circle, at which
    openapi-spec-validator stops, counts once.
    """
    known: dict[int, int] = {}

    def count_steps(schema: Schema) -> int:
        schema = api.resolve(schema)
        if id(schema) not in known:
            known[id(schema)] = 1
            inner = (*schema.all_of, *schema.one_of, *schema.any_of, schema.items, schema.negated)
            known[id(schema)] = 1 + sum(count_steps(part) for part in inner if part is not None)
        return known[id(schema)]

    return map(count_steps, every_schema(api))


def _quote_name(name: str) -> str:
    """Return the name of a file as a part of an address; it need not be UTF-8."""
    return quote(name, errors="surrogateescape")


def _normal(uri: str) -> str:
    """Return an address in one spelling, without escapes and without `..` (RFC 3986 §6.2.2)."""
    scheme, separator, path = unquote(uri, errors="surrogateescape").partition("://")
    return f"{scheme}{separator}{posixpath.normpath(path)}"


def _is_accepted(error: Any, locations: Mapping[int, Location]) -> bool:
    """Say whether we accept what openapi-spec-validator reports, for one of these reasons.

    - Patterns are ECMA-262 (OAS 3.0.3 §4.7.24), where it tries them with Python's `re`.
    - A contract may use another dialect of JSON Schema (OAS 3.1.1 §4.8.24.5).
    - Names in paths are not format strings of Python: `{id:int}` is a parameter `id:int`.
    - Objects were held to the same schemas, with mistakes in them corrected (`oas_schemas`).
    - Defaults were validated for requests and for responses, which differ by `readOnly`. Only their formats
      were not all looked at.
    - A value that an `enum` repeats has a rule of ours, `contract-enum`.
    """
    if error.validator == "format":
        return bool(error.validator_value == "regex")
    is_own_object = id(error.schema) in locations or error.validator == "uniqueItems"
    return is_own_object or _is_link_constant(error) or error.message.startswith(_ACCEPTED)


def _is_link_constant(error: Any) -> bool:
    """Say whether an error is about the constant that a link has for a parameter (OAS 3.1.1 §4.8.20)."""
    path = [str(step) for step in error.absolute_path]
    return path[-4:-3] == ["links"] and path[-2:-1] == ["parameters"]


def _locations(contract: Contract) -> Mapping[int, Location]:
    """Return where each mapping and list of a contract is, by its identity: errors have the very same."""
    locations: dict[int, Location] = {}
    pending = [(Location(name, ()), document.data) for name, document in contract.source.documents().items()]
    while pending:
        location, value = pending.pop()
        if isinstance(value, dict | list):
            locations[id(value)] = location
            items = value.items() if isinstance(value, dict) else enumerate(value)
            pending += ((location.child(key), item) for key, item in items)
    return locations


def _location(error: Any, locations: Mapping[int, Location]) -> Location:
    """Return the location of the wrong value; the root of the contract if it is unknown."""
    if id(error.instance) in locations:
        return locations[id(error.instance)]
    if id(error.schema) in locations:
        return locations[id(error.schema)].child("default")
    return Location("", tuple(map(str, error.absolute_path)))
