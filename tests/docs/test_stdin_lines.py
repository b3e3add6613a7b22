"""Lines of standard input: whole ones, in the order of the bytes."""

import asyncio
import os
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from devportal.docs.stdin_lines import MAX_LINE_BYTES, LineBuffer, StdinLines


@given(st.binary(max_size=60), st.lists(st.integers(0, 60), max_size=6))
def test_lines_do_not_depend_on_chunks(content: bytes, cuts: list[int]) -> None:
    """However the bytes arrive, the lines are the same."""
    ends = [0, *sorted(min(cut, len(content)) for cut in cuts), len(content)]
    buffer = LineBuffer()

    lines = [line for start, end in pairwise(ends) for line in buffer.add(content[start:end])]

    assert lines == [chunk.decode("utf-8", "replace") for chunk in content.split(b"\n")[:-1]]


def test_a_line_without_end_is_not_kept() -> None:
    """It becomes an empty object, and the next line is whole."""
    buffer = LineBuffer()

    lines = [*buffer.add(b"x" * MAX_LINE_BYTES), *buffer.add(b"x"), *buffer.add(b"y\nnext\n")]

    assert lines == ["{}", "next"]


def read_all(content: bytes) -> list[str]:
    """Return the lines of a pipe with some content."""
    readable, writable = os.pipe()
    os.write(writable, content)
    os.close(writable)

    async def collect() -> list[str]:
        return [line async for line in StdinLines(readable)]

    try:
        return asyncio.run(collect())
    finally:
        os.close(readable)


def test_input_ends() -> None:
    """The last line may have no end; an input that cannot be read has no lines."""

    async def collect() -> list[str]:
        return [line async for line in StdinLines(-1)]

    assert read_all(b"a\nb") == ["a", "b"]
    assert read_all(b"") == []
    assert asyncio.run(collect()) == []
