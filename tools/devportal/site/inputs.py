"""Where a portal is read from, what tells that it must be read again, and the day of a build."""

import os
import posixpath
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

from devportal.contract import Contract
from devportal.errors import InvalidSettings
from devportal.site.cache.reuse import files_digest


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Where the inputs are; None leaves a part out. Messages name files from `root`."""

    root: Path
    contract: Path | None
    allow_outside_references: bool = False
    overview: str = "reference/index.md"
    language: str = ""
    """The language of the site, if the project sets one; else the contract's holds, or else the theme's."""
    theme_language: str = ""
    redirects: Path | None = None
    strict_redirects: bool = True
    docs: Path | None = None
    sources: str = ""
    decisions: str = ""
    """Where sources and decisions are described: uris below `docs`, the second with `{number}` in it."""
    records: Path | None = None
    changelog: Path | None = None
    releases: Path | None = None
    """The folder of the frozen contracts; without it nothing is proven of the changelog."""
    results: Path | None = None
    """The folder of reports of conformance runs; without it nothing is said of any deployment."""
    plugins: tuple[str, ...] = ()
    """The plug-ins that the settings list, by their canonical names (`devportal.plugins`)."""
    policy: Path | None = None
    """The policy of the differ, if it is not the usual one."""
    site_url: str = ""
    title: str = ""
    feed: bool = True
    feed_authority: str = ""
    rate_history: bool = True
    console: str = "auto"
    """Which operations can be tried (`devportal.reference.console`)."""
    versions: str | tuple[str, ...] = "majors"
    """Which earlier releases have a reference of their own (`devportal.site.versions.version_setting`)."""
    today: date
    comparisons: Path | None = None
    """The folder in which comparisons of releases are kept between processes."""

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files and folders of the portal's own that there are, the pages apart."""
        parts = (self.contract, self.redirects, self.records, self.changelog, self.releases, self.results)
        return tuple(one for one in (*parts, self.policy) if one is not None)

    def name(self, path: Path) -> str:
        """Return what messages call a path: from the root, or else the working folder, if it lies inside."""
        for folder in (self.root, Path.cwd()):
            if path.is_relative_to(folder):
                return path.relative_to(folder).as_posix()
        return str(path)


def releases_beside(contract: Path) -> Path | None:
    """Return the folder of releases that lies beside a contract, if there is one."""
    path = contract.parent / "releases"
    return path if path.is_dir() else None


def watched_paths(inputs: Inputs, contract: Contract | None) -> tuple[Path, ...]:
    """Return the files and folders whose change changes the portal; `contract` is the one read last, if any.

    Only what the contract refers to counts, never its whole folder: that may be anybody's home.
    """
    found = [*inputs.paths]
    if inputs.docs is not None:
        described = (inputs.sources, posixpath.dirname(inputs.decisions))
        found += [inputs.docs / name for name in described if name]
    if contract is not None and inputs.contract is not None:
        referred = filter(None, contract.source.documents())
        found += [inputs.contract.parent / name for name in referred]
    return tuple(found)


def fingerprint(inputs: Inputs, contract: Contract | None) -> str:
    """Return a digest of names, sizes and times of all that is watched: it changes when any of it does."""
    files = (
        file
        for path in watched_paths(inputs, contract)
        for file in (sorted(path.rglob("*")) if path.is_dir() else [path])
    )
    return files_digest(((str(file), file) for file in files), inputs)


def today() -> date:
    """Return today in UTC, or the day of `SOURCE_DATE_EPOCH` (Unix seconds), for repeatable builds."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not epoch:
        return datetime.now(tz=UTC).date()
    try:
        return datetime.fromtimestamp(int(epoch), tz=UTC).date()
    except (ValueError, OverflowError, OSError) as error:
        raise InvalidSettings(
            f"SOURCE_DATE_EPOCH is {epoch!r}, which is no number of seconds since 1970",
            help="unset or mend it",
        ) from error
