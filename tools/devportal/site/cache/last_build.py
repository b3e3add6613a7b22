"""What the last build of a contract's site was made from and reported: one that would be the same is not made.

Nothing here imports MkDocs or reads a contract, so that a build with nothing to do ends at once.
"""

import json
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from devportal.errors import Place
from devportal.findings import Finding, Level
from devportal.project.caches import toolkit_digest
from devportal.project.inputs import today
from devportal.reporting.printable import count_noun
from devportal.site.cache.file_sizes import Sizes, sizes_below


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOutcome:
    """What a build reports: where the site is, what it holds, and what was wrong."""

    site_dir: Path
    findings: tuple[Finding, ...]
    """What is wrong in the inputs."""
    warnings: tuple[str, ...]
    """What the site builder warned of."""
    operations: int | None
    """How many operations the contract has; None without a contract."""
    pages: int
    """How many pages were generated, those from an earlier build included."""
    rendered: int
    """How many pages of the reference were rendered for this build."""
    files: int
    size_bytes: int
    seconds: float

    @property
    def summary(self) -> str:
        """What was built, in one line."""
        operations = f"{count_noun(self.operations, 'operation')}, " if self.operations is not None else ""
        return (
            f"{operations}{count_noun(self.pages, 'generated page')} ({self.rendered:,} rendered), "
            f"{count_noun(self.files, 'file')}, {self.size_bytes / 1e6:,.1f} MB in {self.seconds:.1f} s"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractBuild:
    """What is asked for when the site of a contract is built: a contract, a folder and options.

    `language` is a tag from `read_language`, by default the contract's; `site_url` is where the site will be, if
    that is known.
    """

    contract: Path
    site_dir: Path
    allow_outside_references: bool = False
    overlays: tuple[Path, ...] = ()
    language: str = ""
    site_url: str = ""

    def digest(self) -> str:
        """Return a digest of everything but files that decides on the site and on what is reported."""
        circumstances = (
            toolkit_digest(),
            today().isoformat(),
            os.environ.get("SOURCE_DATE_EPOCH"),
            Path.cwd(),
        )
        return sha256(
            repr((replace(self, site_dir=self.site_dir.resolve()), circumstances)).encode()
        ).hexdigest()


def cache_file(cache: Path, source: Path, suffix: str) -> Path:
    """Return the file of a cache for one project or contract."""
    name = sha256(str(source.resolve()).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return cache / f"{source.stem}-{name}{suffix}"


def unchanged_outcome(build: ContractBuild, cache: Path) -> BuildOutcome | None:
    """Return what the last build reported, if it left the very site that this one would make.

    Raises InvalidSettings for a day in the environment that is none.
    """
    started = time.monotonic()
    try:
        noted = json.loads(cache_file(cache, build.contract, ".json").read_text(encoding="utf-8"))
        is_same = (
            noted["build"] == build.digest()
            and noted["sources"] == _contents_digest(map(Path, noted["paths"]))
            and noted["site"] == _sizes_digest(sizes_below(build.site_dir))
        )
        if not is_same:
            return None
        return _parse_outcome(noted["outcome"], build.site_dir.resolve(), time.monotonic() - started)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def record_outcome(
    build: ContractBuild,
    cache: Path,
    outcome: BuildOutcome,
    *,
    paths: Sequence[Path],
    files: Sizes,
    started_ns: int,
) -> None:
    """Note what a build reported, and what it was made from: files and folders, some of which may be absent.

    Nothing is noted if one of them may have changed since the build started, in nanoseconds since 1970.
    """
    with suppress(OSError):  # what cannot be read or kept is worked out again
        if any(_changed_ns(file) >= started_ns for file in _files_of(paths)):
            return
        noted = {
            "build": build.digest(),
            "paths": [str(path) for path in paths],
            "sources": _contents_digest(paths),
            "site": _sizes_digest(files),
            "outcome": _outcome_members(outcome),
        }
        cache_file(cache, build.contract, ".json").write_text(json.dumps(noted), encoding="utf-8")


def _changed_ns(file: Path) -> int:
    """Return when a file got its content or its place: `cp -p` and `mv` leave it the time of an older content."""
    status = file.stat()
    return max(status.st_mtime_ns, status.st_ctime_ns)


def _contents_digest(paths: Iterable[Path]) -> str:
    digest = sha256()
    for file in _files_of(paths):
        with file.open("rb") as content:
            about = f"{file}\0{file_digest(content, 'sha256').hexdigest()}\0"
            digest.update(about.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _files_of(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        yield from (file for file in (sorted(path.rglob("*")) if path.is_dir() else [path]) if file.is_file())


def _sizes_digest(sizes: Sizes) -> str:
    return sha256(json.dumps(sizes).encode("utf-8", "surrogatepass")).hexdigest()


def _outcome_members(outcome: BuildOutcome) -> dict[str, Any]:
    """Return the members of an outcome that hold for a build after it, too."""
    names = {field.name for field in fields(BuildOutcome)} - {"findings", "rendered", "seconds", "site_dir"}
    members = {name: getattr(outcome, name) for name in sorted(names)}
    return {**members, "findings": [asdict(finding) for finding in outcome.findings]}


def _parse_outcome(noted: dict[str, Any], site_dir: Path, seconds: float) -> BuildOutcome:
    warnings, findings = tuple(noted["warnings"]), tuple(map(_parse_finding, noted["findings"]))
    same = {**noted, "warnings": warnings, "findings": findings}
    return BuildOutcome(**same, site_dir=site_dir, rendered=0, seconds=seconds)


def _parse_finding(noted: dict[str, Any]) -> Finding:
    places = tuple(Place(**place) for place in noted["other_places"])
    place, level = Place(**noted["place"]), Level(noted["level"])
    return Finding(**{**noted, "place": place, "level": level, "other_places": places})
