"""A state machine as Markdown: which state leads where, and a table of its transitions."""

from collections.abc import Iterable, Iterator

from devportal.reference.place import Place
from devportal.reference.states.view import StatesView, Step
from devportal.reference.text import code_span, literal, markdown_table


def states_markdown(view: StatesView, place: Place) -> str:
    """Return the whole, with an empty line at its end."""
    machine = view.machine
    begins = f"Begins as {_codes(machine.initial)}. " if machine.initial else ""
    ends = f"Final: {_codes(machine.finals)}." if machine.finals else "No state is final."
    return "\n".join((f"{begins}{ends}", "", *_ways(view), "", _table(view, place), ""))


def _codes(names: Iterable[str]) -> str:
    return ", ".join(map(code_span, names))


def _ways(view: StatesView) -> Iterator[str]:
    machine = view.machine
    for state in machine.states:
        targets = [other for other in machine.states if machine.allows(state, other)]
        if targets:
            yield f"- {code_span(state)} → {_codes(targets)}"


def _table(view: StatesView, place: Place) -> str:
    heads = ["From", "To", "When", *(["Reported by"] if view.has_events else [])]
    return markdown_table(heads, (_row(step, place, has_event=view.has_events) for step in view.steps))


def _row(step: Step, place: Place, *, has_event: bool) -> list[str]:
    cells = [_codes(step.sources), code_span(step.target), _when(step, place)]
    return [*cells, *([_event(step, place)] if has_event else [])]


def _when(step: Step, place: Place) -> str:
    return ": ".join(filter(None, (literal(step.on), place.cell(step.description))))


def _event(step: Step, place: Place) -> str:
    name = code_span(step.event) if step.event else ""
    return f"[{name}]({place.to_twin(step.uri)})" if step.uri else name
