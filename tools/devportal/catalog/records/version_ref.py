"""The reference of one version of one record, in the audit log and in public files."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar


class Kind(StrEnum):
    """The kinds of records; the value is the folder and the key that hold them."""

    RATE = "rates"
    COVERAGE = "coverage"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class RecordRef:
    """A version of a record; written `rates/no-parcel-2kg@2`."""

    kind: Kind
    id: str
    version: int

    def __str__(self) -> str:
        """Return the form that `parse` reads."""
        return f"{self.kind}/{self.id}@{self.version}"

    @classmethod
    def parse(cls, text: str) -> "RecordRef":
        """Parse the output of `str`; raises ValueError for anything else."""
        kind, slash, rest = text.partition("/")
        record_id, at, version = rest.partition("@")
        if not (slash and at and record_id and version.isascii() and version.isdecimal()):
            raise ValueError(f"{text!r} does not name a version, as 'rates/no-parcel-2kg@2' does")
        return cls(kind=Kind(kind), id=record_id, version=int(version))

    def __hash__(self) -> int:
        """Return a hash without the kind, which nearly all references share and which is slow to hash."""
        return hash(self.id) ^ self.version


class Terms:
    """The common part of the terms of both kinds of records. A copy with changes caches nothing."""

    __slots__ = ("kept_places", "kept_ref", "kept_sha256")

    kind: ClassVar[Kind]
    id: str
    version: int
    kept_ref: RecordRef
    """The cached result of `ref`."""
    kept_sha256: str
    """The cached result of `content_sha256` for these terms."""
    kept_places: int
    """The cached number of decimal places of a price: pages of a product compare those of all its rates."""

    @property
    def ref(self) -> RecordRef:
        """Return the reference of this version."""
        try:
            return self.kept_ref
        except AttributeError:
            record_ref = RecordRef(kind=self.kind, id=self.id, version=self.version)
            object.__setattr__(self, "kept_ref", record_ref)
            return record_ref
