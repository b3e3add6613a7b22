"""The day of a build."""

from datetime import UTC, date, datetime

import pytest

from devportal.errors import InvalidSettings
from devportal.project.inputs import today


def test_the_epoch_sets_the_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """SOURCE_DATE_EPOCH counts seconds in UTC: one second before midnight is still that day."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796083199")

    assert today() == date(2026, 11, 30)


def test_without_an_epoch_it_is_today(monkeypatch: pytest.MonkeyPatch) -> None:
    """In UTC, wherever the machine is; empty counts as unset."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "")
    before = datetime.now(tz=UTC).date()

    found = today()

    assert before <= found <= datetime.now(tz=UTC).date()


@pytest.mark.parametrize(
    "epoch", ["soon", "1e9", "99999999999999999999", "-99999999999999", "-1", "4294967296"]
)
def test_an_epoch_that_is_no_time_is_refused(monkeypatch: pytest.MonkeyPatch, epoch: str) -> None:
    """The message quotes it."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)

    with pytest.raises(InvalidSettings, match=epoch):
        today()
