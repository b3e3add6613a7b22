"""The one loop that waits."""

import pytest

from tests.waiting import wait_until


def test_what_comes_is_waited_for() -> None:
    """The condition is looked at until it holds, and no more often."""
    looks = iter([False, False, True])

    wait_until(lambda: next(looks))

    assert next(looks, "none is left") == "none is left"


def test_what_does_not_come_fails_the_test() -> None:
    """With what was waited for, as it is at the end."""
    with pytest.raises(AssertionError, match=r"waited 0 s in vain for a parcel"):
        wait_until(lambda: False, lambda: "for a parcel", patience_s=0)
