"""Files of a new portal, its first pages among them."""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from typing import Any

from jinja2 import Environment

from devportal import __version__
from devportal.contract import Api, Group, Location, Operation, Stability
from devportal.contract.semantic_version import read_version
from devportal.documents import to_yaml
from devportal.language import OURS, is_english
from devportal.markup import code_block, code_span, environment, plain_text, twin_href
from devportal.reference.addresses import Addresses, event_operations, has_authentication
from devportal.reference.reference import Reference, reference_of
from devportal.reference.samples.panels import Panels, PlainSample
from devportal.reference.samples.request import SampleRequest, Secret
from devportal.reference.samples.sample_requests import sample_requests
from devportal.reference.samples.servers import UNKNOWN_HOST, base_address, host_note
from devportal.site.hand_written.inserts import insert_marks_in

_LONGEST = 60
"""How many lines of a response a first page shows at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstOperation:
    """An operation as the first pages show it: `request` and `response` are blocks of code."""

    operation: Operation
    group: Group
    uri: str
    base: str
    host_note: str
    """A note on the address, if the contract does not have all of it."""
    variables: tuple[str, ...]
    """The variables of the environment that the request reads credentials from."""
    request: str = field(repr=False)
    response: str = field(default="", repr=False)
    status: str = ""


def choose_first_operation(reference: Reference) -> FirstOperation | None:
    """Return the operation to begin with; None if the contract has none."""
    api, addresses = reference.api, reference.addresses
    groups: dict[Location, Group] = {}
    for group in api.groups:
        for operation in group.operations:
            groups.setdefault(operation.key, group)
    shown = [operation for operation in api.operations if operation.key in groups]
    if not shown:
        return None
    operation = min(shown, key=_sending_effort)
    panels = Panels(reference)
    requests = sample_requests(api, operation)[:1]
    sample = panels.plain(operation, requests)[0]
    response = _short_success_response(panels, operation)
    return FirstOperation(
        operation=operation,
        group=groups[operation.key],
        uri=addresses.operation(operation),
        base=base_address(operation.servers),
        host_note=host_note(operation.servers),
        variables=()
        if operation.code_samples
        else tuple(dict.fromkeys(_environment_variables(requests[0].request))),
        request=code_block(sample.code, sample.language),
        response=code_block(response.code, response.language) if response else "",
        status=response.label.split(" ")[0] if response else "",
    )


def _sending_effort(operation: Operation) -> tuple[bool, bool, bool, int, bool]:
    """Return a sort key: how much a reader needs before sending an operation."""
    required = sum(parameter.required for parameter in operation.parameters)
    return (
        operation.deprecated,
        operation.stability is Stability.BETA,
        operation.method != "GET",
        required,
        bool(operation.request_body),
    )


def _short_success_response(panels: Panels, operation: Operation) -> PlainSample | None:
    """Return the body of the first success response that is short enough to show beside its request."""
    for sample in panels.plain_responses(operation.responses):
        if sample.label.startswith("2") and sample.code.count("\n") < _LONGEST:
            return sample
    return None


def _environment_variables(request: SampleRequest) -> Iterator[str]:
    for _, words in (*request.query, *request.headers):
        yield from (word.variable for word in words if isinstance(word, Secret))
    if request.basic is not None:
        yield from (request.basic.username.variable, request.basic.password.variable)


_MARKUP = re.compile(
    r"[\\`*{}\[\]<>#|~^=]|&(?=\w|#)|(?<![^\W_])_|_(?![^\W_])|^[^\w\s]|(?<=^\d)[.)]|(?<=^\d\d)[.)]"
)
_NO_ATTRIBUTE = re.compile(r"[\"<>&]")


def escape_for_page(text: str) -> str:
    """Return plain text on one line, escaped for any position in a hand-written page."""
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", " ".join(text.split()))


def escape_for_front_matter(text: str) -> str:
    """Return plain text as YAML of one line that the theme can put into an attribute: it escapes nothing."""
    return to_yaml(" ".join(_NO_ATTRIBUTE.sub(" ", text).split())).strip()


def insert_line(*words: str) -> str:
    """Return the line of an insert; empty if these words cannot be written in one."""
    line = f"<!-- devportal: {shlex.join(words)} -->"
    insert_marks = tuple(insert_marks_in(line))
    return (
        line
        if len(insert_marks) == 1 and not insert_marks[0].problem and insert_marks[0].words == words
        else ""
    )


CHANGELOG = "changelog"
RATE_BOOK = "data/book.yaml"
README = "README.md"
REQUIREMENTS = "requirements.txt"
_BLANK = re.compile(r"\n[ \t]*\n")
FIRST_REQUEST = "guides/first-request.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class InitialFiles:
    """The files of a new portal by name. `history` are those that record what was published: they belong
    together, and only to this contract.
    """

    files: Mapping[str, str] = field(repr=False)
    history: Mapping[str, str] = field(repr=False)


def initial_files(
    api: Api,
    *,
    contract: str,
    releases: str,
    outside: bool,
    with_rates: bool,
    site_url: str,
    has_relative_links: bool,
    today: date,
) -> InitialFiles:
    """Return the files of a portal around the contract that lies at `contract` in it, and is frozen in
    `releases`. `outside` lets the contract refer to files outside its folder, `with_rates` begins a
    folder of records. `has_relative_links` says whether its descriptions have links that name no host.
    """
    reference = reference_of(api)
    opening = choose_first_operation(reference)
    values = {
        **_template_values(api, reference.addresses, opening),
        "contract": to_yaml(contract).strip(),
        "contract_path": contract,
        "language": "" if is_english(api.language or OURS) else api.language,
        "releases": releases,
        "outside": outside,
        "with_rates": with_rates,
        "has_relative_links": has_relative_links,
        "site_url": to_yaml(site_url).strip() if site_url else "",
        "entry_id": f"{today}-first-request",
        "today": today,
        "toolkit": __version__,
    }
    templates = _templates()
    files = {
        _TEMPLATE_TARGETS[name]: templates.get_template(f"{name}.md.jinja").render(values)
        for name in _template_names(values)
    }
    entry = {f"{CHANGELOG}/{values['entry_id']}.md": "entry"} if opening else {}
    history = {at: templates.get_template(f"{name}.md.jinja").render(values) for at, name in entry.items()}
    return InitialFiles(files=files, history=history)


_TEMPLATE_TARGETS = {
    "gitattributes": ".gitattributes",
    "gitignore": ".gitignore",
    "github": ".github/workflows/portal.yml",
    "gitlab": ".gitlab-ci.yml",
    "mkdocs": "mkdocs.yml",
    "requirements": REQUIREMENTS,
    "readme": README,
    "book": RATE_BOOK,
    "roles": "data/roles.yaml",
    "index": "docs/index.md",
    "first-request": f"docs/{FIRST_REQUEST}",
    "events": "docs/guides/events.md",
}
"""Where the text of each template goes."""


@cache
def _templates() -> Environment:
    return environment("devportal.scaffold")


def _template_names(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the templates that this contract has content for."""
    needed = {"first-request": values["opening"] is not None, "events": values["has_events"]}
    needed |= dict.fromkeys(("book", "roles"), values["with_rates"])
    yield from (name for name in _TEMPLATE_TARGETS if needed.get(name, True))


