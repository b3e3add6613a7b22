"""What names one version of one record, in the audit log and in public files."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """The kinds of records; the value is the folder and the key that hold them."""

    RATE = "rates"
    COVERAGE = "coverage"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class RecordRef:
    """A version of a record; written `rates/no-sms-fjord@2`."""

    kind: Kind
    id: str
    version: int

    def __str__(self) -> str:
        """Return the form that `parse` reads."""
        return f"{self.kind}/{self.id}@{self.version}"

    @classmethod
    def parse(cls, text: str) -> "RecordRef":
        """Read what `str` writes; raises ValueError for anything else."""
        kind, slash, rest = text.partition("/")
        record_id, at, version = rest.partition("@")
        if not (slash and at and record_id and version.isascii() and version.isdecimal()):
            raise ValueError(f"{text!r} does not name a version, as 'rates/no-sms-fjord@2' does")
        return cls(kind=Kind(kind), id=record_id, version=int(version))


class Terms:
    """What the terms of both kinds of records have in common."""

    __slots__ = ("kept_sha256",)

    kept_sha256: str
    """The hash of the content, once `content_sha256` was asked for it. A copy with changes has none yet."""
