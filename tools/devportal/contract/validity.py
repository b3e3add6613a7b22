"""Whether each object of a contract is what the OAS says that it has to be."""

from collections.abc import Iterator
from itertools import islice

from devportal.contract.faults import Fault, faults
from devportal.contract.load import Contract
from devportal.contract.schemas import Location
from devportal.contract.specification import OBJECTS, validator_of
from devportal.contract.walk import objects_of_other_files
from devportal.findings import Finding, Level

_MOST = 200
"""Faults that are reported at most: one wrong key can break every operation."""
_OF_READING = frozenset({"contract-shape", "contract-enum"})
"""What reading a contract reports of what the OAS forbids as well."""


def check_validity(contract: Contract) -> Iterator[Finding]:
    """Yield each violation of the OpenAPI Specification, where reading the contract has found none already.

    Objects are looked at one by one, and references not followed: a broken one hides nothing else.
    """
    known = {finding.place for finding in contract.findings if finding.rule in _OF_READING}
    found = (
        Finding(
            rule="contract-invalid",
            level=Level.ERROR,
            place=contract.place(location.child(*fault.pointer)),
            message=fault.message,
            help=fault.help,
        )
        for location, fault in _faults(contract)
    )
    unknown = (finding for finding in found if finding.place not in known)
    yield from islice(unknown, _MOST)
    for further in islice(unknown, 1):
        yield Finding(
            rule="contract-invalid",
            level=Level.ERROR,
            place=further.place,
            message=f"more than {_MOST} parts of this contract are not valid, from here on they are not told",
            help="mend the others first",
        )


def _faults(contract: Contract) -> Iterator[tuple[Location, Fault]]:
    source = contract.source.quiet()
    root = source.root().value
    version, dialect = contract.api.openapi, root.get("jsonSchemaDialect")
    yield from _faults_of("document", root, Location("", ()), version, dialect)
    for kind, value, location in objects_of_other_files(source) if len(source.documents()) > 1 else ():
        if kind in OBJECTS and not (isinstance(value, dict) and "$ref" in value):
            yield from _faults_of(kind, value, location, version, dialect)


def _faults_of(
    kind: str, value: object, location: Location, version: str, dialect: object
) -> Iterator[tuple[Location, Fault]]:
    errors = validator_of(kind, version, dialect).iter_errors(value)
    yield from ((location, fault) for fault in faults(list(errors), kind, version))
