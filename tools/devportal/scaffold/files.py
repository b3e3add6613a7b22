"""The files of a new portal beside its contract, with texts of the contract made safe to edit."""

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from devportal import __version__
from devportal.contract import Api
from devportal.differ.walk.versions import read_version
from devportal.documents import to_yaml
from devportal.language import OURS, is_english
from devportal.markup import code_span, environment, plain_text, twin_href
from devportal.reference.addresses import Addresses, addresses_of, event_operations, has_authentication
from devportal.scaffold.opening import FirstOperation, choose_first_operation
from devportal.site.hand_written.inserts import insert_marks_in

_MARKUP = re.compile(r"[\\`*{}\[\]<>&#|~^=]|(?<![^\W_])_|_(?![^\W_])|^[^\w\s]|(?<=^\d)[.)]|(?<=^\d\d)[.)]")
_NO_ATTRIBUTE = re.compile(r"[\"<>&]")


def escape_for_page(text: str) -> str:
    """Return plain text on one line, as it can stand anywhere in a hand-written page."""
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", " ".join(text.split()))


def escape_for_front_matter(text: str) -> str:
    """Return plain text as YAML of one line that the theme can put into an attribute: it escapes nothing."""
    return to_yaml(" ".join(_NO_ATTRIBUTE.sub(" ", text).split())).strip()


def insert_line(*words: str) -> str:
    """Return the line that asks for an insert; nothing where these words cannot stand in one."""
    line = f"<!-- devportal: {shlex.join(words)} -->"
    marks = tuple(insert_marks_in(line))
    return line if len(marks) == 1 and not marks[0].fault and marks[0].words == words else ""


CHANGELOG = "changelog"
RATE_BOOK = "data/book.yaml"
_BLANK = re.compile(r"\n[ \t]*\n")
FIRST_REQUEST = "guides/first-request.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class InitialFiles:
    """What a portal begins with: its files by name. `history` are those that tell what was published; they
    belong together and only to this contract.
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
    today: date,
) -> InitialFiles:
    """Return the files of a portal around the contract that lies at `contract` in it, and is frozen in
    `releases`. `outside` lets the contract refer to files outside of its own folder, `with_rates` begins a
    folder of records.
    """
    addresses = addresses_of(api)
    opening = choose_first_operation(api, addresses)
    told = {
        **_template_values(api, addresses, opening),
        "contract": to_yaml(contract).strip(),
        "contract_path": contract,
        "language": "" if is_english(api.language or OURS) else api.language,
        "releases": releases,
        "outside": outside,
        "with_rates": with_rates,
        "site_url": to_yaml(site_url).strip() if site_url else "",
        "entry_id": f"{today}-first-request",
        "today": today,
        "toolkit": __version__,
    }
    templates = environment("devportal.scaffold")
    files = {
        _TEMPLATE_TARGETS[name]: templates.get_template(f"{name}.md.jinja").render(told)
        for name in _template_names(told)
    }
    entry = {f"{CHANGELOG}/{told['entry_id']}.md": "entry"} if opening else {}
    history = {at: templates.get_template(f"{name}.md.jinja").render(told) for at, name in entry.items()}
    return InitialFiles(files=files, history=history)


_TEMPLATE_TARGETS = {
    "gitignore": ".gitignore",
    "github": ".github/workflows/portal.yml",
    "gitlab": ".gitlab-ci.yml",
    "mkdocs": "mkdocs.yml",
    "requirements": "requirements.txt",
    "readme": "README.md",
    "book": RATE_BOOK,
    "roles": "data/roles.yaml",
    "index": "docs/index.md",
    "first-request": f"docs/{FIRST_REQUEST}",
    "events": "docs/guides/events.md",
}
"""Where the text of each template goes."""


def _template_names(told: Mapping[str, Any]) -> Iterator[str]:
    """Yield the templates of the files that this contract gives something to say."""
    asked = {"first-request": told["opening"] is not None, "events": told["has_events"]}
    asked |= dict.fromkeys(("book", "roles"), told["with_rates"])
    yield from (name for name in _TEMPLATE_TARGETS if asked.get(name, True))


def can_be_released(api: Api) -> bool:
    """Say whether releases can bear the contract's version: three numbers."""
    return read_version(api.version) is not None and api.version.replace(".", "").isdigit()


def _template_values(api: Api, addresses: Addresses, opening: FirstOperation | None) -> dict[str, Any]:
    """Return what the templates say of a contract, in the form in which they can say it."""
    title = " ".join(api.title.split())
    lead = api.summary or _first_paragraph(api.description)
    first = (
        {
            "call": code_span(f"{opening.operation.method} {opening.operation.path}"),
            "call_title": escape_for_page(opening.operation.title),
            "call_link": twin_href(FIRST_REQUEST, opening.uri),
            "base": code_span(opening.base),
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
            plain_text(lead, limit=160) or "Guides, API reference and changelog."
        ),
        "lead": escape_for_page(plain_text(lead, limit=240)),
        "version": escape_for_page(api.version),
        "has_events": bool(event_operations(api)),
        "has_authentication": has_authentication(api),
        "opening": opening,
        **first,
    }


def _first_paragraph(text: str) -> str:
    """Return the first paragraph of a description: no heading, list, table or HTML."""
    paragraphs = (one.strip() for one in _BLANK.split(text))
    return next((one for one in paragraphs if one and one[0] not in "#<|-*>`="), "")
