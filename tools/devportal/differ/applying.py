"""Rules at work on a pair of parts."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from devportal.differ.rule import Rule
from devportal.differ.sites import Found, Site

Pair = TypeVar("Pair")


def applied(rules: Iterable[Rule[Pair]], pair: Pair, site: Site) -> Iterator[Found]:
    """Yield where rules apply to a pair."""
    for rule in rules:
        for hit in rule.find(pair):
            yield Found(site=site, rule=rule, hit=hit)
