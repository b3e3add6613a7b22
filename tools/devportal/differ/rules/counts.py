"""Rules of counts: how long a text, how many items an array, how many properties an object has."""

from collections.abc import Callable, Iterator

from devportal.contract import ABSENT
from devportal.differ.forms import Form
from devportal.differ.pair import SchemaPair
from devportal.differ.rule import Hit
from devportal.differ.rules.rows import Find

Least = Callable[[Form], int]
"""The least count that a form asks for, 0 where it asks for none."""

Most = Callable[[Form], int | None]
"""The largest count that a form allows, None where it allows any."""


def least_raised(keyword: str, least: Least) -> Find:
    """Return what finds that more is asked for than before."""

    def find(pair: SchemaPair) -> Iterator[Hit]:
        old, new = least(pair.old), least(pair.new)
        if new > old:
            yield _hit(pair, keyword, old or None, new, is_first=not old)

    return find


def least_lowered(keyword: str, least: Least) -> Find:
    """Return what finds that less is asked for than before."""

    def find(pair: SchemaPair) -> Iterator[Hit]:
        old, new = least(pair.old), least(pair.new)
        if new < old:
            yield _hit(pair, keyword, old, new or None)

    return find


def most_lowered(keyword: str, most: Most) -> Find:
    """Return what finds that less is allowed than before."""

    def find(pair: SchemaPair) -> Iterator[Hit]:
        old, new = most(pair.old), most(pair.new)
        if new is not None and (old is None or new < old):
            yield _hit(pair, keyword, old, new, is_first=old is None)

    return find


def most_raised(keyword: str, most: Most) -> Find:
    """Return what finds that more is allowed than before."""

    def find(pair: SchemaPair) -> Iterator[Hit]:
        old, new = most(pair.old), most(pair.new)
        if old is not None and (new is None or new > old):
            yield _hit(pair, keyword, old, new)

    return find


def _hit(pair: SchemaPair, keyword: str, old: int | None, new: int | None, *, is_first: bool = False) -> Hit:
    return Hit(
        keyword=keyword,
        old=ABSENT if old is None else old,
        new=ABSENT if new is None else new,
        verdict=pair.policy.first_bound if is_first and pair.is_sent else None,
    )
