"""The Markdown for comments: nothing of a contract is markup, and it fits."""

import re

from markdown_it import MarkdownIt

from devportal.reporting import Format
from devportal.reporting.markdown import LONGEST

from .comparing import REASON, diff_between, hostile_diff, small_diff, with_operations, with_path, write_diff

_OURS = {"details", "summary", "b", "sub"}


def html(markdown: str) -> str:
    """Return what CommonMark with tables makes of Markdown."""
    return str(MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown))


def test_contract_brings_in_no_markup() -> None:
    """No tag but ours, no link, no image."""
    made = html(write_diff(hostile_diff(), Format.MARKDOWN))
    outside_code = re.sub(r"<code>.*?</code>", "", made)
    tags = set(re.findall(r"<([a-z0-9]+)", outside_code))

    assert tags - _OURS == {"h2", "h3", "p", "strong", "ul", "li", "br"}
    assert "<script" not in made


def test_contract_mentions_nobody_and_nothing() -> None:
    """Outside of code, where forges look, no `@name`, `#12` or address is whole."""
    markdown = write_diff(hostile_diff(), Format.MARKDOWN)
    outside_code = re.sub(r"<code>.*?</code>", "", html(markdown))

    assert "ada" in outside_code
    assert not re.search(r"@\w|#\d", outside_code)
    assert "://" not in re.sub(r"(`+).*?(?<!`)\1(?!`)", "", markdown)


def test_reason_is_text() -> None:
    """What the policy says is not trusted either: it comes with the pull request."""
    markdown = write_diff(small_diff(), Format.MARKDOWN)

    assert REASON not in markdown
    assert r"\| says &lt;b>@&#8203;ada&lt;/b>." in markdown


def test_grave_changes_stand_open_and_others_are_folded() -> None:
    """Each fold is closed again."""
    markdown = write_diff(small_diff(), Format.MARKDOWN)

    assert "### 🔴 Breaking (2)" in markdown
    assert "<details><summary><b>🟢 Compatible (3)</b>" in markdown
    assert markdown.count("<details>") == markdown.count("</details>") > 3


def test_many_changes_fit_a_comment() -> None:
    """What has no room is counted, and the folds are closed whatever is left out."""
    count = 700
    old = {
        "paths": {
            path: value
            for n in range(count)
            for path, value in with_path(f"/{n:03}", f"x{n}")["paths"].items()
        }
    }
    report = diff_between(old, {})
    markdown = write_diff(report, Format.MARKDOWN)
    left_out = re.search(r"… and (\d+) more changes: see", markdown)

    assert len(report.comparison.changes) == count
    assert len(markdown) <= LONGEST
    assert left_out
    assert markdown.count("operation.removed") == count - int(left_out[1])
    assert markdown.count("<details>") == markdown.count("</details>")


def test_many_users_are_folded() -> None:
    """All of them are counted, the first fifty named."""
    markdown = write_diff(diff_between(with_operations(60, 20), with_operations(60, 10)), Format.MARKDOWN)

    assert "<summary>used by 60 operations</summary>" in markdown
    assert "and 10 more" in markdown


def test_every_group_has_some_room() -> None:
    """However many graver changes there are."""
    old, new = (
        {"paths": {p: i for n in range(400) for p, i in with_path(f"/{a}{n:03}", f"{a}{n}")["paths"].items()}}
        for a in ("old", "new")
    )
    markdown = write_diff(diff_between(old, new), Format.MARKDOWN)

    assert len(markdown) <= LONGEST
    assert markdown.count("operation.removed") > 100
    assert markdown.count(" is added") > 10
