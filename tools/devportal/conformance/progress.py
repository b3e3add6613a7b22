"""What a run is doing, told on a terminal as one line that changes, elsewhere as a line for each stage.

Each fault is told when it is found, once for all operations that have it: nobody waits for the end of a run
that is red already.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from devportal.conformance.reports.grouping import name_of
from devportal.conformance.reports.text import shown
from devportal.conformance.result import RED, Failure
from devportal.conformance.run_log import Step


@contextmanager
def progress(console: Console) -> Iterator[Callable[[Step], None]]:
    """Yield what takes the steps of a run."""
    faults = _Faults(console)
    if not console.is_terminal:
        yield _both(_Lines(console), faults, console)
        return
    with console.status("starting") as status:
        yield _both(lambda step: status.update(Text(_text(step))), faults, console)


def _both(
    first: Callable[[Step], None], second: Callable[[Step], None], console: Console
) -> Callable[[Step], None]:
    def tell(step: Step) -> None:
        first(step)
        second(step)
        if step.note:
            console.print(Text(shown(f"! {step.note}"), style="bold yellow"), soft_wrap=True)

    return tell


class _Faults:
    """Tells each fault that counts, when it is met first."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._told: set[str] = set()

    def __call__(self, step: Step) -> None:
        failure = step.failure
        if failure is None or failure.standing not in RED or name_of(failure) in self._told:
            return
        self._told.add(name_of(failure))
        self._console.print(Text(_found(failure), style="red"), soft_wrap=True)


class _Lines:
    """Says which stage begins: how many requests it took is known only when the next one does."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._stage = ""

    def __call__(self, step: Step) -> None:
        if step.stage != self._stage:
            self._stage = step.stage
            said = f"{step.stage} (after {step.sent} requests)" if step.sent else step.stage
            self._console.print(Text(said), soft_wrap=True)


def _found(failure: Failure) -> str:
    level = "" if failure.gates else " (not counted)"
    return shown(
        f"✗ {failure.operation or 'the whole run'}: {name_of(failure)}: {failure.message}{level}", 300
    )


def _text(step: Step) -> str:
    faults = f", {step.faults} with faults" if step.faults else ""
    return f"{step.stage}: {step.sent} requests{faults}"
