"""A state machine as Markdown: which state leads where, and a table of its transitions."""

from collections.abc import Iterable, Iterator

from devportal.reference.place import Place
from devportal.reference.states.view import StatesView, Step
from devportal.reference.text import code_span, literal, one_line

BAR = r"\|"


def states_markdown(view: StatesView, place: Place) -> str:
    """Return the whole, with an empty line at its end."""
    machine = view.machine
    begins = f"Begins as {_codes(machine.initial)}. " if machine.initial else ""
    ends = f"Final: {_codes(machine.finals)}." if machine.finals else "No state is final."
    return "\n".join((f"{begins}{ends}", "", *_ways(view), "", *_table(view, place), ""))


def _codes(names: Iterable[str]) -> str:
    return ", ".join(map(code_span, names))


def _ways(view: StatesView) -> Iterator[str]:
    machine = view.machine
    for state in machine.states:
        targets = [other for other in machine.states if machine.allows(state, other)]
        if targets:
            yield f"- {code_span(state)} → {_codes(targets)}"


def _table(view: StatesView, place: Place) -> Iterator[str]:
    heads = ["From", "To", "When", *(["Reported by"] if view.has_events else [])]
    yield _line(heads)
    yield _line("---" for _ in heads)
    for step in view.steps:
        cells = [_codes(step.sources), code_span(step.target), _when(step)]
        yield _line([*cells, *([_event(step, place)] if view.has_events else [])])


def _line(cells: Iterable[str]) -> str:
    """Return a row of a table, in which a `|` is escaped in code too (GitHub's Markdown, §4.10)."""
    return f"| {' | '.join(one.replace('|', BAR) for one in cells)} |"


def _when(step: Step) -> str:
    return ": ".join(filter(None, (literal(step.on), one_line(step.description))))


def _event(step: Step, place: Place) -> str:
    name = code_span(step.event) if step.event else ""
    return f"[{name}]({place.to_twin(step.uri)})" if step.uri else name
