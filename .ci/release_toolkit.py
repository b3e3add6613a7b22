"""Releases the toolkit: dates the changelog, sets the version, builds the packages, commits and tags.

    python .ci/release_toolkit.py 0.3.0 --dry-run

Nothing is pushed or uploaded. With `--dry-run` nothing is written either: the command says what it would do.
Exit codes: 0 done, 1 the release is not in order, 2 it could not run.

The Python API is compared with that of the newest tag. What breaks a caller needs a new minor version before
1.0 and a new major version after it, and an entry below Changed or Removed (docs/toolkit/releases.md).
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path

import click
import griffe
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
CHANGELOG = Path("tools/devportal/CHANGELOG.md")
VERSION_FILE = Path("tools/devportal/__init__.py")
API_PAGE = Path("docs/toolkit/python-api.md")
TAG = "devportal-"
UNRELEASED = "## [Unreleased]\n"
_VERSION_LINE = re.compile(r'^__version__ = "([^"]+)"$', re.MULTILINE)
_KIND = re.compile(r"^### (\w+)$", re.MULTILINE)


class CannotRun(Exception):
    """Something that keeps the command from saying anything about the release."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """What a release starts from: texts of the files, the newest tag, and what git says of the work tree."""

    changelog: str
    version: Version
    newest_tag: str
    uncommitted: tuple[str, ...]

    @property
    def notes(self) -> str:
        """Return what stands below Unreleased."""
        _, _, rest = self.changelog.partition(UNRELEASED)
        return re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0].strip()

    @property
    def released(self) -> Version | None:
        """Return the version of the newest tag."""
        return Version(self.newest_tag.removeprefix(TAG)) if self.newest_tag else None


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Release, or say why not. Returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("version", type=_version, help="the version to release, such as 0.3.0")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done, and write nothing")
    asked = parser.parse_args(arguments)
    try:
        state = read_state(root)
        breaks = api_breaks(root, state.newest_tag) if state.newest_tag else ()
    except CannotRun as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    found = tuple(problems(state, asked.version, breaks))
    for problem in found:
        print(f"problem: {problem}", file=sys.stderr)
    if found:
        return 1
    today = datetime.now(UTC).date()
    if asked.dry_run:
        print(announcement(state, asked.version, today))
        return 0
    write_release(root, state, asked.version, today)
    return 0


def _version(text: str) -> Version:
    if not re.fullmatch(r"\d+\.\d+\.\d+", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a version: write three numbers, such as 0.3.0")
    return Version(text)


def read_state(root: Path) -> State:
    """Read the files and ask git. Raises CannotRun."""
    try:
        changelog = (root / CHANGELOG).read_text(encoding="utf-8")
        source = (root / VERSION_FILE).read_text(encoding="utf-8")
    except OSError as error:
        raise CannotRun(f"{error.filename} cannot be read: {error.strerror}") from error
    match = _VERSION_LINE.search(source)
    if match is None or UNRELEASED not in changelog:
        raise CannotRun(f"{VERSION_FILE} has no __version__, or {CHANGELOG} no Unreleased section")
    tags = _git(root, "tag", "--list", f"{TAG}*", "--merged", "HEAD").split()
    status = _git(root, "status", "--porcelain").splitlines()
    return State(
        changelog=changelog,
        version=Version(match[1]),
        newest_tag=max(tags, key=lambda tag: Version(tag.removeprefix(TAG)), default=""),
        uncommitted=tuple(line[3:] for line in status),
    )


def api_breaks(root: Path, tag: str) -> tuple[str, ...]:
    """Return what a caller of the public API of a tag could trip over now, a sentence each."""
    pages = (root / API_PAGE, *(root / API_PAGE).with_suffix("").glob("*.md"))
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    modules = set(re.findall(r"^::: ([a-z._]+)$", text, re.MULTILINE))
    now = griffe.load("devportal", search_paths=[root / "tools"], resolve_aliases=True)
    before = griffe.load_git("devportal", ref=tag, repo=root, search_paths=["tools"], resolve_aliases=True)
    public = set(_public_paths(before, modules))
    return tuple(
        click.unstyle(breakage.explain(griffe.ExplanationStyle.ONE_LINE)).replace(f"{root}/", "")
        for breakage in griffe.find_breaking_changes(before, now)
        if any(breakage.obj.path == path or breakage.obj.path.startswith(f"{path}.") for path in public)
    )


def _public_paths(package: griffe.Object | griffe.Alias, modules: set[str]) -> Iterator[str]:
    """Yield where the names of `__all__` are, and where they are defined."""
    for module in modules:
        try:
            found = package[module.removeprefix("devportal.")]
        except KeyError:
            continue  # the page names a module that the tag did not have
        for name in found.exports or ():
            member = found[str(name)]
            yield f"{module}.{name}"
            yield member.final_target.path if member.is_alias else member.path


def problems(state: State, version: Version, breaks: Sequence[str]) -> Iterator[str]:
    """Yield what is not in order with a release."""
    if state.uncommitted:
        yield f"{state.uncommitted[0]} is not committed: commit or stash what you changed"
    if state.released is not None and version <= state.released:
        yield f"{version} is not newer than {state.released}, the newest release"
    if version < state.version:
        yield f"{version} is older than {state.version}, the version in {VERSION_FILE}"
    if not re.search(r"^- ", state.notes, re.MULTILINE):
        yield f"{CHANGELOG} has no entry below Unreleased: nothing to release"
    if breaks and not _may_break(state, version):
        part = "minor" if version.major == 0 else "major"
        yield f"{version} is not a new {part} version, and the Python API breaks: {breaks[0]}"
    if breaks and not {"Changed", "Removed"} & set(_KIND.findall(state.notes)):
        yield f"{CHANGELOG} has no entry below Changed or Removed, and the Python API breaks: {breaks[0]}"


def _may_break(state: State, version: Version) -> bool:
    before = state.released or state.version
    if version.major == 0:
        return (version.major, version.minor) > (before.major, before.minor)
    return version.major > before.major


def dated(changelog: str, version: Version, day: date) -> str:
    """Return the changelog with what is unreleased under a version and its day."""
    return changelog.replace(UNRELEASED, f"{UNRELEASED}\n## [{version}] - {day}\n", 1)


def announcement(state: State, version: Version, day: date) -> str:
    """Return what a release would do, and its notes."""
    return "\n".join(
        (
            f"would date {CHANGELOG}: [{version}] - {day}",
            f"would set {VERSION_FILE} to {version}",
            "would build a wheel and a source distribution into dist/",
            f"would commit, and tag {TAG}{version}; the newest tag is {state.newest_tag or 'none'}",
            "",
            state.notes,
        )
    )


def write_release(root: Path, state: State, version: Version, day: date) -> None:
    """Write, build, commit and tag; a build that fails leaves the files as they were."""
    source = (root / VERSION_FILE).read_text(encoding="utf-8")
    (root / CHANGELOG).write_text(dated(state.changelog, version, day), encoding="utf-8")
    line = f'__version__ = "{version}"'
    (root / VERSION_FILE).write_text(_VERSION_LINE.sub(line, source), encoding="utf-8")
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(root / "dist")]
    if subprocess.run(build, cwd=root, check=False).returncode:
        _git(root, "checkout", "--", str(CHANGELOG), str(VERSION_FILE))
        raise SystemExit(2)
    _git(root, "add", str(CHANGELOG), str(VERSION_FILE))
    _git(root, "commit", "--quiet", "--message", f"Release devportal {version}")
    _git(root, "tag", "--annotate", f"{TAG}{version}", "--message", f"devportal {version}\n\n{state.notes}")
    print(f"Released {TAG}{version}. Next: push the commit and the tag, then upload what is in dist/.")


def _git(root: Path, *arguments: str) -> str:
    """Run git and return what it prints. Raises CannotRun."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CannotRun(f"git {arguments[0]}: {done.stderr.strip()}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
