"""Record files and log change together, or not at all, whatever happens in between."""

import json
import os
import shutil
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

import pytest

from devportal.catalog.records.loading import PENDING
from devportal.catalog.review.lock import read_lock, write_lock
from devportal.catalog.review.write_ahead import (
    FileChange,
    LogChange,
    PendingWrite,
    RecordChange,
    commit_changes,
    finish_interrupted_write,
    pending_json,
)
from devportal.errors import EnvironmentProblem, UnreadableInput

from .steps import intervening, kill, refuse, was_killed

BEFORE = {"rates/no.yaml": b"rates: [old]\r\n", "audit.jsonl": b'{"at": "1"}\n'}
AFTER = {
    "rates/no.yaml": b"rates: [new]\r\n",
    "rates/se.yaml": "﻿rates: [été]\n".encode(),
    "audit.jsonl": b'{"at": "1"}\n{"at": "2"}\n{"at": "3"}\n',
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "data"
    made.mkdir()
    put(made)
    return made


def put(folder: Path) -> None:
    """Have the folder hold what is there before the write, and nothing else."""
    for path in [*folder.glob(".pending*"), *folder.rglob("*.yaml")]:
        path.unlink()
    for name, content in BEFORE.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)


def is_pending(folder: Path) -> bool:
    """Say whether a write that counts is not applied yet."""
    return (folder / PENDING).exists()


def restore(folder: Path, files: Mapping[str, bytes]) -> None:
    """Have the folder hold these files, and nothing else."""
    for name in contents(folder):
        (folder / name).unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)


