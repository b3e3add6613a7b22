"""Measures how long `devportal serve` takes to show an edit: wall time and CPU time of all processes.

A copy of the project, by default this one, is built once as when its portal is served; then a text of each kind is
edited, and the site built again, several times in turn. The shortest and the longest wall time of each kind are shown:
until the edit can be seen, so without what follows beside the served pages, such as the search for leaks.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from devportal.site.commands.live_server import building
from devportal.site.project_file import plugin_of

ROOT = Path(__file__).parents[1]


def main() -> None:
    """Measure what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--project", type=Path, default=ROOT, help="the folder of a project in a git repository"
    )
    parser.add_argument("--rounds", type=int, default=3, help="how often each kind of edit is made")
    asked = parser.parse_args()
    with TemporaryDirectory(prefix="devportal-bench-") as folder:
        project = Path(folder, "project")
        copy_project(asked.project.resolve(), project)
        measure(project, Path(folder, "site"), asked.rounds)


def copy_project(source: Path, target: Path) -> None:
    """Copy the files of a project that git knows."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=source, check=True, capture_output=True, text=True)
    for name in filter(None, listed.stdout.split("\0")):
        file = target / name
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source / name, file, follow_symlinks=False)


def measure(project: Path, site: Path, rounds: int) -> None:
    """Print a line for the first build, and one for each kind of edit."""
    os.chdir(project)
    edits = dict(edits_of(project))
    if not edits:
        sys.exit(f"{project.name}: there is nothing to edit: no page, contract, entry or record")
    with building(project / "mkdocs.yml", site, address="127.0.0.1:8000") as builder:
        wall, cpu = measure_build(builder)
        print(f"load at the start {os.getloadavg()[0]:.1f}; first build {wall:.1f} s, {cpu:.1f} CPU s")
        measure_build(builder)
        for name, edit in edits.items():
            walls, cpus = [], []
            for _ in range(rounds):
                plugin_of(builder.first_config).wait()
                edit()
                wall, cpu = measure_build(builder)
                walls.append(wall)
                cpus.append(cpu)
            print(f"{name:<24}{min(walls):5.1f} to {max(walls):4.1f} s, {min(cpus):5.1f} CPU s", flush=True)


def edits_of(project: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yield the kinds of edits that a project has something for."""
    for name, pattern, old in (
        ("text of a page", "docs/**/*.md", "\n\n"),
        ("title of a page", "docs/**/*.md", "# "),
        ("description", "openapi/*.yaml", "      description: "),
        ("entry of the changelog", "changelog/*.md", "## What changed\n\n"),
        ("note of a record", "data/rates/*.yaml", "    note: "),
    ):
        for file in sorted(project.glob(pattern)):
            if old in file.read_text(encoding="utf-8") and file.name != "index.md":
                yield name, edit_after(file, old)
                break


def edit_after(file: Path, old: str) -> Callable[[], None]:
    """Return what writes another word behind the first `old` of a file, each time one more."""

    def edit() -> None:
        text = file.read_text(encoding="utf-8")
        place = text.index(old) + len(old)
        if text[place : place + 1] in {"|", ">", "\n"}:
            place = text.index("\n", place + 1) + 1
            place += len(text[place:]) - len(text[place:].lstrip())
        file.write_text(f"{text[:place]}Again {text[place:]}", encoding="utf-8")

    return edit


def measure_build(build: Callable[[], None]) -> tuple[float, float]:
    """Return the wall time of a build in seconds, and the CPU time of it and of the processes that it has ended."""
    before, started = os.times(), time.monotonic()
    build()
    after, ended = os.times(), time.monotonic()
    return ended - started, sum(after[:4]) - sum(before[:4])


if __name__ == "__main__":
    main()
