"""The files of a new portal beside its contract, made from what the contract says of itself."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from devportal import __version__
from devportal.contract import Api
from devportal.differ.versions import read_version
from devportal.documents import to_yaml
from devportal.language import OURS, is_english
from devportal.pages import code_span, environment, plain_text, twin_href
from devportal.reference.addresses import Addresses, addresses_of, events, has_authentication
from devportal.scaffold.opening import Opening, opening_of
from devportal.scaffold.phrasing import in_front_matter, in_page, insert

CHANGELOG = "changelog"
RATE_BOOK = "data/book.yaml"
_BLANK = re.compile(r"\n[ \t]*\n")
FIRST_REQUEST = "guides/first-request.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """What a portal begins with: its files by name. `history` are those that tell what was published; they
    belong together and only to this contract.
    """

    files: Mapping[str, str] = field(repr=False)
    history: Mapping[str, str] = field(repr=False)


def beginning_of(
    api: Api,
    *,
    contract: str,
    releases: str,
    outside: bool,
    with_rates: bool,
    site_url: str,
    today: date,
) -> Beginning:
    """Return the files of a portal around the contract that lies at `contract` in it, and is frozen in
    `releases`. `outside` lets the contract refer to files outside of its own folder, `with_rates` begins a
    folder of records.
    """
    addresses = addresses_of(api)
    opening = opening_of(api, addresses)
    told = {
        **_names(api, addresses, opening),
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
    files = {_PLACES[name]: templates.get_template(f"{name}.md.jinja").render(told) for name in _wanted(told)}
    entry = {f"{CHANGELOG}/{told['entry_id']}.md": "entry"} if opening else {}
    history = {at: templates.get_template(f"{name}.md.jinja").render(told) for at, name in entry.items()}
    return Beginning(files=files, history=history)


_PLACES = {
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


def _wanted(told: Mapping[str, Any]) -> Iterator[str]:
    """Yield the templates of the files that this contract gives something to say."""
    asked = {"first-request": told["opening"] is not None, "events": told["has_events"]}
    asked |= dict.fromkeys(("book", "roles"), told["with_rates"])
    yield from (name for name in _PLACES if asked.get(name, True))


def can_be_released(api: Api) -> bool:
    """Say whether releases can bear the contract's version: three numbers."""
    return read_version(api.version) is not None and api.version.replace(".", "").isdigit()


def _names(api: Api, addresses: Addresses, opening: Opening | None) -> dict[str, Any]:
    """Return what the templates say of a contract, in the form in which they can say it."""
    title = " ".join(api.title.split())
    lead = api.summary or _first_paragraph(api.description)
    first = (
        {
            "call": code_span(f"{opening.operation.method} {opening.operation.path}"),
            "call_title": in_page(opening.operation.title),
            "call_link": twin_href(FIRST_REQUEST, opening.uri),
            "base": code_span(opening.base),
            "host_note": in_page(opening.host_note),
            "group": in_page(opening.group.name),
            "group_link": twin_href(FIRST_REQUEST, addresses.group_of(opening.group)),
            "api": to_yaml(opening.group.name).strip(),  # one line, whatever the name holds
            "operations_insert": insert("operations", opening.group.name),
        }
        if opening
        else {}
    )
    return {
        "site_name": in_front_matter(title),
        "title": in_page(title),
        "about": in_front_matter(plain_text(lead, limit=160) or "Guides, API reference and changelog."),
        "lead": in_page(plain_text(lead, limit=240)),
        "version": in_page(api.version),
        "has_events": bool(events(api)),
        "has_authentication": has_authentication(api),
        "opening": opening,
        **first,
    }


def _first_paragraph(text: str) -> str:
    """Return the first paragraph of a description: no heading, list, table or HTML."""
    paragraphs = (one.strip() for one in _BLANK.split(text))
    return next((one for one in paragraphs if one and one[0] not in "#<|-*>`="), "")
