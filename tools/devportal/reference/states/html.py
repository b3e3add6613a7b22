"""State machines as HTML and as Markdown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from devportal.contract import Api, Schema, StateMachine, Transition
from devportal.markup import plain_text
from devportal.reference.addresses import Addresses
from devportal.reference.context import RenderContext
from devportal.reference.markup import (
    code_span,
    escape_attribute,
    escape_text,
    inline_code,
    markdown_table,
    text_to_line,
)
from devportal.reference.states.drawing import (
    ARROWHEAD_PX,
    LINE_HEIGHT_PX,
    Arrow,
    Box,
    Drawing,
    Label,
    Loop,
    Point,
    State,
)
from devportal.translation import (
    gettext,
    gettext_html,
    join_clauses,
    join_list,
    join_sentences,
    pgettext,
    with_label,
)

_WITHOUT_STYLES = 'fill="none" stroke="currentColor"'
_TEXT_WITHOUT_STYLES = 'fill="currentColor" stroke="none" text-anchor="middle"'
"""For readers that show the page without its style sheet, which says more."""
_ARROWHEAD_HALF_WIDTH = 4
_BASELINE = 4.5
"""How far below the middle of a line of text it stands."""
_RADIUS, _INSET = 8, 4
_LOOP_HALF = 9
"""How far above and below the middle of its box a loop begins and ends."""


def state_diagram_svg(machine: StateMachine, *, title: str, about: Mapping[str, str], anchor: str) -> str:
    """Return the SVG of a machine. `about` has the descriptions of states, shown as tooltips. Ids begin
    with `anchor`.
    """
    from devportal.reference.states.layout import state_drawing  # noqa: PLC0415 - few contracts have machines

    drawing = state_drawing(machine)
    width, height = _format_number(drawing.width), _format_number(drawing.height)
    ids = f"{anchor}-title {anchor}-desc"
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" {_WITHOUT_STYLES}'
    parts = [
        f'<svg class="dp-states__drawing" role="img" aria-labelledby="{escape_attribute(ids)}" {size}>',
        f'<title id="{escape_attribute(f"{anchor}-title")}">{escape_text(title)}</title>',
        f'<desc id="{escape_attribute(f"{anchor}-desc")}">{escape_text(_describe_machine(machine))}</desc>',
        *_arrows_svg(drawing),
        *(_state_svg(state, about.get(state.name, "")) for state in drawing.states),
        "</svg>",
    ]
    return "\n".join(parts)


def _describe_machine(machine: StateMachine) -> str:
    steps = join_clauses(
        pgettext("transition", "%(first)s to %(last)s", first=transition.source, last=transition.target)
        for transition in machine.transitions
    )
    sentences = [
        gettext("Begins at %(states)s.", states=join_list(machine.initial)) if machine.initial else "",
        gettext("Leads from %(steps)s.", steps=steps),
        gettext("Ends at %(states)s.", states=join_list(machine.finals)) if machine.finals else "",
    ]
    return join_sentences(sentences)


def _arrows_svg(drawing: Drawing) -> Iterator[str]:
    for start in drawing.starts:
        yield (
            f'<circle class="dp-states__start" cx="{_format_number(start.x)}" cy="{_format_number(start.y)}" '
            f'r="{_format_number(start.width / 2)}"/>'
        )
    yield from map(_arrow_svg, drawing.arrows)
    yield from map(_loop_svg, drawing.loops)


def _arrow_svg(arrow: Arrow) -> str:
    *before, tip = arrow.line[-1]
    falls = 1 if tip[1] > (before[-1] if before else arrow.line[0][0])[1] else -1
    end = (tip[0], tip[1] - falls * ARROWHEAD_PX)
    lines = [*arrow.line[:-1], (*before, end)]
    head = [end, (end[0] - _ARROWHEAD_HALF_WIDTH, end[1]), tip, (end[0] + _ARROWHEAD_HALF_WIDTH, end[1])]
    return _step_svg(" ".join(map(_path_data, lines)), head[1:], arrow.label)


def _loop_svg(loop: Loop) -> str:
    box, out = loop.box, loop.out
    upper, lower, x = box.y - _LOOP_HALF, box.y + _LOOP_HALF, box.right
    bend = x + out * 1.15  # a cubic curve stays within its control points
    end = x + ARROWHEAD_PX
    curve = ((bend, upper - 4), (bend, lower + 4), (end, lower))
    path = f"M{_format_point((x, upper))}C{' '.join(map(_format_point, curve))}"
    head = [(end, lower - _ARROWHEAD_HALF_WIDTH), (x, lower), (end, lower + _ARROWHEAD_HALF_WIDTH)]
    return _step_svg(path, head, loop.label)


def _step_svg(path: str, head: Sequence[Point], label: Label | None) -> str:
    tip = "L".join(map(_format_point, head))
    label_svg = _label_svg(label) if label else ""
    return (
        f'<g class="dp-states__step"><path class="dp-states__line" d="{path}"/>'
        f'<path class="dp-states__head" d="M{tip}Z"/>{label_svg}</g>'
    )


def _path_data(points: Sequence[Point]) -> str:
    """Return a line through points in which it stands upright."""
    data = f"M{_format_point(points[0])}"
    for start, end in pairwise(points):
        if start[0] == end[0]:
            data += f"V{_format_number(end[1])}"
        else:
            middle = (start[1] + end[1]) / 2
            data += (
                f"C{_format_point((start[0], middle))} {_format_point((end[0], middle))} {_format_point(end)}"
            )
    return data


def _label_svg(label: Label) -> str:
    x = _format_number(label.box.x)
    first = label.box.y - LINE_HEIGHT_PX * (len(label.lines) - 1) / 2 + _BASELINE
    lines = "".join(
        f'<tspan x="{x}" y="{_format_number(first + number * LINE_HEIGHT_PX)}">{escape_text(line)}</tspan>'
        for number, line in enumerate(label.lines)
    )
    return f'<text class="dp-states__label" {_TEXT_WITHOUT_STYLES}>{lines}</text>'


def _state_svg(state: State, about: str) -> str:
    box = state.box
    kind = " dp-states__state--final" if state.is_final else ""
    title = f"<title>{escape_text(about)}</title>" if about else ""
    inner = _rect_svg(box, _INSET) if state.is_final else ""
    return (
        f'<g class="dp-states__state{kind}">{title}{_rect_svg(box, 0)}{inner}'
        f'<text class="dp-states__name" {_TEXT_WITHOUT_STYLES} x="{_format_number(box.x)}" '
        f'y="{_format_number(box.y + _BASELINE)}">{escape_text(state.name)}</text></g>'
    )


def _rect_svg(box: Box, inset: float) -> str:
    return (
        f'<rect x="{_format_number(box.left + inset)}" y="{_format_number(box.top + inset)}" '
        f'width="{_format_number(box.width - 2 * inset)}" height="{_format_number(box.height - 2 * inset)}" '
        f'rx="{_format_number(_RADIUS - inset)}"/>'
    )


def _format_point(point: Point) -> str:
    return f"{_format_number(point[0])} {_format_number(point[1])}"


def _format_number(value: float) -> str:
    """Return a number of pixels, to a tenth."""
    return f"{round(value, 1):g}"


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
    """The state machine of a schema; `about` is the description of each state, as plain text."""

    name: str
    machine: StateMachine
    about: dict[str, str]
    steps: tuple[TransitionRow, ...]

    @property
    def has_events(self) -> bool:
        """Say whether any event reports a step."""
        return any(step.event for step in self.steps)


def states_of(api: Api, addresses: Addresses, schema: Schema) -> StatesView | None:
    """Return the view of the machine of a schema, None if it has none."""
    machine = schema.state_machine
    if machine is None:
        return None
    events = {
        webhook.name: addresses.event(webhook.operations[0]) for webhook in api.webhooks if webhook.operations
    }
    steps: list[TransitionRow] = []
    for transition in machine.transitions:
        step = _transition_row(transition, events.get(transition.event, ""))
        if steps and replace(steps[-1], sources=step.sources) == step:
            step = replace(step, sources=(*steps.pop().sources, *step.sources))
        steps.append(step)
    about = {state: plain_text(text) for state, text in schema.enum_descriptions}
    return StatesView(name=schema.name, machine=machine, about=about, steps=tuple(steps))


def _transition_row(transition: Transition, uri: str) -> TransitionRow:
    return TransitionRow(
        sources=(transition.source,),
        target=transition.target,
        on=transition.on,
        description=transition.description,
        event=transition.event,
        uri=uri,
    )


MAX_STATES, MAX_TRANSITIONS = 30, 90
"""A larger machine is not drawn, because the drawing would be unreadable. Its table has everything."""


def states_html(view: StatesView, context: RenderContext, anchor: str) -> str:
    """Return the drawing and the table of a machine; ids begin with `anchor`."""
    return f"{_figure_html(view, anchor)}{_table_html(view, context)}"


def _figure_html(view: StatesView, anchor: str) -> str:
    machine = view.machine
    title = gettext("States of %(name)s", name=view.name)
    is_large = len(machine.states) > MAX_STATES or len(machine.transitions) > MAX_TRANSITIONS
    drawing = "" if is_large else state_diagram_svg(machine, title=title, about=view.about, anchor=anchor)
    scroll = (
        f'<div class="dp-states__scroll" role="region" tabindex="0" aria-label="{escape_attribute(title)}">\n'
        f"{drawing}\n</div>\n"
    )
    begins = (
        gettext_html("Begins as %(states)s.", states=_codes_html(machine.initial)) if machine.initial else ""
    )
    ends = (
        gettext_html("Final: %(states)s.", states=_codes_html(machine.finals))
        if machine.finals
        else gettext_html("No state is final.")
    )
    caption = join_sentences((begins, ends))
    return (
        f'<figure class="dp-states">\n{scroll if drawing else ""}'
        f"<figcaption>{caption}</figcaption>\n</figure>\n"
    )


def _codes_html(names: Iterable[str]) -> str:
    return join_list(map(inline_code, names))


def _table_html(view: StatesView, context: RenderContext) -> str:
    head = "".join(f'<th scope="col">{escape_text(head)}</th>' for head in _heads(view))
    rows = "".join(_row_html(step, context, has_events=view.has_events) for step in view.steps)
    return (
        f'<div class="dp-table-wrap" role="region" tabindex="0" '
        f'aria-label="{escape_attribute(gettext("Transitions of %(name)s", name=view.name))}">'
        f'<table class="dp-table dp-states__table"><thead><tr>{head}</tr></thead><tbody>\n'
        f"{rows}</tbody></table></div>\n"
    )


def _row_html(step: TransitionRow, context: RenderContext, *, has_events: bool) -> str:
    event = f"<td>{_event_link(step, context)}</td>" if has_events else ""
    return (
        f"<tr><td>{_codes_html(step.sources)}</td><td>{inline_code(step.target)}</td>"
        f"<td>{escape_text(step.on)}{context.html(step.description)}</td>{event}</tr>\n"
    )


def _event_link(step: TransitionRow, context: RenderContext) -> str:
    if not step.event:
        return ""
    name = inline_code(step.event)
    return f'<a href="{escape_attribute(context.to(step.uri))}">{name}</a>' if step.uri else name


def states_markdown(view: StatesView, context: RenderContext) -> str:
    """Return the whole, with an empty line at its end."""
    machine = view.machine
    sentences = [
        gettext("Begins as %(states)s.", states=_code_list(machine.initial)) if machine.initial else "",
        gettext("Final: %(states)s.", states=_code_list(machine.finals))
        if machine.finals
        else gettext("No state is final."),
    ]
    return "\n".join(
        (
            join_sentences(sentences),
            "",
            *_target_lines(view),
            "",
            _transition_table(view, context),
            "",
        )
    )


def _code_list(names: Iterable[str]) -> str:
    return join_list(map(code_span, names))


def _target_lines(view: StatesView) -> Iterator[str]:
    machine = view.machine
    for state in machine.states:
        targets = [other for other in machine.states if machine.allows(state, other)]
        if targets:
            yield f"- {code_span(state)} → {_code_list(targets)}"


def _heads(view: StatesView) -> list[str]:
    reported = [gettext("Reported by")] if view.has_events else []
    return [gettext("From"), gettext("To"), pgettext("what triggers a transition", "When"), *reported]


def _transition_table(view: StatesView, context: RenderContext) -> str:
    return markdown_table(
        _heads(view), (_markdown_row(step, context, has_event=view.has_events) for step in view.steps)
    )


def _markdown_row(step: TransitionRow, context: RenderContext, *, has_event: bool) -> list[str]:
    cells = [_code_list(step.sources), code_span(step.target), _transition_words(step, context)]
    return [*cells, *([_markdown_event_link(step, context)] if has_event else [])]


def _transition_words(step: TransitionRow, context: RenderContext) -> str:
    on, about = text_to_line(step.on), context.cell(step.description)
    return with_label(on, about) if on and about else on or about


def _markdown_event_link(step: TransitionRow, context: RenderContext) -> str:
    name = code_span(step.event) if step.event else ""
    return f"[{name}]({context.to_twin(step.uri)})" if step.uri else name
