"""What all tests share: golden files, a cheap collection, and what the end of a run says of absent inputs.

Golden files are whole outputs that tests compare with, updated by `--update-golden`, none of them unused.
"""

import gc
import os
import re
import signal
from collections.abc import Callable, Generator
from functools import cache
from pathlib import Path

import mkdocs.utils
import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

GOLDEN = Path(__file__).parent / "golden"
SHARED = Path(__file__).parents[2] / "shared"
"""What lies beside the repository and is no part of it."""
_USED = pytest.StashKey[set[str]]()
_UNUSED = pytest.StashKey[list[str]]()


# The time of one case says more about the machine than about the code. Where a verdict is wanted, the same
# cases are drawn each time; new ones are looked for at a developer's desk.
settings.register_profile("desk", deadline=None)
settings.register_profile("verdict", deadline=None, derandomize=True, database=None)
settings.load_profile("verdict" if os.environ.get("CI") else "desk")
# Hypothesis also draws constants of the modules that are loaded: then a law would get other cases, and perhaps
# another verdict, whenever some other file is loaded beside it or changes a number.
providers._get_local_constants = lambda: providers._local_constants
# MkDocs asks each installed package for themes whenever it reads a configuration: none is installed meanwhile.
mkdocs.utils.get_themes = cache(mkdocs.utils.get_themes)
_OBJECTS_BETWEEN_SEARCHES = 20_000
"""How many more objects there are when the garbage collector looks for those in circles; Python's number is 700."""
_FAST_EXAMPLES = 30
"""How many cases a property gets in the fast tier, if it does not say so itself; 100 in the deep one."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the flag that writes golden files instead of comparing with them, and that of slow pages in a browser."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew")
    parser.addoption(
        "--late", action="store_true", help="let pages in a browser do late what they do by themselves"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Start with no golden file used, with fewer cases in the fast tier, and with SIGINT as in a terminal.

    A shell that starts the tests in the background has them ignore it, and they hand that on to each process
    that they start: a server of a test would not end when it is told to.
    """
    config.stash[_USED] = set()
    if "not deep" in config.option.markexpr:
        settings.register_profile("fast", settings.default, max_examples=_FAST_EXAMPLES)
        settings.load_profile("fast")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `-k test_NAME`, leave out files that do not name the test: importing them all takes seconds."""
    name = config.option.keyword.lower()
    is_whole_name = re.fullmatch(r"test_\w+", name) is not None
    if not is_whole_name or collection_path.suffix != ".py" or name in collection_path.name.lower():
        return None
    return name not in collection_path.read_text(encoding="utf-8").lower() or None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect with the garbage collector off: it would look through millions of objects that all stay.

    That halves the CPU seconds of a collection. What was collected is left out of later searches too, and these
    are rarer than usual: tests make much that stays for a moment.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(_OBJECTS_BETWEEN_SEARCHES)
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with whole runs against servers: what takes minutes, begun last, would leave processors idle."""
    items.sort(key=lambda item: item.get_closest_marker("conformance") is None)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Return `golden(name, text)`: assert that text equals the file `tests/golden/NAME`."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        request.config.stash[_USED].add(name)
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        assert path.exists(), f"tests/golden/{name} is missing: run `make golden` and read what it wrote"
        assert text == path.read_bytes().decode(), (
            f"tests/golden/{name} differs: run `make golden` if that is meant"
        )

    return compare


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a whole, otherwise green run in which a golden file was compared with nothing."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["golden"] = [*session.config.stash[_USED]]
    elif _is_whole(session.config) and session.testscollected and not session.testsfailed:
        present = {path.relative_to(GOLDEN).as_posix() for path in GOLDEN.rglob("*") if path.is_file()}
        used = session.config.stash[_USED]
        if unused := sorted(present - used):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
            session.config.stash[_UNUSED] = unused


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the unused golden files, and say once if the contracts of others are absent."""
    if not SHARED.is_dir():
        terminalreporter.write_line("../shared is absent: tests that read contracts of others were skipped")
    for name in config.stash.get(_UNUSED, []):
        terminalreporter.write_line(f"unused golden file: tests/golden/{name} (delete it)", red=True)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: object) -> None:
    """Gather what a worker of pytest-xdist used."""
    config: pytest.Config = node.config  # type: ignore[attr-defined]  # xdist has no type for it
    used = config.stash[_USED]
    used.update(getattr(node, "workeroutput", {}).get("golden", ()))


def _is_whole(config: pytest.Config) -> bool:
    """Say whether tests run, and no option leaves out those that use golden files.

    `-m "not …"` leaves none out: no golden file is used by deep tests or in the browser alone.
    """
    if config.option.collectonly:
        return False
    selects = config.option.keyword or not (config.option.markexpr or "not ").startswith("not ")
    everything = config.args_source is not pytest.Config.ArgsSource.ARGS or config.args == ["tests"]
    return everything and not selects


@pytest.fixture
def one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the threads of the test runner not count: none of them holds a lock that forked tasks need."""
    monkeypatch.setattr("threading.active_count", lambda: 1)
