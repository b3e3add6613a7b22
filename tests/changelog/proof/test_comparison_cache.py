"""Comparisons that are kept: the same changes again, and nothing of another toolkit."""

import sys
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from devportal.changelog.pages.release_history import release_history
from devportal.changelog.proof.change_json import changes_from_json, changes_to_json
from devportal.contract import Api
from devportal.derived_cache import Memory
from devportal.differ import Comparison, Policy, compare
from tests.changelog.history import FIRST, GET, Shelf, contract, put, with_shorter_text, with_weight


def test_changes_come_back(tmp_path: Path) -> None:
    """Text and back is the same, with places, uses and fingerprints."""
    shelf = Shelf(tmp_path, contract())
    working = put(with_weight(with_shorter_text(contract())), "paths", "/parcels", "get", value=None)
    changes = shelf.unreleased_step(working).step.changes

    assert len(changes) > 2
    assert changes_from_json(changes_to_json(changes)) == changes
    assert [change.fingerprint for change in changes_from_json(changes_to_json(changes))] == [
        change.fingerprint for change in changes
    ]


def test_history_from_memory_is_the_same(tmp_path: Path) -> None:
    """A second process finds what the first one kept."""
    shelf = Shelf(tmp_path, contract(), with_weight(contract("1.1.0")), entries=(FIRST,))
    folder = tmp_path / "kept"

    first = shelf.findings(with_shorter_text(contract("1.1.0")), memory=Memory(folder, toolkit="a"))
    kept = sorted(path.name for path in folder.iterdir())
    second = shelf.findings(with_shorter_text(contract("1.1.0")), memory=Memory(folder, toolkit="a"))

    assert first == second
    assert sorted(path.name for path in folder.iterdir()) == kept != []


@pytest.mark.parametrize("rubbish", ["", "nonsense", "[{}]", '[{"rule": "x"}]', "7"])
def test_rubbish_in_memory_is_worked_out_anew(tmp_path: Path, rubbish: str) -> None:
    """Whatever stands in the folder, the findings are right."""
    shelf = Shelf(tmp_path, contract())
    folder = tmp_path / "kept"
    right = shelf.findings(with_shorter_text(contract()), memory=Memory(folder))
    for path in folder.iterdir():
        path.write_text(rubbish, encoding="utf-8")

    assert shelf.findings(with_shorter_text(contract()), memory=Memory(folder)) == right


@pytest.mark.parametrize("text", ["one\r\ntwo\rthree\n", "näher"])
def test_nothing_is_remembered_that_was_not_written(text: str, tmp_path: Path) -> None:
    """After a crash of the machine, a file may be empty, shorter or anything else."""
    Memory(tmp_path).put(text, "key")
    (file,) = tmp_path.iterdir()
    written = file.read_bytes()
    assert Memory(tmp_path).get("key") == text

    for damaged in (b"", bytes(len(written)), written[:-1], written + b"x", b"\xff"):
        file.write_bytes(damaged)
        assert Memory(tmp_path).get("key") is None


def test_another_toolkit_remembers_nothing(tmp_path: Path) -> None:
    """What other rules have found is not used."""
    Memory(tmp_path, toolkit="a").put("text", "key")

    assert Memory(tmp_path, toolkit="a").get("key") == "text"
    assert Memory(tmp_path, toolkit="b").get("key") is None


@pytest.mark.skipif(sys.platform != "linux", reason="other systems compare in one process")
def test_another_process_compares_the_newest_contracts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The history is the same; policies that differ from that of the last release are asked for too."""
    monkeypatch.setattr("threading.active_count", lambda: 1)
    compared: list[str] = []

    def note(old: Api, new: Api, policy: Policy, *, today: date | None) -> Comparison:
        compared.append(new.version)
        return compare(old, new, policy, today=today)

    monkeypatch.setattr("devportal.changelog.proof.comparing.compare", note)
    versions = [f"1.{number}.0" for number in range(6)]
    shelf = Shelf(tmp_path, *map(contract, versions[:-1]), with_weight(contract(versions[-1])))
    working = put(with_shorter_text(contract("1.6.0")), *GET, value=None)
    soft = {"rules": {"request-body-property-max-length-decreased": "risky"}}

    (alone, findings), (beside, same_findings) = (
        shelf.read(working, policy=soft, processes=processes) for processes in (1, 2)
    )

    assert [proof.step.changes for proof in alone.proofs] == [proof.step.changes for proof in beside.proofs]
    assert alone.proofs[-1].step.changes
    assert findings == same_findings
    assert compared == [*versions, "1.6.0", "1.6.0", *versions[:-1]]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems compare in one process")
def test_releases_are_compared_with_the_newest_while_another_process_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pages that show each release beside the newest find these comparisons in the cache."""
    monkeypatch.setattr("threading.active_count", lambda: 1)
    shelf = Shelf(
        tmp_path, *(contract(f"1.{number}.0") for number in range(5)), with_weight(contract("1.5.0"))
    )
    memory = Memory()
    history, _ = shelf.read(contract("1.6.0"), memory=memory, processes=2, leaps=True)
    asked = partial(release_history, history, policy={})
    fresh = asked(cache=Memory())
    monkeypatch.setattr("devportal.changelog.proof.comparing.compare", pytest.fail)

    kept = asked(cache=memory)

    assert kept is not None
    assert kept == fresh
    assert [bool(kept.intervals[f"1.{number}.0", "1.5.0"].changes) for number in range(5)] == [True] * 5


def test_folder_that_cannot_be_written_is_passed_over(tmp_path: Path) -> None:
    """A cache that is no folder costs time, and nothing else."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    memory = Memory(tmp_path / "file")
    memory.put("text", "key")

    assert memory.get("key") == "text"
