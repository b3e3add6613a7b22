"""The parts of a page of the reference, bound to the page that a template renders.

They are HTML from which the Markdown twin is made too (`devportal.markup.draft`).

Not templates, for the reason that `devportal.reference.schema.rows_html` gives: a page has dozens of them. What a
page is made of, and in which order, stands in its template.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import groupby

from markupsafe import Markup

from devportal.contract import ExternalDocs, Grounds, Operation, Server, ServerVariable, Stability, Tag
from devportal.language import TEXT
from devportal.markup import code_block, code_span, plain_text, twin_href
from devportal.reference import markup
from devportal.reference.context import RenderContext
from devportal.reference.history_marks import HistoryMark
from devportal.reference.markup import (
    escape_attribute,
    escape_text,
    inline_code,
    muted_html,
    text_to_line,
    visible_code,
)
from devportal.reference.pages import responses_html
from devportal.reference.pages.security import SchemeUseView
from devportal.reference.pages.shared_problems_html import shared_problems_html, split_shared_problems
from devportal.reference.pages.stability import MarkedPart
from devportal.reference.pages.views import BodyView, OperationItem, ResponseView
from devportal.reference.samples.panels import PlainSample
from devportal.reference.samples.servers import ServerChoice
from devportal.reference.schema.fields import Field
from devportal.reference.schema.rows_html import details_html
from devportal.reference.schema.rules_html import example_block_html
from devportal.reference.states import StatesView, states_html, states_markdown
from devportal.translation import (
    colon,
    gettext,
    gettext_html,
    gettext_noop,
    in_parentheses,
    join_list,
    ngettext_html,
    with_label,
)

OUR_TITLES = (
    gettext_noop("API reference"),
    gettext_noop("Authentication"),
    gettext_noop("Callbacks"),
    gettext_noop("Errors"),
    gettext_noop("Events"),
    gettext_noop("Schemas"),
    gettext_noop("Stability"),
    gettext_noop("Webhooks"),
)
"""Page titles of the toolkit; all others are texts of the contract."""
MAX_TOOLTIP_LENGTH = 240
"""The length of the tooltip of a tag, in code points."""


class PartRenderer:
    """Renders the parts of one page for its template, as safe HTML."""

    def __init__(self, context: RenderContext) -> None:
        """Take the context of the page."""
        self._context = context

    def crumbs(self, trail: Iterable[tuple[str, str]]) -> Markup:
        """Return the breadcrumbs from the overview to the page."""
        ours = set(map(gettext, OUR_TITLES))
        items = "".join(
            f'<li><a href="{self._to(uri)}"{">" if title in ours else TEXT}{escape_text(title)}</a></li>\n'
            for title, uri in trail
        )
        label = escape_attribute(gettext("Breadcrumb"))
        nav = f'<nav class="dp-crumbs" aria-label="{label}"><ol>\n{items}</ol></nav>\n'
        return _safe_markup(f"<page>{nav}</page>")

    def heading(self, level: int, anchor: str, title: str) -> Markup:
        """Return a heading with its permalink."""
        return _safe_markup(markup.heading(level, anchor, title))

    def text_heading(self, level: int, anchor: str, title: str) -> Markup:
        """Return a heading with its permalink, its title a text of the contract."""
        return _safe_markup(markup.text_heading(level, anchor, title))

    def method(self, name: str) -> Markup:
        """Return the badge of a method."""
        return _safe_markup(_method_badge(name))

    def stability(self, level: Stability | None) -> Markup:
        """Return the badge of a stability, if there is one."""
        return _safe_markup(markup.badge(level) if level else "")

    def grounds(self, grounds: Grounds | None) -> Markup:
        """Return the grounds of a stability, with a space before them; empty if none are given."""
        found = self._context.grounds(grounds)
        return _safe_markup(f' <span class="dp-grounds">{found}</span>' if found else "")

    def deprecation_badge(self, is_deprecated: bool, sunset: str = "") -> Markup:  # noqa: FBT001 - for templates
        """Return the badge of a deprecated or retiring part, empty for others."""
        return _safe_markup(markup.end_badge(deprecated=is_deprecated, sunset=sunset))

    def marked_part(self, part: MarkedPart) -> Markup:
        """Return a part with a stability; its title, or else its code, is a link."""
        title, code = escape_text(part.title), inline_code(part.code) if part.code else ""
        linked = title or code
        if part.uri:
            linked = f'<a href="{self._to(part.uri)}">{linked}</a>'
        about = muted_html(part.about) if part.about else ""
        words = (linked, code if title else "", about, *map(inline_code, part.values))
        return _safe_markup(" ".join(filter(None, words)))

    def history(self, marks: Iterable[HistoryMark]) -> Markup:
        """Return the history marks of a part."""
        found = self._context.history(tuple(marks))
        return _safe_markup(f'<span class="dp-history">{found}</span>' if found else "")

    def operation_details(
        self, operation: Operation, marks: Sequence[HistoryMark], *, is_event: bool = False
    ) -> Markup:
        """Return what few readers of an operation look for: its id, a stability without badge, and its history.

        Those of an event include its tags, as no page of a tag lists it.
        """
        has_badge = operation.stability_is_declared and not (operation.deprecated or operation.sunset)
        level = operation.stability if operation.stability_is_declared and not has_badge else ""
        words = (
            gettext_html("operation ID %(id)s", id=inline_code(operation.id))
            if operation.id_is_declared
            else "",
            _tag_words(operation.tags) if is_event else "",
            join_list(filter(None, (markup.level_words(level), self._context.grounds(operation.grounds)))),
            self._context.history(tuple(marks)),
        )
        return _safe_markup(details_html(words, operation.title, self._context))

    def tags(self, tags: Iterable[Tag]) -> Markup:
        """Return the tags of an operation as badges with their descriptions."""
        return _safe_markup(
            " ".join(
                markup.badge(
                    "tag",
                    tag.title,
                    about=plain_text(tag.description or tag.summary, limit=MAX_TOOLTIP_LENGTH),
                )
                for tag in tags
            )
        )

    def link(self, url: str, words: str = "") -> Markup:
        """Return an address as a link, if browsers may open it."""
        return _safe_markup(markup.external_link(url, words))

    def page_link(self, uri: str, words: str) -> Markup:
        """Return a link to a page, its words ours."""
        return _safe_markup(f'<a href="{self._to(uri)}">{escape_text(words)}</a>')

    def text_link(self, uri: str, title: str) -> Markup:
        """Return a link to a page, its title a text of the contract."""
        return _safe_markup(f'<a href="{self._to(uri)}"{TEXT}{escape_text(title)}</a>')

    def inline_code(self, plain: str) -> Markup:
        """Return text as code in a line."""
        return _safe_markup(inline_code(plain))

    def isolate(self, plain: str) -> Markup:
        """Return text of the contract between words of ours."""
        return _safe_markup(markup.isolate_text(plain))

    def time(self, day: str) -> Markup:
        """Return a day as an element that programs read."""
        return _safe_markup(f'<time datetime="{escape_attribute(day)}">{escape_text(day)}</time>')

    def docs(self, external: ExternalDocs | None) -> Markup:
        """Return the link to external documentation as a paragraph, if there is one."""
        return _safe_markup(f"<p>{self.docs_link(external)}</p>" if external else "")

    def docs_link(self, external: ExternalDocs | None) -> Markup:
        """Return the link to external documentation, if there is one."""
        return _safe_markup(markup.external_docs_link(external))

    def markdown(self, commonmark: str) -> Markup:
        """Return CommonMark of the contract, with links to its parts resolved to pages."""
        return _safe_markup(self._context.text(commonmark))

    def text(self, commonmark: str, html: str = "") -> Markup:
        """Return CommonMark of the contract, given as HTML too, in an element that marks it as such."""
        apart = self._context.without_draft()
        return _safe_markup(
            self._context.pair(html or apart.unmarked_html(commonmark), partial(apart.markdown, commonmark))
        )

    def cell(self, commonmark: str) -> Markup:
        """Return CommonMark of the contract in a cell of a table, which in a twin is one line."""
        html, line = self._context.without_draft().unmarked_html(commonmark), self._context.cell(commonmark)
        return _safe_markup(self._context.pair(html, line.replace("|", r"\|"), is_inline=True))

    def code(self, text: str, label: str, language: str = "") -> Markup:
        """Return a block of code; the rest of a long one is behind a click, and in the twin."""
        return _safe_markup(
            self._context.pair(example_block_html(text, label, language), partial(code_block, text, language))
        )

    def samples(self, name: str, html: str, plain: Sequence[PlainSample]) -> Markup:
        """Return samples in all languages; the twin has the plain ones. Under this name, others of fewer colours can
        replace them.
        """
        return _safe_markup(self._context.pair(html, partial(self._samples_markdown, plain), name=name))

    def _samples_markdown(self, samples: Iterable[PlainSample]) -> str:
        return "\n\n".join(map(self._sample_markdown, samples))

    def _sample_markdown(self, sample: PlainSample) -> str:
        about = self._context.markdown(sample.description)
        blocks = (f"### {text_to_line(sample.label)}", about, code_block(sample.code, sample.language))
        return "\n\n".join(filter(None, blocks))

    def rows(self, fields: Sequence[Field]) -> Markup:
        """Return fields as a list."""
        return _safe_markup(responses_html.fields_pair(fields, self._context))

    def body(self, field: Field) -> Markup:
        """Return the content of a body."""
        return _safe_markup(responses_html.body_pair(field, self._context))

    def states(self, view: StatesView, anchor: str) -> Markup:
        """Return a state machine as a drawing and a table; ids in it begin with `anchor`."""
        apart = self._context.without_draft()
        return _safe_markup(
            self._context.pair(states_html(view, apart, anchor), states_markdown(view, apart))
        )

    def request_body(self, request: BodyView) -> Markup:
        """Return a request body in all its media types."""
        return _safe_markup(responses_html.request_body_html(request, self._context))

    def responses(self, responses: Sequence[ResponseView], *, level: int = 3) -> Markup:
        """Return the responses of a request, those with the same problem body in one table; `level` is that of
        their headings in the twin.
        """
        apart, shared = split_shared_problems(responses)
        html = [
            responses_html.response_html(response_view, self._context, level=level) for response_view in apart
        ]
        table = shared_problems_html(shared, self._context, level=level) if shared else ""
        at = sum(response_view.kind in "123" for response_view in apart)
        return _safe_markup("".join((*html[:at], table, *html[at:])))

    def requirements(self, alternatives: Iterable[Sequence[SchemeUseView]]) -> Markup:
        """Return the security alternatives of a request; a scheme is named once for those next to each other that
        differ only in its scopes.
        """
        joint = f"{muted_html(gettext('or'))} "
        items = "".join(
            f"<li>{joint if number else ''}{self._uses(list(like), is_first=number == 0)}</li>"
            for number, (_, like) in enumerate(groupby(alternatives, _only_scheme))
        )
        return _safe_markup(f'<ul class="dp-auth">{items}</ul>\n')

    def _uses(self, alternatives: Sequence[Sequence[SchemeUseView]], *, is_first: bool) -> str:
        uses = alternatives[0]
        if not uses:
            return gettext_html("No credential is needed.") if is_first else gettext_html("no credential")
        if len(uses) == 1:
            return self._use(uses[0], dict.fromkeys(use.scopes for (use,) in alternatives))
        joint = f"{muted_html(gettext('and'))} "
        return " ".join(
            f'<span class="dp-auth__use">{joint if number else ""}{self._use(use, [use.scopes])}</span>'
            for number, use in enumerate(uses)
        )

    def _use(self, use: SchemeUseView, scopes: Iterable[Iterable[str]]) -> str:
        """Return a scheme with its sets of scopes, of which a credential needs one."""
        link = f'<a href="{self._to(use.uri)}">{escape_text(use.name)}</a>'
        sets = (
            "".join(f' <code class="dp-scope">{escape_text(name)}</code>' for name in names)
            for names in scopes
        )
        name = link if use.uri else inline_code(use.name)
        end = markup.end_badge(deprecated=use.deprecated, sunset=use.sunset)
        needed = f" {muted_html(gettext('or'))}".join(sets)
        return f"{name}<twin>{colon()}</twin> {muted_html(use.kind)}{needed}{f' {end}' if end else ''}"

    def servers(self, items: Iterable[Server]) -> Markup:
        """Return servers with their descriptions."""
        return _safe_markup(f'<ul class="dp-servers">{"".join(map(self._server, items))}</ul>\n')

    def server_picker(self, choices: Sequence[ServerChoice]) -> Markup:
        """Return the server picker of the samples; a style sheet hides it without scripts."""
        options = "".join(
            f'<option value="{escape_attribute(choice.url)}"{TEXT}{escape_text(choice.label)}</option>'
            for choice in choices
        )
        variables = "".join(
            f'<div class="dp-server__variables" data-server="{escape_attribute(choice.url)}"'
            f"{' hidden' if number else ''}>{''.join(map(_server_variable_input, choice.variables))}</div>\n"
            for number, choice in enumerate(choices)
            if choice.variables
        )
        return _safe_markup(
            f'<div class="dp-server"><label>{gettext_html("Server")} <select name="server">{options}</select></label>\n'
            f"{variables}</div>\n"
        )

    def operations(self, items: Iterable[OperationItem]) -> Markup:
        """Return a list of operations or events."""
        shown = tuple(items)
        html = f'<ul class="dp-ops">\n{"".join(map(self._operation, shown))}</ul>\n'
        return _safe_markup(self._context.pair(html, "\n".join(map(self._operation_markdown, shown))))

    def _operation_markdown(self, item: OperationItem) -> str:
        """Return an item of a list in a twin, in the form of `llms.txt`: a link and a description."""
        link = f"[{text_to_line(item.title)}]({twin_href(self._context.source, item.uri)})"
        marks = [markup.level_words(item.stability)] if item.stability is not Stability.STABLE else []
        marks += [gettext("deprecated")] if item.deprecated else []
        request = code_span(f"{markup.method_words(item.method)} {item.path}".strip())
        return " · ".join((f"- {with_label(link, request)}", *marks))

    def _operation(self, item: OperationItem) -> str:
        mark = markup.badge(item.stability) if item.stability is not Stability.STABLE else ""
        end = markup.end_badge(deprecated=item.deprecated, sunset="")
        is_repeated = item.title in (item.path, f"{item.method} {item.path}")
        path = (
            "" if is_repeated else f' <code class="dp-ops__path">{markup.break_long_path(item.path)}</code>'
        )
        return (
            f'<li><a class="dp-ops__link" href="{self._to(item.uri)}">{_method_badge(item.method)}'
            f'<span class="dp-ops__text"><span class="dp-ops__title"{TEXT}{markup.breakable_name(item.title)}</span>'
            f"{path}</span>{mark}{end}</a></li>\n"
        )

    def _server(self, server: Server) -> str:
        name = f" <strong{TEXT}{escape_text(server.name)}</strong>" if server.name else ""
        mark = f" {markup.badge(server.stability)}" if server.stability else ""
        about = ""
        if server.description:
            html = f" {self._context.muted_text(server.description)}"
            about = f"<twin>{colon()}</twin>{self._context.item_text(html, server.description)}"
        return (
            f"<li>{inline_code(server.url)}{name}{mark}{self.grounds(server.grounds)}{about}\n"
            f"{''.join(map(self._server_variable, server.variables))}</li>"
        )

    def _server_variable(self, variable: ServerVariable) -> str:
        name = inline_code(variable.name)
        default = _server_default(variable)
        if default is not None:
            name = gettext_html("%(name)s is %(value)s", name=name, value=inline_code(visible_code(default)))
        values = escape_text(join_list(map(visible_code, variable.enum)))
        if values:
            name += in_parentheses(gettext_html("one of %(values)s", values=values))
        if variable.description:
            name = with_label(name, self._context.muted_text(variable.description))
        return f'<div class="dp-servers__variable">{name}</div>\n'

    def _to(self, uri: str) -> str:
        return escape_attribute(self._context.to(uri))


def _safe_markup(html: str) -> Markup:
    return Markup(html)  # noqa: S704 - whatever writes HTML here escapes the texts in it


def _only_scheme(uses: Sequence[SchemeUseView]) -> object:
    """Return the name of the only scheme of an alternative that needs scopes of it, else the alternative."""
    return uses[0].name if len(uses) == 1 and uses[0].scopes else tuple(uses)


def _tag_words(tags: Sequence[str]) -> str:
    names = join_list(map(escape_text, tags))
    return ngettext_html("tag %(names)s", "tags %(names)s", len(tags), names=names) if tags else ""


def _method_badge(name: str) -> str:
    return markup.badge(markup.method_kind(name), markup.method_words(name))


def _server_default(variable: ServerVariable) -> str | None:
    """Return the default of a variable; None without one, or if it is the placeholder of the variable itself."""
    return None if variable.default == f"{{{variable.name}}}" else variable.default


def _server_variable_input(variable: ServerVariable) -> str:
    """Return what a reader chooses or writes the value of a variable in: its default, or else its name, as in the
    samples.
    """
    name = escape_attribute(variable.name)
    if not variable.enum:
        default = _server_default(variable)
        value = name if default is None else escape_attribute(default)
        made = f'<input name="{name}" value="{value}" autocomplete="off" spellcheck="false">'
    else:
        options = "".join(
            f'<option value="{escape_attribute(value)}"{" selected" if value == variable.default else ""}>'
            f"{escape_text(visible_code(value))}</option>"
            for value in variable.enum
        )
        made = f'<select name="{name}">{options}</select>'
    return f"<label>{escape_text(variable.name)} {made}</label>"
