"""A state machine as Markdown: which state leads where, and a table of its transitions."""

from collections.abc import Iterable, Iterator

from devportal.reference.context import RenderContext
from devportal.reference.markup import code_span, markdown_table, text_to_line
from devportal.reference.states.html import StatesView, TransitionRow


def states_markdown(view: StatesView, place: RenderContext) -> str:
    """Return the whole, with an empty line at its end."""
    machine = view.machine
    begins = f"Begins as {_code_list(machine.initial)}. " if machine.initial else ""
    ends = f"Final: {_code_list(machine.finals)}." if machine.finals else "No state is final."
    return "\n".join((f"{begins}{ends}", "", *_target_lines(view), "", _transition_table(view, place), ""))


def _code_list(names: Iterable[str]) -> str:
    return ", ".join(map(code_span, names))


def _target_lines(view: StatesView) -> Iterator[str]:
    machine = view.machine
    for state in machine.states:
        targets = [other for other in machine.states if machine.allows(state, other)]
        if targets:
            yield f"- {code_span(state)} → {_code_list(targets)}"


def _transition_table(view: StatesView, place: RenderContext) -> str:
    heads = ["From", "To", "When", *(["Reported by"] if view.has_events else [])]
    return markdown_table(
        heads, (_transition_row(step, place, has_event=view.has_events) for step in view.steps)
    )


def _transition_row(step: TransitionRow, place: RenderContext, *, has_event: bool) -> list[str]:
    cells = [_code_list(step.sources), code_span(step.target), _transition_words(step, place)]
    return [*cells, *([_event_link(step, place)] if has_event else [])]


def _transition_words(step: TransitionRow, place: RenderContext) -> str:
    return ": ".join(filter(None, (text_to_line(step.on), place.cell(step.description))))


def _event_link(step: TransitionRow, place: RenderContext) -> str:
    name = code_span(step.event) if step.event else ""
    return f"[{name}]({place.to_twin(step.uri)})" if step.uri else name
