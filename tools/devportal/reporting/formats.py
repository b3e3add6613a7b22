"""The formats of reports: one row each. Every command that reports takes its options from here."""

from enum import StrEnum


class Format(StrEnum):
    """A format: its name, the function that writes it, and the purpose of its files."""

    def __new__(cls, name: str, writer: str = "", purpose: str = "") -> "Format":
        """Make a member of its row."""
        member = str.__new__(cls, name)
        member._value_ = name
        member.writer, member.purpose = writer, purpose
        return member

    writer: str
    """Module and function, imported on first use."""
    purpose: str
    """The help of its option; empty for formats without files."""

    TEXT = "text", "terminal:to_text"
    JSON = "json", "json_text:to_json_text", "Write the whole result as JSON."
    MARKDOWN = "markdown", "markdown:to_markdown", "Write Markdown for a pull request comment."
    HTML = "html", "html:to_html", "Write an HTML report: one file without scripts."
    GITHUB = "github", "annotations:to_annotations"
    GITLAB = (
        "gitlab",
        "code_quality:to_code_quality",
        "Write a Code Quality report, for merge requests of GitLab.",
    )
    SARIF = "sarif", "sarif:to_sarif", "Write SARIF 2.1.0, for code scanning."
    JUNIT = "junit", "junit:to_junit", "Write a JUnit XML report."


FILE_FORMATS = tuple(format_ for format_ in Format if format_.purpose)
"""The formats that can be written to files."""
