"""Where the sources and decisions that a contract names are described on the site, and which ones are not."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from devportal.contract import Contract
from devportal.contract.provenance import ProvenanceClaim, provenance_claims
from devportal.contract.read.lifecycle_extensions import GROUNDS_KEYS
from devportal.contract.wording import quote_value
from devportal.errors import InvalidSettings
from devportal.findings import Finding, Level
from devportal.reference.addresses import slug
from devportal.reference.pages.stability import GroundsPages

SOURCE, DECISION = GROUNDS_KEYS
NUMBER_PLACEHOLDER = "{number}"
"""Stands for the number of a decision in the setting `decisions`."""
_FENCED = re.compile(r"^(`{3,}|~{3,}).*?^\1", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*$", re.MULTILINE)
_EXPLICIT_ANCHOR = re.compile(r"\{[^{}\n]*#([^\s{}]+)[^{}\n]*\}")
_PLAIN = re.compile(r"[\w.-]+")
"""The numbers that may be part of a file's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentedGrounds:
    """The pages that describe sources and decisions, and what names something that none describes."""

    pages: GroundsPages = field(default_factory=GroundsPages)
    findings: tuple[Finding, ...] = ()


def find_documented_grounds(
    contract: Contract, docs: Path, *, sources: str, decisions: str
) -> DocumentedGrounds:
    """Look up what a contract names: places on the page `sources`, and files called as `decisions` says.

    Both are below the folder `docs`; what an empty one would describe is not looked up. The anchor of a place
    is its name as an address has it: `limits-4` for `Limits 4`. Raises InvalidSettings.
    """
    settings = {SOURCE: sources, DECISION: decisions}
    claims = [one for one in provenance_claims(contract) if settings[one.key]]
    pages = GroundsPages(
        sources=_source_anchors(docs, sources, _claimed_names(claims, SOURCE)),
        decisions=_decision_pages(docs, decisions, _claimed_names(claims, DECISION)),
    )
    documented = {SOURCE: pages.sources, DECISION: pages.decisions}
    missing: dict[tuple[str, str], list[ProvenanceClaim]] = {}
    for claim in claims:
        if claim.name not in documented[claim.key]:
            missing.setdefault((claim.key, claim.name), []).append(claim)
    findings = (_finding(contract, alike, settings[key]) for (key, _), alike in missing.items())
    return DocumentedGrounds(pages=pages, findings=tuple(findings))


def _claimed_names(claims: Iterable[ProvenanceClaim], key: str) -> list[str]:
    return sorted({one.name for one in claims if one.key == key})


def _source_anchors(docs: Path, uri: str, names: Iterable[str]) -> dict[str, str]:
    """Return where on a page the places are that it has an anchor for."""
    if not uri:
        return {}
    try:
        anchors = markdown_anchors((docs / uri).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidSettings(
            f"the page {uri!r}, which 'sources' names, cannot be read",
            help="name a page below the folder of the pages, or leave 'sources' out",
        ) from error
    return {name: f"{uri}#{slug(name)}" for name in names if slug(name) in anchors}


def markdown_anchors(markdown: str) -> frozenset[str]:
    """Return the anchors of a page: those it gives as `{ #name }`, and those of its other headings."""
    text = _FENCED.sub("", markdown)
    titles = (one for one in _HEADING.findall(text) if not _EXPLICIT_ANCHOR.search(one))
    return frozenset((*_EXPLICIT_ANCHOR.findall(text), *map(slug, titles)))


def _decision_pages(docs: Path, pattern: str, numbers: Iterable[str]) -> dict[str, str]:
    """Return the record of each number that has one; of several files, the first by name."""
    pages: dict[str, str] = {}
    for number in numbers:
        files = (
            sorted(docs.glob(pattern.replace(NUMBER_PLACEHOLDER, number))) if _PLAIN.fullmatch(number) else []
        )
        pages |= {number: files[0].relative_to(docs).as_posix()} if files else {}
    return pages


def _finding(contract: Contract, claims: list[ProvenanceClaim], setting: str) -> Finding:
    """Return that nothing describes what some parts rest on, at the first of them."""
    first = claims[0]
    if first.key == SOURCE:
        message = f"{setting!r} has no place that is called {quote_value(first.name)}"
        advice = f"give it the anchor '{{ #{slug(first.name)} }}' there, or mend 'x-source'"
    else:
        message = f"the decision {quote_value(first.name)} has no record in {setting!r}"
        advice = "write it, or mend 'x-decision'"
    times = f" ({len(claims):,} times, here first)" if len(claims) > 1 else ""
    return Finding(
        rule="contract-grounds",
        level=Level.ERROR,
        place=contract.place(first.location),
        message=message + times,
        help=advice,
    )
