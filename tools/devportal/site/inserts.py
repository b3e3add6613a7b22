"""What a hand-written page has put in place of a mark: parts of the contract, always as they are now.

The toolkit brings some inserts, plug-ins bring theirs (entry points `devportal.inserts`): functions that take
the contract and the words behind the name, and return Markdown. Its links to parts of the contract
are written as in descriptions: `#operation/createOrder`, `#schema/OrderStatus`.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from importlib.metadata import EntryPoint

from devportal.contract import Api
from devportal.language import OURS, mark_texts
from devportal.pages import twin_href
from devportal.pages.inserts import Wrong
from devportal.plugins import INSERTS, canonical_name, installed_plugins, load_point, plugin_of, points_of
from devportal.reference.addresses import Addresses, addresses_of
from devportal.reference.links import Links
from devportal.reference.place import Place
from devportal.reference.stability import marked_parts
from devportal.reference.states import states_html, states_markdown, states_of
from devportal.reference.tables import (
    event_table,
    events_with,
    has_scopes,
    operation_table,
    problem_table,
    problems_with,
    scope_table,
    stability_table,
)

_TOOLKIT = "devportal"
"""The toolkit itself: what it says of itself on pages comes in as the inserts of a plug-in do."""
_LINK = re.compile(r"\]\((#(?:operation|tag|schema)/[^)\s]+)\)")

Arguments = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inserted:
    """An insert as Markdown, which its twin shows too; `html` is what the page shows in place of it.

    `is_inert`: braces in the Markdown are text, never attributes. It holds words of a contract, which is not
    to be trusted.
    """

    markdown: str
    html: str = ""
    is_inert: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where an insert stands: in which contract's portal, and on which page. Its ids begin with `anchor`."""

    api: Api
    addresses: Addresses = field(repr=False)
    place: Place = field(repr=False)
    anchor: str


Maker = Callable[[Api, Arguments], str | Wrong]
"""An insert of a plug-in."""
_OwnMaker = Callable[[Spot, Arguments], str | Inserted | Wrong]


class Inserts:
    """Makes the inserts of the pages around one contract, if there is one."""

    def __init__(
        self, api: Api | None, *, overview: str = "reference/index.md", plugins: Iterable[str] = ()
    ) -> None:
        """Take the contract, where the page of the whole is, and the plug-ins that the settings list.

        An insert gets the contract with all of them, as if it named each.
        """
        named = {canonical_name(one) for one in (*plugins, *(api.plugins if api else ()))}
        self._api = replace(api, plugins=tuple(sorted(named))) if api is not None else None
        self._overview = overview

    @cached_property
    def _addresses(self) -> Addresses:
        assert self._api is not None  # noqa: S101 - asked for after that is known
        return addresses_of(self._api, overview=self._overview)

    @cached_property
    def _links(self) -> Links:
        assert self._api is not None  # noqa: S101 - asked for after that is known
        return Links(self._api, self._addresses)

    def made(self, words: Arguments, *, source: str, anchor: str) -> Inserted | Wrong:
        """Return the insert that these words ask for on the page `source`, or what is wrong with them."""
        name, *arguments = words
        if self._api is None:
            return Wrong(message=f"the insert {name!r} needs a contract", help="give one under 'contract'")
        own, others = OWN.get(name), self._others
        if own is None and name not in others:
            return _not_listed(name) or _unknown("insert", name, {*OWN, *others})
        place = Place(source=source, below=3, links=self._links)
        if own is not None:
            spot = Spot(api=self._api, addresses=self._addresses, place=place, anchor=anchor)
            made = own(spot, tuple(arguments))
        else:
            maker: Maker = load_point(others[name])
            made = maker(self._api, tuple(arguments))
        if not isinstance(made, str):
            return made
        return Inserted(markdown=self._linked(made, source), is_inert=own is not None)

    @cached_property
    def _others(self) -> Mapping[str, EntryPoint]:
        """The inserts of the plug-ins and of the toolkit's manual, by name."""
        plugins = self._api.plugins if self._api is not None else ()
        points = (*points_of(INSERTS, plugins), *points_of(INSERTS, [_TOOLKIT]))
        return {point.name: point for point in points}

    def _linked(self, markdown: str, source: str) -> str:
        """Return Markdown with its links to parts of the contract leading to their pages."""
        return _LINK.sub(lambda found: f"]({twin_href(source, self._links.target(found[1]))})", markdown)


