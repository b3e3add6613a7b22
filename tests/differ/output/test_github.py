"""Workflow commands."""

import re

from devportal.reporting import Format

from .comparing import hostile_diff, small_diff, small_with_witnesses, write_diff

_COMMAND = re.compile(
    r"::(error|warning|notice) file=([^,:\n]+)(?:,line=\d+,col=\d+)?,title=[^,:\n]+::[^\n]+"
)


def test_every_line_but_the_last_is_a_command() -> None:
    """Whatever the contracts and their files are called: no value ends a command or begins another one."""
    for report in (small_diff(), hostile_diff()):
        *commands, last = write_diff(report, Format.GITHUB).split("\n")[:-1]

        assert len(commands) == len(report.comparison.changes)
        assert [command for command in commands if not _COMMAND.fullmatch(command)] == []
        assert not last.startswith("::")


def test_levels() -> None:
    """Breaking is an error and risky a warning; what is accepted is a notice."""
    levels = re.findall(r"^::(\w+) .*title=(\w+)", write_diff(small_diff(), Format.GITHUB), re.MULTILINE)

    assert set(levels) == {
        ("error", "breaking"),
        ("notice", "breaking"),
        ("warning", "risky"),
        ("notice", "compatible"),
        ("notice", "lifecycle"),
        ("notice", "documentation"),
    }


def test_name_of_a_file_is_read_back_as_it_is() -> None:
    """Percent, comma, colon and line break are escaped as the runner of workflows undoes it."""
    (name,) = re.findall(r"::notice file=([^,:]+),line=1,", write_diff(hostile_diff(), Format.GITHUB))
    for written, meant in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
        name = name.replace(written, meant)

    assert name.startswith("a b,c:d%\n\udc80")


def test_witness_is_one_line() -> None:
    """Short, as all of an annotation."""
    written = write_diff(small_with_witnesses(), Format.GITHUB)

    assert "%0AWorked in 1.4.0, refused in 1.5.0: POST /parcels  {" in written
    assert '%0ASent in 1.5.0, never sent in 1.4.0: 200 OK  {"id": "p_1", "state": "lost"}%0A' in written
    assert "%0ANo witness found within 200 tries%0A" in written
