"""What was published when: the releases with the digests of their contracts and entries, append-only.

It lies beside the frozen contracts and is written by `devportal release`, never by hand. A line of it that
changes is a line of history that changes: whoever reviews a change of the project sees it.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import lru_cache
from importlib.resources import files
from typing import Any

from devportal.changelog.entries.entry import Entry
from devportal.differ.policy_file import parse_policy
from devportal.documents import Document, Shape, parse_document, to_json, to_yaml
from devportal.findings import Finding

MANIFEST_NAME = "releases.yaml"
_HEAD = "# What was published when. `devportal release` writes this: nothing in it is changed by hand.\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """An entry as it was published: its digest, and how many corrections it had then."""

    sha256: str
    amended: int = 0


Publications = Mapping[str, tuple[Publication, ...]]
"""Everything that was published of each entry, by its id, the oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A release as it was recorded. `policy` is the differ's, as written, that it was compared under."""

    version: str
    date: date
    sha256: str
    policy: Mapping[str, Any] = field(default_factory=dict)
    entries: Publications = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """All releases, the oldest first, and the entries that were announced and belong to none yet."""

    records: tuple[Record, ...] = ()
    announced: Publications = field(default_factory=dict)
    document: Document | None = field(default=None, repr=False, compare=False)

    @property
    def last(self) -> Record | None:
        """Return the newest release, None before the first one."""
        return self.records[-1] if self.records else None

    def record(self, version: str) -> Record | None:
        """Return what is recorded of a version."""
        return next((record for record in self.records if record.version == version), None)

    @property
    def published(self) -> dict[str, tuple[Publication, ...]]:
        """Return everything that was published of each entry."""
        return {
            **self.announced,
            **{id_: publications for record in self.records for id_, publications in record.entries.items()},
        }


def entry_digest(entry: Entry) -> str:
    """Return the SHA-256 of what an entry shows to readers: selectors and links are not part of it."""
    published = {
        "id": entry.id,
        "title": entry.title,
        "date": str(entry.date),
        "effective": str(entry.effective or ""),
        "sunset": str(entry.sunset or ""),
        "apis": entry.apis,
        "impact": entry.impact,
        "kind": entry.kind,
        "action_required": entry.action_required,
        "body": [(section.name, section.text) for section in entry.sections],
    }
    return sha256_of(
        json.dumps(published, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass")
    )


def publication_of(entry: Entry) -> Publication:
    """Return an entry as it is published now."""
    return Publication(sha256=entry_digest(entry), amended=len(entry.amended))


def sha256_of(content: bytes) -> str:
    """Return the digest of a file's bytes."""
    return hashlib.sha256(content).hexdigest()


def read_manifest(document: Document) -> tuple[Manifest, tuple[Finding, ...]]:
    """Return the manifest of a document, and what is wrong in its form; with findings it is empty."""
    findings = tuple(misfit.finding for misfit in _manifest_shape().misfits(document))
    findings = findings or tuple(_policy_findings(document))
    if findings:
        return Manifest(document=document), findings
    records = tuple(
        Record(
            version=release["version"],
            date=date.fromisoformat(release["date"]),
            sha256=release["sha256"],
            policy=release.get("policy", {}),
            entries=_parse_publications(release["entries"]),
        )
        for release in document.data["releases"]
    )
    announced = _parse_publications(document.data.get("announced", {}))
    return Manifest(records=records, announced=announced, document=document), ()


def _policy_findings(document: Document) -> Iterator[Finding]:
    """Yield what is wrong in the policies of the differ that are recorded with releases."""
    for position, release in enumerate(document.data["releases"]):
        written = parse_document(to_json(release.get("policy", {})), name=document.name)
        for wrong in parse_policy(written)[1]:
            yield replace(
                wrong,
                rule="release-manifest",
                place=document.place(("releases", str(position), "policy")),
                message=f"the policy recorded with {release['version']}: {wrong.message}",
                help="take the manifest back from your version control: `devportal release` writes it",
            )


def manifest_text(manifest: Manifest) -> str:
    """Return a manifest as the text of its file."""
    data: dict[str, Any] = {"releases": [_record_data(record) for record in manifest.records]}
    if manifest.announced:
        data["announced"] = _publications_data(manifest.announced)
    return _HEAD + to_yaml(data)


def _parse_publications(data: Mapping[str, list[dict[str, Any]]]) -> Publications:
    return {id_: tuple(Publication(**item) for item in listed) for id_, listed in data.items()}


def _record_data(record: Record) -> dict[str, Any]:
    return {
        "version": record.version,
        "date": str(record.date),
        "sha256": record.sha256,
        **({"policy": record.policy} if record.policy else {}),
        "entries": _publications_data(record.entries),
    }


def _publications_data(entries: Publications) -> dict[str, Any]:
    return {
        id_: [{"sha256": publication.sha256, "amended": publication.amended} for publication in listed]
        for id_, listed in sorted(entries.items())
    }


@lru_cache(maxsize=1)
def _manifest_shape() -> Shape:
    text = files("devportal.changelog").joinpath("schemas", "releases.schema.json").read_text("utf-8")
    return Shape(json.loads(text), rule="release-manifest", root="the manifest of releases")
