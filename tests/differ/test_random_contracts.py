"""Verdicts on random contracts, checked by a second search: nothing compatible has a counterexample, and each
message that is shown is one.
"""

import json
from collections.abc import Iterable
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from devportal.contract import ABSENT, read_contract
from devportal.differ import Change, compare
from devportal.differ.rule import Verdict
from devportal.differ.witness import Witness
from devportal.documents import parse_document
from tests.differ.contract_drawing import ContractPair, Place, drawn_contract_pair
from tests.differ.drawing import Json, Rng
from tests.differ.value_search import Oracle

_DRAWS = 60
_FEW = 24
seeds = pytest.mark.parametrize(
    "seeds",
    [range(_FEW), pytest.param(range(_FEW, _FEW + 300), marks=pytest.mark.deep)],
    ids=["few", "many"],
)


@seeds
def test_a_compatible_change_refuses_nothing(seeds: Iterable[int]) -> None:
    """If nothing is worse than compatible, no value is met that one contract allows and the other refuses."""
    pairs = [(seed, drawn_contract_pair(seed)) for seed in seeds]

    refused = {
        seed: values
        for seed, pair in pairs
        if not any(change.verdict.is_at_least(Verdict.RISKY) for change in changes_of(pair))
        and (values := list(Oracle(pair).counterexamples(Rng(seed), _DRAWS)))
    }

    assert refused == {}


@seeds
def test_each_message_shows_its_change(seeds: Iterable[int]) -> None:
    """The value in a message is allowed by one contract and refused by the other, as they are written."""
    pairs = [(seed, drawn_contract_pair(seed)) for seed in seeds]

    shown = [(seed, pair, value) for seed, pair in pairs for value in _witness_values(pair)]

    assert shown
    assert [(seed, value) for seed, pair, value in shown if not Oracle(pair).is_shown(value)] == []


def test_the_second_search_finds_what_breaks() -> None:
    """Most breaking changes are met by its draws too: it would see those that the differ misses."""
    pairs = [(seed, drawn_contract_pair(seed)) for seed in range(_FEW)]
    breaking = [(seed, pair) for seed, pair in pairs if list(_witness_values(pair))]

    met = [seed for seed, pair in breaking if any(Oracle(pair).counterexamples(Rng(seed), _DRAWS))]

    assert len(met) >= len(breaking) / 2


def changes_of(pair: ContractPair) -> tuple[Change, ...]:
    """Return the changes between the contracts of a pair."""
    old, new = (
        read_contract(parse_document(json.dumps(document), name="api.json")).api
        for document in pair.documents()
    )
    return compare(old, new).changes


def _witness_values(pair: ContractPair) -> Iterable[Json]:
    """Yield the values of the schema in the messages of breaking changes."""
    for change in changes_of(pair):
        search = change.witness_search
        if change.verdict is Verdict.BREAKING and change.rule.startswith("schema.") and search is not None:
            value = _value_in(search.witness, pair) if search.witness is not None else ABSENT
            if value is not ABSENT:
                yield value


def _value_in(witness: Witness, pair: ContractPair) -> Json:
    """Return the value in a message, ABSENT if it is a list that is written as text."""
    if not pair.place.is_text:
        return witness.body
    if "array" in json.dumps([pair.old["It"], pair.new["It"]]) or pair.style:
        return ABSENT
    target = urlsplit(witness.start_line.split(" ", 1)[1])
    match pair.place:
        case Place.HEADER:
            return dict(witness.headers)["It"]
        case Place.QUERY:
            return parse_qs(target.query, keep_blank_values=True)["it"][0]
    return unquote(target.path.rsplit("/", 1)[1])
