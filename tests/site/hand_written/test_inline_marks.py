"""Marks of extensions in the Markdown twins of pages."""

import pytest

from devportal.site.hand_written.inline_marks import expand_inline_marks

ALL = ("pymdownx.keys", "pymdownx.mark", "pymdownx.caret", "pymdownx.tilde", "pymdownx.critic")


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ('Press ++ctrl+alt+del++ or ++"Send now"++.', "Press `Ctrl+Alt+Del` or `Send now`."),
        ("++arrow-up++ and ++page-down++", "`Up` and `Page Down`"),
        ("A ==marked word== and ==`code`==", "A marked word and `code`"),
        ("An ^^inserted word^^, H~2~O and x^2^", "An inserted word, H2O and x^2"),
        ("~~Gone~~ stays struck out", "~~Gone~~ stays struck out"),
        ("{++added++}{--gone--}{==seen==}{>>why<<} {~~old~>new~~}", "addedseen new"),
        ("a == b == c, i++ and ++j, 2^10 or 3^4", "a == b == c, i++ and ++j, 2^10 or 3^4"),
        (
            "`==a==` [b](c==d==) <https://a.example/?b==c==>",
            "`==a==` [b](c==d==) <https://a.example/?b==c==>",
        ),
        ("```\n==a==\n```\n==b==", "```\n==a==\n```\nb"),
        ("~~~ text\n```\n==a==\n~~~\n==b==", "~~~ text\n```\n==a==\n~~~\nb"),
    ],
)
def test_marks_have_a_plain_form(source: str, plain: str) -> None:
    """Agents read the twin as CommonMark, which has no such marks; code, links and operators are kept."""
    assert expand_inline_marks(source, ALL) == plain


def test_only_the_extensions_of_the_project_count() -> None:
    """Without them, the page itself shows the characters."""
    source = "++a++ ==b== ^^c^^ {++d++}"

    assert expand_inline_marks(source, ()) == source
    assert expand_inline_marks(source, ("pymdownx.mark",)) == "++a++ b ^^c^^ {++d++}"
