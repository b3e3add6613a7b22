"""Inserts: parts of the current contract that replace a mark in a hand-written page."""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.metadata import EntryPoint
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from devportal.contract import Api
from devportal.language import OURS, mark_texts
from devportal.markup import twin_href
from devportal.markup.page import InsertProblem
from devportal.plugins import (
    INSERTS_GROUP,
    canonical_name,
    entry_points_of,
    installed_plugins,
    load_entry_point,
    plugin_of,
)
from devportal.project.settings import Settings
from devportal.reference.addresses import Addresses
from devportal.reference.context import RenderContext
from devportal.reference.links import DescriptionLinks
from devportal.reference.pages.contract_tables import (
    event_table,
    events_with_tag,
    has_scopes,
    operation_table,
    problem_table,
    problem_types_with_status,
    scope_table,
    stability_table,
)
from devportal.reference.pages.stability import marked_parts
from devportal.reference.reference import Reference, reference_of
from devportal.reference.states import states_html, states_markdown, states_of
from devportal.site.apis.cards import ApiCard, render_cards
from devportal.suggestions import suggest_name

if TYPE_CHECKING:
    from devportal.catalog import Published  # a project without records imports nothing of them

_TOOLKIT = "devportal"
"""The toolkit itself: its manual is loaded like the inserts of a plug-in."""
_LINK = re.compile(r"\]\((#(?:operation|tag|schema)/[^)\s]+)\)")

Arguments = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertResult:
    """An insert as Markdown, for the page and its twin; if `html` is set, the page shows that instead.

    `is_inert`: braces in the Markdown are text, never attributes. It holds text of a contract, which is not
    trusted.
    """

    markdown: str
    html: str = ""
    is_inert: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertContext:
    """The contract and the page of an insert. Its ids begin with `anchor`."""

    api: Api
    addresses: Addresses = field(repr=False)
    place: RenderContext = field(repr=False)
    anchor: str
    docs: Path | None = None
    """The folder of the pages."""
    public: "Published | None" = field(default=None, repr=False)
    """What is public of the records, if the project has any."""


InsertMaker = Callable[[Api, Arguments], str | InsertProblem]
"""An insert of a plug-in."""
_BuiltInInsert = Callable[[InsertContext, Arguments], str | InsertResult | InsertProblem]


