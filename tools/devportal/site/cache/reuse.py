"""Which pages have to be rendered again, by what they were rendered from."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from devportal.contract import Contract, ContractUnit, ContractUnits, changed_descriptions
from devportal.contract.published.bundle import is_bundled
from devportal.contract.published.dependents import dependent_parts
from devportal.contract.texts import changed_parts, changed_units
from devportal.markup import plain_text
from devportal.project.settings import Settings
from devportal.reference.pages.outline import NO_OUTLINE, PageOutline, ReferenceOutline, outline_of
from devportal.site.cache.store import PageStore, dataclass_members, parent_pages

SHORTEST_CUT = 60
"""How many code points of a description every page shows that shows it at all."""
MOST_CHANGES = 40
"""With more changed descriptions or operations than these, looking for the pages costs more than rendering them."""
_WORD_RUN = re.compile(r"[^\W_]+(?: [^\W_]+)*")
"""Words in which no notation that a page uses changes anything."""
_SHORTEST_PART = 4
_SEARCHED_LENGTH = 400
"""In how many code points of a description its first words are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderBasis:
    """What pages are rendered from: the contract's texts, and a digest of everything else.

    `outline` is what pages show of operations that other pages describe, `marks` what the pages of operations alone
    show of their history, by their uris.
    """

    digest: str
    texts: ContractUnits
    outline: ReferenceOutline
    marks: Mapping[str, str] = field(default_factory=dict)

    def to_json(self) -> str:
        """Return the basis as text that `parse_basis` reads."""
        return json.dumps(self, ensure_ascii=False, default=dataclass_members)


def render_basis(
    digest: str,
    contract: Contract,
    settings: Settings,
    before: RenderBasis | None,
    marks: Mapping[str, str] = MappingProxyType({}),
) -> RenderBasis:
    """Return what the pages of a contract are rendered from.

    `digest` is that of all but the contract and the `marks` that only the pages of some uris show. While only
    descriptions differ from the basis of `before`, so is its outline.
    """
    texts = contract.texts()
    is_same = before is not None and before.digest == digest
    if before is not None and is_same and _changed_parts(before.texts, contract) == frozenset():
        return RenderBasis(digest=digest, texts=texts, outline=before.outline, marks=dict(marks))
    is_cut = any(finding.rule == "contract-depth" for finding in contract.findings)
    outline = (
        NO_OUTLINE if is_cut else outline_of(contract.api, settings)
    )  # any schema may decide where chains end
    return RenderBasis(digest=digest, texts=texts, outline=outline, marks=dict(marks))


def _changed_parts(before: ContractUnits, contract: Contract) -> frozenset[str] | None:
    documents = ((name, document.data) for name, document in contract.source.documents().items())
    return changed_parts(before, contract.texts(), documents)


