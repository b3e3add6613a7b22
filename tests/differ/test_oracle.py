"""What the differ calls safe is safe: no value that was allowed is refused, as validators judge it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from devportal.differ.rule import Direction, Verdict
from tests.differ.drawing import Rng
from tests.differ.oracle import covers, judge_pair
from tests.differ.strategies import Pair, fixed_examples, pairs, union_pairs

both_directions = pytest.mark.parametrize("direction", Direction)
drawn = fixed_examples(2 * settings().max_examples)


@both_directions
@drawn
@given(pair=st.one_of(pairs(1), pairs(3), union_pairs()), rng=st.randoms(use_true_random=True))
def test_what_is_called_safe_is_safe(direction: Direction, pair: Pair, rng: Rng) -> None:
    """Where nothing worse than compatible is found, no value is refused now that was allowed before: neither
    is any met in draws, nor can the inclusion be refuted.
    """
    judgement = judge_pair(pair, direction)
    if not judgement.is_safe:
        return

    assert judgement.counterexample(rng, draws=60) == (), (direction, pair, judgement.findings)
    assert not judgement.is_refuted, (direction, pair, judgement.findings)


@both_directions
@drawn
@given(pair=union_pairs())
def test_a_union_that_includes_the_other_one_breaks_nobody(direction: Direction, pair: Pair) -> None:
    """Where all values are shown to stay valid, nothing that is found in unions of plain branches is breaking."""
    judgement = judge_pair(pair, direction)
    if not judgement.is_included:
        return

    breaking = [rule for rule, verdict in judgement.findings if verdict is Verdict.BREAKING]
    assert [rule for rule in breaking if "-of." in rule or "union" in rule] == [], (direction, pair)


def test_the_oracle_sees_a_value_that_is_refused() -> None:
    """A change that breaks is refuted, and a value is met that shows it."""
    pair = Pair(old={"type": "string"}, new={"type": "string", "maxLength": 2}, old_shared={}, new_shared={})

    sent = judge_pair(pair, Direction.TO_PROVIDER)
    received = judge_pair(pair, Direction.TO_CONSUMER)

    assert sent.is_breaking
    assert sent.is_refuted
    assert sent.counterexample(Rng(1), draws=200) != ()
    assert received.is_safe
    assert received.is_shown


def test_the_oracle_compares_sets_of_values() -> None:
    """It knows of two schemas which one allows more."""
    assert covers({"type": "number"}, {"type": "integer"}) == "yes"
    assert covers({"type": "number", "minimum": 4}, {"type": "number", "minimum": 3}) == "no"
