"""Small histories to test with: contracts as data, frozen as releases, and entries that tell of them."""

import copy
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from devportal.changelog import Entry, History, Memory, load_releases, read_history
from devportal.changelog.proof.comparing import WrittenPolicy
from devportal.changelog.proof.proof import StepProof
from devportal.changelog.releases.manifest import MANIFEST_NAME, Manifest, Record, manifest_text, sha256_of
from devportal.changelog.releases.publishing import with_publications
from devportal.contract import load_contract
from devportal.differ import Verdict
from devportal.documents import to_yaml
from devportal.findings import Finding
from tests.changelog.samples import MIGRATION, entry

TODAY = date(2026, 6, 1)
CONTRACT: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "Parcels", "version": "1.0.0"},
    "tags": [{"name": "Messages"}],
    "paths": {
        "/parcels": {
            "get": {
                "tags": ["Messages"],
                "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}}],
                "responses": {"200": {"$ref": "#/components/responses/Parcels"}},
            },
            "post": {
                "tags": ["Messages"],
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewParcel"}}},
                },
                "responses": {"201": {"description": "Taken"}},
            },
        }
    },
    "components": {
        "responses": {
            "Parcels": {
                "description": "All of them",
                "content": {
                    "application/json": {
                        "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Parcel"}}
                    }
                },
            }
        },
        "schemas": {
            "NewParcel": {
                "type": "object",
                "properties": {"to": {"type": "string"}, "note": {"type": "string"}},
            },
            "Parcel": {
                "type": "object",
                "properties": {"id": {"type": "string"}, "state": {"type": "string"}},
            },
        },
    },
}
TO = ("components", "schemas", "NewParcel", "properties", "to")
GET = ("paths", "/parcels", "get")
POST = ("paths", "/parcels", "post")


def contract(version: str = "1.0.0", **changed: Any) -> dict[str, Any]:
    """Return the contract as a version of itself."""
    made = copy.deepcopy(CONTRACT)
    made["info"] = {**made["info"], "version": version}
    return made | changed


def put(data: dict[str, Any], *steps: str, value: Any) -> dict[str, Any]:
    """Return a contract with a value put in at the end of a way; None takes it out."""
    made = copy.deepcopy(data)
    node = made
    for step in steps[:-1]:
        node = node.setdefault(step, {})
    if value is None:
        del node[steps[-1]]
    else:
        node[steps[-1]] = value
    return made


def with_shorter_text(data: dict[str, Any]) -> dict[str, Any]:
    """Return a contract with a breaking change: a smaller `maxLength`."""
    return put(data, *TO, value={"type": "string", "maxLength": 5})


def with_weight(data: dict[str, Any]) -> dict[str, Any]:
    """Return a contract with something new that breaks nothing: one more property of an answer."""
    return put(data, "components", "schemas", "Parcel", "properties", "weight", value={"type": "integer"})


def covering_entry(*covers: dict[str, str], slug: str = "told", **fields: object) -> Entry:
    """Return an entry with these covers, for a breaking change unless the fields say otherwise."""
    told: dict[str, object] = {
        "id": f"2026-05-01-{slug}",
        "date": "2026-05-01",
        "effective": "2026-05-01",
        "impact": "breaking",
        "kind": "changed",
        "action_required": True,
        "covers": list(covers) or None,
    }
    return entry(MIGRATION, **(told | fields))


FIRST = covering_entry(
    {"operation": "POST /parcels"},
    slug="first",
    impact="additive",
    kind="added",
    action_required=False,
    effective=None,
    spec_to="1.0.0",
)
WEIGHT = covering_entry(
    {"schema": "Parcel", "field": "weight"},
    slug="weight",
    impact="additive",
    kind="added",
    action_required=False,
    effective=None,
    spec_from="1.0.0",
    spec_to="1.1.0",
)


class Shelf:
    """A folder of releases with their manifest, and the working contract beside it."""

    def __init__(self, folder: Path, *contracts: dict[str, Any], entries: Iterable[Entry] = (FIRST,)) -> None:
        """Freeze contracts, and record them and the entries of each as published."""
        self.folder = folder / "releases"
        self.folder.mkdir()
        self.entries = tuple(entries)
        manifest = Manifest()
        for number, data in enumerate(contracts):
            text = to_yaml(data)
            version = data["info"]["version"]
            (self.folder / f"{version}.yaml").write_text(text, encoding="utf-8")
            record = Record(
                version=version, date=date(2026, 1 + number, 1), sha256=sha256_of(text.encode("utf-8"))
            )
            manifest = replace(manifest, records=(*manifest.records, record))
        self.record(with_publications(manifest, (item for item in self.entries if item.spec_to)))
        self.working = folder / "openapi.yaml"

    def record(self, manifest: Manifest) -> None:
        """Write the manifest anew."""
        (self.folder / MANIFEST_NAME).write_text(manifest_text(manifest), encoding="utf-8")

    def read(
        self,
        working: dict[str, Any],
        *entries: Entry,
        policy: WrittenPolicy | None = None,
        today: date = TODAY,
        memory: Memory | None = None,
        processes: int = 1,
        leaps: bool = False,
    ) -> tuple[History, tuple[Finding, ...]]:
        """Return the history with a working contract and further entries, and all that is wrong with it."""
        self.working.write_text(to_yaml(working), encoding="utf-8")
        releases, found = load_releases(self.folder, name="releases")
        history, disagreements = read_history(
            releases,
            (*self.entries, *entries),
            load_contract(self.working, name="openapi.yaml"),
            policy=policy or {},
            today=today,
            memory=memory or Memory(),
            processes=processes,
            leaps=leaps,
        )
        return history, (*found, *disagreements)

    def findings(self, working: dict[str, Any], *entries: Entry, **options: Any) -> tuple[Finding, ...]:
        """Return all that is wrong."""
        return self.read(working, *entries, **options)[1]

    def unreleased_step(self, working: dict[str, Any], *entries: Entry, **options: Any) -> StepProof:
        """Return the step to the working contract."""
        proof = self.read(working, *entries, **options)[0].unreleased
        assert proof is not None
        return proof


def fingerprint(shelf: Shelf, working: dict[str, Any], verdict: Verdict = Verdict.BREAKING) -> str:
    """Return the fingerprint of the one change of a verdict."""
    changes = shelf.unreleased_step(working).step.changes
    (found,) = (change.fingerprint for change in changes if change.verdict is verdict)
    return found


def rules(findings: Iterable[Finding]) -> list[str]:
    """Return the rules of findings, in their order."""
    return [finding.rule for finding in findings]