def write(folder: Path) -> None:
    """Do the write that leads from BEFORE to AFTER."""
    commit_changes(
        folder,
        [
            RecordChange(path=name, before=BEFORE.get(name), after=content)
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
        finish_interrupted_write(folder)
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
            if not was_killed(again, lambda: finish_interrupted_write(folder)):
                break
            finish_interrupted_write(folder)
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
        finish_interrupted_write(folder)
        assert state(folder) == (BEFORE if has_failed else AFTER), f"refused at step {step}: {message}"
        told.append(message)

    assert len([text for text in told if "nothing was written" in text]) > 3
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
        finish_interrupted_write(folder)

    assert (folder / "rates/no.yaml").read_bytes() == b"restored by hand\n"


def test_finishing_does_not_overwrite_what_others_appended(folder: Path) -> None:
    """Between a kill and the next command somebody added a line of their own: it is not taken away again."""
    assert any(_is_left_pending(folder, step) for step in range(60))
    log = folder / "audit.jsonl"
    with log.open("ab") as lines:
        lines.write(b"a line of somebody else\n")
    found = log.read_bytes()

    with pytest.raises(UnreadableInput, match="somebody else changed"):
        finish_interrupted_write(folder)

    assert log.read_bytes() == found


def forge(folder: Path, path: str, *, before: bytes | None = None) -> None:
    """Put a write into the folder that nobody began: the log gets no line, and a file another content."""
    log = (folder / "audit.jsonl").read_bytes()
    forged = PendingWrite(
        files=(
            FileChange(
                path=path, before_sha256=sha256(before).hexdigest() if before else None, after=b"evil\n"
            ),
        ),
        log=LogChange(length=len(log), before_sha256=sha256(log).hexdigest(), lines=b""),
    )
    (folder / PENDING).write_text(pending_json(forged), encoding="utf-8")


def outside_of(folder: Path) -> Path:
    """Make a folder beside that of the records, with a file that is none of theirs."""
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "no.yaml").write_bytes(b"theirs\n")
    return outside


@pytest.mark.parametrize(
    "path",
    [
        "../evil.yaml",
        "/etc/evil.yaml",
        "rates/../../evil.yaml",
        "rates/x/..//../../evil.yaml",
        "rates/./evil.yaml",
        "rates/evil.txt",
        "roles.yaml",
        ".pending.json",
        "rates/\0.yaml",
        "rates/\ud800.yaml",
    ],
)
def test_only_record_files_are_written(folder: Path, path: str) -> None:
    """A forged write can reach no file that holds no records."""
    forge(folder, path)

    with pytest.raises(UnreadableInput, match="not an interrupted write"):
        finish_interrupted_write(folder)


@pytest.mark.parametrize(
    ("paths", "wrong"),
    [
        (
            ["rates/a.yaml", "rates/a.yaml/b.yaml"],
            "'rates/a.yaml' is among its files, and so is 'rates/a.yaml/b.yaml', which is below it",
        ),
        (
            ["rates/a.yaml/x/b.yaml", "rates/z.yaml", "rates/a.yaml"],
            "'rates/a.yaml' is among its files, and so is 'rates/a.yaml/x/b.yaml', which is below it",
        ),
        (["rates/a.yaml", "rates//a.yaml"], "'rates/a.yaml' is among its files twice"),
    ],
)
def test_files_that_exclude_each_other_are_refused_before_anything_is_written(
    folder: Path, paths: list[str], wrong: str
) -> None:
    """Once one of them was in its place, the write could be neither finished nor begun again."""
    log = (folder / "audit.jsonl").read_bytes()
    change = LogChange(length=len(log), before_sha256=sha256(log).hexdigest(), lines=b"evil\n")
    files = tuple(FileChange(path=path, before_sha256=None, after=b"evil\n") for path in paths)
    (folder / PENDING).write_text(pending_json(PendingWrite(files=files, log=change)), encoding="utf-8")
    before = contents(folder)

    with pytest.raises(UnreadableInput) as refused:
        finish_interrupted_write(folder)

    assert refused.value.message == f"this is not an interrupted write: {wrong}"
    assert contents(folder) == before


@pytest.mark.parametrize("path", ["rates/l/planted.yaml", "rates/l/no.yaml", "rates/l/below/planted.yaml"])
def test_a_forged_write_follows_no_linked_folder(folder: Path, path: str) -> None:
    """A link to a folder elsewhere leads nobody there, neither to a new file nor to one that is there."""
    outside = outside_of(folder)
    (folder / "rates" / "l").symlink_to(outside)
    forge(folder, path, before=b"theirs\n" if path.endswith("/no.yaml") else None)

    with pytest.raises(UnreadableInput, match="it is below 'rates/l', which is a link"):
        finish_interrupted_write(folder)

    assert contents(outside) == {"no.yaml": b"theirs\n"}


@pytest.mark.parametrize("top", ["rates", "coverage"])
def test_a_forged_write_follows_no_link_in_place_of_a_kind(folder: Path, top: str) -> None:
    """Nor where the folder of a kind of record is the link."""
    outside = outside_of(folder)
    shutil.rmtree(folder / "rates")
    (folder / top).symlink_to(outside)
    forge(folder, f"{top}/planted.yaml")

    with pytest.raises(UnreadableInput, match=f"it is below '{top}', which is a link"):
        finish_interrupted_write(folder)

    assert contents(outside) == {"no.yaml": b"theirs\n"}


@pytest.mark.parametrize("target", ["no.yaml", "nothing.yaml"])
def test_a_forged_write_follows_no_linked_file(folder: Path, target: str) -> None:
    """Whether the file that it leads to is there or not."""
    outside = outside_of(folder)
    (folder / "rates" / "l.yaml").symlink_to(outside / target)
    forge(folder, "rates/l.yaml", before=b"theirs\n" if target == "no.yaml" else None)

    with pytest.raises(UnreadableInput, match="it is a link"):
        finish_interrupted_write(folder)

    assert contents(outside) == {"no.yaml": b"theirs\n"}


def test_a_forged_write_opens_no_device(folder: Path) -> None:
    """A pipe in the place of a file would keep whoever reads it waiting for ever."""
    os.mkfifo(folder / "rates" / "pipe.yaml")
    forge(folder, "rates/pipe.yaml")

    with pytest.raises(UnreadableInput, match="it is not a regular file"):
        finish_interrupted_write(folder)


def test_a_forged_write_may_be_no_device_itself(folder: Path) -> None:
    """Nor a link: what it leads to would be quoted."""
    os.mkfifo(folder / PENDING)
    with pytest.raises(UnreadableInput, match="it is not a regular file"):
        finish_interrupted_write(folder)

    (folder / PENDING).unlink()
    (folder / PENDING).symlink_to("/etc/passwd")
    with pytest.raises(UnreadableInput, match="it is a link"):
        finish_interrupted_write(folder)


def finish_forged(folder: Path) -> None:
    """Finish a write that nobody began."""
    forge(folder, "rates/no.yaml", before=BEFORE["rates/no.yaml"])
    finish_interrupted_write(folder)


@pytest.mark.parametrize("how", [write, finish_forged], ids=["commit", "finish"])
def test_a_linked_log_is_not_written(folder: Path, how: Callable[[Path], None]) -> None:
    """Lines go to the log in the folder, or nowhere."""
    outside = outside_of(folder)
    (folder / "audit.jsonl").rename(outside / "audit.jsonl")
    (folder / "audit.jsonl").symlink_to(outside / "audit.jsonl")
    before = contents(outside)

    with pytest.raises(UnreadableInput, match="it is a link"):
        how(folder)

    assert contents(outside) == before


@pytest.mark.parametrize("name", [".pending.new", ".pending.0", ".pending.1"])
def test_what_is_written_aside_follows_no_link(folder: Path, name: str) -> None:
    """The names are known before: a link of that name is removed, and what it leads to stays."""
    outside = outside_of(folder)
    (folder / name).symlink_to(outside / "no.yaml")

    write(folder)

    assert contents(outside) == {"no.yaml": b"theirs\n"}
    assert contents(folder) == AFTER


@pytest.mark.parametrize("length", [-1, 10**12])
def test_a_forged_write_makes_no_hole_in_the_log(folder: Path, length: int) -> None:
    """Lines go to the end of the log, wherever a forged write says that it is."""
    log = (folder / "audit.jsonl").read_bytes()
    change = LogChange(length=length, before_sha256=sha256(log[:length]).hexdigest(), lines=b"evil\n")
    (folder / PENDING).write_text(pending_json(PendingWrite(files=(), log=change)), encoding="utf-8")

    with pytest.raises(UnreadableInput, match="somebody else changed"):
        finish_interrupted_write(folder)

    assert (folder / "audit.jsonl").read_bytes() == log


LOG = {"length": 0, "before_sha256": "", "lines": ""}
FILE = {"path": "rates/no.yaml", "before_sha256": None, "after": ""}


def with_log(**changed: object) -> str:
    """Return a write to the log alone, with members changed."""
    return json.dumps({"format": 1, "files": [], "log": LOG | changed})


def with_file(**changed: object) -> str:
    """Return a write to one file, with members changed."""
    return json.dumps({"format": 1, "files": [FILE | changed], "log": LOG})


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("", "it is not JSON at line 1, column 1"),
        ("{\n", "it is not JSON at line 2, column 1"),
        ("\udcff", "it is not UTF-8 text"),
        ("[" * 100_000, "its JSON is nested too deeply"),
        ("9" * 5000, "a number in it has too many digits"),
        ("[]", "the file is not an object"),
        ("null", "the file is not an object"),
        ("{}", "`format` is missing"),
        ('{"format": true}', "`format` is not a whole number"),
        ('{"format": 2}', "`format` is 2, and only 1 is known"),
        ('{"format": 1}', "`files` is missing"),
        ('{"format": 1, "files": {}}', "`files` is not a list"),
        ('{"format": 1, "files": [[]]}', "`files.0` is not an object"),
        ('{"format": 1, "files": [], "log": []}', "`log` is not an object"),
        ('{"format": 1, "files": [], "log": {}}', "`log.length` is missing"),
        (with_log(length=float("inf")), "`log.length` is not a whole number"),
        (with_log(lines=None), "`log.lines` is not text"),
        (with_log(lines="\ud800"), "`log.lines` holds half of a surrogate pair"),
        (with_file(path=1), "`files.0.path` is not text"),
        (with_file(path="../no.yaml"), "`files.0.path` is '../no.yaml', which names no file of records"),
        (with_file(before_sha256=[]), "`files.0.before_sha256` is not text"),
        (with_file(after={}), "`files.0.after` is not text"),
    ],
    ids=range(22),
)
def test_file_that_is_no_write_is_reported_in_plain_words(folder: Path, text: str, wrong: str) -> None:
    """A `.pending.json` that is not ours is an error with a cure, not a traceback."""
    (folder / ".pending.json").write_bytes(text.encode("utf-8", "surrogateescape"))

    with pytest.raises(UnreadableInput) as refused:
        finish_interrupted_write(folder)

    assert refused.value.message == f"this is not an interrupted write: {wrong}"
    assert refused.value.help


