"""Record files and log change together, or not at all, whatever happens in between."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from devportal.errors import EnvironmentProblem, UnreadableInput
from devportal.review.lock import reading, writing
from devportal.review.write_ahead import Change, commit, finish, is_pending

from .steps import intervening, kill, refuse, was_killed

BEFORE = {"rates/no.yaml": b"rates: [old]\r\n", "audit.jsonl": b'{"at": "1"}\n'}
AFTER = {
    "rates/no.yaml": b"rates: [new]\r\n",
    "rates/se.yaml": "﻿rates: [été]\n".encode(),
    "audit.jsonl": b'{"at": "1"}\n{"at": "2"}\n{"at": "3"}\n',
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    put(tmp_path)
    return tmp_path


def put(folder: Path) -> None:
    """Have the folder hold what is there before the write, and nothing else."""
    for path in [*folder.glob(".pending*"), *folder.rglob("*.yaml")]:
        path.unlink()
    for name, content in BEFORE.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)


def restore(folder: Path, files: Mapping[str, bytes]) -> None:
    """Have the folder hold these files, and nothing else."""
    for name in contents(folder):
        (folder / name).unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)


def write(folder: Path) -> None:
    """Do the write that leads from BEFORE to AFTER."""
    commit(
        folder,
        [
            Change(path=name, before=BEFORE.get(name), after=content)
            for name, content in AFTER.items()
            if name.endswith(".yaml")
        ],
        log=BEFORE["audit.jsonl"],
        lines=AFTER["audit.jsonl"].removeprefix(BEFORE["audit.jsonl"]),
    )


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files of the folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def state(folder: Path) -> dict[str, bytes]:
    """Return the files that count: what the next write overwrites or removes does not."""
    return {name: content for name, content in contents(folder).items() if not name.startswith(".pending.")}


def test_a_write_changes_all_of_it(folder: Path) -> None:
    """Files are replaced and made, lines appended, and nothing else is left."""
    write(folder)

    assert contents(folder) == AFTER


def test_permissions_stay(folder: Path) -> None:
    """A file that is replaced keeps its permissions."""
    (folder / "rates/no.yaml").chmod(0o640)

    write(folder)

    assert (folder / "rates/no.yaml").stat().st_mode & 0o777 == 0o640


def test_a_killed_write_is_before_or_after(folder: Path) -> None:
    """Killed at any step, half a write included, the folder is as before or, once finished, as after."""
    outcomes = []
    for step in range(1000):
        put(folder)
        if not was_killed(step, lambda: write(folder)):
            break
        was_pending = is_pending(folder)
        finish(folder)
        is_done = was_pending or state(folder) == AFTER
        assert state(folder) == (AFTER if is_done else BEFORE), f"killed at step {step}"
        outcomes.append(is_done)

    assert contents(folder) == AFTER
    assert len(outcomes) > 15
    assert outcomes == sorted(outcomes), "once it counts, it counts"
    assert {False, True} == set(outcomes)


@pytest.mark.deep
def test_finishing_can_be_killed_too(folder: Path) -> None:
    """What finishes a write may be killed at each of its steps, and the next one still finishes it."""
    left = {}
    for step in range(60):
        if _is_left_pending(folder, step):
            left[tuple(contents(folder).items())] = step
    for found, step in left.items():
        for again in range(1000):
            restore(folder, dict(found))
            if not was_killed(again, lambda: finish(folder)):
                break
            finish(folder)
            assert contents(folder) == AFTER, f"killed at step {step}, then at step {again}"

    assert len(left) > 4


def _is_left_pending(folder: Path, step: int) -> bool:
    put(folder)
    was_killed(step, lambda: write(folder))
    return is_pending(folder)


def message_of(work: Callable[[], None]) -> str:
    """Return what the machine is said to have refused, or nothing."""
    try:
        work()
    except EnvironmentProblem as error:
        return error.message
    return ""


@pytest.mark.parametrize("times", [1, 2, 1000])
def test_a_full_disk_changes_nothing_or_is_told(folder: Path, times: int) -> None:
    """Whatever step is refused, however often: the message says which of the two holds, and is right."""
    told = []
    for step in range(60):
        put(folder)
        with intervening(step, refuse, times=times):
            message = message_of(lambda: write(folder))
        has_failed = "nothing was written" in message
        assert not message or ("No space left" in message and has_failed != ("the write counts" in message))
        finish(folder)
        assert state(folder) == (BEFORE if has_failed else AFTER), f"refused at step {step}: {message}"
        told.append(message)

    assert len([one for one in told if "nothing was written" in one]) > 3
    assert told[-1] == ""


@pytest.mark.parametrize("name", ["rates/no.yaml", "audit.jsonl"])
def test_what_others_changed_is_not_overwritten(folder: Path, name: str) -> None:
    """A file that is not as it was read stops the write, and finishing one."""
    (folder / name).write_bytes(b"changed by hand\n")

    with pytest.raises(UnreadableInput, match="somebody else changed this file"):
        write(folder)

    assert not is_pending(folder)
    assert (folder / name).read_bytes() == b"changed by hand\n"


def test_finishing_does_not_overwrite_what_others_changed(folder: Path) -> None:
    """Between a kill and the next command the file was restored by hand: it is not taken away again."""
    assert any(_is_left_pending(folder, step) for step in range(60))
    (folder / "rates/no.yaml").write_bytes(b"restored by hand\n")

    with pytest.raises(UnreadableInput, match="somebody else changed"):
        finish(folder)

    assert (folder / "rates/no.yaml").read_bytes() == b"restored by hand\n"


def test_finishing_does_not_overwrite_what_others_appended(folder: Path) -> None:
    """Between a kill and the next command somebody added a line of their own: it is not taken away again."""
    assert any(_is_left_pending(folder, step) for step in range(60))
    log = folder / "audit.jsonl"
    with log.open("ab") as lines:
        lines.write(b"a line of somebody else\n")
    found = log.read_bytes()

    with pytest.raises(UnreadableInput, match="somebody else changed"):
        finish(folder)

    assert log.read_bytes() == found


@pytest.mark.parametrize(
    "path", ["../evil.yaml", "/etc/evil.yaml", "rates/../../evil.yaml", "rates/evil.txt", "roles.yaml"]
)
def test_only_record_files_are_written(folder: Path, path: str) -> None:
    """A forged write can reach no file that holds no records."""
    log = {"length": 0, "before_sha256": "", "lines": ""}
    forged = {"format": 1, "files": [{"path": path, "before_sha256": None, "after": "x"}], "log": log}
    (folder / ".pending.json").write_text(json.dumps(forged), encoding="utf-8")

    with pytest.raises(UnreadableInput, match="no interrupted write"):
        finish(folder)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"format": 2}', '{"format": 1}', "\udcff"])
def test_what_is_no_write_is_told(folder: Path, text: str) -> None:
    """A `.pending.json` that is not ours is an error with a cure, not a traceback."""
    (folder / ".pending.json").write_bytes(text.encode("utf-8", "surrogateescape"))

    with pytest.raises(UnreadableInput, match="no interrupted write"):
        finish(folder)


def test_a_reader_finishes_what_a_killed_writer_left(folder: Path) -> None:
    """Whoever reads after a kill sees the write that counts, whole."""
    step = next(step for step in range(60) if _is_left_pending(folder, step))
    put(folder)
    assert was_killed(step, lambda: write(folder))

    with reading(folder):
        assert contents(folder) == AFTER


def test_what_cannot_be_finished_names_its_folder(folder: Path) -> None:
    """The command that finishes it elsewhere is told with the folder."""
    at = next(at for at in range(200) if was_killed(at, lambda: write(folder)) and is_pending(folder))

    with intervening(0, refuse, times=1000), pytest.raises(EnvironmentProblem) as refused:
        finish(folder)

    assert at > 0
    assert f"devportal check --records {folder}" in refused.value.help


def test_the_lock_of_a_killed_writer_is_gone(folder: Path) -> None:
    """A writer that is killed while it holds the folder keeps nobody out."""

    def work() -> None:
        with writing(folder):
            kill("", ())

    assert was_killed(10**6, work)

    with writing(folder, wait_s=0):
        pass