def parse_basis(text: str) -> RenderBasis | None:
    """Return a basis that was written before, if there is one of our form: others may have written it."""
    try:
        values = json.loads(text or "null")
        units = ({**unit, "descriptions": tuple(unit["descriptions"])} for unit in values["texts"])
        outline = values["outline"]
        pages = tuple(PageOutline(**page) for page in outline["pages"])
        return RenderBasis(
            digest=values["digest"],
            texts=tuple(ContractUnit(**unit) for unit in units),
            outline=ReferenceOutline(digest=outline["digest"], lists=outline["lists"], pages=pages),
            marks=dict(values["marks"]),
        )
    except (ValueError, TypeError, KeyError):
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What an edit of a contract may change: the pages of these uris, and what else shows its units or words.

    `units` are those of which anything changed, None if there are others than before. `parts` are those which show an
    operation or schema of which more than descriptions changed, and `words` the first ones of each description that is
    not what it was. If other parts are listed than before, or in another way, it may change all pages but those of one
    part, whose uris are `pages_of_parts`.
    """

    uris: frozenset[str]
    units: frozenset[str] | None
    parts: frozenset[str]
    words: tuple[tuple[str, ...], ...]
    changes_lists: bool
    pages_of_parts: frozenset[str] = field(repr=False)

    def may_change_page(self, uri: str) -> bool:
        """Say whether the page of a uri, or one below it, has to be rendered."""
        return uri in self.uris or (self.changes_lists and uri not in self.pages_of_parts)

    def with_pages(self, uris: Iterable[str]) -> "Edit":
        """Return an edit that may change these pages too."""
        return replace(self, uris=self.uris.union(uris))

    def may_change_text(self, text: str) -> bool:
        """Say whether a text has a description that is not what it was."""
        return any(all(word in text for word in words) for words in self.words)


def edit_between(
    store: PageStore, now: RenderBasis, before: RenderBasis | None, contract: Contract
) -> Edit | None:
    """Return what changed since the pages of a contract were rendered into a store. None if all have to be rendered."""
    if before is None or before.digest != now.digest:
        return None
    changed = _changed_parts(before.texts, contract)
    if changed is None:
        return None
    descriptions = changed_descriptions(before.texts, now.texts, beside=changed)
    if descriptions is None or len(descriptions) + len(changed) > MOST_CHANGES:
        return None
    parts = _parts_showing(changed, contract)
    all_words = tuple(first_words(description.text) for description in descriptions)
    if parts is None or not all(all_words):
        return None
    if (changed or before.outline != now.outline) and not _can_tell_pages(changed, before, now):
        return None
    uris = _pages_of_parts(parts, before.outline, now.outline)
    uris |= store.linking_to(_targets(before.outline, now.outline))
    for name in changed - {unit.name for unit in now.texts}:
        uris |= store.showing((), of=name)
    for description, words in zip(descriptions, all_words, strict=True):
        uris |= store.showing(words, of=description.unit)
    uris |= {uri for uri, _ in before.marks.items() ^ now.marks.items()}
    return Edit(
        uris=frozenset(above for uri in uris for above in (uri, *parent_pages(uri))),
        units=changed_units(before.texts, now.texts),
        parts=parts,
        words=all_words,
        changes_lists=before.outline.lists != now.outline.lists
        or _linked_parts(before.outline) != _linked_parts(now.outline),
        pages_of_parts=frozenset(page.uri for page in now.outline.pages),
    )


def _parts_showing(changed: frozenset[str], contract: Contract) -> frozenset[str] | None:
    """Return the parts that may show what is in changed ones, with those in other files; None if that is not clear."""
    if all(name.startswith("/paths/") for name in changed):
        return changed
    showing = dependent_parts(contract.source.root().value, changed) if is_bundled(contract) else None
    return showing | {""} if showing is not None else None


def _can_tell_pages(changed: frozenset[str], before: RenderBasis, now: RenderBasis) -> bool:
    """Say whether outlines tell which pages show the parts that changed."""
    if not now.outline.digest or before.outline.digest != now.outline.digest:
        return False
    known = {page.part for outline in (before.outline, now.outline) for page in outline.pages}
    if not all(name in known for name in changed if name.startswith("/paths/")):
        return False
    has_links = any(unit.links_parts for unit in (*before.texts, *now.texts))
    return not has_links or _names_of(before.outline) == _names_of(now.outline)


def _names_of(outline: ReferenceOutline) -> list[tuple[str, str, str]]:
    """Return what decides where a link in a text leads."""
    return [(page.part, page.name, page.uri) for page in outline.pages]


def _linked_parts(outline: ReferenceOutline) -> list[tuple[str, str, str]]:
    """Return the parts that have a page, in their order, each with its uri and what links to it say."""
    return [(page.part, page.uri, page.shown) for page in outline.pages]


def _pages_of_parts(parts: frozenset[str], before: ReferenceOutline, now: ReferenceOutline) -> set[str]:
    """Return the uris of the pages of parts, and of those that are new, or show something else of others."""
    earlier = set(before.pages)
    return {page.uri for page in now.pages if page.part in parts or page not in earlier}


def _targets(before: ReferenceOutline, now: ReferenceOutline) -> set[str]:
    """Return the uris of which links say something else than before, or lead nowhere."""
    return {uri for _, uri, _ in set(_linked_parts(before)).difference(_linked_parts(now))}


def first_words(text: str) -> tuple[str, ...]:
    """Return the first words of a description, those that read the same in its source, in HTML and plain."""
    plain = plain_text(text)
    searched = plain[:SHORTEST_CUT]
    if len(plain) > SHORTEST_CUT and " " in searched:
        searched = searched.rpartition(" ")[0]
    shown = (_visible_part(match.group(), searched) for match in _WORD_RUN.finditer(text[:_SEARCHED_LENGTH]))
    return tuple(dict.fromkeys(words for words in shown if words))


def _visible_part(run: str, seen: str) -> str:
    """Return a run if it is seen, or its start where that is long enough to be no accident."""
    if run in seen:
        return run
    lengths = range(min(len(run), len(seen)), _SHORTEST_PART - 1, -1)
    return next((run[:length] for length in lengths if run[:length] in seen), "")
