"""Markdown twins as they are published."""

import pytest

from devportal.site.output.twins import TwinPublisher

PUBLISHER = TwinPublisher("https://a.example/docs/")
LINE = "> For AI agents: all pages of this site are listed in [llms.txt](https://a.example/docs/llms.txt).\n"


def publish_twin(markdown: str, uri: str = "guides/start.md") -> str:
    """Return what follows the first lines of a published twin."""
    title = "# Start\n"
    text = PUBLISHER.publish(uri, title + markdown)

    assert text.startswith(f"{title}\n{LINE}")
    return text.removeprefix(f"{title}\n{LINE}")


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("[a](../b.md)", "[a](https://a.example/docs/b.md)"),
        ("[a](b.md#c) and [d](e/f.md)", None),
        ('[a](b.md "A title")', '[a](https://a.example/docs/guides/b.md "A title")'),
        ("[a](<b c.md>)", "[a](<https://a.example/docs/guides/b c.md>)"),
        ("![a](a.png)", "![a](https://a.example/docs/guides/a.png)"),
        ("[a]: ../b.md", "[a]: https://a.example/docs/b.md"),
        ("- [a](../../../b.md)", "- [a](https://a.example/b.md)"),
        ("[`code`](b.md)", "[`code`](https://a.example/docs/guides/b.md)"),
    ],
)
def test_relative_links_become_absolute(markdown: str, expected: str | None) -> None:
    """Whoever reads a twin does not have the address that its links start from."""
    wanted = expected or (
        "[a](https://a.example/docs/guides/b.md#c) and [d](https://a.example/docs/guides/e/f.md)"
    )

    assert publish_twin(f"\n{markdown}\n") == f"\n{wanted}\n"


@pytest.mark.parametrize(
    "markdown",
    [
        "A note[^1] and another[^long].\n\n[^1]: One note\n[^long]:\n    Another.md",
        "[a](https://b.example/c) [d](mailto:e@f.example) [g](//h.example) [i](/j.md) [k](#l)",
        "`[a](b.md)` and ``x ` [a](b.md)``",
        "```\n[a](b.md)\n```",
        "````md\n```\n[a](b.md)\n```\n[a](b.md)\n````",
        "- item\n\n  ~~~\n  [a](b.md)\n  ~~~",
        "> ```\n> [a](b.md)\n> ```",
        "```\n[a](b.md)",
        "Write \\[a\\](b.md)",
    ],
)
def test_other_text_stays(markdown: str) -> None:
    """Absolute links, anchors, code, and signs that a backslash takes their meaning from."""
    assert publish_twin(f"\n{markdown}\n") == f"\n{markdown}\n"


def test_code_ends_where_it_ends() -> None:
    """A link behind a block is one again."""
    markdown = "\n```sh\n[a](b.md)\n```\n\n[a](b.md) `b` [c](d.md)\n"

    assert publish_twin(markdown).endswith(
        "[a](https://a.example/docs/guides/b.md) `b` [c](https://a.example/docs/guides/d.md)\n"
    )


@pytest.mark.parametrize(
    "line", ["`" * 30_000 + "](#x)", "``` " + "a ``` " * 10_000 + "](#x)", "~~~ " * 10_000]
)
def test_a_line_of_many_backticks_is_read_once(line: str) -> None:
    """The time for it grows with its length: each sign of code was compared with the whole line."""
    assert publish_twin(f"\n{line}") == f"\n{line}"


def test_backticks_that_no_others_close_are_no_code() -> None:
    """CommonMark §6.1: shorter ones within them do not begin code either."""
    assert publish_twin("\nOf ```` [a](/b) `` [a](b.md) ``` [c](/d)\n").endswith(
        "```` [a](/b) `` [a](https://a.example/docs/guides/b.md) ``` [c](/d)\n"
    )


def test_code_in_a_line_that_begins_with_it_is_no_block() -> None:
    """CommonMark §4.5: no backtick follows those that open a block."""
    assert publish_twin("\n```a``` [a](b.md)\n") == "\n```a``` [a](https://a.example/docs/guides/b.md)\n"


def test_without_the_address_of_the_site_links_stay_relative() -> None:
    """Such a site is read where it was built."""
    text = TwinPublisher("").publish("guides/start.md", "# Start\n\n[a](../b.md)\n")

    assert text == (
        "# Start\n\n> For AI agents: all pages of this site are listed in [llms.txt](../llms.txt).\n\n[a](../b.md)\n"
    )
    assert "[llms.txt](./llms.txt)" in TwinPublisher("").publish("index.md", "# Home\n")


@pytest.mark.parametrize("markdown", ["# A\n\nText.\n", "# A\n", "Text without a title.\n", ""])
def test_among_others_a_twin_has_no_line_of_its_own(markdown: str) -> None:
    """The file that holds all of them says so once."""
    whole = PUBLISHER.publish("a.md", markdown)

    assert LINE in whole
    assert PUBLISHER.among_others("a.md", whole) == markdown


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("../b.md", "b.md"),
        ("c.md#d", "guides/c.md#d"),
        ("../", "./"),
        ("../../e.md", "e.md"),
        ("https://b.example/c.md", "https://b.example/c.md"),
    ],
)
def test_among_others_relative_links_start_from_the_root(link: str, expected: str) -> None:
    """Where the file is that holds all of them; code stays as it is."""
    twins = TwinPublisher("")
    published = twins.publish("guides/start.md", f"# Start\n\n[a]({link}) `[a](b.md)`\n")

    assert twins.among_others("guides/start.md", published) == f"# Start\n\n[a]({expected}) `[a](b.md)`\n"