def _state_machine(spot: Spot, arguments: Arguments) -> Inserted | Wrong:
    """Return the drawing and the transitions of the state machine of a schema."""
    known = {one.name: one for one in spot.api.schemas.values() if one.state_machine is not None}
    if len(arguments) != 1:
        return _usage("state-machine SCHEMA", known)
    view = states_of(spot.api, spot.addresses, known[arguments[0]]) if arguments[0] in known else None
    if view is None:
        return _unknown("schema with a state machine", arguments[0], known)
    return Inserted(
        markdown=states_markdown(view, spot.place).strip(),
        html=mark_texts(states_html(view, spot.place, spot.anchor), spot.api.language or OURS),
    )


def _problem_types(spot: Spot, arguments: Arguments) -> str | Wrong:
    """Return the problem types, or those of a status."""
    known = {str(one.status): one for one in problems_with(spot.api, None)}
    if len(arguments) > 1:
        return _usage("problem-types [STATUS]", known)
    if not known:
        return Wrong(message="the contract has no problem types", help="list them under 'x-problem-types'")
    if arguments and arguments[0] not in known:
        return _unknown("status of a problem type", arguments[0], known)
    status = int(arguments[0]) if arguments else None
    return problem_table(problems_with(spot.api, status), spot.addresses, spot.place)


def _scopes(spot: Spot, arguments: Arguments) -> str | Wrong:
    """Return the scopes, what they grant, and what needs them."""
    if arguments:
        return _usage("scopes", ())
    if not has_scopes(spot.api):
        return Wrong(message="the contract has no scopes", help="declare them at its security schemes")
    return scope_table(spot.api, spot.addresses, spot.place)


def _operations(spot: Spot, arguments: Arguments) -> str | Wrong:
    """Return the operations of a tag."""
    known = {one.name: one.operations for one in spot.api.groups}
    if len(arguments) != 1:
        return _usage("operations TAG", known)
    if arguments[0] not in known:
        return _unknown("tag of operations", arguments[0], known)
    return operation_table(known[arguments[0]], spot.addresses, spot.place)


def _events(spot: Spot, arguments: Arguments) -> str | Wrong:
    """Return the events, or those of a tag."""
    events = events_with(spot.api, None)
    tags = dict.fromkeys(tag for _, one in events for tag in one.tags)
    if len(arguments) > 1:
        return _usage("events [TAG]", tags)
    if not events:
        return Wrong(message="the contract has no events", help="describe them under 'webhooks'")
    if arguments and arguments[0] not in tags:
        return _unknown("tag of events", arguments[0], tags)
    return event_table(events_with(spot.api, arguments[0] if arguments else None), spot.addresses, spot.place)


def _stability(spot: Spot, arguments: Arguments) -> str | Wrong:
    """Return how many parts of each kind say how stable they are."""
    if arguments:
        return _usage("stability", ())
    parts = marked_parts(spot.api, spot.addresses)
    if not parts:
        return Wrong(
            message="no part of the contract says how stable it is", help="write 'x-stability-level' there"
        )
    return stability_table(parts, spot.addresses, spot.place)


def _differ_policy(spot: Spot, arguments: Arguments) -> str | Wrong:  # noqa: ARG001 - as every insert
    """Return every knob of the differ's policy."""
    if arguments:
        return _usage("differ-policy", ())
    from devportal.diffing.policy_list import policy_markdown  # noqa: PLC0415 - few pages ask for it

    return policy_markdown()


def _usage(form: str, known: Mapping[str, object] | Arguments) -> Wrong:
    quoting = "; put a name of several words in quotation marks" if " " in "".join(known) else ""
    return Wrong(message=f"this insert is written {form!r}", help=f"{_listed(known)}{quoting}")


def _unknown(kind: str, name: str, known: Mapping[str, object] | set[str]) -> Wrong:
    meant = get_close_matches(name, sorted(known), n=1, cutoff=0.75)
    return Wrong(
        message=f"there is no {kind} {name!r}",
        help=f"did you mean {meant[0]!r}?" if meant else _listed(known),
    )


def _not_listed(name: str) -> Wrong | None:
    """Return what is wrong with the insert of a plug-in that is installed and not listed, if it is one."""
    for point in points_of(INSERTS, installed_plugins()):
        if point.name == name:
            plugin = plugin_of(point)
            return Wrong(
                message=f"the insert {name!r} is of the plug-in {plugin!r}, which is not listed",
                help=f"add {plugin!r} to 'plugins' of the plugin devportal in mkdocs.yml",
            )
    return None


def _listed(known: Mapping[str, object] | set[str] | Arguments) -> str:
    return f"one of {', '.join(map(repr, sorted(known)))}" if known else "leave the arguments out"


OWN: Mapping[str, _OwnMaker] = {
    "differ-policy": _differ_policy,
    "events": _events,
    "operations": _operations,
    "problem-types": _problem_types,
    "scopes": _scopes,
    "stability": _stability,
    "state-machine": _state_machine,
}
"""The inserts of the toolkit by name."""
