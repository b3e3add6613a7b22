"""The reference of one release of a contract, and those of all that a portal has beside each other."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date

from devportal.changelog import Release
from devportal.contract import Api, Contract
from devportal.project.caches import toolkit_digest
from devportal.project.settings import REFERENCE, SharedSchema
from devportal.reference.redirects.matching_pages import Counterparts, DocumentedPart, RenamedParts, parts_of
from devportal.site.cache.store import PageStore, dataclass_members


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """The reference of one version, below its own folder. `release` is None if it is not released yet."""

    version: str
    folder: str
    overview: str
    release: Release | None = field(default=None, repr=False)
    parts: Counterparts = field(repr=False)

    @property
    def contract_uri(self) -> str:
        """Return the uri of the contract of an earlier release as it was published."""
        return f"{self.folder}/openapi.yaml"

    @property
    def date(self) -> date | None:
        """Return the date of the release; None if it is not known."""
        return self.release.date if self.release is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Editions:
    """The reference of the present contract, and of earlier releases, the newest first."""

    current: Edition
    earlier: tuple[Edition, ...]

    @property
    def all(self) -> tuple[Edition, ...]:
        """Return all of them, the present one first."""
        return (self.current, *self.earlier)


class EditionCache:
    """Looks up the parts that the reference of a contract shows, and caches them in a store."""

    def __init__(self, store: PageStore, renames: RenamedParts, *, reference: str = REFERENCE) -> None:
        """Take the store, the parts that were renamed between releases, and the folder of the present contract."""
        self._store = store
        self._reference = reference
        self._renames = renames
        self._cached: dict[str, Counterparts] = {}

    def current(
        self,
        contract: Contract,
        releases: Sequence[Release],
        *,
        overview: str,
        shared: tuple[SharedSchema, ...] = (),
    ) -> Edition:
        """Return the edition of the present contract; schemas `shared` with other APIs have their page elsewhere."""
        version = contract.api.version
        inputs_digest = f"{contract.digest} {overview}{shared or ''}"
        return Edition(
            version=version or "present",
            folder=self._reference,
            overview=overview,
            release=next((release for release in releases if release.version == version), None),
            parts=self._parts(
                "current",
                inputs_digest,
                lambda: contract.api,
                folder=self._reference,
                overview=overview,
                shared=shared,
            ),
        )

    def edition(self, release: Release) -> Edition:
        """Return the edition of an earlier release. Raises PortalError if its contract cannot be read."""
        folder = edition_folder(release.version, self._reference)
        overview = f"{folder}/index.md"
        return Edition(
            version=release.version,
            folder=folder,
            overview=overview,
            release=release,
            parts=self.parts(release),
        )

    def parts(self, release: Release) -> Counterparts:
        """Return the parts that the edition of a release shows, or would show. Raises PortalError."""
        folder = edition_folder(release.version, self._reference)
        overview = f"{folder}/index.md"
        return self._parts(
            release.version,
            release.sha256,
            lambda: release.contract().api,
            folder=folder,
            overview=overview,
        )

    def _parts(
        self,
        name: str,
        inputs_digest: str,
        read: Callable[[], Api],
        *,
        folder: str,
        overview: str,
        shared: tuple[SharedSchema, ...] = (),
    ) -> Counterparts:
        if name not in self._cached:
            inputs_digest = f"{toolkit_digest()} {inputs_digest}"
            note = f"parts {name}" if self._reference == REFERENCE else f"parts {self._reference} {name}"
            parts = _cached_parts(self._store.note(note), inputs_digest)
            if parts is None:
                parts = parts_of(read(), folder=folder, overview=overview, shared=shared)
                kept = {"made_from": inputs_digest, "parts": parts}
                self._store.write_note(note, json.dumps(kept, default=dataclass_members))
            self._cached[name] = Counterparts(parts, self._renames)
        return self._cached[name]


def edition_folder(version: str, reference: str = REFERENCE) -> str:
    """Return the folder of the pages of an earlier release; `reference` has those of the present contract."""
    return f"{reference}/{version}"


def _cached_parts(text: str, inputs_digest: str) -> tuple[DocumentedPart, ...] | None:
    """Return the cached parts; None if they were made from other inputs."""
    kept = json.loads(text or "null")
    if kept is None or kept["made_from"] != inputs_digest:
        return None
    return tuple(
        DocumentedPart(
            **{
                **part,
                "keys": tuple(part["keys"]),
                "former": tuple(part["former"]),
                "near": tuple(part["near"]),
            }
        )
        for part in kept["parts"]
    )