class Inserts:
    """Makes the inserts of the pages of one portal, with a contract or without."""

    def __init__(
        self,
        api: Api | None,
        settings: Settings = Settings(),
        *,
        docs: Path | None = None,
        public: "Published | None" = None,
        apis: Mapping[str, Reference] = MappingProxyType({}),
        cards: Sequence[ApiCard] = (),
    ) -> None:
        """Take the contract, the settings of the project, the folder of its pages, and what is public of its
        records; of a portal of several APIs, their references by name, and their cards.

        An insert of a plug-in gets the contract with all plug-ins, as if the contract named each. The others get it
        as it is, and so share what the pages of the reference have made of it.
        """
        named = {canonical_name(plugin) for plugin in (*settings.plugins, *(api.plugins if api else ()))}
        self._api = api
        self._plugins = tuple(sorted(named)) if api is not None else ()
        self._settings = settings
        self._docs, self._public = docs, public
        self._cards = cards
        self._made: dict[tuple[Arguments, str, str], InsertResult | InsertProblem] = {}
        self._of_apis = {
            name: Inserts(reference.api, reference.settings, docs=docs, public=public)
            for name, reference in apis.items()
        }

    @cached_property
    def _reference(self) -> Reference:
        assert self._api is not None  # noqa: S101 - asked for after that is known
        return reference_of(self._api, self._settings)

    @cached_property
    def _links(self) -> DescriptionLinks:
        return DescriptionLinks(self._reference)

    @cached_property
    def _api_with_plugins(self) -> Api:
        assert self._api is not None  # noqa: S101 - asked for after that is known
        return replace(self._api, plugins=self._plugins)

    def make_insert(self, words: Arguments, *, source: str, anchor: str) -> InsertResult | InsertProblem:
        """Return the insert with this name and arguments on the page `source`, or what is wrong with them."""
        name, *arguments = words
        if name == _CARDS and self._cards:
            return self._make_cards(arguments, source)
        if self._of_apis:
            return self._make_insert_of_api(words, source=source, anchor=anchor)
        if self._api is None:
            return InsertProblem(
                message=f"the insert {name!r} needs a contract", help="give one under 'contract'"
            )
        built_in, plugin_inserts = BUILT_IN_INSERTS.get(name), self._plugin_inserts
        if built_in is None and name not in plugin_inserts:
            return _unlisted_plugin(name) or _unknown_name(
                "insert", name, {*BUILT_IN_INSERTS, *plugin_inserts}
            )
        made = (words, source, anchor)
        if made not in self._made:
            result = self._make_insert_of_contract(words, source=source, anchor=anchor)
            if name in _READING_FILES or (built_in is None and name not in self._toolkit_inserts):
                return result
            self._made[made] = result
        return self._made[made]

    def _make_insert_of_contract(
        self, words: Arguments, *, source: str, anchor: str
    ) -> InsertResult | InsertProblem:
        assert self._api is not None  # noqa: S101 - the caller has looked
        name, *arguments = words
        built_in = BUILT_IN_INSERTS.get(name)
        place = RenderContext(source=source, below=3, links=self._links)
        if built_in is not None:
            context = InsertContext(
                api=self._api,
                addresses=self._reference.addresses,
                place=place,
                anchor=anchor,
                docs=self._docs,
                public=self._public,
            )
            result = built_in(context, tuple(arguments))
        else:
            maker: InsertMaker = load_entry_point(self._plugin_inserts[name])
            result = maker(self._api_with_plugins, tuple(arguments))
        if not isinstance(result, str):
            return result
        return InsertResult(markdown=self._resolve_links(result, source), is_inert=built_in is not None)

    def _make_cards(self, arguments: Sequence[str], source: str) -> InsertResult | InsertProblem:
        """Return the cards of all APIs of the portal."""
        if arguments:
            return _usage_problem(_CARDS, ())
        html, markdown = render_cards(self._cards, source, level=3)
        return InsertResult(markdown=markdown.strip(), html=html)

    def _make_insert_of_api(
        self, words: Arguments, *, source: str, anchor: str
    ) -> InsertResult | InsertProblem:
        """Return an insert of the API that its first word names: `orders/operations Orders`.

        One that is the same whatever the contract needs no name.
        """
        api, slash, name = words[0].partition("/")
        if not slash and words[0] in _WITHOUT_CONTRACT:
            return next(iter(self._of_apis.values())).make_insert(words, source=source, anchor=anchor)
        if not slash:
            return InsertProblem(
                message=f"the insert {words[0]!r} could be of any of several APIs",
                help=f"write the name of one before it, such as '{next(iter(self._of_apis))}/{words[0]}'",
            )
        if api not in self._of_apis:
            return _unknown_name("API", api, self._of_apis)
        return self._of_apis[api].make_insert((name, *words[1:]), source=source, anchor=anchor)

    @cached_property
    def _plugin_inserts(self) -> Mapping[str, EntryPoint]:
        """Return the inserts of the plug-ins and of the toolkit's manual, by name."""
        points = (*entry_points_of(INSERTS_GROUP, self._plugins), *entry_points_of(INSERTS_GROUP, [_TOOLKIT]))
        return {point.name: point for point in points}

    @cached_property
    def _toolkit_inserts(self) -> frozenset[str]:
        """Return the names of the inserts that show nothing but the contract and the toolkit."""
        return frozenset(name for name, point in self._plugin_inserts.items() if _is_of_toolkit(point))

    def _resolve_links(self, markdown: str, source: str) -> str:
        """Return Markdown with links to parts of the contract (`#operation/…`) resolved to their pages."""
        return _LINK.sub(lambda found: f"]({twin_href(source, self._links.target(found[1]))})", markdown)


def _state_machine_insert(context: InsertContext, arguments: Arguments) -> InsertResult | InsertProblem:
    """Return the drawing and the transitions of the state machine of a schema."""
    schemas = {
        schema.name: schema for schema in context.api.schemas.values() if schema.state_machine is not None
    }
    if len(arguments) != 1:
        return _usage_problem("state-machine SCHEMA", schemas)
    view = (
        states_of(context.api, context.addresses, schemas[arguments[0]]) if arguments[0] in schemas else None
    )
    if view is None:
        return _unknown_name("schema with a state machine", arguments[0], schemas)
    return InsertResult(
        markdown=states_markdown(view, context.place).strip(),
        html=mark_texts(states_html(view, context.place, context.anchor), context.api.language or OURS),
    )


