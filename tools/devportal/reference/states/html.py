"""A state machine for readers: HTML with its drawing, and a table of transitions."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from devportal.contract import Api, Schema, StateMachine, Transition
from devportal.markup import plain_text
from devportal.reference.addresses import Addresses
from devportal.reference.context import RenderContext
from devportal.reference.markup import escape_attribute, escape_text, inline_code
from devportal.reference.states.diagram import state_diagram_svg


@dataclass(frozen=True, slots=True, kw_only=True)
class TransitionRow:
    """Transitions that differ in the state they leave only. `uri` is the page of the event that reports them,
    if that has one.
    """

    sources: tuple[str, ...]
    target: str
    on: str
    description: str
    event: str
    uri: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatesView:
    """The state machine of a schema; `about` is what is said of each state, as plain text."""

    name: str
    machine: StateMachine
    about: dict[str, str]
    steps: tuple[TransitionRow, ...]

    @property
    def has_events(self) -> bool:
        """Say whether any event reports a step."""
        return any(one.event for one in self.steps)


def states_of(api: Api, addresses: Addresses, schema: Schema) -> StatesView | None:
    """Return the view of the machine of a schema, None where it has none."""
    machine = schema.state_machine
    if machine is None:
        return None
    events = {one.name: addresses.event(one.operations[0]) for one in api.webhooks if one.operations}
    steps: list[TransitionRow] = []
    for one in machine.transitions:
        step = _transition_row(one, events.get(one.event, ""))
        if steps and replace(steps[-1], sources=step.sources) == step:
            step = replace(step, sources=(*steps.pop().sources, *step.sources))
        steps.append(step)
    about = {state: plain_text(text) for state, text in schema.enum_descriptions}
    return StatesView(name=schema.name, machine=machine, about=about, steps=tuple(steps))


def _transition_row(one: Transition, uri: str) -> TransitionRow:
    return TransitionRow(
        sources=(one.source,),
        target=one.target,
        on=one.on,
        description=one.description,
        event=one.event,
        uri=uri,
    )


MAX_STATES, MAX_TRANSITIONS = 30, 90
"""A machine of more is not drawn: nobody finds anything in such a drawing. Its table tells all."""


def states_html(view: StatesView, place: RenderContext, anchor: str) -> str:
    """Return the drawing and the table of a machine; ids begin with `anchor`."""
    return f"{_figure_html(view, anchor)}{_table_html(view, place)}"


def _figure_html(view: StatesView, anchor: str) -> str:
    machine = view.machine
    title = f"States of {view.name}"
    is_large = len(machine.states) > MAX_STATES or len(machine.transitions) > MAX_TRANSITIONS
    drawing = "" if is_large else state_diagram_svg(machine, title=title, about=view.about, anchor=anchor)
    scroll = (
        f'<div class="dp-states__scroll" role="region" tabindex="0" aria-label="{escape_attribute(title)}">\n'
        f"{drawing}\n</div>\n"
    )
    begins = f"Begins as {_codes_html(machine.initial)}." if machine.initial else ""
    ends = f"Final: {_codes_html(machine.finals)}." if machine.finals else "No state is final."
    return (
        f'<figure class="dp-states">\n{scroll if drawing else ""}'
        f"<figcaption>{begins} {ends}</figcaption>\n</figure>\n"
    )


def _codes_html(names: Iterable[str]) -> str:
    return ", ".join(map(inline_code, names))


def _table_html(view: StatesView, place: RenderContext) -> str:
    heads = ("From", "To", "When", *(["Reported by"] if view.has_events else []))
    head = "".join(f'<th scope="col">{one}</th>' for one in heads)
    rows = "".join(_row_html(one, place, has_events=view.has_events) for one in view.steps)
    return (
        f'<div class="dp-table-wrap" role="region" tabindex="0" '
        f'aria-label="{escape_attribute(f"Transitions of {view.name}")}">'
        f'<table class="dp-table dp-states__table"><thead><tr>{head}</tr></thead><tbody>\n'
        f"{rows}</tbody></table></div>\n"
    )


def _row_html(step: TransitionRow, place: RenderContext, *, has_events: bool) -> str:
    event = f"<td>{_event_link(step, place)}</td>" if has_events else ""
    return (
        f"<tr><td>{_codes_html(step.sources)}</td><td>{inline_code(step.target)}</td>"
        f"<td>{escape_text(step.on)}{place.html(step.description)}</td>{event}</tr>\n"
    )


def _event_link(step: TransitionRow, place: RenderContext) -> str:
    if not step.event:
        return ""
    name = inline_code(step.event)
    return f'<a href="{escape_attribute(place.to(step.uri))}">{name}</a>' if step.uri else name
