"""What the differ calls safe is safe: no value that was allowed is refused, as validators judge it."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from devportal.differ.rule import Direction
from tests.differ.drawing import Rng
from tests.differ.oracle import covers, judged
from tests.differ.strategies import Pair, pairs

both_directions = pytest.mark.parametrize("direction", Direction)
drawn = settings(
    max_examples=2 * settings().max_examples,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)


@both_directions
@drawn
@given(pair=st.one_of(pairs(1), pairs(3)), rng=st.randoms(use_true_random=True))
def test_what_is_called_safe_is_safe(direction: Direction, pair: Pair, rng: Rng) -> None:
    """Where nothing worse than compatible is found, no value is refused now that was allowed before: neither
    is any met in draws, nor can the inclusion be refuted.
    """
    judgement = judged(pair, direction)
    if not judgement.is_safe:
        return

    assert judgement.counterexample(rng, draws=60) == (), (direction, pair, judgement.findings)
    assert not judgement.is_refuted, (direction, pair, judgement.findings)


def test_the_oracle_sees_a_value_that_is_refused() -> None:
    """A change that breaks is refuted, and a value is met that shows it."""
    pair = Pair(old={"type": "string"}, new={"type": "string", "maxLength": 2}, old_shared={}, new_shared={})

    sent = judged(pair, Direction.TO_PROVIDER)
    received = judged(pair, Direction.TO_CONSUMER)

    assert sent.is_breaking
    assert sent.is_refuted
    assert sent.counterexample(Rng(1), draws=200) != ()
    assert received.is_safe
    assert received.is_shown


def test_the_oracle_compares_sets_of_values() -> None:
    """It knows of two schemas which one allows more."""
    assert covers({"type": "number"}, {"type": "integer"}) == "yes"
    assert covers({"type": "number", "minimum": 4}, {"type": "number", "minimum": 3}) == "no"
