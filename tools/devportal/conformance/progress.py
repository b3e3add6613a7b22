"""What a run is doing, told on a terminal as one line that changes, elsewhere as a line for each stage."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from devportal.conformance.run import Step


@contextmanager
def progress(console: Console) -> Iterator[Callable[[Step], None]]:
    """Yield what takes the steps of a run."""
    if not console.is_terminal:
        yield _Lines(console)
        return
    with console.status("starting") as status:
        yield lambda step: status.update(Text(_text(step)))


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


def _text(step: Step) -> str:
    faults = f", {step.faults} with faults" if step.faults else ""
    return f"{step.stage}: {step.sent} requests{faults}"
