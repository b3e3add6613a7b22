"""Content streams of PDFs without what draws: simple streams are read at once, all others token by token."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from devportal.site.leaks.pdf_content import _without_simple_drawing, _without_tokens, without_drawing

TOKENS = st.sampled_from(
    [
        *(b"BT", b"ET", b"Tj", b"T*", b"d0", b"q", b"Q", b"'", b'"', b"m", b"true"),
        *(b"1.5", b"12", b"-.5", b".", b"1.", b"1a", b"+"),
        *(
            b"(a)",
            b"(",
            b")",
            b"\\",
            b"(a\\)b)",
            b"(a(b)c)",
            b"(\n%)",
            b"<41>",
            b"<",
            b"<<",
            b">>",
            b"[",
            b"]",
        ),
        *(b"/F1", b"/", b"%x", b"\n", b"\r", b"\0", b"\v", b"{", b"\xff"),
    ]
)
STREAMS = st.lists(st.tuples(TOKENS, st.sampled_from([b"", b" ", b"\n"]))).map(
    lambda pairs: b"".join(part for pair in pairs for part in pair)
)


@given(STREAMS)
@example(b"BT /F1 9.00 Tf ET\nBT 42.52 500.00 Td (a \\(b\\)) Tj ET\n42.52 490.00 m 799.37 490.00 l S\n")
def test_simple_streams_are_read_as_any_other(content: bytes) -> None:
    """What is read at once is what reading each token gives."""
    assert _without_simple_drawing(content) in (None, _without_tokens(content))


def test_page_of_a_sheet_is_a_simple_stream() -> None:
    """Numbers are blanked and operators in lower case; names and strings stay, at their places."""
    content = b"BT /F1 9.00 Tf ET\nBT 42.52 -.5 Td (DE \\(1\\)) Tj T* ET"

    assert _without_simple_drawing(content) is not None
    assert without_drawing(content) == b"bt /F1      tf et\nbt           td (DE \\(1\\)) tj t* et"


@pytest.mark.parametrize(
    "content", [b"12 097", b"(a) Tj (b)", b"BT 1a ET", b"Network 12.5 l S", b"1 2 m %x\n(a(b)c", b""]
)
def test_what_is_no_content_stream_stays(content: bytes) -> None:
    """It does not end with an operator, or has anything else than operators and operands."""
    assert without_drawing(content) == content
