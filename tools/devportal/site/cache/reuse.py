"""Which pages have to be rendered again, by what they were rendered from."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from devportal.contract import ContractUnit, ContractUnits, changed_descriptions
from devportal.markup import plain_text
from devportal.site.cache.store import PageStore, dataclass_members, parent_pages

SHORTEST_CUT = 60
"""How many code points of a description every page shows that shows it at all."""
MOST_CHANGES = 40
"""With more changed descriptions than these, looking for the pages costs more than rendering them."""
_WORD_RUN = re.compile(r"[^\W_]+(?: [^\W_]+)*")
"""Words in which no notation that a page uses changes anything."""
_SHORTEST_PART = 4
_SEARCHED_LENGTH = 400
"""In how many code points of a description its first words are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderBasis:
    """What pages are rendered from: the contract's texts, and a digest of everything else."""

    digest: str
    texts: ContractUnits

    def to_json(self) -> str:
        """Return the basis as text that `parse_basis` reads."""
        return json.dumps(self, ensure_ascii=False, default=dataclass_members)


def parse_basis(text: str) -> RenderBasis | None:
    """Return a basis that was written before, if there is one of our form: others may have written it."""
    try:
        values = json.loads(text or "null")
        units = ({**unit, "descriptions": tuple(unit["descriptions"])} for unit in values["texts"])
        return RenderBasis(digest=values["digest"], texts=tuple(ContractUnit(**unit) for unit in units))
    except (ValueError, TypeError, KeyError):
        return None


def pages_to_render(
    store: PageStore, now: RenderBasis, before: RenderBasis | None
) -> Callable[[str], bool] | None:
    """Return a predicate: whether the page of a uri has to be rendered. None if all pages have to."""
    if before is None or before.digest != now.digest:
        return None
    changed = changed_descriptions(before.texts, now.texts)
    if changed is None or len(changed) > MOST_CHANGES:
        return None
    uris: set[str] = set()
    for description in changed:
        words = first_words(description.text)
        if not words:
            return None
        uris |= store.showing(words, of=description.unit)
    wanted = {above for uri in uris for above in (uri, *parent_pages(uri))}
    return wanted.__contains__


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
