"""The state in a SQLite file outlives the mock."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from devportal.errors import EnvironmentProblem, InvalidSettings
from devportal.mock.http.exchange import MockResponse
from devportal.mock.resources.store import KeptResult, Record, Removal, State, StateFile
from devportal.serving.clock import ClockMode, ClockState
from tests.mock.contracts import Client, api_of

CLOCK = ClockState(
    mode=ClockMode.RUNNING,
    speed=60.0,
    at=datetime(2030, 1, 2, 3, 4, 5, 678_901, tzinfo=UTC),
    real_at=datetime(2026, 11, 27, tzinfo=UTC),
)
TEA = {"product": "Tea \ud800", "quantity": 2}


def test_a_mock_goes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    """With its resources, what was deleted, its idempotency keys and its clock."""
    file, api = tmp_path / "state.db", api_of("orders")
    first = Client(api, StateFile(file))
    kept, gone = (first.json("POST", "/v1/orders", TEA) for _ in range(2))
    first.json("POST", f"/v1/orders/{gone['id']}/lines", {"text": "Below"})
    keyed = first.call("POST", "/v1/orders", TEA, Idempotency_Key="k")
    first.call("DELETE", f"/v1/orders/{gone['id']}")
    first.application.state.set_clock(CLOCK)
    first.application.state.close()
    second = Client(api, StateFile(file))

    assert second.json("GET", f"/v1/orders/{kept['id']}") == kept
    assert second.call("GET", f"/v1/orders/{gone['id']}").status == 404
    assert second.call("POST", "/v1/orders", TEA, Idempotency_Key="k") == keyed
    assert second.application.state.clock == CLOCK
    assert second.application.state.counts() == first.application.state.counts()


def test_a_removal_takes_what_is_below_it_in_both(tmp_path: Path) -> None:
    """Memory and file agree, and neighbours stay."""
    records = [
        Record(type="/a/{a}", scope=(), id="1", members={}, serial=1),
        Record(type="/a/{a}/b/{b}", scope=("1",), id="2", members={}, serial=2),
        Record(type="/a/{a}/b/{b}", scope=("11",), id="3", members={}, serial=3),
        Record(type="/a/{a}/b/{b}/c/{c}", scope=("1", "2"), id="4", members={}, serial=4),
        Record(type="/ab/{x}", scope=(), id="5", members={}, serial=5),
    ]
    result = KeptResult(key="k", digest="d", response=MockResponse(status=200))
    memory, file = State(), StateFile(tmp_path / "state.db")
    for state in (memory, file):
        state.apply([*records, result, Removal(type="/a/{a}", scope=(), id="1")])
    file.close()
    again = StateFile(tmp_path / "state.db")

    assert (
        [record.id for record in memory.all_records()]
        == [record.id for record in again.all_records()]
        == ["3", "5"]
    )
    assert again.last_serial == 5
    again.clear()
    assert again.counts() == {}


def test_identifiers_are_never_given_again(tmp_path: Path) -> None:
    """Also if everything was deleted before the mock ended: examples do not come back either."""
    file, api = tmp_path / "state.db", api_of("orders")
    first = Client(api, StateFile(file))
    ids = {first.json("POST", "/v1/orders", TEA)["id"]}
    state = first.application.state
    state.apply(
        [Removal(type=record.type, scope=record.scope, id=record.id) for record in tuple(state.all_records())]
    )
    state.close()
    second = Client(api, StateFile(file))

    assert second.application.state.counts().get("/v1/orders/{id}", 0) == 0
    assert not any(second.application.state.counts().values())
    assert second.json("POST", "/v1/orders", TEA)["id"] not in ids


def test_another_file_is_refused(tmp_path: Path) -> None:
    """It is not overwritten."""
    text, folder = tmp_path / "notes.txt", tmp_path / "missing" / "state.db"
    text.write_text("These are notes, and no database at all. " * 30, encoding="utf-8")

    with pytest.raises(InvalidSettings):
        StateFile(text)
    with pytest.raises(EnvironmentProblem):
        StateFile(folder)
    assert text.read_text(encoding="utf-8").startswith("These are notes")