def test_a_reader_changes_nothing_of_what_a_killed_writer_left(folder: Path) -> None:
    """Whoever only reads may have no right to write, and may read what somebody else has planted."""
    step = next(step for step in range(60) if _is_left_pending(folder, step))
    put(folder)
    assert was_killed(step, lambda: write(folder))
    left = contents(folder)

    with read_lock(folder):
        pass

    assert contents(folder) == left


def test_a_writer_is_given_what_it_finished(folder: Path) -> None:
    """The files by their names from the folder, or none."""
    assert any(_is_left_pending(folder, step) for step in range(60))

    with write_lock(folder) as finished:
        assert finished == ("rates/no.yaml", "rates/se.yaml", "audit.jsonl")
    with write_lock(folder) as finished:
        assert finished == ()
    assert contents(folder) == AFTER


def test_what_cannot_be_finished_names_its_folder(folder: Path) -> None:
    """The command that finishes it elsewhere is told with the folder."""
    at = next(at for at in range(200) if was_killed(at, lambda: write(folder)) and is_pending(folder))

    with intervening(0, refuse, times=1000), pytest.raises(EnvironmentProblem) as refused:
        finish_interrupted_write(folder)

    assert at > 0
    assert f"devportal rates recover --records {folder}" in refused.value.help


def test_the_lock_of_a_killed_writer_is_gone(folder: Path) -> None:
    """A writer that is killed while it holds the folder keeps nobody out."""

    def work() -> None:
        with write_lock(folder):
            kill("", ())

    assert was_killed(10**6, work)

    with write_lock(folder, wait_s=0):
        pass
