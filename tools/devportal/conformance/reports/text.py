"""Text from a deployment made safe to show: no control characters, not too long."""

from devportal.conformance.exchange import Answer


def shown(text: str, longest: int = 400) -> str:
    """Return a text with control characters escaped, cut at a number of code points."""
    escaped = "".join(char if char.isprintable() or char == "\n" else _escape(char) for char in text)
    return escaped if len(escaped) <= longest else escaped[: longest - 1] + "…"


def body_text(answer: Answer, longest: int = 400) -> str:
    """Return the body of an answer as text to look at; bytes that are not UTF-8 are shown as such."""
    return shown(answer.body.decode("utf-8", "backslashreplace"), longest)


def status_text(status: int) -> str:
    """Return a status as people read it."""
    return str(status) if status else "no answer"


def counted(count: int, noun: str) -> str:
    """Return how many there are of something."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
