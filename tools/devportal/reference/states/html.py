"""A state machine as HTML: its drawing, and a table that says the same."""

from collections.abc import Iterable

from devportal.reference.markup import attribute, code, text
from devportal.reference.place import Place
from devportal.reference.states.diagram import diagram
from devportal.reference.states.view import StatesView, Step

MOST_STATES, MOST_TRANSITIONS = 30, 90
"""A machine of more is not drawn: nobody finds anything in such a drawing. Its table tells all."""


def states_html(view: StatesView, place: Place, anchor: str) -> str:
    """Return the drawing and the table of a machine; ids begin with `anchor`."""
    return f"{_figure(view, anchor)}{_table(view, place)}"


def _figure(view: StatesView, anchor: str) -> str:
    machine = view.machine
    title = f"States of {view.name}"
    is_large = len(machine.states) > MOST_STATES or len(machine.transitions) > MOST_TRANSITIONS
    drawing = "" if is_large else diagram(machine, title=title, about=view.about, anchor=anchor)
    scroll = (
        f'<div class="dp-states__scroll" role="region" tabindex="0" aria-label="{attribute(title)}">\n'
        f"{drawing}\n</div>\n"
    )
    begins = f"Begins as {_codes(machine.initial)}." if machine.initial else ""
    ends = f"Final: {_codes(machine.finals)}." if machine.finals else "No state is final."
    return (
        f'<figure class="dp-states">\n{scroll if drawing else ""}'
        f"<figcaption>{begins} {ends}</figcaption>\n</figure>\n"
    )


def _codes(names: Iterable[str]) -> str:
    return ", ".join(map(code, names))


def _table(view: StatesView, place: Place) -> str:
    heads = ("From", "To", "When", *(["Reported by"] if view.has_events else []))
    head = "".join(f'<th scope="col">{one}</th>' for one in heads)
    rows = "".join(_row(one, place, has_events=view.has_events) for one in view.steps)
    return (
        f'<div class="dp-table-wrap" role="region" tabindex="0" '
        f'aria-label="{attribute(f"Transitions of {view.name}")}">'
        f'<table class="dp-table dp-states__table"><thead><tr>{head}</tr></thead><tbody>\n'
        f"{rows}</tbody></table></div>\n"
    )


def _row(step: Step, place: Place, *, has_events: bool) -> str:
    event = f"<td>{_event(step, place)}</td>" if has_events else ""
    return (
        f"<tr><td>{_codes(step.sources)}</td><td>{code(step.target)}</td>"
        f"<td>{text(step.on)}{place.html(step.description)}</td>{event}</tr>\n"
    )


def _event(step: Step, place: Place) -> str:
    if not step.event:
        return ""
    name = code(step.event)
    return f'<a href="{attribute(place.to(step.uri))}">{name}</a>' if step.uri else name
