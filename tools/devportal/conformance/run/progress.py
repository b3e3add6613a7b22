"""What a run is doing, told on a terminal as one line that changes, elsewhere as a line for each stage.

Each fault is told when it is found, once for all operations that have it: nobody waits for the end of a run
that is red already.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from devportal.conformance.results.result import RED_STANDINGS, Failure
from devportal.conformance.results.wording import failure_name, printable_text
from devportal.conformance.run.log import RunStep


@contextmanager
def show_progress(console: Console) -> Iterator[Callable[[RunStep], None]]:
    """Yield what takes the steps of a run."""
    faults = _FailurePrinter(console)
    if not console.is_terminal:
        yield _call_both(_StagePrinter(console), faults, console)
        return
    with console.status("starting") as status:
        yield _call_both(lambda step: status.update(Text(_step_text(step))), faults, console)


def _call_both(
    first: Callable[[RunStep], None], second: Callable[[RunStep], None], console: Console
) -> Callable[[RunStep], None]:
    def tell(step: RunStep) -> None:
        first(step)
        second(step)
        if step.note:
            console.print(Text(printable_text(f"! {step.note}"), style="bold yellow"), soft_wrap=True)

    return tell


class _FailurePrinter:
    """Tells each fault that counts, when it is met first."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._told: set[str] = set()

    def __call__(self, step: RunStep) -> None:
        failure = step.failure
        if failure is None or failure.standing not in RED_STANDINGS or failure_name(failure) in self._told:
            return
        self._told.add(failure_name(failure))
        self._console.print(Text(_failure_line(failure), style="red"), soft_wrap=True)


class _StagePrinter:
    """Says which stage begins: how many requests it took is known only when the next one does."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._stage = ""

    def __call__(self, step: RunStep) -> None:
        if step.stage != self._stage:
            self._stage = step.stage
            said = f"{step.stage} (after {step.sent} requests)" if step.sent else step.stage
            self._console.print(Text(said), soft_wrap=True)


def _failure_line(failure: Failure) -> str:
    level = "" if failure.gates else " (not counted)"
    return printable_text(
        f"✗ {failure.operation or 'the whole run'}: {failure_name(failure)}: {failure.message}{level}", 300
    )


def _step_text(step: RunStep) -> str:
    faults = f", {step.faults} with faults" if step.faults else ""
    return f"{step.stage}: {step.sent} requests{faults}"
