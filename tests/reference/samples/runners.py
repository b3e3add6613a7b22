"""Samples as programs that run: each language's files, and one command for many programs at once."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from devportal.reference.samples import Language
from tests.waiting import PATIENCE_S

_PYTHON = """
import runpy, sys, traceback
failed = 0
for name in sys.argv[1:]:
    try:
        runpy.run_path(name)
    except Exception:
        traceback.print_exc()
        failed = 1
sys.exit(failed)
"""
_NODE = """
for (const name of process.argv.slice(1)) {
  try {
    await import(name);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
}
"""
_EACH = 'command=$1; shift; failed=0; for program; do "$command" "$program" || failed=1; done; exit $failed'


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """How programs of a language are run, one after the other; if any fails, so does the whole.

    `command` takes the programs as arguments. One process for all where a language starts slowly; where
    `built` is set, the programs are compiled into one that does what its argument names.
    """

    extension: str
    needs: str
    command: tuple[str, ...]
    built: bool = False


RUNNERS = {
    "curl": Runner(extension="sh", needs="curl", command=("sh", "-c", _EACH, "sh", "sh")),
    "python": Runner(extension="py", needs=sys.executable, command=(sys.executable, "-c", _PYTHON)),
    "node": Runner(
        extension="mjs", needs="node", command=("node", "--input-type=module", "--eval", _NODE, "--")
    ),
    "php": Runner(extension="php", needs="php", command=("sh", "-c", _EACH, "sh", "php")),
    "go": Runner(extension="go", needs="go", command=("sh", "-c", _EACH, "sh", "./all"), built=True),
}


def needed(language: Language) -> Runner:
    """Return the runner of a language; without its interpreter skip, or fail where a verdict is wanted."""
    runner = RUNNERS[language.name]
    if shutil.which(runner.needs) is None:
        reason = f"{runner.needs} is not installed"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return runner


def run(
    language: Language,
    programs: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
) -> subprocess.CompletedProcess[str]:
    """Run programs one after the other, each with the files of `folder`; the whole fails if one does."""
    runner = needed(language)
    place = folder / language.name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for file in folder.iterdir():
        if file.is_file():
            shutil.copy(file, place)
    names = [f"./s{number:04}.{runner.extension}" for number, _ in enumerate(programs)]
    if runner.built:
        _build(programs, place)
        names = [str(number) for number, _ in enumerate(programs)]
    else:
        for name, program in zip(names, programs, strict=True):
            (place / name).write_text(program, encoding="utf-8")
    whole = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "no_proxy": "*", **environment}
    paths = [str(place / name) for name in names] if language.name == "node" else names
    return subprocess.run(
        [*runner.command, *paths],
        cwd=place, env=whole, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip


_BUILD = ("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", "all", ".")


def _build(programs: Sequence[str], place: Path) -> None:
    """Compile programs of Go into one, `all`: each becomes a package, and linking is what takes time."""
    calls = []
    for number, program in enumerate(programs):
        package = place / f"s{number}"
        package.mkdir()
        text = re.sub(r"\Apackage main\n", f"package s{number}\n", program)
        text = re.sub(r"^func main\(\) \{$", "func Main() {", text, count=1, flags=re.MULTILINE)
        (package / "sample.go").write_text(text, encoding="utf-8")
        calls.append(f'"{number}": s{number}.Main,')
    imports = "\n".join(f'import "samples/s{number}"' for number, _ in enumerate(programs))
    main = f'import "os"\nfunc main() {{ map[string]func(){{{"".join(calls)}}}[os.Args[1]]() }}'
    (place / "main.go").write_text(f"package main\n{imports}\n{main}\n", encoding="utf-8")
    (place / "go.mod").write_text("module samples\n\ngo 1.18\n", encoding="utf-8")
    environment = {**os.environ, "GOPROXY": "off", "GOFLAGS": "", "GOTOOLCHAIN": "local"}
    ended = subprocess.run(
        _BUILD, cwd=place, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert ended.returncode == 0, ended.stderr
