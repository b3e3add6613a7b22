"""Which of many exchanges with one failure are sent again to confirm it."""

from devportal.conformance.family import CheckFailure
from devportal.conformance.run.confirm import replayed_failures


def test_the_last_exchange_is_replayed_too() -> None:
    """The resources of the first ones may be deleted."""
    group = [
        CheckFailure(title=str(number), message="", operation="GET /a", promise=None, evidence=())
        for number in range(9)
    ]

    assert [replayed_failure.title for replayed_failure in replayed_failures(group)] == ["0", "8", "4"]
    assert [replayed_failure.title for replayed_failure in replayed_failures(group[:2])] == ["0", "1"]
    assert [replayed_failure.title for replayed_failure in replayed_failures(group[:1])] == ["0"]
