"""The manual on this project's site tells everything that there is: no command, option, setting, check, rule,
insert, field or extension is missing from its page.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import click
import pytest
from lxml.html import document_fromstring  # type: ignore[import-untyped]

from devportal.conformance.check_list import checks_by_group
from devportal.conformance.results.wording import check_anchor
from devportal.contract.validate.extensions import SHOWN_EXTENSIONS
from devportal.differ.rules.all_rules import EVERY_RULE
from devportal.manual.commands import command_path, every_command
from devportal.manual.files import FILES, fields_of
from devportal.manual.lists import rule_areas
from devportal.plugins import INSERTS_GROUP, entry_points_of
from devportal.project.settings import setting_kinds
from devportal.site.hand_written.inserts import BUILT_IN_INSERTS
from tests.own_site import OwnSite
from tests.site.building import Tags
from tests.site.reading_search import entries

TOOLKIT = "toolkit/"
PLUGINS = ("devportal-telecom",)
"""The plug-ins that the site lists."""
_SHOWN_AT = {
    "changelog-entry": "changelog/",
    "book": "rate-book-fields/",
    "conformance-settings": "conformance-files/",
    "rates": "records/",
    "coverage": "records/",
    "notify": "commands/notify/",
}
"""Where the fields of a file are told that are not on the page of files."""


def calls() -> Iterator[str]:
    """Yield how each command begins; what only has commands is called by these."""
    yield from (context.command_path for context in every_command() if context.command.params)


def options() -> Iterator[str]:
    """Yield each option with its value, as the page writes it."""
    for context in every_command():
        for option in context.command.params:
            if isinstance(option, click.Option):
                yield option.opts[0]


def fields(page: str) -> Iterator[str]:
    """Yield the fields of the files that a page tells of."""
    for name, schema in FILES.items():
        if _SHOWN_AT.get(name, "files/") == page:
            yield from (field.name for field in fields_of(schema()))


def inserts() -> Iterator[str]:
    """Yield the inserts of the toolkit."""
    yield from BUILT_IN_INSERTS
    yield from (entry_point.name for entry_point in entry_points_of(INSERTS_GROUP, ["devportal"]))


TOLD: Mapping[str, tuple[str, Callable[[], Iterator[str]]]] = {
    "commands": ("toolkit/commands/", calls),
    "options": ("toolkit/commands/", options),
    "settings": ("toolkit/settings/", lambda: iter(setting_kinds())),
    "rules": ("toolkit/rules/", lambda: (rule.name for area in rule_areas() for rule in area.rules)),
    "rules of the differ": ("toolkit/differ-rules/", lambda: (rule.id for rule in EVERY_RULE)),
    "checks": (
        "conformance/checks/",
        lambda: (check_anchor(check.name) for _, checks in checks_by_group(PLUGINS) for check in checks),
    ),
    "extensions": ("toolkit/your-contract/", lambda: iter(SHOWN_EXTENSIONS)),
    "inserts": ("toolkit/inserts/", inserts),
    "fields of files": ("toolkit/files/", lambda: fields("files/")),
    "fields of files for conformance": (
        "toolkit/conformance-files/",
        lambda: fields("conformance-files/"),
    ),
    "fields of notifications": ("toolkit/commands/notify/", lambda: fields("commands/notify/")),
    "fields of entries": ("toolkit/changelog/", lambda: fields("changelog/")),
    "fields of records": ("toolkit/records/", lambda: fields("records/")),
    "fields of the rate book": ("toolkit/rate-book-fields/", lambda: fields("rate-book-fields/")),
}
"""What there is, and the page that tells it."""


_ROWS = "//dt//code | //h2 | //h3 | //h4 | //pre//code | //td[1]//code | //*[@class='dp-muted']//code"
"""Where names stand that a page tells of; elsewhere they are only mentioned."""


def words_of(html: str) -> set[str]:
    """Return the names that a page tells of: each whole, and for one with more its first words."""
    found = set()
    for piece in document_fromstring(html).xpath(_ROWS):
        for line in piece.text_content().splitlines():
            said = line.strip().removesuffix("#").strip()
            found |= {said, *said.replace(",", "").split(" ")[:2], said.partition(" [")[0]}
    return found


def missing(html: str, wanted: Iterator[str]) -> list[str]:
    """Return what a page should tell and does not."""
    return sorted(set(wanted) - words_of(html))


def page_of(site: OwnSite, address: str) -> str:
    """Return a page, with what is below it or beside it where its subject takes several."""
    folder = site.site_dir / address
    pages = (folder, *sorted(path.parent for path in folder.glob("*/index.html")), *_sibling_folders(folder))
    return "".join((page / "index.html").read_text(encoding="utf-8") for page in pages)


def _sibling_folders(folder: Path) -> Iterator[Path]:
    if folder.name == "differ-rules":
        yield folder.with_name("differ-rules-schemas")


@pytest.mark.parametrize("what", TOLD)
def test_everything_is_told(what: str, own_site: OwnSite) -> None:
    """Whatever the code has, its page has."""
    address, wanted = TOLD[what]

    assert missing(page_of(own_site, address), wanted()) == []


@pytest.mark.parametrize("what", TOLD)
def test_what_is_left_out_is_found(what: str, own_site: OwnSite) -> None:
    """One more command, option, setting and so on, of which the page says nothing."""
    address, wanted = TOLD[what]

    assert missing(page_of(own_site, address), iter((*wanted(), "not-there"))) == ["not-there"]


@pytest.mark.parametrize(
    ("page", "gone"),
    [
        ("toolkit/commands/", "--read-only"),
        ("toolkit/settings/", "feed_authority"),
        ("toolkit/rules/", "contract-example"),
        ("toolkit/your-contract/", "x-stability-level"),
        ("toolkit/conformance-files/", "webhooks.triggers[].operation"),
    ],
)
def test_a_row_that_goes_is_missed(page: str, gone: str, own_site: OwnSite) -> None:
    """Its name elsewhere in the text does not count for it."""
    html = re.sub(rf"(<(?:dt|h3).*?){re.escape(gone)}(</code>)", r"\1another\2", page_of(own_site, page))

    assert missing(html, iter([gone])) == [gone]


def test_options_are_places_of_the_page(own_site: OwnSite) -> None:
    """Each can be linked to, those of commands that are told together by the first of them."""
    ids = {values["id"] for _, values in Tags(page_of(own_site, "toolkit/commands/")).tags if "id" in values}
    wanted = {
        f"{'-'.join(command_path(context)).replace('coverage', 'rates')}{option.opts[0]}"
        for context in every_command()
        for option in context.command.params
        if isinstance(option, click.Option) and option.opts[0] != "--channel"
    }

    assert wanted - ids == set()


@pytest.mark.parametrize(
    ("word", "address"),
    [
        ("--allow-outside-references", "toolkit/commands/#build--allow-outside-references"),
        ("--mtls-authority", "toolkit/commands/sandbox/#sandbox--mtls-authority"),
        ("coverage approve", "toolkit/commands/records/#rates-approve"),
        ("feed_authority", "toolkit/settings/#feed_authority"),
        ("webhooks.triggers", "toolkit/conformance-files/#conformance-settings-webhooks-triggers"),
        ("contract-example", "toolkit/rules/#contract-example"),
    ],
)
def test_search_leads_to_the_place(word: str, address: str, own_site: OwnSite) -> None:
    """The entry of the section has the name of the command, the option, the setting."""
    index = (own_site.site_dir / "search" / "search_index.json").read_text(encoding="utf-8")
    found = {entry.address for entry in entries(index) if word in f"{entry.title} {entry.text}"}

    assert address in found


def test_python_api_shows_every_public_name(own_site: OwnSite) -> None:
    """What a public package declares in `__all__` has its place on the page: one that is called as its module
    is, under that.
    """
    from devportal import (
        catalog,
        changelog,
        conformance,
        contract,
        differ,
        documents,
        markup,
        reference,
        reporting,
    )
    from devportal.differ import output

    packages = (
        *(catalog, changelog, conformance, contract, differ, output),
        *(documents, reporting, markup, reference),
    )
    html = page_of(own_site, "toolkit/python-api/")

    assert [
        f"{package.__name__}.{name}"
        for package in packages
        for name in package.__all__
        if not re.search(rf'id="{re.escape(package.__name__)}\.(?:{name}\.)?{name}"', html)
    ] == []
