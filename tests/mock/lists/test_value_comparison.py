"""How members are ordered."""

from functools import cmp_to_key
from itertools import permutations

from devportal.mock.lists.value_comparison import compare_values


def test_numbers_among_texts_have_one_order() -> None:
    """Codes such as `10` and `5x`: whatever the list was before, its order is the same."""
    codes = (None, "9", "10", "5x", "b")

    assert {tuple(sorted(given, key=cmp_to_key(compare_values))) for given in permutations(codes)} == {codes}
