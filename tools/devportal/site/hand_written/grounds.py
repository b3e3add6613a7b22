"""The pages that describe the sources and decisions that a contract names, and findings for missing ones."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from devportal.contract import Contract
from devportal.contract.published.provenance import ProvenanceClaim, provenance_claims
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
    """The pages that describe sources and decisions, and findings for those that no page describes."""

    pages: GroundsPages = field(default_factory=GroundsPages)
    findings: tuple[Finding, ...] = ()


def find_documented_grounds(
    contract: Contract, docs: Path, *, sources: str, decisions: str
) -> DocumentedGrounds:
    """Look up what a contract names: anchors on the page `sources`, and files that match the pattern `decisions`.

    Both are below the folder `docs`; an empty setting turns its lookup off. The anchor of a source is the slug
    of its name: `limits-4` for `Limits 4`. Raises InvalidSettings.
    """
    settings = {SOURCE: sources, DECISION: decisions}
    claims = [
        provenance_claim for provenance_claim in provenance_claims(contract) if settings[provenance_claim.key]
    ]
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
    return sorted({claim.name for claim in claims if claim.key == key})


def _source_anchors(docs: Path, uri: str, names: Iterable[str]) -> dict[str, str]:
    """Return the address of each source that the page has an anchor for."""
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
    """Return the anchors of a page: explicit ones, `{ #name }`, and those of its other headings."""
    text = _FENCED.sub("", markdown)
    titles = (item for item in _HEADING.findall(text) if not _EXPLICIT_ANCHOR.search(item))
    return frozenset((*_EXPLICIT_ANCHOR.findall(text), *map(slug, titles)))


def _decision_pages(docs: Path, pattern: str, numbers: Iterable[str]) -> dict[str, str]:
    """Return the page of each decision that has one; of several files, the first by name."""
    pages: dict[str, str] = {}
    for number in numbers:
        files = (
            sorted(docs.glob(pattern.replace(NUMBER_PLACEHOLDER, number))) if _PLAIN.fullmatch(number) else []
        )
        pages |= {number: files[0].relative_to(docs).as_posix()} if files else {}
    return pages


def _finding(contract: Contract, claims: list[ProvenanceClaim], setting: str) -> Finding:
    """Return a finding for a source or decision without a page, at the first part that names it."""
    first = claims[0]
    if first.key == SOURCE:
        message = f"{setting!r} has no place that is called {quote_value(first.name)}"
        advice = f"give it the anchor '{{ #{slug(first.name)} }}' there, or fix 'x-source'"
    else:
        message = f"the decision {quote_value(first.name)} has no record in {setting!r}"
        advice = "write it, or fix 'x-decision'"
    times = f" ({len(claims):,} times, here first)" if len(claims) > 1 else ""
    return Finding(
        rule="contract-grounds",
        level=Level.ERROR,
        place=contract.place(first.location),
        message=message + times,
        help=advice,
    )
