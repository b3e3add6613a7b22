"""Hand-written pages as plain Markdown: the words stay, what only the theme understands goes."""

from textwrap import dedent

import pytest

from devportal.site.hand_written.pages import plain_markdown
from tests.site.building import ROOT

CASES = {
    "attributes": (
        "# Title { #title .wide }\n\nLead.\n{ .dp-lead }\n\n[a](b.md){ .dp-button } and {a} and {a: 1}\n",
        "# Title\n\nLead.\n\n[a](b.md) and {a} and {a: 1}\n",
    ),
    "layout": (
        '# T\n\n<div class="x" markdown="1">\n\n### <span class="b">stable</span> part\n\n</div>\n<br>\n',
        "# T\n\n### stable part\n\n<br>\n",
    ),
    "folded": (
        '# T\n\n<details class="x" markdown="1">\n<summary>More</summary>\n\nText.\n\n</details>\n',
        "# T\n\n**More**\n\nText.\n",
    ),
    "code": (
        '# T\n\n```bash title="Send it" hl_lines="2"\n<div>{ .x } !!! a\n```\nA span `<div>{ .x }` stays.\n',
        "# T\n\nSend it:\n\n```bash\n<div>{ .x } !!! a\n```\nA span `<div>{ .x }` stays.\n",
    ),
    "code in code": (
        "# T\n\n````md\n```\n=== \"A\"\n```\n````\n",
        "# T\n\n````md\n```\n=== \"A\"\n```\n````\n",
    ),
    "code that never ends": ("# T\n\n```\n{ .x }", "# T\n\n```\n{ .x }\n"),
    "admonition": (
        '# T\n\n!!! warning "Mind this"\n    One { .x }\n\n    - two\n\nAfter.\n',
        "# T\n\n> **Mind this**\n>\n> One\n>\n> - two\n\nAfter.\n",
    ),
    "admonition without a title": ("# T\n\n??? note\n    One\n", "# T\n\n> **Note**\n>\n> One\n"),
    "admonition with no title": ('# T\n\n!!! tip ""\n    One\n', "# T\n\n> One\n"),
    "admonition in an item": (
        "# T\n\n- one\n\n    !!! note\n        Two\n\n        three\n\n- four\n",
        "# T\n\n- one\n\n    > **Note**\n    >\n    > Two\n    >\n    > three\n\n- four\n",
    ),
    "definitions": (
        "# T\n\nA\n:   One [b](c.md)\n\n    two\n\n: no\n",
        "# T\n\nA\n-   One [b](c.md)\n\n    two\n\n: no\n",
    ),
    "tabs": (
        '# T\n\n=== "curl"\n\n    ```bash\n    curl x\n    ```\n\n=== "PHP"\n\n    !!! note\n        In.\n',
        "# T\n\n**curl**\n\n```bash\ncurl x\n```\n\n**PHP**\n\n> **Note**\n>\n> In.\n",
    ),
    "blocks": (
        "# T\n\n/// warning | Mind\nOne { .x }\n\n- b\n///\n\n/// details\n    type: tip\n    open: 1\n\nIn.\n///\n",
        "# T\n\n> **Mind**\n>\n> One\n>\n> - b\n\n> **Tip**\n>\n> In.\n",
    ),
    "blocks in blocks": (
        "# T\n\n//// tab | curl\n/// note\nIn.\n///\n////\n\n//// tab | PHP\n```\na\n```\n////\n",
        "# T\n\n**curl**\n\n> **Note**\n>\n> In.\n\n**PHP**\n\n```\na\n```\n",
    ),
    "block in an item": (
        "# T\n\n- one\n\n    /// caption\n    Two\n    ///\n\n- three\n",
        "# T\n\n- one\n\n    Two\n\n- three\n",
    ),
    "block that never ends": ("# T\n\n/// note\nOne\n", "# T\n\n/// note\nOne\n"),
    "directive": (
        "# T\n\n::: devportal.contract\n    options:\n      x: 1\n\nMore.\n",
        "# T\n\n`devportal.contract`\n\nMore.\n",
    ),
    "comment, icon and contents": ("# T\n<!-- a -->\n[TOC]\nA :material-home: b\n", "# T\nA b\n"),
    "comment of several lines": ("# T\n<!-- a\n\nb -->\nA\n", "# T\nA\n"),
    "windows": ("# T\r\n\r\nA\r\n", "# T\n\nA\n"),
    "no heading": ("Text\n", "# Of its own\n\nText\n"),
    "no heading but in code": ("```\n# a\n```\n", "# Of its own\n\n```\n# a\n```\n"),
    "empty": ("", "# Of its own\n"),
}  # fmt: skip


@pytest.mark.parametrize(("source", "expected"), CASES.values(), ids=CASES)
def test_what_becomes_of_it(source: str, expected: str) -> None:
    """Each notation of the theme has a plain form."""
    twin = plain_markdown(source, title="Of its own")

    assert twin.split() == expected.split()
    assert twin.replace("\n\n", "\n") == expected.replace("\n\n", "\n")


@pytest.mark.parametrize("path", sorted((ROOT / "docs").rglob("*.md")), ids=lambda path: path.stem)
def test_our_own_pages(path: object) -> None:
    """No notation of the theme is left outside of code, and every word of prose is."""
    source = path.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    body = source.split("---\n", 2)[2] if source.startswith("---\n") else source

    twin = plain_markdown(body, title="T")

    prose = "\n".join(twin.split("```")[::2])
    assert "{ ." not in prose
    assert "markdown=" not in prose
    assert twin.startswith("# ")
    assert plain_markdown(twin) == twin


def test_a_page_is_quoted_whole() -> None:
    """What CommonMark knows is untouched: tables, lists, links, HTML that says something."""
    source = dedent(
        """\
        # T

        | a | b |
        |---|---|
        | `{ .x }` | <kbd>Ctrl</kbd> |

        1. one
            - two [three](a.md#b "c")

        <details><summary>More</summary>Text</details>
        """
    )

    assert plain_markdown(source) == source
