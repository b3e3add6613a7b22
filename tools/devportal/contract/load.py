"""An OpenAPI file → `Contract`: the model, the findings of reading it, and its files."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from devportal.contract.audience import AudienceView, audience_of
from devportal.contract.internal.internal_names import read_internal_names
from devportal.contract.internal.references import InternalReferences
from devportal.contract.internal.withheld import InternalParts, internal_parts
from devportal.contract.model import Api
from devportal.contract.read.dynamic_references import resolve_dynamic_references
from devportal.contract.read.files import REFUSED_RULE, ContractDocuments, ReadDocument
from devportal.contract.read.foreign_format import other_format
from devportal.contract.read.logo import Logo, logo_file, read_logo
from devportal.contract.read.misplaced_references import (
    inline_misplaced_references,
    report_misplaced_references,
)
from devportal.contract.read.overlay import apply_overlays
from devportal.contract.read.read_api import read_api
from devportal.contract.read.read_schema import SchemaReader
from devportal.contract.read.source import Source
from devportal.contract.read.swagger import ConversionProblem, as_openapi
from devportal.contract.schemas import Location
from devportal.contract.texts import ContractUnits, contract_units
from devportal.contract.wording import quote_value
from devportal.documents import Document, read_document
from devportal.errors import InvalidContract, Place
from devportal.findings import Finding, Level, in_order
from devportal.gc_pause import gc_paused

SUPPORTED_VERSIONS = ("3.0", "3.1", "3.2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """A loaded contract. `digest` is the SHA-256 of all its files. `is_converted` says that its file is Swagger 2.0,
    and what was read is OpenAPI.
    """

    api: Api
    findings: tuple[Finding, ...]
    digest: str
    source: Source = field(repr=False)
    logo: Logo | None = None
    is_converted: bool = False

    @property
    def unread_part(self) -> Finding | None:
        """The first error of reading, None if the model has all that the files hold: what an error is about, such as
        the target of a broken reference, is missing in it.
        """
        return next((finding for finding in self.findings if finding.level is Level.ERROR), None)

    def place(self, location: Location) -> Place:
        """Return the place in the files of a location of the model."""
        return self.source.place(location)

    @property
    def names_absent_files(self) -> bool:
        """Whether a reference, or `x-logo`, may lead to a file once that is there or can be read."""
        has_unread_logo = self.logo is None and self._logo_file
        return bool(has_unread_logo) or any(
            finding.rule == "contract-ref-broken" for finding in self.findings
        )

    @property
    def named_files(self) -> tuple[str, ...]:
        """The paths, from the contract's folder, of the files that references and `x-logo` lead to, whether they are
        there or not.
        """
        return tuple(filter(None, (*self.source.file_names(), self._logo_file)))

    def files_at(self, path: Path) -> Iterator[Path]:
        """Yield the file of the contract, which is at `path`, and those that it refers to."""
        yield path
        yield from (path.parent / name for name in self.named_files)

    @property
    def _logo_file(self) -> str:
        return logo_file(self.source.quiet().root().mapping("info"))

    def texts(self) -> ContractUnits:
        """Return the contract as structure and descriptions apart."""
        return _texts(self.source)


@lru_cache(maxsize=2)
def _texts(source: Source) -> ContractUnits:
    """Return the texts of a contract; those of the last ones are kept, since a build asks for them twice."""
    return contract_units((name, document.data) for name, document in source.documents().items())


@gc_paused()
def load_contract(
    path: Path,
    *,
    name: str | None = None,
    overlays: Mapping[str, Path] = MappingProxyType({}),
    audience: AudienceView | None = None,
    allow_outside_references: bool = False,
    allow_repeated_keys: bool = False,
    read: ReadDocument = read_document,
) -> Contract:
    """Read a contract and the files in its folder that it refers to; `name` is what messages call it. A released
    contract, which nobody can repair any more, is read with `allow_repeated_keys`: the last one counts. The
    files of `overlays`, by what messages call them, are applied to the contract in their order. For an
    `audience`, what is not for it is internal; without one, `x-audience` hides nothing. `read` reads each file.

    Raises UnreadableInput if the file is not there or does not parse, InvalidContract if it is no
    OpenAPI 3.0, 3.1 or 3.2 document and no Swagger 2.0 document, which is read as OpenAPI 3.0. Everything less
    is in `findings`.
    """
    document = read(path, name=name, allow_repeated_keys=allow_repeated_keys)
    document, findings = apply_overlays(
        document,
        [read(overlay, name=called, allow_repeated_keys=False) for called, overlay in overlays.items()],
    )
    contract = read_contract(
        document,
        folder=path.parent,
        root_file=path.name,
        audience=audience,
        allow_outside_references=allow_outside_references,
        allow_repeated_keys=allow_repeated_keys,
        read=read,
    )
    return replace(contract, findings=in_order((*findings, *contract.findings)))


def require_allowed_references(contract: Contract) -> Contract:
    """Return the contract. Raises InvalidContract if it refers to files that may not be read: a command that shows no
    findings would go on without what they hold.
    """
    refused = [finding for finding in contract.findings if finding.rule == REFUSED_RULE]
    if refused:
        others = f", and {len(refused) - 1:,} more do" if len(refused) > 1 else ""
        raise InvalidContract(f"{refused[0].message}{others}", place=refused[0].place, help=refused[0].help)
    return contract


def read_contract(
    document: Document,
    *,
    folder: Path | None = None,
    root_file: str = "",
    audience: AudienceView | None = None,
    allow_outside_references: bool = False,
    allow_repeated_keys: bool = False,
    read: ReadDocument = read_document,
) -> Contract:
    """Read a contract from a parsed document; `folder` is where references to other files may lead, if they
    may not lead outside, and `root_file` the name under which those refer back to this one. `read` reads them.
    """
    document, conversion_problems = as_openapi(document)
    version = openapi_version(document)
    declared_version = document.data["openapi"]
    is_oas_30 = version.startswith("3.0")
    marks, mark_hidden_parts = audience_of(audience)
    document = mark_hidden_parts(replace(document, data={**document.data, "openapi": version}))
    files = ContractDocuments(
        document,
        folder,
        root_file=root_file,
        prepare=mark_hidden_parts,
        allow_outside=allow_outside_references,
        allow_repeated_keys=allow_repeated_keys,
        read=read,
    )
    files.look_ahead()
    files, misplaced = inline_misplaced_references(files)
    files, copies = (files, {}) if is_oas_30 else resolve_dynamic_references(files)
    source, hidden, internal_references = _without_internal_parts(files, ref_siblings=not is_oas_30)
    schemas = SchemaReader(
        nullable_keyword=is_oas_30,
        ref_siblings=not is_oas_30,
        internal_names=read_internal_names(source.quiet()),
    )
    api = replace(read_api(source.root(), version, schemas, hidden), copies=copies)
    _report_internal_references(source, internal_references)
    report_misplaced_references(source, misplaced)
    if declared_version != version:
        _report_version(source, declared_version, version)
    _report_conversion(source, conversion_problems)
    if not (api.operations or api.webhooks or api.schemas):
        _report_empty(source)
    of_marks = (*marks.findings, *marks.unknown_tags(document)) if marks is not None else ()
    return Contract(
        api=api,
        findings=in_order((*source.findings(), *_repeated_keys(source), *of_marks)),
        digest=_digest(source),
        source=source,
        logo=read_logo(source.quiet().root().mapping("info"), folder),
        is_converted=bool(conversion_problems),
    )


def _without_internal_parts(
    files: ContractDocuments, *, ref_siblings: bool
) -> tuple[Source, InternalParts, InternalReferences]:
    """Return the files without references from public parts to internal ones, the internal parts, and those
    references.
    """
    source = Source(files, ref_siblings=ref_siblings)
    hidden = internal_parts(source.quiet())
    references = InternalReferences(hidden)
    if source.has_internal:
        source = source.with_changes(references.redact_document)
    return source, hidden, references


def _repeated_keys(source: Source) -> Iterator[Finding]:
    """Yield the keys that occur twice in a mapping, if the contract was read all the same."""
    for document in source.documents().values():
        for key in document.repeated_keys:
            yield Finding(
                rule="contract-duplicate-key",
                level=Level.WARNING,
                place=Place(file=document.name, line=key.line, column=key.column),
                message=f"the key {quote_value(key.name)} occurs twice in this mapping; this last one counts",
                help="keep one of the two in the next version",
            )


def _report_internal_references(source: Source, internal_references: InternalReferences) -> None:
    for internal_reference in internal_references.found:
        source.report(
            "contract-internal",
            internal_reference.location,
            internal_reference.message,
            help=internal_reference.advice,
            level=internal_reference.level,
        )


def _report_version(source: Source, written: object, version: str) -> None:
    source.report(
        "contract-shape",
        Location("", ("openapi",)),
        f"the version {quote_value(written)} has no third number, so it is read as {quote_value(version)}",
        help=f"write 'openapi: {version}'",
        level=Level.WARNING,
    )


def _report_conversion(source: Source, problems: Iterable[ConversionProblem]) -> None:
    for problem in problems:
        source.report(
            "contract-swagger",
            Location("", problem.pointer),
            problem.message,
            help=problem.help,
            level=problem.level,
        )


def _report_empty(source: Source) -> None:
    source.report(
        "contract-empty",
        Location("", ("paths",)),
        "this contract has no operation, no webhook and no schema that is published",
        help="describe at least one operation under 'paths'",
        level=Level.WARNING,
    )


def openapi_version(document: Document) -> str:
    """Return the version under `openapi`, that of `3.1` in full.

    Raises InvalidContract if this is not a contract we can read.
    """
    data = document.data
    if data is None:
        raise InvalidContract(
            "this file is empty", place=Place(file=document.name), help="give the path of an OpenAPI 3 file"
        )
    if not isinstance(data, dict):
        raise InvalidContract(
            f"this is not an OpenAPI document: its top level is {_kind_word(data)}, not a mapping",
            place=document.place(),
            help="give the path of an OpenAPI 3 file",
        )
    if "swagger" in data:
        raise InvalidContract(
            f"this is a Swagger {data['swagger']} document; Swagger 2.0 and OpenAPI 3.0, 3.1 and 3.2 are supported",
            place=document.place(("swagger",)),
            help="convert it to OpenAPI 3 first",
        )
    version = data.get("openapi")
    if version is None:
        other = other_format(data)
        raise InvalidContract(
            f"this is {other.name}, not an OpenAPI document"
            if other is not None
            else "this is not an OpenAPI document: it has no 'openapi' key",
            place=document.place(),
            help=other.help
            if other is not None
            else "give the path of an OpenAPI 3 file; it starts with 'openapi: 3.…'",
        )
    if not isinstance(version, bool) and str(version) in SUPPORTED_VERSIONS:
        return f"{version}.0"
    if not isinstance(version, str) or not version.startswith(
        tuple(f"{supported_version}." for supported_version in SUPPORTED_VERSIONS)
    ):
        raise InvalidContract(
            f"the OpenAPI version {quote_value(version)} is not supported",
            place=document.place(("openapi",)),
            help=f"versions {', '.join(SUPPORTED_VERSIONS)} are; write it as text, such as '3.0.3'",
        )
    return version


def _kind_word(value: object) -> str:
    return {list: "a list", str: "text", int: "a number", float: "a number", bool: "a boolean"}.get(
        type(value), "something else"
    )


def _digest(source: Source) -> str:
    digest = hashlib.sha256()
    for name, document in sorted(source.documents().items()):
        digest.update(f"{name}\0{len(document.text)}\0".encode("utf-8", "surrogatepass"))
        digest.update(document.text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