def can_be_released(api: Api) -> bool:
    """Return whether the contract's version can be released: it is three numbers."""
    return read_version(api.version) is not None and api.version.replace(".", "").isdigit()


def _template_values(api: Api, addresses: Addresses, opening: FirstOperation | None) -> dict[str, Any]:
    """Return the values of the contract for the templates, escaped for their position."""
    title = " ".join(api.title.split())
    introduction = api.summary or _first_paragraph(api.description)
    first = (
        {
            "call": code_span(f"{opening.operation.method} {opening.operation.path}"),
            "call_title": escape_for_page(opening.operation.title),
            "call_link": twin_href(FIRST_REQUEST, opening.uri),
            "base": code_span(opening.base),
            "has_unknown_host": bool(opening.host_note) and opening.base.startswith(UNKNOWN_HOST),
            "host_note": escape_for_page(opening.host_note),
            "group": escape_for_page(opening.group.name),
            "group_link": twin_href(FIRST_REQUEST, addresses.group_of(opening.group)),
            "api": to_yaml(opening.group.name).strip(),  # one line, whatever the name holds
            "operations_insert": insert_line("operations", opening.group.name),
        }
        if opening
        else {}
    )
    return {
        "site_name": escape_for_front_matter(title),
        "title": escape_for_page(title),
        "about": escape_for_front_matter(
            plain_text(introduction, limit=160) or "Guides, API reference and changelog."
        ),
        "lead": escape_for_page(plain_text(introduction, limit=240)),
        "version": escape_for_page(api.version),
        "has_events": bool(event_operations(api)),
        "has_authentication": has_authentication(api),
        "opening": opening,
        **first,
    }


def _first_paragraph(text: str) -> str:
    """Return the first paragraph of a description: no heading, list, table or HTML."""
    paragraphs = (part.strip() for part in _BLANK.split(text))
    return next((paragraph for paragraph in paragraphs if paragraph and paragraph[0] not in "#<|-*>`="), "")
