"""Lines of the log in the toolkit's own form: read at once, and as any other line is."""

from dataclasses import fields
from datetime import UTC, datetime

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from devportal.catalog import AuditEntry
from devportal.catalog.audit.lifecycle import Action, Role, State
from devportal.catalog.audit.log import MAX_LINE, LineReader, parse_audit, parse_irregular_line
from devportal.catalog.records.version_ref import Kind, RecordRef
from tests.catalog.build import RATE, log_of

hashes = st.from_regex(r"[0-9a-f]{64}", fullmatch=True)
plain = st.text(st.characters(exclude_characters='"\\', exclude_categories=("Cc", "Cs")), max_size=20)


def entries(reasons: st.SearchStrategy[str]) -> st.SearchStrategy[AuditEntry]:
    """Return a strategy for entries with every member that a line can have."""
    times = st.datetimes(datetime(1970, 1, 1), datetime(2999, 1, 1))  # noqa: DTZ001 - UTC below
    names = st.from_regex(r"[a-z0-9]{1,4}(-[a-z0-9]{1,4}){0,2}", fullmatch=True)
    return st.builds(
        AuditEntry,
        at=times.map(lambda at: at.replace(microsecond=0, tzinfo=UTC)),
        actor=st.from_regex(r"[a-z0-9]{1,4}([._-][a-z0-9]{1,4}){0,2}", fullmatch=True),
        role=st.sampled_from(Role),
        action=st.sampled_from(Action),
        record=st.builds(RecordRef, kind=st.sampled_from(Kind), id=names, version=st.integers(1, 999_999)),
        from_state=st.none() | st.sampled_from(State),
        to_state=st.sampled_from(State),
        reason=reasons,
        content_sha256=hashes,
        previous_sha256=hashes,
        denied=st.booleans(),
    )


def replace_span(line: str, position: int, removed: int, added: str) -> str:
    """Return a line with a part of it replaced."""
    at = position % len(line)
    return line[:at] + added + line[at + removed :]


lines = entries(plain | st.text(max_size=20)).map(AuditEntry.line)
pieces = st.sampled_from(
    ['"', "\\", "\\n", "\\u0041", " ", ",", "A", "é", "\t", "\x7f", "null", "9", "\u2028"]
)
odd_lines = st.builds(
    replace_span, lines, st.integers(0, 400), st.integers(0, 3), pieces | st.text(max_size=3)
)
LINE = log_of(RATE).entries[0].line()


def all_fields(entry: AuditEntry) -> list[object]:
    """Return all fields of an entry, those too that make no difference between entries."""
    return [(type(getattr(entry, item.name)), getattr(entry, item.name)) for item in fields(entry)]


@settings(max_examples=4 * settings().max_examples)
@given(lines | odd_lines)
@example(LINE.replace("ida", "i" * 81))
@example(LINE.replace("ida", "i" * 80))
@example(LINE.replace("T09:00:00Z", "T24:00:00Z"))
@example(LINE.replace('"reason": ""', f'"reason": "{"é" * 2001}"'))
@example(LINE.replace("@1", "@1000000"))
@example(LINE + "\n")
def test_a_line_read_at_once_is_read_alike_with_care(line: str) -> None:
    """Of any line, sound or not: every field is the same, its hash and place included."""
    found = LineReader("audit.jsonl").parse_line(line, 7)

    if found is not None:
        careful, findings = parse_irregular_line(line, "audit.jsonl", 7)
        assert findings == ()
        assert careful is not None
        assert all_fields(found) == all_fields(careful)


@given(entries(plain))
def test_what_the_toolkit_writes_is_read_at_once(entry: AuditEntry) -> None:
    """Whatever the entry says, a denied one as well: only a reason with escapes takes more care."""
    assert LineReader("audit.jsonl").parse_line(entry.line(), 1) == entry


def test_lines_of_one_log_share_what_they_have_in_common() -> None:
    """A long log takes the memory of what is new in it."""
    log, _ = parse_audit(log_of(RATE).text(), name="audit.jsonl")

    first, second, *_ = log.entries
    assert first.record is second.record
    assert first.content_sha256 is second.content_sha256


def test_a_line_has_a_limit_and_a_log_has_none() -> None:
    """The longest reason fits, written as escapes throughout; a log is not split."""
    longest = LINE.replace('"reason": ""', f'"reason": "{chr(92)}ud83d{chr(92)}ude42"').replace(
        r"\ud83d\ude42", r"\ud83d\ude42" * 2000
    )

    assert parse_audit(f"{longest}\n", name="audit.jsonl")[1] == ()
    _, (found,) = parse_audit(f"{LINE}\n{'{' + chr(34) * MAX_LINE}\n", name="audit.jsonl")

    assert found.place.line == 2
    assert found.message == "this line has 32,769 characters, more than 32,768"


@pytest.mark.parametrize("number", [1, 200_000])
def test_a_line_knows_its_number(number: int) -> None:
    """Findings point at it."""
    found = LineReader("data/audit.jsonl").parse_line(LINE, number)

    assert found is not None
    assert str(found.place) == f"data/audit.jsonl:{number}:1"
