"""The measure of work: it tells work that grows with its input from work that grows with the square of it."""

import pytest

from tests.growth import LINEAR, counted_steps, growth


def increase_each(count: int) -> list[int]:
    """Look at each item once."""
    return [number + 1 for number in range(count)]


def compare_all_pairs(count: int) -> list[bool]:
    """Compare each item with all."""
    return [number == other for number in range(count) for other in range(count)]


def test_each_turn_of_a_loop_is_a_step() -> None:
    """Also in a comprehension on one line; the same work is as many steps each time."""
    with counted_steps() as first:
        increase_each(100)
    with counted_steps() as second:
        increase_each(100)

    assert 100 <= first.count < 110
    assert second.count == first.count


def test_work_that_fails_is_not_watched_any_longer() -> None:
    """Whoever comes next runs at full speed."""
    with pytest.raises(ZeroDivisionError), counted_steps() as steps:
        divmod(1, 0)
    increase_each(100)

    assert steps.count < 10


def test_work_that_looks_at_each_item_once_is_linear() -> None:
    """Twice as many items are twice as many steps."""
    assert growth(increase_each, 100) < LINEAR


def test_work_that_compares_each_item_with_all_is_not_linear() -> None:
    """Twice as many items are four times as many steps."""
    assert growth(compare_all_pairs, 100) > LINEAR
