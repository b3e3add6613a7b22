"""Measures what `pip install devportal` installs, with each extra, and how fast the command starts there.

Each variant is installed from the wheel of this checkout into a new environment without pip, from the package
index that pip is configured for, with the versions of requirements.lock (`--newest`: those that pip chooses).
Sizes are those of all files in site-packages, compiled ones too. On a disk they take more, as each file takes
whole blocks: the theme alone brings 14,000 icons. Exits with 1 if a bound is exceeded (decision 0047).
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import venv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parent.parent
RUNS = 5
"""How often each command is started; the fastest run counts."""
DIFF = """\
import json, sys, sysconfig
before = set(sys.modules)
from devportal.cli import main
sys.argv[1:] = ["diff", sys.argv[1], sys.argv[1]]
try:
    main()
except SystemExit:
    roots = {name.partition(".")[0] for name in set(sys.modules) - before}
    print(json.dumps(sorted(roots - sys.stdlib_module_names - {"devportal"})))
"""
"""Compares a contract with itself, and prints the packages of others that this imported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """The most that an environment may have."""

    distributions: int
    size_mb: float


BOUNDS: Mapping[str, Bound] = {
    "": Bound(distributions=45, size_mb=170),
    "conformance": Bound(distributions=60, size_mb=195),
    "mcp": Bound(distributions=68, size_mb=200),
    "mock": Bound(distributions=52, size_mb=170),
    "pdf": Bound(distributions=48, size_mb=210),
    "rates": Bound(distributions=48, size_mb=175),
    "validate": Bound(distributions=64, size_mb=170),
    "all": Bound(distributions=98, size_mb=290),
}
"""What each extra may come to; the empty name is not an extra."""
MOST_TIMES = 15.0
"""How many times the CPU seconds of `python -c pass` importing devportal and `devportal --help` may take."""
NEEDED_BY_DIFF = frozenset({"click", "jsonschema_rs", "yaml"})


def main() -> int:
    """Measure the variants that are named, or all; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("extras", nargs="*", metavar="EXTRA", help="extras to measure, 'base' for none")
    parser.add_argument("--newest", action="store_true", help="install the versions that pip chooses")
    asked = parser.parse_args()
    extras = ["" if extra == "base" else extra for extra in asked.extras] or list(BOUNDS)
    exceeded = list[str]()
    with TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        wheel = built_wheel(folder)
        constraints = None if asked.newest else written_constraints(folder)
        for extra in extras:
            title = f"devportal[{extra}]" if extra else "devportal"
            python = install_wheel(wheel, extra, constraints, folder / (extra or "base"))
            exceeded += [f"{title}: {problem}" for problem in report(title, python, BOUNDS[extra])]
    for problem in exceeded:
        print(f"exceeded: {problem}", file=sys.stderr)
    return 1 if exceeded else 0


def report(title: str, python: Path, bound: Bound) -> Iterator[str]:
    """Print what an environment has and how fast it starts; yield what exceeds a bound."""
    packages = next(python.parents[1].glob("lib/python3*/site-packages"))
    found = [*distributions(path=[str(packages)])]
    size_mb = files_mb(packages.rglob("*"))
    disk_mb = sum(file.lstat().st_blocks * 512 for file in packages.rglob("*")) / 1e6
    print(f"{title}: {len(found)} distributions, {size_mb:.1f} MB ({disk_mb:.1f} MB of this disk)")
    if len(found) > bound.distributions:
        yield f"{len(found)} distributions, at most {bound.distributions}"
    if size_mb > bound.size_mb:
        yield f"{size_mb:.1f} MB, at most {bound.size_mb}"
    sizes = sorted(
        ((files_mb(files_of(distribution)), distribution.name) for distribution in found), reverse=True
    )
    print("  heaviest: " + ", ".join(f"{name} {size:.1f}" for size, name in sizes[:10]))
    nothing_s = fastest_s(python, "-c", "pass")
    for words in (["-c", "import devportal"], ["-m", "devportal", "--help"]):
        taken_s = fastest_s(python, *words)
        times = taken_s / nothing_s
        print(f"  python {' '.join(words)}: {taken_s:.3f} CPU s, {times:.1f} times python -c pass")
        if times > MOST_TIMES:
            yield f"{' '.join(words)} takes {times:.1f} times python -c pass, at most {MOST_TIMES}"
    imported = imported_by_diff(python)
    print(f"  devportal diff imports {', '.join(sorted(imported))}", flush=True)
    if imported - NEEDED_BY_DIFF:
        yield f"devportal diff imports {', '.join(sorted(imported - NEEDED_BY_DIFF))}"


def built_wheel(folder: Path) -> Path:
    """Build the wheel of this checkout into a folder; return its path."""
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return next(folder.glob("*.whl"))


def written_constraints(folder: Path) -> Path:
    """Write the versions of the lock, as pip takes constraints; return the path."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    rows = re.findall(r"^([a-z0-9._-]+)(?:\[[^]]*\])?(==[^ ;\\]+)", lock, re.MULTILINE)
    path = folder / "constraints.txt"
    path.write_text("".join(f"{name}{version}\n" for name, version in rows), encoding="utf-8")
    return path


def install_wheel(wheel: Path, extra: str, constraints: Path | None, folder: Path) -> Path:
    """Install the wheel with an extra into a new environment; return its interpreter."""
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    words = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    words += ["--constraint", str(constraints)] if constraints is not None else []
    subprocess.run([*words, f"{wheel}[{extra}]" if extra else str(wheel)], cwd=folder, check=True)
    return python


def files_of(distribution: Distribution) -> Iterator[Path]:
    """Yield the files of a distribution, compiled ones too."""
    return (Path(str(file.locate())) for file in distribution.files or ())


def files_mb(paths: Iterator[Path]) -> float:
    """Return the size of files in MB; what is not a file has none."""
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6


def fastest_s(python: Path, *words: str) -> float:
    """Return the CPU seconds of the fastest of some runs of an interpreter."""
    return min(cpu_s([str(python), *words]) for _ in range(RUNS))


def cpu_s(words: Sequence[str]) -> float:
    """Return the CPU seconds of a command, the system's on its behalf too."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=environment())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def imported_by_diff(python: Path) -> frozenset[str]:
    """Return the packages of others that `devportal diff` imports."""
    words = [str(python), "-c", DIFF, str(ROOT / "openapi" / "openapi.yaml")]
    result = subprocess.run(words, check=True, capture_output=True, text=True, env=environment())
    names: list[str] = json.loads(result.stdout.splitlines()[-1])
    return frozenset(name for name in names if not name.startswith(("_", "cython")))


def environment() -> Mapping[str, str]:
    """Return the environment without what leads an interpreter to this checkout."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


if __name__ == "__main__":
    sys.exit(main())