def _problem_types_insert(context: InsertContext, arguments: Arguments) -> str | InsertProblem:
    """Return the problem types, or those of a status."""
    by_status = {
        str(problem_type.status): problem_type
        for problem_type in problem_types_with_status(context.api, None)
    }
    if len(arguments) > 1:
        return _usage_problem("problem-types [STATUS]", by_status)
    if not by_status:
        return InsertProblem(
            message="the contract has no problem types", help="list them under 'x-problem-types'"
        )
    if arguments and arguments[0] not in by_status:
        return _unknown_name("status of a problem type", arguments[0], by_status)
    status = int(arguments[0]) if arguments else None
    return problem_table(problem_types_with_status(context.api, status), context.addresses, context.place)


def _scopes_insert(context: InsertContext, arguments: Arguments) -> str | InsertProblem:
    """Return the scopes, what they grant, and what needs them."""
    if arguments:
        return _usage_problem("scopes", ())
    if not has_scopes(context.api):
        return InsertProblem(
            message="the contract has no scopes", help="declare them at its security schemes"
        )
    return scope_table(context.api, context.addresses, context.place)


def _operations_insert(context: InsertContext, arguments: Arguments) -> str | InsertProblem:
    """Return the operations of a tag."""
    by_tag = {group.name: group.operations for group in context.api.groups}
    if len(arguments) != 1:
        return _usage_problem("operations TAG", by_tag)
    if arguments[0] not in by_tag:
        return _unknown_name("tag of operations", arguments[0], by_tag)
    return operation_table(by_tag[arguments[0]], context.addresses, context.place)


def _events_insert(context: InsertContext, arguments: Arguments) -> str | InsertProblem:
    """Return the events, or those of a tag."""
    events = events_with_tag(context.api, None)
    tags = dict.fromkeys(tag for _, operation in events for tag in operation.tags)
    if len(arguments) > 1:
        return _usage_problem("events [TAG]", tags)
    if not events:
        return InsertProblem(message="the contract has no events", help="describe them under 'webhooks'")
    if arguments and arguments[0] not in tags:
        return _unknown_name("tag of events", arguments[0], tags)
    return event_table(
        events_with_tag(context.api, arguments[0] if arguments else None), context.addresses, context.place
    )


def _stability_insert(context: InsertContext, arguments: Arguments) -> str | InsertProblem:
    """Return how many parts of each kind have a stability level."""
    if arguments:
        return _usage_problem("stability", ())
    parts = marked_parts(context.api, context.addresses)
    if not parts:
        return InsertProblem(
            message="no part of the contract says how stable it is", help="write 'x-stability-level' there"
        )
    return stability_table(parts, context.addresses, context.place)


def _api_cards_insert(context: InsertContext, arguments: Arguments) -> InsertProblem:  # noqa: ARG001 - as every insert
    """Return the problem of a portal that has one API: those of several make the cards before they choose one."""
    return InsertProblem(
        message=f"the insert {_CARDS!r} needs several APIs", help="list them under 'contracts'"
    )


def _differ_policy_insert(context: InsertContext, arguments: Arguments) -> str | InsertProblem:  # noqa: ARG001 - as every insert
    """Return every setting of the differ's policy."""
    if arguments:
        return _usage_problem("differ-policy", ())
    from devportal.differ.commands.rule_lists import policy_markdown  # noqa: PLC0415 - few pages ask for it

    return policy_markdown()


def _published_prices_insert(context: InsertContext, arguments: Arguments) -> InsertResult | InsertProblem:
    """Return the lowest public price of products, and the number of markets."""
    from devportal.site.hand_written.figures import (  # noqa: PLC0415 - few pages ask for it
        figures_html,
        figures_markdown,
        figures_of,
        priced_products,
    )

    public = context.public
    products = (
        {str(priced_product): priced_product for priced_product in priced_products(public)}
        if public is not None
        else {}
    )
    if public is None or not products:
        return InsertProblem(
            message="there is no published price", help="give a folder of records under 'records'"
        )
    for name in arguments:
        if name not in products:
            return _unknown_name("product with a published price", name, products)
    figures = [*figures_of(public, [products[name] for name in arguments or products])]
    source = context.place.source
    return InsertResult(markdown=figures_markdown(figures, source), html=figures_html(figures, source))


