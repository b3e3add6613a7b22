"""Samples as programs that run: each language's files, and one command for many programs at once."""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from devportal.reference.samples import LANGUAGES, Language
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
    there is a `build`, it compiles programs in a folder into one that does what its arguments name by number.
    """

    extension: str
    needs: str
    command: tuple[str, ...]
    build: Callable[[Sequence[str], Path], None] | None = None


def _build_go(programs: Sequence[str], place: Path) -> None:
    """Each program becomes a package of one, `all`: linking is what takes time."""
    calls = []
    for number, program in enumerate(programs):
        package = place / f"s{number}"
        package.mkdir()
        text = re.sub(r"^package main\n", f"package s{number}\n", program, count=1, flags=re.MULTILINE)
        text = re.sub(r"^func main\(\) \{$", "func Main() {", text, count=1, flags=re.MULTILINE)
        (package / "sample.go").write_text(text, encoding="utf-8")
        calls.append(f'"{number}": s{number}.Main,')
    imports = "\n".join(f'import "samples/s{number}"' for number, _ in enumerate(programs))
    main = f'import "os"\nfunc main() {{ map[string]func(){{{"".join(calls)}}}[os.Args[1]]() }}'
    (place / "main.go").write_text(f"package main\n{imports}\n{main}\n", encoding="utf-8")
    (place / "go.mod").write_text("module samples\n\ngo 1.18\n", encoding="utf-8")
    environment = {**os.environ, "GOPROXY": "off", "GOFLAGS": "", "GOTOOLCHAIN": "local"}
    _compile(("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", "all", "."), place, environment)


_JAVA = """
public class All {
    public static void main(String[] names) {
        int failed = 0;
        for (String name : names) {
            try {
                Class.forName("s" + name + ".Main").getMethod("main", String[].class).invoke(null, (Object) names);
            } catch (Exception problem) {
                problem.printStackTrace();
                failed = 1;
            }
        }
        System.exit(failed);
    }
}
"""


def _build_java(programs: Sequence[str], place: Path) -> None:
    """Each program is in a package of its own, and one class calls them."""
    (place / "All.java").write_text(_JAVA, encoding="utf-8")
    for number, program in enumerate(programs):
        package = place / f"s{number}"
        package.mkdir()
        (package / "Main.java").write_text(f"package s{number};\n{program}", encoding="utf-8")
    sources = [f"s{number}/Main.java" for number, _ in enumerate(programs)]
    _compile(
        ("javac", "-encoding", "UTF-8", "-Xlint:all", "-Werror", "All.java", *sources), place, os.environ
    )


_CSHARP = """
class All
{
    static int Main(string[] names)
    {
        var failed = 0;
        var hidden = System.Reflection.BindingFlags.Static | System.Reflection.BindingFlags.NonPublic;
        foreach (var name in names)
        {
            var main = System.Type.GetType("s" + name + ".Program").GetMethod("Main", hidden);
            try { ((System.Threading.Tasks.Task)main.Invoke(null, null)).Wait(); }
            catch (System.Exception problem) { System.Console.Error.WriteLine(problem); failed = 1; }
        }
        return failed;
    }
}
"""


def _build_csharp(programs: Sequence[str], place: Path) -> None:
    """Each program is in a namespace of its own, and one class calls them."""
    (place / "all.cs").write_text(_CSHARP, encoding="utf-8")
    for number, program in enumerate(programs):
        (place / f"s{number}.cs").write_text(f"namespace s{number} {{\n{program}\n}}\n", encoding="utf-8")
    sources = [f"s{number}.cs" for number, _ in enumerate(programs)]
    options = ("-nologo", "-codepage:utf8", "-warnaserror", "-r:System.Net.Http", "-main:All", "-out:all.exe")
    _compile(("mcs", *options, "all.cs", *sources), place, os.environ)


def _compile(command: Sequence[str], place: Path, environment: Mapping[str, str]) -> None:
    ended = subprocess.run(
        command, cwd=place, env=environment, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


RUNNERS = {
    "curl": Runner(extension="sh", needs="curl", command=("sh", "-c", _EACH, "sh", "sh")),
    "python": Runner(extension="py", needs=sys.executable, command=(sys.executable, "-c", _PYTHON)),
    "node": Runner(
        extension="mjs", needs="node", command=("node", "--input-type=module", "--eval", _NODE, "--")
    ),
    "php": Runner(extension="php", needs="php", command=("sh", "-c", _EACH, "sh", "php")),
    "go": Runner(extension="go", needs="go", command=("sh", "-c", _EACH, "sh", "./all"), build=_build_go),
    "ruby": Runner(extension="rb", needs="ruby", command=("sh", "-c", _EACH, "sh", "ruby")),
    "java": Runner(extension="java", needs="javac", command=("java", "All"), build=_build_java),
    "csharp": Runner(extension="cs", needs="mcs", command=("mono", "all.exe"), build=_build_csharp),
}

_QUICK = frozenset({"curl", "python", "node", "php"})
"""The others are large to install or slow to start: tests run them in the deep tier."""
EXECUTED = tuple(
    pytest.param(language, id=language.name, marks=[] if language.name in _QUICK else [pytest.mark.deep])
    for language in LANGUAGES
)
"""Languages as a parameter of tests that run programs."""


def required_runner(language: Language) -> Runner:
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
    command, place, whole = _prepare(language, programs, folder, environment)
    return subprocess.run(
        command, cwd=place, env=whole, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )


def run_in_terminal(language: Language, program: str, folder: Path, seen: Callable[[str], None]) -> str:
    """Run a program in a terminal, where programs do not keep what they print; call `seen` with all output so far as
    it grows. Returns the whole output.
    """
    command, place, whole = _prepare(language, [program], folder, {})
    terminal, inside = pty.openpty()
    with subprocess.Popen(command, cwd=place, env=whole, stdin=subprocess.DEVNULL, stdout=inside) as process:
        os.close(inside)
        output = ""
        try:
            while select.select([terminal], [], [], PATIENCE_S)[0]:
                output += os.read(terminal, 65536).decode()
                seen(output)
        except OSError:  # Linux says so at the end: the program has closed the terminal
            pass
        finally:
            os.close(terminal)
            process.terminate()
    return output


def _prepare(
    language: Language, programs: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> tuple[list[str], Path, dict[str, str]]:
    """Write and build programs in a folder of their own; return the command, that folder, and the environment."""
    runner = required_runner(language)
    place = folder / language.name
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for file in folder.iterdir():
        if file.is_file():
            shutil.copy(file, place)
    names = [f"./s{number:04}.{runner.extension}" for number, _ in enumerate(programs)]
    if runner.build is not None:
        runner.build(programs, place)
        names = [str(number) for number, _ in enumerate(programs)]
    else:
        for name, program in zip(names, programs, strict=True):
            (place / name).write_text(program, encoding="utf-8")
    whole = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "no_proxy": "*", **environment}
    paths = [str(place / name) for name in names] if language.name == "node" else names
    return [*runner.command, *paths], place, whole
