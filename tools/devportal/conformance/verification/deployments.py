"""Deployments by their base address: their names, their newest run and earlier ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from devportal.conformance.verification.runs import Run
from devportal.contract import Api
from devportal.markup import plain_text
from devportal.reference.addresses import slug


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedDeployment:
    """A deployment that was tested. `name` is from the contract, or else its host; `rows` has the anchor of
    each operation by its label.
    """

    name: str
    anchor: str
    url: str
    rows: Mapping[str, str] = field(repr=False)
    runs: tuple[Run, ...] = field(repr=False)
    """The newest first; at least one."""

    @property
    def latest(self) -> Run:
        """Return its newest run."""
        return self.runs[0]


def deployments_of(runs: Sequence[Run], api: Api) -> tuple[VerifiedDeployment, ...]:
    """Return the deployments of some runs; the one tested last is the first."""
    used_anchors: set[str] = set()
    names = {
        server.address: plain_text(server.name or server.description, limit=60) for server in api.servers
    }
    by_url: dict[str, list[Run]] = {}
    for run in runs:
        by_url.setdefault(run.result.url.rstrip("/"), []).append(run)
    deployments = []
    for url, url_runs in by_url.items():
        name = names.get(url) or urlsplit(url).netloc or url
        anchor = _unused_anchor(slug(name), used_anchors)
        rows = {
            operation.label: _unused_anchor(f"{anchor}.{slug(operation.label)}", used_anchors)
            for operation in url_runs[0].result.operations
        }
        deployments.append(
            VerifiedDeployment(name=name, anchor=anchor, url=url, rows=rows, runs=tuple(url_runs))
        )
    return tuple(deployments)


def _unused_anchor(anchor: str, used_anchors: set[str]) -> str:
    number, free = 1, anchor
    while free in used_anchors:
        number += 1
        free = f"{anchor}-{number}"
    used_anchors.add(free)
    return free
