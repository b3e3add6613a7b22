"""Measures which engines can build a portal: MkDocs, its fork ProperDocs, and Zensical.

The portal is built from the project with the plugin, and from the plain files that `devportal generate`
writes. The newest versions that can be installed beside the toolkit are put into a temporary folder. Each
site is compared with that of MkDocs, article by article and file by file.

CPU seconds include those of the system. Run it on a quiet machine. An engine that cannot be installed, or
that does not build the portal, is a row that says so: that is a result too, so the exit code is 0.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import distributions
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.build import run
from tests.scaffold.generate.comparing import differences

ENGINES = ("mkdocs", "properdocs", "zensical")
COMPARED = {"project", "files", "files again"}
"""The builds whose site is the portal as it stands."""
_COLUMNS = "{:<22} {:<16} {:>7} {:>7} {:>8} {:>6} {:>12}"
_HEADS = ("engine", "input", "CPU s", "wall s", "peak MB", "pages", "differences")


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """An engine with its version, and the folder that it is imported from, if not from the toolkit's own."""

    name: str
    version: str
    folder: Path | None = None

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment that it runs in."""
        paths = [str(self.folder), *filter(None, [os.environ.get("PYTHONPATH")])] if self.folder else []
        return {
            **os.environ,
            "NO_MKDOCS_2_WARNING": "1",
            "DISABLE_MKDOCS_2_WARNING": "true",
            **({"PYTHONPATH": os.pathsep.join(paths)} if paths else {}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """One build to measure: what it is made from, the command, where it runs, and the site it makes."""

    engine: Engine
    source: str
    command: Sequence[str]
    folder: Path
    site: Path


def main() -> None:
    """Build the project with each engine, and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--config-file", type=Path, default=Path("mkdocs.yml"), help="the project to build")
    parser.add_argument(
        "--require",
        action="append",
        default=[],
        metavar="SPEC",
        help="which version of an engine to install, such as 'zensical<=0.0.73'",
    )
    asked = parser.parse_args()
    project = asked.config_file.resolve()
    if not project.is_file():
        parser.error(f"{asked.config_file} is not a file: name the mkdocs.yml of a project")
    for requirement in asked.require:
        if not requirement.startswith(ENGINES[1:]):
            parser.error(f"{requirement!r} is none of the engines: {', '.join(ENGINES[1:])}")
    with TemporaryDirectory(prefix="bench-engines-") as name:
        folder = Path(name)
        print(_COLUMNS.format(*_HEADS))
        engines = tuple(installed_engines(asked.require, folder))
        reference = folder / "mkdocs-project"
        for build in builds(engines, project, folder):
            report(build, reference)


def installed_engines(requirements: Sequence[str], folder: Path) -> Iterator[Engine]:
    """Yield MkDocs as the toolkit has it, and each other engine that can be installed."""
    yield Engine(name="mkdocs", version=_version("mkdocs", sys.path))
    for name in ENGINES[1:]:
        wanted = next((requirement for requirement in requirements if requirement.startswith(name)), name)
        target = folder / f"{name}-packages"
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(target), wanted]
        done = subprocess.run(pip, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            yield Engine(name=name, version=_version(name, [str(target)]), folder=target)
        else:
            print(f"{name:<22} not measured: {wanted} cannot be installed here")


def _version(name: str, paths: list[str]) -> str:
    return next(iter(distributions(name=name, path=paths))).version


def builds(engines: Sequence[Engine], project: Path, folder: Path) -> Iterator[Build]:
    """Yield the builds in order: those of the project, the files, those of the files, and one edit."""
    python, tree = sys.executable, folder / "files"
    for engine in engines:
        if engine.name != "zensical":  # it runs no plugin
            site = folder / f"{engine.name}-project"
            options = ("build", "--strict", "-q", "-f", str(project), "-d", str(site))
            command = (python, "-m", engine.name, *options)
            yield Build(engine=engine, source="project", command=command, folder=project.parent, site=site)
    own = engines[0]
    write = (python, "-m", "devportal", "generate", "--config-file", str(project), "--output", str(tree))
    yield Build(engine=own, source="(writes files)", command=write, folder=project.parent, site=tree)
    for engine in engines:
        yield from builds_of_files(engine, tree, folder / f"{engine.name}-files")


def builds_of_files(engine: Engine, tree: Path, folder: Path) -> Iterator[Build]:
    """Yield the builds of a copy of the generated files: cold, again, and after a page was edited."""
    if not tree.is_dir():
        return
    shutil.copytree(tree, folder)
    command = (sys.executable, "-m", engine.name, "build", "--strict", "-f", "mkdocs.yml")
    for source in ("files", "files again", "one page edited"):
        if source == "one page edited":
            page = folder / "docs" / "index.md"
            page.write_text(page.read_text(encoding="utf-8") + "\n<!-- edited -->\n", encoding="utf-8")
        yield Build(engine=engine, source=source, command=command, folder=folder, site=folder / "site")


def report(build: Build, reference: Path) -> None:
    """Measure a build and print its row."""
    name = f"{build.engine.name} {build.engine.version}"
    measured = run(build.command, build.engine.environment, build.site, folder=build.folder)
    if measured is None:
        print(f"{name:<22} {build.source:<16} does not build the portal", flush=True)
        return
    count = _differences(build, reference)
    row = (name, build.source, f"{measured.cpu_s:.1f}", f"{measured.wall_s:.1f}")
    pages = measured.pages if (build.site / "index.html").is_file() else ""
    print(_COLUMNS.format(*row, f"{measured.peak_bytes / 1e6:.0f}", pages, count), flush=True)


def _differences(build: Build, reference: Path) -> str:
    """Return in how many places a site differs from that of MkDocs; empty if there is nothing to compare."""
    if build.site == reference or build.source not in COMPARED or not reference.is_dir():
        return ""
    finish = build.folder / "finish.py"
    if finish.is_file():
        subprocess.run([sys.executable, finish, build.site], check=True, capture_output=True)
    return str(sum(1 for _ in differences(reference, build.site)))


if __name__ == "__main__":
    main()