def _picture_insert(context: InsertContext, arguments: Arguments) -> InsertResult | InsertProblem:
    """Return a drawing from a file of the project."""
    from devportal.site.hand_written.pictures import read_picture  # noqa: PLC0415 - few pages ask for it

    if context.docs is None or len(arguments) not in (1, 2):
        return _usage_problem("picture FILE [TEXT]", ())
    uri, words = (*arguments, "")[:2]
    html = read_picture(context.docs, uri, words=words)
    return InsertResult(markdown="", html=html) if isinstance(html, str) else html


def _usage_problem(form: str, choices: Mapping[str, object] | Arguments) -> InsertProblem:
    quoting = "; put a name of several words in quotation marks" if " " in "".join(choices) else ""
    return InsertProblem(
        message=f"this insert is written {form!r}", help=f"{_choices_text(choices)}{quoting}"
    )


def _unknown_name(kind: str, name: str, choices: Mapping[str, object] | set[str]) -> InsertProblem:
    return InsertProblem(
        message=f"there is no {kind} {name!r}", help=suggest_name(name, choices, _choices_text(choices))
    )


def _is_of_toolkit(point: EntryPoint) -> bool:
    """Return whether an insert is of the toolkit's manual: what it shows does not change while a process runs."""
    return plugin_of(point) == _TOOLKIT


def _unlisted_plugin(name: str) -> InsertProblem | None:
    """Return the problem if the insert is of a plug-in that is installed but not listed."""
    for point in entry_points_of(INSERTS_GROUP, installed_plugins()):
        if point.name == name:
            plugin = plugin_of(point)
            return InsertProblem(
                message=f"the insert {name!r} is of the plug-in {plugin!r}, which is not listed",
                help=f"add {plugin!r} to 'plugins' of the plugin devportal in mkdocs.yml",
            )
    return None


def _choices_text(names: Mapping[str, object] | set[str] | Arguments) -> str:
    return f"one of {', '.join(map(repr, sorted(names)))}" if names else "leave the arguments out"


_CARDS = "api-cards"
"""The insert of a portal of several APIs: it is of all of them."""
_READING_FILES = frozenset({"picture"})
"""Inserts that show files of the project: these may be others the next time."""
_WITHOUT_CONTRACT = frozenset({"differ-policy", "picture", "published-prices"})
"""Inserts that show nothing of a contract."""
BUILT_IN_INSERTS: Mapping[str, _BuiltInInsert] = {
    _CARDS: _api_cards_insert,
    "differ-policy": _differ_policy_insert,
    "events": _events_insert,
    "operations": _operations_insert,
    "picture": _picture_insert,
    "problem-types": _problem_types_insert,
    "published-prices": _published_prices_insert,
    "scopes": _scopes_insert,
    "stability": _stability_insert,
    "state-machine": _state_machine_insert,
}
"""The inserts of the toolkit by name."""


_FENCE = re.compile(r"\s*(`{3,}|~{3,})(.*)")
_MARK = re.compile(r"(?P<indent>[ \t]*)<!--\s*devportal:(?P<words>.*?)-->\s*")
_BEGINS = re.compile(r"<!--\s*devportal:")
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")


@dataclass(frozen=True, slots=True, kw_only=True)
class InsertMark:
    """A line with an insert: its number (from 0), indent and words. `problem` is what is wrong with the line."""

    number: int
    indent: str = ""
    words: tuple[str, ...] = ()
    problem: str = ""


def insert_marks_in(text: str) -> Iterator[InsertMark]:
    """Yield the insert marks of a page, outside code."""
    fence = ""
    for number, line in enumerate(text.split("\n")):
        opening = _FENCE.fullmatch(line.rstrip("\r"))
        if opening and not fence:
            fence = opening.group(1)
        elif opening and opening.group(1).startswith(fence) and not opening.group(2).strip():
            fence = ""
        elif not fence and _BEGINS.search(_CODE.sub("", line)):
            yield _parse_mark(number, line)


def _parse_mark(number: int, line: str) -> InsertMark:
    whole = _MARK.fullmatch(line)
    if whole is None:
        return InsertMark(number=number, problem="an insert is a comment on its own line")
    try:
        words = tuple(shlex.split(whole["words"]))
    except ValueError:
        return InsertMark(number=number, problem="a quotation mark of this insert has no other end")
    if not words:
        return InsertMark(number=number, problem="this insert has no name")
    return InsertMark(number=number, indent=whole["indent"], words=words)
