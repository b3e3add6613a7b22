"""This project's own site, built once for all test processes and suites, and again when an input changes."""

import fcntl
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from tests.site.building import DAY, ROOT, built_project, environment

KEPT = ROOT / ".cache" / "tests"
INPUTS = ("changelog", "conformance", "data", "docs", "openapi", "tools", "mkdocs.yml", "requirements.lock")
"""All that the site is made of, the programs that make it included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSite:
    """This project's site as of 2026-12-01, and what its build reported."""

    site_dir: Path
    complaints: tuple[str, ...]
    """What is wrong in the inputs, and what the site builder warned of."""
    twins: Mapping[str, str]
    """The Markdown of every generated page by its uri, as its generator made it."""

    @classmethod
    def build(cls, folder: Path) -> None:
        """Build the site as `devportal build` does, and write its reports beside it."""
        with environment(SOURCE_DATE_EPOCH=DAY):
            built = built_project(ROOT / "mkdocs.yml", folder / "site")
        store = built.portal.store
        reports = {
            "complaints": [*map(str, built.findings), *built.warnings],
            "twins": {head.uri: store.page(head).markdown for head in built.portal.heads},
        }
        (folder / "reports.json").write_text(json.dumps(reports), encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> "OwnSite":
        """Return the site that was built into a folder."""
        reports = json.loads((folder / "reports.json").read_text(encoding="utf-8"))
        return cls(site_dir=folder / "site", complaints=tuple(reports["complaints"]), twins=reports["twins"])


def read_own_site() -> OwnSite:
    """Return the site; the first process that asks builds it, while the others wait."""
    folder = KEPT / f"own-site-{_digest_of_inputs()}"
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "own-site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "reports.json").exists():
            for earlier in KEPT.glob("own-site-*"):
                shutil.rmtree(earlier)
            OwnSite.build(folder)
    return OwnSite.read(folder)


def _digest_of_inputs() -> str:
    digest = sha256()
    for name in INPUTS:
        path = ROOT / name
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        for file in files:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"{file.relative_to(ROOT).as_posix()}\0{file.stat().st_size}\0".encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
